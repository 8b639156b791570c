"""The screen of memory: a list of notes that is searched as one types, and one note with everything around it."""

from collections.abc import Sequence
from urllib.parse import urlencode

from modicum.app.memory.notes import find_note, look
from modicum.app.session.seen_notes import shown_in
from modicum.app.workbench.changes import merged_draft
from modicum.app.workbench.found import NoteState, find_notes, parse_state
from modicum.app.workbench.projects import project_shown, projects_to_choose
from modicum.app.workbench.whole_note import note_around
from modicum.base.errors import ModicumError
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.filters.model import NAMES, parse_query
from modicum.memory.model import NOTE_TYPES, RELATION_TYPES, NotFound
from modicum.web.answer import json_answer, page

SHOWN = 30
LONGEST_QUESTION = 400
LONGEST = 60_000  # characters of a note that are shown at once, and that can be edited here
CHOSEN = ("project", "type", "origin", "since", "until")  # filters that one chooses on the screen
HELD = tuple(
    name for name in NAMES if name not in CHOSEN
)  # those that only an address gives, and one can let go
KEPT = ("q", *NAMES, "state")  # in the address of a list


def notes(request: ApiRequest) -> Reply:
    """Replies with the screen of notes; `part` is its list or its note alone."""
    part = request.text("part")
    if part == "note":
        return page(request, "note.html", screen="memory", **note_values(request))
    if part == "list":
        return page(request, "memory_list.html", screen="memory", **_list_values(request))
    return page(
        request, "memory.html", screen="memory", tab="notes", **_list_values(request), **note_values(request)
    )


def _list_values(request: ApiRequest) -> dict[str, object]:
    project = project_asked(request)
    asked = {name: request.text(name) for name in NAMES} | {"project": project}
    question = request.text("q")[:LONGEST_QUESTION]
    query = parse_query(asked)._replace(limit=SHOWN, cursor=request.text("cursor"))
    state = parse_state(request.text("state"))
    found = find_notes(request.store, question, query, state)
    kept = {name: value for name in KEPT if (value := request.text(name))}
    return {
        "found": found,
        "question": question,
        "asked": asked,
        "state": state,
        "states": NoteState,
        "projects": projects_to_choose(request.store, project),
        "types": request.store.types(project),
        "held": HELD,
        "is_narrowed": bool(question or state or any(asked[name] for name in NAMES if name != "project")),
        "kept": urlencode(kept),
        "is_later": bool(request.text("cursor")),
        "chosen": _chosen(request),
    }


def _chosen(request: ApiRequest) -> str:
    """The public id of the note that is open beside the list."""
    try:
        return find_note(request.store, request.text("note")).public_id if request.text("note") else ""
    except ModicumError:
        return ""


def project_asked(request: ApiRequest) -> str:
    """Returns the project that the screen of notes is about; "" for all."""
    return project_shown(request.store, request.config, request.text("project"))


def note_values(request: ApiRequest) -> dict[str, object]:
    """Returns what the template of the screen of notes shows of one note; nothing if no note is chosen, or if it is gone."""
    name = request.text("note")
    values: dict[str, object] = {
        "around": None,
        "missing": "",
        "shown_in": (),
        "relation_types": RELATION_TYPES,
        "note_types": NOTE_TYPES,
        "longest": LONGEST,
    }
    if not name:
        return values
    try:
        number = find_note(request.store, name).id
        return values | {"around": note_around(request.store, number), "shown_in": _shown_in(request, number)}
    except NotFound as error:
        return values | {"missing": error.message}


def _shown_in(request: ApiRequest, number: int) -> Sequence[str]:
    """Sessions that hooks of this machine have shown a note to: nobody else's business."""
    own = request.config and not request.store.who.token
    return shown_in(str(request.config.data), number) if own and request.config else ()


def merge(request: ApiRequest) -> Reply:
    """Replies with the screen of two notes side by side, and a proposal for one that says what both say."""
    found = (find_note(request.store, request.text(name)) for name in ("keep", "other"))
    keep, other = (look(request.store, note.id).note for note in found)
    if keep.id == other.id:
        raise ModicumError("a note cannot be merged with itself", remedy="choose two notes")
    draft = merged_draft(keep, other)
    return page(request, "memory_merge.html", screen="memory", keep=keep, other=other, draft=draft)


def version(request: ApiRequest) -> Reply:
    """Answers the screen of notes, which follows along, with a number that changes with every change of memory."""
    return json_answer({"version": request.store.version()})
