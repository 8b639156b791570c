"""Routes under /v1 that recall notes: search, recall, timeline, and the brief for hooks."""

from modicum.app.memory.notes import find_note
from modicum.app.session.brief import BRIEF_NOTES, brief_for
from modicum.http import pages
from modicum.http.pages import count_of
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.answer import needed
from modicum.http.v1.notes import filters
from modicum.http.v1.records import brief_json


def search(request: ApiRequest) -> Reply:
    words = needed(request, "q", "say what to look for, as in ?q=why+is+login+slow")
    return pages.page_reply(request, pages.searched(request, words, filters(request)))


def recall(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.recalled(request, filters(request)))


def timeline(request: ApiRequest) -> Reply:
    word = needed(request, "note", "give the id of a note, as in ?note=n-7kq2m4")
    return pages.page_reply(request, pages.around(request, find_note(request.store, word).id))


def brief(request: ApiRequest) -> Reply:
    """Replies at /v1 with what is recalled for a hook: the notes at a session's start, or with `q` those for a prompt."""
    project, words = request.project(), request.text("q")
    limit = count_of(request, "limit", BRIEF_NOTES)
    return json_reply(brief_json(brief_for(request.store, project, words, limit)))
