"""The table of our own HTTP routes under /v1."""

from collections.abc import Sequence
from http import HTTPStatus

from modicum.engine.tokens import MEASURES
from modicum.engine.views import DETAIL_NAMES
from modicum.http.openapi import ProblemJson
from modicum.http.replies import PROBLEM, problem_reply
from modicum.http.routes import Handler, JsonSchema, Parameter, Route, RouteTable
from modicum.http.v1 import about, batches, bodies, inbox, notes, recall, records, sessions
from modicum.http.v1.answer import answer
from modicum.memory.filters.model import NOTE, PROMPT, SESSION, Filter, ItemKind, filters_of

_TEXT: JsonSchema = {"type": "string"}
_COUNT: JsonSchema = {"type": "integer", "minimum": 0}
_ONE_OR_MORE: JsonSchema = {"type": "integer", "minimum": 1}
_NUMBER: JsonSchema = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}
_NOTE: JsonSchema = {
    "type": "string",
    "pattern": "^(n-[0-9a-hjkmnp-tv-z]{4,12}|[0-9]{1,18})$",
    "examples": ["n-7kq2m4", "42"],
}

_PROJECT = Parameter("project", "Of this project; without it, of all.", _TEXT)
_LIMIT = Parameter("limit", "The most items that a page considers, up to 500.", _ONE_OR_MORE)
_CURSOR = Parameter("cursor", "`next` of the page before.", _TEXT)
_QUESTION = Parameter(
    "q", "What to look for, in plain words.", {"type": "string", "minLength": 1}, required=True
)
_AMOUNT = (
    Parameter("detail", "How each item is worded.", {"type": "string", "enum": list(DETAIL_NAMES)}),
    Parameter("max_tokens", "The most tokens that the text may have.", _COUNT),
    Parameter("max_bytes", "The most bytes that the text may have.", _COUNT),
    Parameter("tokenizer", "What max_tokens counts.", {"type": "string", "enum": list(MEASURES)}),
    _CURSOR,
)


def _filters(*kinds: ItemKind) -> tuple[Parameter, ...]:
    """Returns the parameters for all filters that one of these kinds of items has."""
    others = (each for each in filters_of(*kinds) if each.name != _PROJECT.name)
    return (_PROJECT, *(Parameter(each.name, each.about, _schema(each)) for each in others))


def _schema(each: Filter) -> JsonSchema:
    if each.choices:
        return {**_TEXT, "enum": list(each.choices)}
    return {**_TEXT, "examples": [each.example]} if each.example else _TEXT


def _counts(**texts: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, text, _COUNT) for name, text in texts.items())


_BESIDE = _counts(
    limit="How many notes; 0: none but the pinned ones.",
    sessions="How many sessions.",
    prompts="How many prompts.",
    pinned="How many pinned notes.",
)
_AROUND = _counts(before="How many notes before it.", after="How many notes after it.")
_BRIEF = (
    Parameter("project", "Of this project; without it, of what has no project.", _TEXT),
    *_counts(limit="How many notes."),
    Parameter("q", "A prompt: only notes that share enough words with it.", _TEXT),
)
_AUDIT = (_PROJECT, Parameter("person", "What this person did.", _TEXT), _LIMIT, _CURSOR)
_PACKS = (Parameter("q", "Only parts that answer this question.", _TEXT), _LIMIT, *_AMOUNT)
_CHECK = (
    Parameter("q", "What you want to change; without it, the open change.", _TEXT),
    Parameter("change", "The change that it is for, which is left out.", _TEXT),
    _LIMIT,
    *_AMOUNT,
)
_HARD = (Parameter("hard", "true: for good.", {"type": "string", "enum": ["true", "false"]}),)


def _get(
    path: str, handler: Handler, summary: str, parameters: Sequence[Parameter] = (), *, reply: object,
    cached: bool = True, is_open: bool = False,
) -> Route:  # fmt: skip
    return Route(
        "GET", path, handler, summary, tuple(parameters), reply=reply, failures=(400,), cached=cached,
        names=_names(path), is_open=is_open,
    )  # fmt: skip


def _write(
    method: str, path: str, handler: Handler, summary: str, parameters: Sequence[Parameter] = (), *,
    body: object = None, reply: object, made: bool = False,
) -> Route:  # fmt: skip
    status = HTTPStatus.CREATED if made else HTTPStatus.OK
    return Route(
        method, path, handler, summary, tuple(parameters), body, reply, status, failures=(400,),
        names=_names(path),
    )  # fmt: skip


def _names(path: str) -> dict[str, JsonSchema]:
    if "{id}" not in path or "/sessions/" in path:
        return {}
    return {"id": _NOTE if "/notes/" in path else _NUMBER}


_PAGE = records.PageJson

ROUTES = (
    _get("/v1/health", about.health, "Whether the server can read its store", reply=records.HealthJson, cached=False,
         is_open=True),
    _get("/v1/stats", about.stats, "How much there is", reply=records.StatsJson),
    _get("/v1/search", recall.search, "The notes that answer a question", (_QUESTION, *_filters(NOTE), _LIMIT, *_AMOUNT),
         reply=_PAGE),
    _get("/v1/recall", recall.recall, "What a new session should know", (*_filters(*ItemKind), *_BESIDE, *_AMOUNT), reply=_PAGE),
    _get("/v1/timeline", recall.timeline, "A note among its neighbours in the session",
         (Parameter("note", "The id of the note, or its number.", _NOTE, required=True), *_AROUND, *_AMOUNT), reply=_PAGE),
    _get("/v1/brief", recall.brief, "What a hook tells a session: a line for each note", _BRIEF, reply=records.BriefJson),
    _get("/v1/notes", notes.newest, "Notes, the newest first", (*_filters(NOTE), _LIMIT, *_AMOUNT), reply=_PAGE),
    _write("POST", "/v1/notes", notes.save, "Keep a note", body=bodies.NoteBody, reply=records.SavedJson, made=True),
    _write("POST", "/v1/notes/capture", notes.capture, "Keep the learnings that a text lists", body=bodies.CaptureBody,
           reply=records.CapturedJson),
    _get("/v1/notes/{id}", notes.read, "A note, whole, with its relations", reply=records.NoteWithRelations),
    _write("PATCH", "/v1/notes/{id}", notes.change, "Change a note", body=bodies.NoteChanges, reply=records.NoteJson),
    _write("DELETE", "/v1/notes/{id}", notes.delete, "Delete a note", _HARD, reply=records.NoteIdJson),
    _write("POST", "/v1/notes/{id}/restore", notes.restore, "Bring a deleted note back", reply=records.NoteJson),
    _write("PUT", "/v1/notes/{id}/pin", notes.pin, "Pin a note", reply=records.NoteIdJson),
    _write("DELETE", "/v1/notes/{id}/pin", notes.unpin, "Unpin a note", reply=records.NoteIdJson),
    _get("/v1/notes/{id}/history", notes.history, "Every wording of a note", reply=records.HistoryJson),
    _get("/v1/notes/{id}/relations", notes.relations, "The relations of a note", reply=records.RelationsJson),
    _write("POST", "/v1/notes/{id}/relations", notes.relate, "Relate a note to another one", body=bodies.RelationBody,
           reply=records.RelationsJson, made=True),
    _write("DELETE", "/v1/relations/{id}", notes.unrelate, "Delete a relation", reply=records.IdJson),
    _get("/v1/log", batches.log, "The changes of the last 30 days, the latest first", (_LIMIT, _CURSOR), reply=records.LogJson,
         cached=False),
    _write("POST", "/v1/undo", batches.undo, "Take back your last change, or the one that is named", body=bodies.UndoBody,
           reply=records.UndoneJson)._replace(failures=(400, 403, 404, 409)),
    _get("/v1/inbox", inbox.newest, "Notes that wait for a person, the newest first", (*_filters(NOTE), _LIMIT, *_AMOUNT),
         reply=_PAGE),
    _write("POST", "/v1/inbox/{id}/accept", inbox.accept, "Accept a note from the inbox, changed if you like",
           body=bodies.NoteChanges, reply=records.NoteJson),
    _write("DELETE", "/v1/inbox/{id}", inbox.drop, "Drop a note from the inbox", reply=records.NoteIdJson),
    _get("/v1/sessions", sessions.latest, "Sessions, the latest activity first", (*_filters(SESSION), _LIMIT, *_AMOUNT), reply=_PAGE),
    _write("POST", "/v1/sessions", sessions.start, "Start a session", body=bodies.SessionBody, reply=records.SessionJson,
           made=True),
    _get("/v1/sessions/{id}", sessions.read, "A session", reply=records.SessionJson),
    _write("DELETE", "/v1/sessions/{id}", sessions.delete, "Delete an empty session", reply=records.SessionJson)
    ._replace(failures=(400, 409)),
    _write("POST", "/v1/sessions/{id}/end", sessions.end, "End a session", body=bodies.SessionEnd,
           reply=records.SessionJson),
    _get("/v1/prompts", sessions.newest_prompts, "Prompts, the newest first", (*_filters(PROMPT), _LIMIT, *_AMOUNT), reply=_PAGE),
    _write("POST", "/v1/prompts", sessions.save_prompt, "Keep a prompt", body=bodies.PromptBody, reply=records.PromptJson,
           made=True),
    _get("/v1/prompts/{id}", sessions.read_prompt, "A prompt", reply=records.PromptJson),
    _write("DELETE", "/v1/prompts/{id}", sessions.delete_prompt, "Delete a prompt", reply=records.IdJson),
    _get("/v1/projects", about.projects, "Projects, the one with the most notes first", (_LIMIT, *_AMOUNT), reply=_PAGE),
    _write("POST", "/v1/projects/merge", about.merge_projects, "Move projects into another", body=bodies.ProjectMerge,
           reply=records.MovedJson),
    _get("/v1/packs", about.packs, "The packs there are", _PACKS, reply=_PAGE, cached=False),
    _get("/v1/packs/{key:path}", about.pack, "The parts of a pack, or one part, whole", (_LIMIT, *_AMOUNT), reply=_PAGE,
         cached=False),
    _get("/v1/specs", about.specs, "Documents, open changes and decisions of the project", (_LIMIT, *_AMOUNT), reply=_PAGE,
         cached=False),
    _get("/v1/specs/check", about.check, "What bears on a change", _CHECK, reply=records.CheckPageJson,
         cached=False),
    _get("/v1/audit", about.audit, "Who saved, changed and deleted what", _AUDIT, reply=records.AuditJson),
)  # fmt: skip

V1 = RouteTable("/v1", ROUTES, answer, problem_reply, {PROBLEM: ProblemJson})
