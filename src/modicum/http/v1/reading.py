"""Routes under /v1 for reading memory: search, recall, timeline, and the brief for hooks."""

from modicum.app.memory.notes import find_note
from modicum.app.session.events import Brief
from modicum.http import pages
from modicum.http.pages import whole_number
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.answer import needed
from modicum.http.v1.notes import filters
from modicum.http.v1.records import brief_json
from modicum.memory.model import Query

BRIEF_NOTES = 8
MOST_BRIEF_NOTES = 500


def search(request: ApiRequest) -> Reply:
    words = needed(request, "q", "say what to look for, as in ?q=why+is+login+slow")
    return pages.page_reply(request, pages.searched(request, words, filters(request)))


def recall(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.recalled(request, filters(request)))


def timeline(request: ApiRequest) -> Reply:
    word = needed(request, "note", "give the id of a note, as in ?note=n-7kq2m4xd")
    return pages.page_reply(request, pages.around(request, find_note(request.store, word).id))


def brief(request: ApiRequest) -> Reply:
    """Replies over HTTP with the notes a hook reads at a session's start; with `q`, those for a prompt."""
    project, word, words = (request.text(name) for name in ("project", "limit", "q"))
    limit = min(whole_number("limit", word), MOST_BRIEF_NOTES) if word else BRIEF_NOTES
    if words.strip():
        notes = request.store.notes_for_prompt(words, Query(project=project))[:limit]
        return json_reply(brief_json(Brief((), notes, "", len(notes))))
    return json_reply(brief_json(request.store.recalled(project, limit)))
