"""States of sync: what machines agree on of a note, session, prompt or relation, and how two of them merge. Pure.

Every part of a state merges by itself: the least, the greatest, the latest, the union. A later edit is later by its
mark, which is above the mark of whatever it was made on, so that no clock needs to be right.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

NOTE, SESSION, PROMPT, EDGE = "note", "session", "prompt", "edge"
KINDS = (SESSION, NOTE, PROMPT, EDGE)  # in the order in which they are best applied
MOST_TURNS = 2**52

Value = tuple[Any, ...]
_NONE: Mapping[str, Any] = {}


class Register(NamedTuple):
    """A value with the mark of its last edit; the greatest wins, and of two with one mark the greater value."""

    time: str
    turn: int
    value: Value


class Version(NamedTuple):
    """One wording of a note. Without its text it is only known by its digest."""

    time: str
    turn: int
    digest: str
    saved_at: str = ""
    type: str = ""
    title: str = ""
    content: str = ""
    tool_name: str = ""

    @property
    def mark(self) -> tuple[str, int, str]:
        return self.time, self.turn, self.digest

    @property
    def text(self) -> tuple[str, str, str, str]:
        return self.type, self.title, self.content, self.tool_name


class SyncState(NamedTuple):
    """The state of a note, session, prompt or relation, or a part of it. What is dead was deleted for good, and stays so."""

    kind: str
    key: str
    dead: bool = False
    least: Mapping[str, Value] = _NONE
    most: Mapping[str, Value] = _NONE
    registers: Mapping[str, Register] = _NONE
    versions: tuple[Version, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.dead or self.least or self.most or self.registers or self.versions)

    @property
    def complete(self) -> bool:
        """Whether a note can be shown: its creation and a wording are known."""
        return bool(self.least and self.versions)

    def value(self, name: str, default: Value) -> Value:
        return self.registers[name].value if name in self.registers else default


def digest_of(text: Sequence[str]) -> str:
    """A hash of a wording: the same on every machine."""
    joined = "\x1f".join(text)
    return sha256(joined.encode(errors="replace")).hexdigest()[:16]


def version(time: str, turn: int, saved_at: str, text: Sequence[str]) -> Version:
    return Version(time, turn, digest_of(text), saved_at, *text)


def after(earlier: Register | Version | None, time: str) -> tuple[str, int]:
    """The mark of an edit: its time, or, if that is not above the mark of the earlier edit, that one with the next turn."""
    if earlier is None or time > earlier.time:
        return time, 0
    return earlier.time, min(earlier.turn + 1, MOST_TURNS)


def changed(earlier: Register | None, time: str, value: Value, default: Value) -> Register | None:
    """The register for a value: the earlier one if it has this value, else a new one with a later mark."""
    if value == (earlier.value if earlier else default):
        return earlier
    return Register(*after(earlier, time), value)


def merge(one: SyncState, other: SyncState) -> SyncState:
    """Merges two states of the same thing. The order does not matter, and merging again changes nothing."""
    if one.dead or other.dead:
        return SyncState(one.kind, one.key, dead=True)
    return SyncState(
        one.kind,
        one.key,
        False,
        _joined(one.least, other.least, min),
        _joined(one.most, other.most, max),
        _joined(one.registers, other.registers, max),
        _union(one.versions, other.versions),
    )


def _joined(one: Mapping[str, Any], other: Mapping[str, Any], choose: Any) -> Mapping[str, Any]:  # noqa: ANN401
    return {**one, **{name: choose(one.get(name, value), value) for name, value in other.items()}}


def _union(one: Iterable[Version], other: Iterable[Version]) -> tuple[Version, ...]:
    found = {each.mark: each for each in one}
    for each in other:
        known = found.get(each.mark, each)
        saved_at = min(known.saved_at, each.saved_at)
        found[each.mark] = Version(*each.mark, saved_at, *max(known.text, each.text))
    return tuple(sorted(found.values()))


def delta(known: SyncState, state: SyncState) -> SyncState:
    """The part of a state that goes beyond what is known."""
    if known.dead or state.dead:
        return SyncState(state.kind, state.key, dead=not known.dead)
    told = {each[:4] for each in known.versions}
    return SyncState(
        state.kind,
        state.key,
        False,
        _beyond(known.least, state.least),
        _beyond(known.most, state.most),
        _beyond(known.registers, state.registers),
        tuple(each for each in state.versions if each[:4] not in told),
    )


def _beyond(known: Mapping[str, Any], present: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in present.items() if known.get(name) != value}


def without_texts(state: SyncState) -> SyncState:
    """The state with hashes in the place of texts."""
    versions = tuple(Version(*each.mark, each.saved_at) for each in state.versions)
    return state._replace(versions=versions)


def with_texts(state: SyncState, texts: Sequence[Sequence[str]]) -> SyncState:
    """The state with texts in the place of hashes, as far as the texts are still there."""
    pairs = zip(state.versions, texts, strict=False)
    versions = (Version(*each[:4], *text) for each, text in pairs)
    return state._replace(versions=tuple(each for each in versions if digest_of(each.text) == each.digest))


def one_of_topic(states: Sequence[SyncState]) -> tuple[SyncState, ...]:
    """The changes that merge notes of one topic: all wordings into the oldest note, and the others deleted softly."""
    first, *rest = sorted(states, key=lambda state: (state.least["born"], state.key))
    latest = max(each.time for state in states for each in state.versions)
    wordings = tuple(each for state in rest for each in state.versions)
    most = {name: max(state.most.get(name, ("",)) for state in states) for name in ("seen_at", "updated_at")}
    whole = SyncState(NOTE, first.key, most=most, versions=wordings)
    return (whole, *(_hidden(state, first.key, latest) for state in rest))


def _hidden(state: SyncState, into: str, time: str) -> SyncState:
    hidden = Register(*after(state.registers.get("deleted"), time), (time,))
    target = Register(*after(state.registers.get("into"), time), (into,))
    return SyncState(NOTE, state.key, registers={"deleted": hidden, "into": target})
