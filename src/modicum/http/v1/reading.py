"""Routes under /v1 for reading memory: search, recall, timeline, and the brief for hooks."""

from modicum.http import pages
from modicum.http.pages import whole_number
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.answer import needed
from modicum.http.v1.notes import filters
from modicum.http.v1.records import BriefJson, BriefNoteJson

BRIEF_NOTES = 8
MOST_BRIEF_NOTES = 500


def search(request: ApiRequest) -> Reply:
    words = needed(request, "q", "say what to look for, as in ?q=why+is+login+slow")
    return json_reply(pages.searched(request, words, filters(request)))


def recall(request: ApiRequest) -> Reply:
    return json_reply(pages.recalled(request, filters(request)))


def timeline(request: ApiRequest) -> Reply:
    word = needed(request, "note", "give the number of a note, as in ?note=42")
    return json_reply(pages.around(request, whole_number("note", word)))


def brief(request: ApiRequest) -> Reply:
    """Replies over HTTP with the notes a hook reads at a session's start; with `q`, those for a prompt."""
    project, word, words = (request.text(name) for name in ("project", "limit", "q"))
    limit = min(whole_number("limit", word), MOST_BRIEF_NOTES) if word else BRIEF_NOTES
    if words.strip():
        from modicum.app.session.events import notes_for_text

        notes = notes_for_text(request.store, words, project)[:limit]
        return json_reply(BriefJson([], [BriefNoteJson(*note) for note in notes], "", len(notes)))
    found = request.store.recalled(project, limit)
    pinned, recent = ([BriefNoteJson(*note) for note in each] for each in (found.pinned, found.notes))
    return json_reply(BriefJson(pinned, recent, found.summary, found.total))
