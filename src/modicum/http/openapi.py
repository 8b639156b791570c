"""The OpenAPI document, made from the table of routes."""

from http import HTTPStatus
from typing import Any

import msgspec

from modicum import __version__
from modicum.app.answer.amount import TOKENIZER
from modicum.engine.tokens import MEASURES
from modicum.engine.views import DETAIL_NAMES
from modicum.http.replies import JSON, PROBLEM, Reply, RequestParts, ok
from modicum.http.routes import LARGEST_IMPORT, PAGE, ROUTES, Route
from modicum.memory.store import Store

Schema = dict[str, Any]


class PageItemSchema(msgspec.Struct):
    """What became of an item of a page."""

    key: str
    id: int | str
    fate: str
    size: int
    reason: str | None
    score: float = 0.0
    why: str = ""


class PageSchema(msgspec.Struct):
    """A page in the amount asked for."""

    text: str
    used: int
    limit: int | None
    unit: str
    shown: int
    total: int
    omitted: int
    next: str | None
    items: list[PageItemSchema]


class FailureSchema(msgspec.Struct):
    """What is wrong."""

    error: str


class ProblemSchema(msgspec.Struct):
    """What is wrong, and what to do about it (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    error: str


_WORDS = {
    "q": "What to look for, in plain words.",
    "project": "Of this project; without it, of all.",
    "scope": "project, personal or global.",
    "type": "Of this type.",
    "namespace": "Of this agent. Pages only.",
    "session": "Of this session. Pages only.",
    "since": "Made then or later, as 2026-11-15 or with a time. Pages only.",
    "until": "Made before then; a day alone is included. Pages only.",
    "limit": "How many: at most 20 hits, or 500 on a page.",
    "compact": "Titles only.",
    "ids": "A number in front of each note, to ask for it by. Ours, not engram's.",
    "observations": "How many observations; less than 0 is none.",
    "prompts": "How many prompts; less than 0 is none.",
    "sessions": "How many sessions; less than 0 is none.",
    "pinned": "How many pinned observations; less than 0 is none.",
    "detail": "How each item is worded. Makes the reply a page.",
    "max_tokens": "The most tokens that the text of the page may have. Makes the reply a page.",
    "max_bytes": "The most bytes that the text may have.",
    "tokenizer": f"What max_tokens counts; {TOKENIZER} unless given.",
    "cursor": "`next` of the page before. Makes the reply a page.",
    "observation_id": "The observation in the middle.",
    "before": "How many before it.",
    "after": "How many after it.",
    "hard": "For good.",
    "session_id": "The session.",
    "person": "What this person did.",
    "status": "Of this state; all relations are judged.",
    "offset": "How many to pass over.",
    "cwd": "The folder; without it, the one that the server was started in.",
}
_NUMBERS: dict[str, Schema] = {
    **{key: {"type": "integer"} for key in ("memory_id_a", "memory_id_b")},
    **{key: {"type": ["integer", "null"]} for key in ("observation_id", "id")},
    "confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
}

_RESCUE: dict[str, Schema] = {
    "confirmed": {"type": "boolean"},
    "session_ids": {"type": ["array", "null"], "items": {"type": "string"}},
    **{
        key: {"type": ["array", "null"], "items": {"type": "integer"}}
        for key in ("observation_ids", "prompt_ids")
    },
}

# Pages are strict; everything else is as tolerant as what it stands in for: a number that is none is the default.
_KINDS: dict[str, Schema] = {
    "detail": {"type": "string", "enum": list(DETAIL_NAMES)},
    "max_tokens": {"type": "integer", "minimum": 0},
    "tokenizer": {"type": "string", "enum": list(MEASURES)},
}


_PAGE, _FAILURE, _PROBLEM = (
    {"$ref": f"#/components/schemas/{name}"} for name in ("Page", "Failure", "Problem")
)
_ALWAYS = (401, 403, 404, 405, 429, 500)
_OF_A_BODY = (408, 413, 415)


def document() -> Schema:
    """The whole document."""
    kinds = [
        PageSchema,
        FailureSchema,
        ProblemSchema,
        *(route.gives for route in ROUTES if route.gives is not None),
    ]
    given, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = iter(given[3:])
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        reply = next(schemas) if route.gives is not None else {"type": "object"}
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, reply)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "modicum",
            "version": __version__,
            "description": "Memory, in the amount asked for.",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(route: Route, reply: Schema) -> Schema:
    names = [part.strip("{}") for part in route.path.split("/") if part.startswith("{")]
    parameters = [_path_parameter(name, route) for name in names] + [_parameter(name) for name in route.takes]
    told: Schema = {"summary": route.does, "responses": _responses(route, reply)}
    if parameters:
        told["parameters"] = parameters
    if route.body:
        told["requestBody"] = {
            "content": {JSON: {"schema": _body(route)}},
            "required": _required(route.body) != [],
        }
    return told


def _path_parameter(name: str, route: Route) -> Schema:
    kind = {"type": "string", "minLength": 1} if "sessions" in route.path else {"type": "integer"}
    return {"name": name, "in": "path", "required": True, "schema": kind}


def _parameter(name: str) -> Schema:
    bare = name.rstrip("*")
    kind = _KINDS.get(bare, {"type": "string"})
    if bare != name:
        kind = {**kind, "minLength": 1}
    return {
        "name": bare,
        "in": "query",
        "required": bare != name,
        "schema": kind,
        "description": _WORDS[bare],
    }


def _required(fields: tuple[str, ...]) -> list[str]:
    return [field.rstrip("*") for field in fields if field.endswith("*")]


def _body(route: Route) -> Schema:
    kind: Schema = {"type": ["string", "null"]}
    if route.largest == LARGEST_IMPORT:
        kind = {"type": ["array", "null"], "items": {"type": "object"}}
    numbers = _NUMBERS if route.path.startswith(("/conflicts", "/review")) else {}
    fields = {
        field.rstrip("*"): {"type": "string", "minLength": 1} if field.endswith("*") else kind
        for field in route.body
    }
    fields |= {field: kind for field, kind in (numbers | _RESCUE).items() if field in fields}
    return {"type": "object", "properties": fields, "required": _required(route.body)}


def _responses(route: Route, reply: Schema) -> Schema:
    if PAGE[0] in route.takes:
        reply = {"anyOf": [reply, _PAGE]}
    created = route.method == "POST" and route.path in ("/sessions", "/observations", "/prompts")
    good = HTTPStatus.CREATED if created else HTTPStatus.OK
    statuses = sorted({*route.failures, *_ALWAYS, *(_OF_A_BODY if route.writes else ())})
    bad = {str(status): _response(HTTPStatus(status), _failures(route, status)) for status in statuses}
    return {str(int(good)): _response(good, {JSON: reply}), **bad}


def _failures(route: Route, status: int) -> Schema:
    """Ours are problems; engram's have its own words, and plain text where there is no such route."""
    text = {"text/plain": {"type": "string"}} if status in (404, 405) else {}
    own = {JSON: _FAILURE} if status in route.failures else {}
    return {**own, PROBLEM: _PROBLEM, **text}


def _response(status: HTTPStatus, kinds: Schema) -> Schema:
    content = {kind: {"schema": schema} for kind, schema in kinds.items()}
    return {"description": status.phrase, "content": content}


def _answer(store: Store, asked: RequestParts) -> Reply:
    return ok(document())


DOCUMENT = Route("GET", "/openapi.json", _answer, "This document", gives=dict[str, Any])
