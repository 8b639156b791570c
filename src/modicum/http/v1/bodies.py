"""The bodies of /v1 requests as msgspec structs, and the parser that names the wrong field."""

from collections.abc import Iterable
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from modicum.base.errors import ModicumError
from modicum.memory.model import DEFAULT_TYPE, RELATES_TO

Body = TypeVar("Body", bound=msgspec.Struct)
Scope = Literal["project", "personal", "global"]


class NoteBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that saves a note. Without a session, the project's usual one is used."""

    title: str
    content: str
    type: str = DEFAULT_TYPE
    project: str = ""
    session_id: str = ""
    scope: Scope = "project"
    topic_key: str = ""
    namespace: str = ""
    author: str = ""


class NoteChanges(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a /v1 request that changes a note. A field that is missing or null stays as it is."""

    title: str | None = None
    content: str | None = None
    type: str | None = None
    project: str | None = None
    scope: Scope | None = None
    topic_key: str | None = None
    namespace: str | None = None


class CaptureBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request with a text that lists learnings under a heading like "Key Learnings"."""

    content: str
    project: str = ""
    session_id: str = ""
    source: str = ""
    namespace: str = ""


class UndoBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that undoes a batch: which one, 0 for the last; or only tells what would be done."""

    batch: int = 0
    dry_run: bool = False


class RelationBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that relates a note to another: the other note, and the kind."""

    to: str | int
    type: str = RELATES_TO
    note: str = ""
    both: bool = False


class SessionBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that starts a session."""

    id: str
    project: str = ""
    directory: str = ""
    namespace: str = ""


class SessionEnd(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that ends a session. Without a summary, the saved one is used."""

    summary: str = ""


class PromptBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that saves a prompt that the user typed."""

    content: str
    project: str = ""
    session_id: str = ""
    namespace: str = ""


class ProjectMerge(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that merges projects: those to move, and the one that takes them in."""

    sources: list[str]
    target: str


def parse_body(data: bytes, kind: type[Body]) -> Body:
    """Parses the JSON body of a /v1 request into a struct. Raises ModicumError if a field is wrong."""
    given = _object(data)
    fields = msgspec.structs.fields(kind)
    names = [field.name for field in fields]
    for name in given:
        if name not in names:
            raise _unknown(name, names)
    for field in fields:
        if field.required and field.name not in given:
            raise ModicumError(f"{field.name} is missing", remedy=f"give {_in_words(field.type)}")
    return kind(**{field.name: _value(field, given[field.name]) for field in fields if field.name in given})


def _object(data: bytes) -> dict[str, Any]:
    try:
        given = msgspec.json.decode(data) if data.strip() else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        remedy = "send one JSON object, in UTF-8"
        raise ModicumError(f"the body is not JSON: {error}", remedy=remedy) from None
    if not isinstance(given, dict):
        raise ModicumError("the body is not an object", remedy='send one, as in {"title": "…"}')
    return given


def _unknown(name: str, names: Iterable[str]) -> ModicumError:
    from modicum.base.near_words import nearest

    near = nearest(name[:60], sorted(names))
    remedy = f'did you mean "{near}"?' if near else f"the fields are: {', '.join(names)}"
    return ModicumError(f'there is no field "{name[:60]}"', remedy=remedy)


def _value(field: msgspec.structs.FieldInfo, given: object) -> object:
    try:
        return msgspec.convert(given, field.type)
    except msgspec.ValidationError:
        words = _in_words(field.type)
        raise ModicumError(f"{field.name} is not {words}", remedy=f"give {words}") from None


_WORDS = {str: "a text", int: "a whole number", bool: "true or false", list[str]: "a list of texts"}


def _in_words(kind: Any) -> str:  # noqa: ANN401 - a type
    """A type as a person says it."""
    if get_origin(kind) is Literal:
        return f"one of: {', '.join(get_args(kind))}"
    some = [each for each in get_args(kind) if each is not type(None)]
    return _WORDS.get(kind) or _in_words(some[0])
