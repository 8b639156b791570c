"""Archives of memory as JSON: written as a document or lines, read from modicum's and engram's. Pure."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from modicum.memory.foreign_json import WrongShape, shaped
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
    public_name,
    scope_name,
    topic_name,
)
from modicum.memory.projects.keys import DECLARED, ORIGIN, ROOT, NamedProject, ProjectKey
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
    "projects": NamedProject,
    "keys": ProjectKey,
}
_NEEDED = {
    name: [field for field in kind._fields if field not in kind._field_defaults]  # type: ignore[attr-defined]  # NamedTuples
    for name, kind in _KINDS.items()
}
# Every field may be missing: what must be there is added or asked for once the others are read.
_SHAPES: Mapping[str, Any] = {
    name: msgspec.defstruct(
        f"_{kind.__name__}Record",
        [(field, type_ | msgspec.UnsetType, msgspec.UNSET) for field, type_ in kind.__annotations__.items()],
    )
    for name, kind in _KINDS.items()
}
_NAMES = ("id", "sync_id", "session_id", "project", "namespace", "type")  # which databases keep in order
_AMOUNTS = ("revision_count", "duplicate_count", "notes")
_ENGRAM_NAMES = {"observations": "notes", "observation_id": "note_id"}
_EPOCH = "1970-01-01T00:00:00.000Z"
_NO_LIST = "this is no list"


def to_document(archive: Archive) -> dict[str, Any]:
    """Returns an archive as one document for JSON."""
    lists = {name: [item._asdict() for item in getattr(archive, name)] for name in _KINDS}
    return {"format": FORMAT, "version": VERSION, "exported_at": archive.exported_at, **lists}


def to_lines(archive: Archive) -> Iterator[str]:
    """Yields an archive as lines of JSON: a head, then one line for each item."""
    yield _line({"format": FORMAT, "version": VERSION, "exported_at": archive.exported_at})
    for name in _KINDS:
        for item in getattr(archive, name):
            yield _line({"in": name, **item._asdict()})


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def document_of_lines(head: _Record, records: Sequence[_Record]) -> dict[str, Any]:
    """Returns the document of an archive that was written as a head and lines of JSON."""
    lists = {name: [each for each in records if each.get("in") == name] for name in _KINDS}
    return {**head, **lists}


def read_document(document: object) -> tuple[Archive, tuple[ImportProblem, ...]]:
    """Reads the archive in a JSON document of modicum or engram; returns also the unreadable items."""
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
    """Reads the archive in a JSON document of modicum or engram; raises Refused if an item is unreadable."""
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
            raise WrongShape("expected a record")
        return _KINDS[name](**_read(name, record))
    except WrongShape as error:
        raise Refused(
            f"{name}, item {number}: {error}", remedy="repair the file, or export it again"
        ) from error


def _read(name: str, record: _Record) -> dict[str, Any]:
    named = {_ENGRAM_NAMES.get(field, field): value for field, value in record.items()}
    read = msgspec.structs.asdict(shaped(_plain(name, named), _SHAPES[name], lax=True))
    known = {field: _cleaned(field, value) for field, value in read.items() if value is not msgspec.UNSET}
    whole = _COMPLETED[name](known)
    lost = [field for field in _NEEDED[name] if field not in whole]
    if lost:
        raise WrongShape(f"{lost[0]}: it is missing")
    return whole


def _plain(name: str, record: _Record) -> dict[str, Any]:
    """The record without what is null, and with 0 or 1 for a number that another system writes as true or false."""
    numbers = [field for field, kind in _KINDS[name].__annotations__.items() if kind is int]
    given = {field: value for field, value in record.items() if value is not None}
    return {
        field: int(value) if field in numbers and isinstance(value, bool) else value
        for field, value in given.items()
    }


def _cleaned(field: str, value: Any) -> Any:  # noqa: ANN401 - a text or a number
    if isinstance(value, int):
        return min(value, MOST_AMOUNT) if field in _AMOUNTS else value
    if field in _NAMES and len(value.encode(errors="replace")) > LONGEST_NAME:
        raise WrongShape(f"{field}: it has more than {LONGEST_NAME} bytes")
    return _time(field, value) if field.endswith("_at") and value else value


def _time(field: str, text: str) -> str:
    try:
        return parse_time(text)
    except Refused as error:
        raise WrongShape(f"{field}: {error.message}") from None


def _session(read: dict[str, Any]) -> dict[str, Any]:
    if not read.get("id"):
        raise WrongShape("id: it is missing")
    return read | {
        "project": project_name(read.get("project", "")),
        "started_at": read.get("started_at") or _EPOCH,
    }


def _relation(read: dict[str, Any]) -> dict[str, Any]:
    if "from_id" in read and read["from_id"] == read.get("to_id"):
        raise WrongShape("it leads from a note to itself")
    return {"id": 0} | read | {"type": read.get("type", "").strip() or RELATES_TO}


def _revision(read: dict[str, Any]) -> dict[str, Any]:
    if not 0 < read.get("number", 1) <= MOST_AMOUNT:
        raise WrongShape("number: no revision can have this one")
    return read


def _project(read: dict[str, Any]) -> dict[str, Any]:
    names = {name: project_name(read.get(name, "")) for name in ("id", "name")}
    if not all(names.values()):
        raise WrongShape("a project has no id or no name")
    return read | names


def _key(read: dict[str, Any]) -> dict[str, Any]:
    if read.get("kind") not in (DECLARED, ORIGIN, ROOT) or not read.get("value"):
        raise WrongShape("kind: there is no such key of a project")
    return read


def _progress(read: dict[str, Any]) -> dict[str, Any]:
    try:
        json.loads(read.get("content", ""))
    except (ValueError, RecursionError):
        raise WrongShape("content: it is no JSON") from None
    return read | {"project": project_name(read.get("project", ""))}


def _note(read: dict[str, Any]) -> dict[str, Any]:
    # One that is deleted may be empty: it says that the note is gone.
    if not any(read.get(name, "").strip() for name in ("title", "content", "deleted_at")):
        raise WrongShape("it has neither title nor text")
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
    """The record with a `sync_id`: old exports have none. One is replaced that is no name, or looks like a secret.

    The same record gets the same one each time.
    """
    given = read.get("sync_id", "")
    if given and public_name(given) != given:
        read["sync_id"] = f"{kind}-{sha256(given.encode(errors='replace')).hexdigest()[:16]}"
    elif not given:
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
    "projects": _project,
    "keys": _key,
}
