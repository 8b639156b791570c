"""Chunk files of a sync: states as lines of canonical JSON, named by the hash of their bytes. Pure.

What is read may come from anybody, so that every line is checked, cleaned, and skipped if it is not what it should be.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from types import GenericAlias
from typing import Annotated, Any, NamedTuple

import msgspec

from modicum.memory.foreign_json import WrongShape, shaped
from modicum.memory.model import DEFAULT_TYPE
from modicum.memory.names import LONGEST_NAME, MOST_AMOUNT, public_name, scope_name, topic_name
from modicum.memory.redact import redact
from modicum.memory.sync.state import (
    EDGE,
    KINDS,
    MOST_TURNS,
    NOTE,
    Register,
    SyncState,
    Value,
    Version,
    said_by,
    version,
)

FORMAT, FORMAT_VERSION = "memory", 1
HEAD = {"modicum": FORMAT, "version": FORMAT_VERSION}
CHUNK_BYTES = 1_000_000
MOST_BYTES = 64_000_000  # of one file that is read
DAMAGED = "it is damaged: its hash is not its name (take it from git once more, or delete it)"

LONGEST_TOLD = 40
Turn = Annotated[int, msgspec.Meta(ge=0, le=MOST_TURNS)]

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
MOST_SPEAKERS = (
    4  # machines that have handed something on one after the other; what went through more is nobody's word
)
_MACHINE = r"m-[0-9a-z]{1,20}"
_NAME = re.compile(rf"(?:({_MACHINE})\.)?[0-9a-f]{{32}}\.jsonl")
_SPEAKERS = re.compile(rf"{_MACHINE}(?: {_MACHINE}){{0,{MOST_SPEAKERS - 1}}}|unnamed")
UNNAMED = "unnamed"  # of a chunk without a machine in its name, which nobody can confirm


class Chunk(NamedTuple):
    """A chunk of a sync: the name of the file, and its bytes."""

    name: str
    data: bytes


class Decoded(NamedTuple):
    """A decoded chunk of a sync: the states in it, and what is wrong with it."""

    states: tuple[SyncState, ...] = ()
    problems: tuple[str, ...] = ()


def canonical_json(value: object) -> str:
    """Returns the canonical JSON text of a value in a chunk of a sync: the same value has the same text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def machine_of(name: str) -> str:
    """Returns the machine in the name of a chunk of a sync, "" if it names none."""
    found = _NAME.fullmatch(name)
    return (found and found.group(1)) or ""


def is_machine(name: str) -> bool:
    return bool(re.fullmatch(_MACHINE, name))


def name_of(data: bytes, machine: str = "") -> str:
    hashed = f"{sha256(data).hexdigest()[:32]}.jsonl"
    return f"{machine}.{hashed}" if machine else hashed


def chunk_of(lines: Iterable[str], machine: str = "") -> Chunk:
    """Makes a chunk of a sync from lines; the same lines of a machine in any order make the same chunk."""
    data = "".join(f"{line}\n" for line in (_head(machine), *sorted(set(lines)))).encode()
    return Chunk(name_of(data, machine), data)


def _head(machine: str) -> str:
    return canonical_json({**HEAD, **({"by": machine} if machine else {})})


def split_by_size(lines: Iterable[str], size: int = CHUNK_BYTES) -> Iterator[list[str]]:
    """Splits the lines of a sync into groups for chunks of about `size` bytes, at least one line each."""
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
    """Returns a state of a sync as a JSON record of a chunk, without empty parts."""
    record: dict[str, Any] = {"kind": state.kind, "key": state.key, "dead": state.dead}
    record |= {"least": _lists(state.least), "most": _lists(state.most)}
    record["set"] = {name: [each.time, each.turn, [*each.value]] for name, each in state.registers.items()}
    record["versions"] = [each._asdict() for each in state.versions]
    return {name: value for name, value in record.items() if value}


def _lists(values: Mapping[str, Value]) -> dict[str, list[Any]]:
    return {name: [*value] for name, value in values.items()}


# Reading


def is_sound(chunk: Chunk) -> bool:
    """Returns False if a chunk of a sync is damaged: it has other bytes than its name says; ignores line ends that git changed."""
    return name_of(chunk.data.replace(b"\r\n", b"\n"), machine_of(chunk.name)) == chunk.name


def decode(chunk: Chunk) -> Decoded:
    """Decodes a chunk of a sync: reads its states, names wrong lines; ignores line ends that git changed."""
    if not is_sound(chunk):
        return Decoded(problems=(DAMAGED,))
    data = chunk.data.replace(b"\r\n", b"\n")
    head, *lines = data.decode(errors="replace").removesuffix("\n").split("\n")
    machine = machine_of(chunk.name)
    if '"modicum":"memory"' not in head[:200]:
        return Decoded(problems=("it is no chunk of modicum",))
    if (head == _head("") and machine) or (machine and head.startswith('{"by":') and head != _head(machine)):
        return Decoded(problems=("it is not of the machine that its name says",))
    if head != _head(machine):
        return Decoded(problems=("it was written by a newer modicum: update, then sync again",))
    states, problems = [], []
    for number, line in enumerate(lines, 2):
        try:
            states.append(_spoken(json.loads(line), machine or UNNAMED))
        except WrongShape as error:
            problems.append(f"line {number}: {error}")
        except (ValueError, RecursionError):
            problems.append(f"line {number}: it is no JSON that can be read")
    return Decoded(tuple(sorted(states, key=lambda state: KINDS.index(state.kind))), tuple(problems))


def _spoken(record: object, machine: str) -> SyncState:
    """The state in a record, as the word of the machine of the chunk, and of the one whose word that says to hand on."""
    state = state_of(record)
    told = record.get("by", "") if isinstance(record, dict) else ""
    if told and not _SPEAKERS.fullmatch(told):
        raise WrongShape("by: it is no name of a machine")
    speakers = sorted({machine, *told.split()})
    known = UNNAMED not in speakers and len(speakers) <= MOST_SPEAKERS
    return said_by(state, " ".join(speakers) if known else UNNAMED)


def state_of(record: object) -> SyncState:
    """Reads and cleans the sync state in a record of a chunk; raises WrongShape, naming the field."""
    kind = record.get("kind") if isinstance(record, dict) else NOTE
    if kind not in KINDS:
        raise WrongShape("its kind is unknown: update modicum, then sync again")
    read = shaped(record, _Record)
    key = _edge(read.key) if kind == EDGE else _key(read.key)
    if read.dead and kind == EDGE:
        raise WrongShape("dead: a relation is taken back, and never deleted for good")
    if read.dead:
        return SyncState(kind, key, dead=True)
    return SyncState(
        kind,
        key,
        False,
        {name: _value(f"{kind}.least.{name}", value) for name, value in read.least.items()},
        {name: _value(f"{kind}.most.{name}", value) for name, value in read.most.items()},
        {name: _register(f"{kind}.set.{name}", value) for name, value in read.set.items()},
        tuple(sorted(_version(f"versions[{at}]", each) for at, each in enumerate(read.versions))),
    )


class _Version(msgspec.Struct):
    time: str
    turn: Turn
    saved_at: str
    type: str
    title: str
    content: str
    tool_name: str


class _Record(msgspec.Struct):
    kind: str
    key: str
    dead: bool = False
    least: dict[str, Any] = {}
    most: dict[str, Any] = {}
    set: dict[str, Any] = {}
    versions: list[_Version] = []
    by: str = ""


def _edge(key: str) -> str:
    one, other, kind = edge_ends(key)
    return canonical_json([_key(one), _key(other), _name(kind)])


def edge_ends(key: str) -> tuple[str, str, str]:
    """Splits the key of a relation in a chunk: the note it leads from, the note it leads to, and its type."""
    try:
        one, other, kind = shaped(json.loads(key), tuple[str, str, str])
    except (ValueError, RecursionError):
        raise WrongShape("key: it is no edge") from None
    if canonical_json([one, other, kind]) != key:
        raise WrongShape("key: it is no edge")
    return one, other, kind


def _key(text: str) -> str:
    """Returns the id unchanged; refuses one that is no name, or looks like a secret."""
    key = _word(text)
    if key != text.strip():
        raise WrongShape("key: it looks like a secret, or has characters that no id has")
    return key


def _name(text: str) -> str:
    if len(text.encode(errors="replace")) > LONGEST_NAME:
        raise WrongShape(f"a name has more than {LONGEST_NAME} bytes")
    return public_name(text)


def _word(text: str) -> str:
    name = _name(text)
    if not name:
        raise WrongShape("a name is empty")
    return name


def _time(text: str) -> str:
    if _TIME.fullmatch(text):
        with suppress(ValueError):
            datetime.fromisoformat(text)
            return text
    raise WrongShape(f'"{text[:LONGEST_TOLD]}" is no time such as 2026-11-15T17:43:25.123Z')


def _time_or_none(text: str) -> str:
    return text and _time(text)


def _amount(number: int) -> int:
    return min(number, MOST_AMOUNT)


def _flag(number: int) -> int:
    return min(1, number)


class _Field(NamedTuple):
    """The JSON type of a value, and the function that cleans it."""

    type: Any
    clean: Callable[[Any], Any]


_T, _T0, _W, _N = _Field(str, _time), _Field(str, _time_or_none), _Field(str, _word), _Field(str, _name)
_C, _F, _P = _Field(Turn, _amount), _Field(Turn, _flag), _Field(str, redact)
_S, _K = _Field(str, scope_name), _Field(str, topic_name)
_FIELDS: Mapping[str, tuple[_Field, ...]] = {
    "note.least.born": (_T, _W, _C),
    "note.most.duplicates": (_C,),
    "note.most.seen_at": (_T0,),
    "note.most.updated_at": (_T,),
    "note.set.place": (_S, _K, _N, _N),
    "note.set.pinned": (_F,),
    "note.set.deleted": (_T0,),
    "note.set.into": (_W,),
    "note.set.origin": (_N,),
    "session.least.started_at": (_T,),
    "session.set.namespace": (_N,),
    "session.set.end": (_T0, _P),
    "session.set.gone": (_F,),
    "prompt.least.prompt": (_T, _W, _N, _P),
    "edge.set.edge": (_F, _P, _T),
}
_SHAPES: Mapping[str, Any] = {
    place: GenericAlias(tuple, tuple(field.type for field in fields)) for place, fields in _FIELDS.items()
}


def _value(place: str, value: object) -> Value:
    if place not in _FIELDS:
        raise WrongShape(f"{place[:80]} is unknown: update modicum, then sync again")
    read: Value = shaped(value, _SHAPES[place], at=place)
    with _at(place):
        return tuple(field.clean(each) for field, each in zip(_FIELDS[place], read, strict=True))


def _register(place: str, value: object) -> Register:
    time, turn, held = shaped(value, tuple[str, Turn, Any], at=place[:80])
    with _at(place[:80]):
        mark = _time(time)
    return Register(mark, turn, _value(place, held))


@contextmanager
def _at(place: str) -> Iterator[None]:
    try:
        yield
    except WrongShape as error:
        raise WrongShape(f"{place}: {error}") from None


def _version(place: str, read: _Version) -> Version:
    with _at(place):
        kind = _name(read.type).strip() or DEFAULT_TYPE
        text = (kind, redact(read.title), redact(read.content), _name(read.tool_name))
        return version(_time(read.time), read.turn, _time(read.saved_at), text)


# What is kept of a state in the database. It was made by us, and is read as it is.


def stored_text(state: SyncState) -> str:
    return canonical_json(
        [state.dead, _lists(state.least), _lists(state.most), state.registers, state.versions, state.by]
    )


def stored_state(kind: str, key: str, text: str) -> SyncState:
    dead, least, most, registers, versions, by = json.loads(text)
    return SyncState(
        kind,
        key,
        dead,
        {name: tuple(value) for name, value in least.items()},
        {name: tuple(value) for name, value in most.items()},
        {name: Register(time, turn, tuple(value)) for name, (time, turn, value) in registers.items()},
        tuple(Version(*each) for each in versions),
        by,
    )


def lines_of(states: Sequence[SyncState]) -> list[str]:
    return [canonical_json(record_of(state)) for state in states]
