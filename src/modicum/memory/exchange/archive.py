"""An archive as a JSON document: ours, and how other systems write theirs. Pure but for reading times."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from modicum.memory.model import (
    DEFAULT_TYPE,
    RELATES_TO,
    Archive,
    ImportProblem,
    Note,
    Progress,
    Prompt,
    Refused,
    Relation,
    Revision,
    Session,
)
from modicum.memory.names import (
    LONGEST_NAME,
    MOST_AMOUNT,
    clip,
    default_session,
    project_name,
    scope_name,
    topic_name,
)
from modicum.memory.times import parse_time

FORMAT, VERSION = "modicum", 1
LONGEST_ID = 60  # bytes of an id that is told

_Record = Mapping[str, Any]
_KINDS: Mapping[str, Callable[..., Any]] = {
    "sessions": Session,
    "notes": Note,
    "prompts": Prompt,
    "relations": Relation,
    "revisions": Revision,
    "progress": Progress,
}
_NEEDED = {
    name: [field for field in kind._fields if field not in kind._field_defaults]  # type: ignore[attr-defined]
    for name, kind in _KINDS.items()
}
_NAMES = ("id", "sync_id", "session_id", "project", "namespace", "type")  # which databases keep in order
_AMOUNTS = ("revision_count", "duplicate_count", "notes")
_ENGRAM_NAMES = {"observations": "notes", "observation_id": "note_id"}
_EPOCH = "1970-01-01T00:00:00.000Z"
_NO_LIST = "this is no list"


class _Odd(ValueError):  # noqa: N818 - says what it is
    """A record is not what it should be."""


def to_document(archive: Archive) -> dict[str, Any]:
    """The archive as JSON can hold it."""
    lists = {name: [item._asdict() for item in getattr(archive, name)] for name in _KINDS}
    return {"format": FORMAT, "version": VERSION, "exported_at": archive.exported_at, **lists}


def to_lines(archive: Archive) -> Iterator[str]:
    """The archive as lines of JSON, one for each thing in it."""
    yield _line({"format": FORMAT, "version": VERSION, "exported_at": archive.exported_at})
    for name in _KINDS:
        for item in getattr(archive, name):
            yield _line({"in": name, **item._asdict()})


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def gathered(head: _Record, records: Sequence[_Record]) -> dict[str, Any]:
    """The document whose lines these are."""
    lists = {name: [each for each in records if each.get("in") == name] for name in _KINDS}
    return {**head, **lists}


def read_document(document: object) -> tuple[Archive, tuple[ImportProblem, ...]]:
    """The archive in a document of ours or of engram, and the items in it that are odd."""
    checked = _checked(document)
    problems = [ImportProblem(name, _NO_LIST) for name in _KINDS if not _is_list(checked.get(name))]
    lists = {name: checked.get(name) if _is_list(checked.get(name)) else None for name in _KINDS}
    parts = {name: tuple(_sound(name, records, problems)) for name, records in lists.items()}
    return Archive(exported_at=str(checked.get("exported_at", "")), **parts), tuple(problems)


def _sound(name: str, records: object, problems: list[ImportProblem]) -> Iterator[Any]:
    for number, record in enumerate(_listed(name, records), 1):
        try:
            yield _item(name, number, record)
        except Refused as error:
            where, _, reason = error.message.partition(": ")
            problems.append(ImportProblem(f"{where}{_named(record)}", reason))


def _named(record: object) -> str:
    known = record.get("id") or record.get("sync_id") if isinstance(record, Mapping) else None
    return f" (id {clip(str(known), LONGEST_ID)})" if isinstance(known, str | int | float) else ""


def from_document(document: object) -> Archive:
    """The archive in a document of ours or of engram; one odd item refuses all of it."""
    checked = _checked(document)
    parts = {name: _items(name, checked.get(name)) for name in _KINDS}
    return Archive(exported_at=str(checked.get("exported_at", "")), **parts)


def _checked(document: object) -> _Record:
    if not isinstance(document, Mapping):
        raise Refused("this is no export", remedy="give a file that `export` has written")
    if document.get("format") == FORMAT and document.get("version") != VERSION:
        raise Refused("this was exported by a newer modicum", remedy="update modicum, then import it again")
    named = {_ENGRAM_NAMES.get(str(name), str(name)): value for name, value in document.items()}
    if not any(name in named for name in _KINDS):
        raise Refused("this is no export", remedy="give a file that `export` has written")
    return named


def _items(name: str, records: object) -> tuple[Any, ...]:
    return tuple(_item(name, number, record) for number, record in enumerate(_listed(name, records), 1))


def _is_list(records: object) -> bool:
    return records is None or isinstance(records, list | tuple)


def _listed(name: str, records: Any) -> Sequence[Any]:  # noqa: ANN401 - anything
    if not _is_list(records):
        raise Refused(f"{name}: {_NO_LIST}", remedy="give a file that `export` has written")
    return records or ()


def _item(name: str, number: int, record: object) -> Any:  # noqa: ANN401 - one of _KINDS
    try:
        if not isinstance(record, Mapping):
            raise _Odd("it is no record")
        return _KINDS[name](**_read(name, record))
    except (_Odd, Refused) as error:
        reason = error.message if isinstance(error, Refused) else str(error)
        raise Refused(
            f"{name}, item {number}: {reason}", remedy="repair the file, or export it again"
        ) from error


def _read(name: str, record: _Record) -> dict[str, Any]:
    kind = _KINDS[name]
    fields: Mapping[str, type] = kind.__annotations__
    named = {_ENGRAM_NAMES.get(field, field): value for field, value in record.items()}
    known = {field: value for field, value in named.items() if field in fields and value is not None}
    read = {field: _cast(field, value, fields[field]) for field, value in known.items()}
    whole = _COMPLETED[name](read) if name in _COMPLETED else read
    lost = [field for field in _NEEDED[name] if field not in whole]
    if lost:
        raise _Odd(f"{lost[0]} is missing")
    return whole


def _cast(field: str, value: object, kind: type) -> object:
    if kind is int:
        return _number(field, value)
    if not isinstance(value, str):
        raise _Odd(f"{field} is no text")
    if field in _NAMES and len(value.encode(errors="replace")) > LONGEST_NAME:
        raise _Odd(f"{field} has more than {LONGEST_NAME} bytes")
    return parse_time(value) if field.endswith("_at") and value else value


def _number(field: str, value: object) -> int:
    try:
        number: int = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        raise _Odd(f"{field} is no number") from None
    return min(number, MOST_AMOUNT) if field in _AMOUNTS else number


def _session(read: dict[str, Any]) -> dict[str, Any]:
    if not read.get("id"):
        raise _Odd("id is missing")
    return read | {
        "project": project_name(read.get("project", "")),
        "started_at": read.get("started_at") or _EPOCH,
    }


def _relation(read: dict[str, Any]) -> dict[str, Any]:
    if "from_id" in read and read["from_id"] == read.get("to_id"):
        raise _Odd("it leads from a note to itself")
    return {"id": 0} | read | {"type": read.get("type", "").strip() or RELATES_TO}


def _revision(read: dict[str, Any]) -> dict[str, Any]:
    if not 0 < read.get("number", 1) <= MOST_AMOUNT:
        raise _Odd("number is none that a revision can have")
    return read


def _progress(read: dict[str, Any]) -> dict[str, Any]:
    try:
        json.loads(read.get("content", ""))
    except (ValueError, RecursionError):
        raise _Odd("content is no JSON") from None
    return read | {"project": project_name(read.get("project", ""))}


def _note(read: dict[str, Any]) -> dict[str, Any]:
    created = read.get("created_at") or _EPOCH
    defaults = {
        "id": 0,
        "title": "Untitled note",
        "content": "",
        "created_at": created,
        "updated_at": created,
        "last_seen_at": read.get("updated_at") or created,
    }
    project = project_name(read.get("project", ""))
    names = {
        "project": project,
        "type": read.get("type", "").strip() or DEFAULT_TYPE,
        "session_id": read.get("session_id") or default_session(project),
        "scope": scope_name(read.get("scope", "")),
        "topic_key": topic_name(read.get("topic_key", "")),
        "pinned": min(1, max(0, read.get("pinned", 0))),
        "revision_count": max(1, read.get("revision_count", 1)),
        "duplicate_count": max(1, read.get("duplicate_count", 1)),
    }
    return _identified("obs", defaults | read | names)


def _prompt(read: dict[str, Any]) -> dict[str, Any]:
    project = project_name(read.get("project", ""))
    names = {"project": project, "session_id": read.get("session_id") or default_session(project)}
    return _identified("prompt", {"id": 0, "created_at": _EPOCH} | read | names)


def _identified(kind: str, read: dict[str, Any]) -> dict[str, Any]:
    """Old exports know no `sync_id`; the same record must get the same one each time."""
    if not read.get("sync_id"):
        parts = (read.get(name, "") for name in ("session_id", "type", "title", "content", "created_at"))
        read["sync_id"] = f"{kind}-{sha256('|'.join(parts).encode(errors='replace')).hexdigest()[:16]}"
    return read


_COMPLETED: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "sessions": _session,
    "notes": _note,
    "prompts": _prompt,
    "relations": _relation,
    "revisions": _revision,
    "progress": _progress,
}
