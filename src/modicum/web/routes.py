"""The table of the workbench's routes: the start page at /, everything else below /web."""

from modicum.http.routes import Route, RouteTable
from modicum.web import reading, tools
from modicum.web.answer import about, answer, of_this_machine, refuse, sign_in, sign_out
from modicum.web.cookies import token_of
from modicum.web.files import static_file

SMALL = 64 * 1024

ROUTES = (
    Route("GET", "/", of_this_machine(tools.tools, screen="tools"), "What every tool reads"),
    Route("GET", "/web/about", of_this_machine(about), "Which project this server shows"),
    Route("GET", "/web/static/{version}/{name}", static_file, "A file of the workbench", is_public=True),
    Route("POST", "/web/login", sign_in, "Sign in", largest_body=SMALL),
    Route("POST", "/web/logout", sign_out, "Sign out", largest_body=SMALL),
    Route("GET", "/web/reading", of_this_machine(reading.reading, screen="reading"), "What one tool reads"),
    Route("POST", "/web/reading/keep", of_this_machine(reading.keep), "Keep settings", largest_body=SMALL),
    Route(
        "POST", "/web/reading/undo", of_this_machine(reading.undo), "Take settings back", largest_body=SMALL
    ),
    Route("POST", "/web/reading/inject", of_this_machine(reading.inject), "Write pages", largest_body=SMALL),
)

WEB = RouteTable("/web", ROUTES, answer, refuse, {}, token_of, is_for_programs=False)
