"""An archive as a JSON document: ours, and how other systems write theirs. Pure but for reading times."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from modicum.memory.model import (
    Archive,
    Observation,
    Problem,
    Progress,
    Prompt,
    Refused,
    Relation,
    Revision,
    Session,
)
from modicum.memory.names import project_name, scope_name, topic_name
from modicum.memory.times import parse_time

FORMAT, VERSION = "modicum", 1

_Record = Mapping[str, Any]
_KINDS: Mapping[str, Callable[..., Any]] = {
    "sessions": Session,
    "observations": Observation,
    "prompts": Prompt,
    "relations": Relation,
    "revisions": Revision,
    "progress": Progress,
}


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


def read_document(document: object) -> tuple[Archive, tuple[Problem, ...]]:
    """The archive in a document of ours or of engram, and the items in it that are odd."""
    checked = _checked(document)
    problems: list[Problem] = []
    parts = {name: tuple(_sound(name, checked.get(name), problems)) for name in _KINDS}
    return Archive(exported_at=str(checked.get("exported_at", "")), **parts), tuple(problems)


def _sound(name: str, records: object, problems: list[Problem]) -> Iterator[Any]:
    for number, record in enumerate(_listed(name, records), 1):
        try:
            yield _item(name, number, record)
        except Refused as error:
            where, _, reason = error.message.partition(": ")
            problems.append(Problem(f"{where}{_named(record)}", reason))


def _named(record: object) -> str:
    known = record.get("id") or record.get("sync_id") if isinstance(record, Mapping) else None
    return f" (id {known})" if known else ""


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
    if not any(name in document for name in _KINDS):
        raise Refused("this is no export", remedy="give a file that `export` has written")
    return document


def _items(name: str, records: object) -> tuple[Any, ...]:
    return tuple(_item(name, number, record) for number, record in enumerate(_listed(name, records), 1))


def _listed(name: str, records: object) -> list[Any] | tuple[Any, ...]:
    listed = [] if records is None else records
    if not isinstance(listed, list | tuple):
        raise Refused(f"{name}: this is no list", remedy="give a file that `export` has written")
    return listed


def _item(name: str, number: int, record: object) -> Any:  # noqa: ANN401 - one of _KINDS
    try:
        if not isinstance(record, Mapping):
            raise TypeError
        return _KINDS[name](**_read(name, record))
    except (TypeError, ValueError, Refused) as error:
        reason = error.message if isinstance(error, Refused) else "something is missing or of the wrong kind"
        raise Refused(
            f"{name}, item {number}: {reason}", remedy="repair the file, or export it again"
        ) from error


def _read(name: str, record: _Record) -> dict[str, Any]:
    kind = _KINDS[name]
    fields: Mapping[str, type] = kind.__annotations__
    known = {field: value for field, value in record.items() if field in fields and value is not None}
    read = {field: _cast(field, value, fields[field]) for field, value in known.items()}
    return _COMPLETED[name](read) if name in _COMPLETED else read


def _cast(field: str, value: object, kind: type) -> object:
    if kind is int:
        return int(value)  # type: ignore[call-overload]
    if not isinstance(value, str):
        raise TypeError(field)
    return _time(value) if field.endswith("_at") and value else value


def _time(text: str) -> str:
    ours = len(text) == len("2026-11-15T17:43:25.123Z") and text[10] == "T" and text[-1] == "Z"
    return text if ours else parse_time(text)


def _session(read: dict[str, Any]) -> dict[str, Any]:
    return read | {
        "project": project_name(read.get("project", "")),
        "started_at": read.get("started_at") or _EPOCH,
    }


_EPOCH = "1970-01-01T00:00:00.000Z"


def _observation(read: dict[str, Any]) -> dict[str, Any]:
    created = read.get("created_at") or _EPOCH
    defaults = {
        "id": 0,
        "type": "manual",
        "title": "Untitled observation",
        "content": "",
        "created_at": created,
        "updated_at": created,
        "last_seen_at": read.get("updated_at") or created,
    }
    names = {
        "project": project_name(read.get("project", "")),
        "scope": scope_name(read.get("scope", "")),
        "topic_key": topic_name(read.get("topic_key", "")),
        "revision_count": max(1, read.get("revision_count", 1)),
        "duplicate_count": max(1, read.get("duplicate_count", 1)),
    }
    return _identified("obs", defaults | read | names)


def _prompt(read: dict[str, Any]) -> dict[str, Any]:
    names = {"project": project_name(read.get("project", ""))}
    return _identified("prompt", {"id": 0, "created_at": _EPOCH} | read | names)


def _identified(kind: str, read: dict[str, Any]) -> dict[str, Any]:
    """Old exports know no `sync_id`; the same record must get the same one each time."""
    if not read.get("sync_id"):
        parts = (read.get(name, "") for name in ("session_id", "type", "title", "content", "created_at"))
        read["sync_id"] = f"{kind}-{sha256('|'.join(parts).encode(errors='replace')).hexdigest()[:16]}"
    return read


_COMPLETED: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "sessions": _session,
    "observations": _observation,
    "prompts": _prompt,
}
