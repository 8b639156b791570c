"""The table of the workbench's routes: the start page at /, everything else below /web."""

from modicum.http.guard import KEY_PATH
from modicum.http.routes import Route, RouteTable
from modicum.web import changes, live, reading, tools
from modicum.web.answer import LOGIN, LOGOUT, answer, of_this_machine, refuse, to_start
from modicum.web.cookies import person_of
from modicum.web.files import static_file
from modicum.web.memory import actions, log, notes, review, sessions
from modicum.web.sign_in import about, open_page, sign_in, sign_out

SMALL = 64 * 1024
LARGE = 4 * 1024 * 1024  # the text of a note

ROUTES = (
    Route("GET", "/", of_this_machine(tools.tools, screen="tools"), "What every tool reads"),
    *(Route("GET", path, to_start, "Where the workbench is", is_public=True) for path in ("/web", "/web/")),
    Route("GET", "/web/about", about, "Whether this is the server that it seems to be", is_public=True),
    Route("GET", KEY_PATH, open_page, "Open the page with a key from a terminal", is_public=True),
    Route("GET", "/web/static/{version}/{name}", static_file, "A file of the workbench", is_public=True),
    Route("POST", LOGIN, sign_in, "Sign in", largest_body=SMALL),
    Route("POST", LOGOUT, sign_out, "Sign out", largest_body=SMALL, is_public=True),
    Route("GET", "/web/reading", of_this_machine(reading.reading, screen="reading"), "What one tool reads"),
    Route("POST", "/web/reading/keep", of_this_machine(reading.keep), "Keep settings", largest_body=SMALL),
    Route(
        "POST", "/web/reading/undo", of_this_machine(reading.undo), "Take settings back", largest_body=SMALL
    ),
    Route("POST", "/web/reading/inject", of_this_machine(reading.inject), "Write pages", largest_body=SMALL),
    Route("GET", "/web/memory", notes.notes, "Notes, searched as one types"),
    Route("GET", "/web/memory/merge", notes.merge, "Two notes side by side"),
    Route("GET", "/web/memory/sessions", sessions.sessions, "Sessions, by day"),
    Route("GET", "/web/memory/session-start", sessions.session_start, "What a new session would be told"),
    Route("GET", "/web/memory/log", log.log, "The latest changes of memory"),
    Route("GET", "/web/memory/version", notes.version, "Whether memory was changed"),
    Route("GET", "/web/review", review.review, "What waits for a verdict"),
    Route("POST", "/web/memory/change", actions.change, "Change a note", largest_body=LARGE),
    Route("POST", "/web/memory/pin", actions.pin, "Pin a note", largest_body=SMALL),
    Route("POST", "/web/memory/relate", actions.link, "Relate two notes", largest_body=SMALL),
    Route("POST", "/web/memory/unrelate", actions.unlink, "Remove a relation", largest_body=SMALL),
    Route("POST", "/web/memory/merge", actions.merge, "Merge two notes", largest_body=LARGE),
    Route("POST", "/web/memory/delete", actions.delete, "Delete notes", largest_body=SMALL),
    Route("POST", "/web/memory/restore", actions.restore, "Restore a note", largest_body=SMALL),
    Route("POST", "/web/memory/undo", actions.undo, "Take a change back", largest_body=SMALL),
    Route("POST", "/web/review/accept", actions.accept, "Accept notes", largest_body=LARGE),
    Route("POST", "/web/review/drop", actions.drop, "Drop notes", largest_body=SMALL),
    Route("POST", "/web/review/settle", actions.verdict, "Settle a pair of notes", largest_body=SMALL),
    Route("GET", "/web/changes", changes.changes, "Changes and decisions"),
    Route("GET", "/web/changes/check", changes.checked, "What bears on a sentence"),
    Route("GET", "/web/change/{id}", changes.change, "One change"),
    Route("GET", "/web/live", of_this_machine(live.live, screen="live"), "What agents were handed"),
)

WEB = RouteTable("/web", ROUTES, answer, refuse, {}, person_of, is_for_programs=False)
