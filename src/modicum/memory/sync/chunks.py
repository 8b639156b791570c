"""Chunks: states as lines of JSON in one canonical spelling, under the hash of their bytes. Pure.

What is read may come from anybody, so that every line is checked, cleaned, and skipped if it is not what it should be.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from modicum.memory.model import DEFAULT_TYPE
from modicum.memory.names import LONGEST_NAME, MOST_AMOUNT, scope_name, storable, topic_name
from modicum.memory.redact import redact
from modicum.memory.sync.state import EDGE, KINDS, MOST_TURNS, Register, SyncState, Value, Version, version

FORMAT, FORMAT_VERSION = "memory", 1
HEAD = {"modicum": FORMAT, "version": FORMAT_VERSION}
CHUNK_BYTES = 1_000_000
MOST_BYTES = 64_000_000  # of one file that is read
DAMAGED = "it is damaged: its hash is not its name (take it from git once more, or delete it)"

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_NAME = re.compile(r"[0-9a-f]{32}\.jsonl")


class Chunk(NamedTuple):
    """A file: its name, and its bytes."""

    name: str
    data: bytes


class Decoded(NamedTuple):
    """What is in a chunk, and what is wrong with it."""

    states: tuple[SyncState, ...] = ()
    problems: tuple[str, ...] = ()


def spell(value: object) -> str:
    """The one spelling of a JSON value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def name_of(data: bytes) -> str:
    return f"{sha256(data).hexdigest()[:32]}.jsonl"


def chunk_of(lines: Iterable[str]) -> Chunk:
    """A chunk of lines; their order does not matter."""
    data = "".join(f"{line}\n" for line in (spell(HEAD), *sorted(set(lines)))).encode()
    return Chunk(name_of(data), data)


def portions(lines: Iterable[str], size: int = CHUNK_BYTES) -> Iterator[list[str]]:
    """The lines in portions of about this many bytes, at least one in each."""
    portion: list[str] = []
    room = size
    for line in lines:
        length = len(line.encode())
        if portion and length > room:
            yield portion
            portion, room = [], size
        portion.append(line)
        room -= length
    if portion:
        yield portion


# Writing


def record_of(state: SyncState) -> dict[str, Any]:
    """A state as JSON can hold it, without what is empty."""
    record: dict[str, Any] = {"kind": state.kind, "key": state.key, "dead": state.dead}
    record |= {"least": _lists(state.least), "most": _lists(state.most)}
    record["set"] = {name: [each.time, each.turn, [*each.value]] for name, each in state.registers.items()}
    record["versions"] = [each._asdict() for each in state.versions]
    return {name: value for name, value in record.items() if value}


def _lists(values: Mapping[str, Value]) -> dict[str, list[Any]]:
    return {name: [*value] for name, value in values.items()}


# Reading


class BadRecord(ValueError):  # noqa: N818 - says what it is
    """A record is not what it should be."""


def decode(chunk: Chunk) -> Decoded:
    """The states in a chunk. Line ends that git has changed are put right before the hash is checked."""
    data = chunk.data.replace(b"\r\n", b"\n")
    if name_of(data) != chunk.name:
        return Decoded(problems=(DAMAGED,))
    head, *lines = data.decode(errors="replace").removesuffix("\n").split("\n")
    if not head.startswith('{"modicum":"memory","version":'):
        return Decoded(problems=("it is no chunk of modicum",))
    if head != spell(HEAD):
        return Decoded(problems=("it was written by a newer modicum: update, then sync again",))
    states, problems = [], []
    for number, line in enumerate(lines, 2):
        try:
            states.append(state_of(json.loads(line)))
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, BadRecord) else "it is no JSON that can be read"
            problems.append(f"line {number}: {reason}")
    return Decoded(tuple(sorted(states, key=lambda state: KINDS.index(state.kind))), tuple(problems))


def state_of(record: object) -> SyncState:
    """The state in a record from anywhere, cleaned."""
    if not isinstance(record, dict):
        raise BadRecord("it is no record")
    kind = record.get("kind")
    if kind not in KINDS:
        raise BadRecord("its kind is unknown: update modicum, then sync again")
    key = _edge(record.get("key")) if kind == EDGE else _word(record.get("key"))
    if record.get("dead") is True:
        return SyncState(kind, key, dead=True)
    parts = {name: _part(record, name, dict) for name in ("least", "most", "set")}
    return SyncState(
        kind,
        key,
        False,
        {name: _shaped(f"{kind}.least.{name}", value) for name, value in parts["least"].items()},
        {name: _shaped(f"{kind}.most.{name}", value) for name, value in parts["most"].items()},
        {name: _register(f"{kind}.set.{name}", value) for name, value in parts["set"].items()},
        tuple(sorted(_version(each) for each in _part(record, "versions", list))),
    )


def _edge(value: object) -> str:
    key = _text(value)
    one, other, kind = edge_ends(key)
    return spell([_word(one), _word(other), _name(kind)])


def edge_ends(key: str) -> tuple[str, str, str]:
    """From where to where, and what kind of an edge."""
    try:
        ends = json.loads(key)
    except (ValueError, RecursionError):
        ends = None
    if not isinstance(ends, list) or [type(each) for each in ends] != [str] * 3 or spell(ends) != key:
        raise BadRecord("its key is no edge")
    return ends[0], ends[1], ends[2]


def _part(record: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - of the kind
    found = record.get(name, kind())
    if not isinstance(found, kind):
        raise BadRecord(f"{name}: it is no {kind.__name__}")
    return found


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadRecord("there is no text where one should be")
    return storable(value)


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_TURNS:
        raise BadRecord("there is no number where one should be")
    return value


def _amount(value: object) -> int:
    return min(_number(value), MOST_AMOUNT)


def _name(value: object) -> str:
    text = _text(value)
    if len(text.encode()) > LONGEST_NAME:
        raise BadRecord(f"a name has more than {LONGEST_NAME} bytes")
    return text


def _word(value: object) -> str:
    text = _name(value)
    if not text:
        raise BadRecord("there is no name where one should be")
    return text


def _time(value: object) -> str:
    if isinstance(value, str) and _TIME.fullmatch(value):
        with suppress(ValueError):
            datetime.fromisoformat(value)
            return value
    raise BadRecord("there is no time where one should be")


def _time_or_none(value: object) -> str:
    return "" if value == "" else _time(value)


def _clean(value: object) -> str:
    return redact(_text(value))


def _scope(value: object) -> str:
    return scope_name(_text(value))


def _topic(value: object) -> str:
    return topic_name(_text(value))


def _flag(value: object) -> int:
    return min(1, _number(value))


_Shape = tuple[Callable[[object], Any], ...]
_SHAPES: Mapping[str, _Shape] = {
    "note.least.born": (_time, _word, _amount),
    "note.most.duplicates": (_amount,),
    "note.most.seen_at": (_time_or_none,),
    "note.most.updated_at": (_time,),
    "note.set.place": (_scope, _topic, _name, _text),
    "note.set.pinned": (_flag,),
    "note.set.deleted": (_time_or_none,),
    "note.set.into": (_word,),
    "session.least.started_at": (_time,),
    "session.set.namespace": (_name,),
    "session.set.end": (_time_or_none, _clean),
    "session.set.gone": (_flag,),
    "prompt.least.prompt": (_time, _word, _name, _clean),
    "edge.set.edge": (_flag, _clean, _time),
}


def _shaped(place: str, value: object) -> Value:
    shape = _SHAPES.get(place)
    if shape is None:
        raise BadRecord(f"{place[:80]} is unknown: update modicum, then sync again")
    if not isinstance(value, list) or len(value) != len(shape):
        raise BadRecord(f"{place} has the wrong shape")
    return tuple(read(each) for read, each in zip(shape, value, strict=True))


def _register(place: str, value: object) -> Register:
    if not isinstance(value, list) or len(value) != len(Register._fields):
        raise BadRecord(f"{place[:80]} has the wrong shape")
    return Register(_time(value[0]), _number(value[1]), _shaped(place, value[2]))


def _version(record: object) -> Version:
    if not isinstance(record, dict):
        raise BadRecord("versions: one is no record")
    kind, title, content, tool = (_text(record.get(name)) for name in Version._fields[4:])
    text = (_name(kind).strip() or DEFAULT_TYPE, redact(title), redact(content), tool)
    return version(
        _time(record.get("time")), _number(record.get("turn")), _time(record.get("saved_at")), text
    )


# What is kept of a state in the database. It was made by us, and is read as it is.


def kept(state: SyncState) -> str:
    return spell([state.dead, _lists(state.least), _lists(state.most), state.registers, state.versions])


def recall(kind: str, key: str, text: str) -> SyncState:
    dead, least, most, registers, versions = json.loads(text)
    return SyncState(
        kind,
        key,
        dead,
        {name: tuple(value) for name, value in least.items()},
        {name: tuple(value) for name, value in most.items()},
        {name: Register(time, turn, tuple(value)) for name, (time, turn, value) in registers.items()},
        tuple(Version(*each) for each in versions),
    )


def lines_of(states: Sequence[SyncState]) -> list[str]:
    return [spell(record_of(state)) for state in states]
