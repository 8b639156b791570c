"""States of a sync: what machines agree on of a note, session, prompt or relation, and how two merge. Pure.

Every part of a state merges by itself: the least, the greatest, the latest, the union. A later edit is later by its
mark, which is above the mark of whatever it was made on, so that no clock needs to be right.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from hashlib import sha256
from itertools import chain, combinations
from typing import Any, NamedTuple

NOTE, SESSION, PROMPT, EDGE = "note", "session", "prompt", "edge"
KINDS = (SESSION, NOTE, PROMPT, EDGE)  # in the order in which they are best applied
MOST_TURNS = 2**52
# Of these, and of each wording, it matters who said so; "deleted" tells who brought a note back, "end" who sums a session up.
ATTRIBUTED = ("origin", "pinned", "deleted", "place", "end")
DEAD, PIN_ON = "dead", "pin_on"
HELD = "held"  # the scope that is shown here in the place of the one that was agreed on; of a prompt, that it is not shown; of a relation, how it is shown
AUTHOR = "author"  # the author that is shown here in the place of the one that was agreed on
_NOT_SPEAKERS = (PIN_ON, HELD, AUTHOR)

Value = tuple[Any, ...]
_NONE: Mapping[str, Any] = {}


class Register(NamedTuple):
    """A value in a state of a sync, with the mark of its last edit; the greatest mark, then value, wins."""

    time: str
    turn: int
    value: Value


_NO_WORD = Register("", 0, ())


class Version(NamedTuple):
    """One wording of a note in a state of a sync; without its text, only its digest is known."""

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
    """The state, or a part, of a note, session, prompt or relation in a sync; `dead` if deleted for good."""

    kind: str
    key: str
    dead: bool = False
    least: Mapping[str, Value] = _NONE
    most: Mapping[str, Value] = _NONE
    registers: Mapping[str, Register] = _NONE
    versions: tuple[Version, ...] = ()
    by: Mapping[str, str] = _NONE  # what came from elsewhere, and from which machine: known here alone

    @property
    def empty(self) -> bool:
        return not (self.dead or self.least or self.most or self.registers or self.versions)

    @property
    def complete(self) -> bool:
        """Returns True if sync knows all of a note's state that is needed to show it: its creation and a wording."""
        return bool(self.least and self.versions)

    def value(self, name: str, default: Value) -> Value:
        return self.registers[name].value if name in self.registers else default


def digest_of(text: Sequence[str]) -> str:
    """Returns the hash of a wording in a state of a sync: the same on every machine."""
    joined = "\x1f".join(text)
    return sha256(joined.encode(errors="replace")).hexdigest()[:16]


def version(time: str, turn: int, saved_at: str, text: Sequence[str]) -> Version:
    return Version(time, turn, digest_of(text), saved_at, *text)


def after(earlier: Register | Version | None, time: str) -> tuple[str, int]:
    """Returns the mark of an edit in a sync state: its time, or if not later, one above the earlier."""
    if earlier is None or time > earlier.time:
        return time, 0
    return earlier.time, min(earlier.turn + 1, MOST_TURNS)


def changed(earlier: Register | None, time: str, value: Value, default: Value) -> Register | None:
    """Returns the register of a sync state for a value: the earlier one if equal, else a later one."""
    if value == (earlier.value if earlier else default):
        return earlier
    return Register(*after(earlier, time), value)


def merge(one: SyncState, other: SyncState) -> SyncState:
    """Merges two sync states of the same item; in any order, and merging again changes nothing."""
    if one.dead or other.dead:
        return SyncState(one.kind, one.key, dead=True, by=(one if one.dead else other).by)
    whole = SyncState(
        one.kind,
        one.key,
        False,
        _joined(one.least, other.least, min),
        _joined(one.most, other.most, max),
        _joined(one.registers, other.registers, max),
        _union(one.versions, other.versions),
    )
    if whole.kind == EDGE:
        return whole._replace(registers=_foremost(whole.registers))
    return whole._replace(by=_joined_by(one, other, whole)) if one.by or other.by else whole


def _foremost(words: Mapping[str, Register]) -> Mapping[str, Register]:
    """The words on a relation without those that never count: what fewer of the same machines said is as late."""

    def counts(name: str) -> bool:
        speakers = speakers_of(name).split()
        fewer = chain.from_iterable(combinations(speakers, size) for size in range(len(speakers)))
        return not any(words.get(word_of(" ".join(some)), _NO_WORD) >= words[name] for some in fewer)

    return {name: word for name, word in words.items() if counts(name)}


def word_of(machines: str) -> str:
    """Returns the name under which the word of machines on a relation is kept in a sync state; that of this one for none."""
    return f"{EDGE} {machines}".strip()


def speakers_of(name: str) -> str:
    """Returns the machines whose word on a relation in a sync state is kept under a name; "" for this one."""
    return name.partition(" ")[2]


def _joined_by(one: SyncState, other: SyncState, whole: SyncState) -> Mapping[str, str]:
    """From which machine each part of a merged state is: what the one had already is from where it was."""
    found = {PIN_ON: one.by.get(PIN_ON) or other.by.get(PIN_ON, "")}
    for name in ATTRIBUTED:
        if name in whole.registers:
            side = one if one.registers.get(name) == whole.registers[name] else other
            found[name] = side.by.get(name, "")
    if whole.kind == PROMPT:
        found[PROMPT] = (one if one.least == whole.least else other).by.get(PROMPT, "")
    first = _said_last(one.versions)
    for digest, mark in _said_last(whole.versions).items():
        # Whoever says an earlier wording once more is who makes it count again.
        found[digest] = (one if first.get(digest) == mark else other).by.get(digest, "")
    return {name: machine for name, machine in found.items() if machine}


def said_by(state: SyncState, machine: str) -> SyncState:
    """Returns a sync state as the word of a machine: all parts whose speaker matters are from there."""
    if state.kind == EDGE:  # what each machine says of a relation is kept beside what others say
        return state._replace(registers={word_of(machine): each for each in state.registers.values()})
    parts = [name for name in ATTRIBUTED if name in state.registers] + [
        each.digest for each in state.versions
    ]
    parts += [PROMPT] if state.kind == PROMPT and state.least else []
    return state._replace(by=dict.fromkeys([*parts, *([DEAD] if state.dead else [])], machine))


def vouched(known: SyncState, news: SyncState, trusted: Set[str]) -> SyncState:
    """Returns the known sync state with what a confirmed machine says, too, as the word of that machine."""
    ours, theirs = _said_last(known.versions), _said_last(news.versions)
    same = {digest for digest, mark in ours.items() if theirs.get(digest) == mark}
    same |= {PROMPT} if known.kind == PROMPT and known.least == news.least else set()
    same |= {name for name in ATTRIBUTED if known.registers.get(name, 0) == news.registers.get(name)}
    better = {
        name: news.by[name]
        for name in same
        if not is_trusted(known.by.get(name, ""), trusted) and is_trusted(news.by.get(name, "-"), trusted)
    }
    return known._replace(by={**known.by, **better}) if better else known


def _said_last(versions: Iterable[Version]) -> dict[str, tuple[str, int, str]]:
    """The mark at which each wording was said last."""
    return {each.digest: each.mark for each in sorted(versions)}


def is_trusted(machines: str, trusted: Set[str]) -> bool:
    """Returns True if the speaker of a part of a sync state is this machine, or all that handed it on are confirmed here."""
    return set(machines.split()) <= trusted


def parts_by(state: SyncState) -> tuple[tuple[str, SyncState], ...]:
    """Splits a sync state by the machines that its parts are from; what is from here comes first, under no name."""
    if state.kind == EDGE:
        words = state.registers.items()
        return tuple(
            (speakers_of(name), SyncState(EDGE, state.key, registers={EDGE: each})) for name, each in words
        )
    if not state.by:
        return (("", state),)
    machines = dict.fromkeys(["", *(each for name, each in state.by.items() if name not in _NOT_SPEAKERS)])
    bare = state._replace(by=_NONE)
    if state.dead:
        return ((state.by.get(DEAD, ""), bare),)
    if state.kind == PROMPT:
        return ((state.by.get(PROMPT, ""), bare),)
    found = []
    for machine in machines:
        registers = {n: each for n, each in state.registers.items() if state.by.get(n, "") == machine}
        versions = tuple(each for each in state.versions if state.by.get(each.digest, "") == machine)
        part = SyncState(state.kind, state.key, registers=registers, versions=versions)
        part = part if machine else part._replace(least=state.least, most=state.most)
        found += [] if part.empty else [(machine, part)]
    return tuple(found)


def combined(states: Iterable[SyncState]) -> tuple[SyncState, ...]:
    """Merges the sync states of each item into one, so that an item is settled once however often it is named.

    They are merged in twos, and those in twos, which costs as much as there is, and not its square.
    """
    found: dict[tuple[str, str], list[SyncState]] = {}
    for state in states:
        found.setdefault((state.kind, state.key), []).append(state)
    whole = (_in_twos(each) for each in found.values())
    return tuple(sorted(whole, key=lambda state: KINDS.index(state.kind)))


def _in_twos(states: list[SyncState]) -> SyncState:
    while len(states) > 1:
        pairs = (states[at : at + 2] for at in range(0, len(states), 2))
        states = [merge(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return states[0]


def _joined(one: Mapping[str, Any], other: Mapping[str, Any], choose: Any) -> Mapping[str, Any]:  # noqa: ANN401 (of any two values)
    return {**one, **{name: choose(one.get(name, value), value) for name, value in other.items()}}


def _union(one: Iterable[Version], other: Iterable[Version]) -> tuple[Version, ...]:
    found = {each.mark: each for each in one}
    for each in other:
        known = found.get(each.mark, each)
        saved_at = min(known.saved_at, each.saved_at)
        found[each.mark] = Version(*each.mark, saved_at, *max(known.text, each.text))
    return tuple(sorted(found.values()))


def delta(known: SyncState, state: SyncState) -> SyncState:
    """Returns the part of a sync state that goes beyond the known state."""
    if known.dead or state.dead:
        return SyncState(state.kind, state.key, dead=not known.dead)
    if state.kind == EDGE:  # whoever says it
        told = {*known.registers.values()}
        news = {name: each for name, each in state.registers.items() if each not in told}
        return SyncState(EDGE, state.key, registers=news)
    known_versions = {each[:4] for each in known.versions}
    return SyncState(
        state.kind,
        state.key,
        False,
        _beyond(known.least, state.least),
        _beyond(known.most, state.most),
        _beyond(known.registers, state.registers),
        tuple(each for each in state.versions if each[:4] not in known_versions),
    )


def _beyond(known: Mapping[str, Any], present: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in present.items() if known.get(name) != value}


def without_texts(state: SyncState) -> SyncState:
    """Returns the sync state with hashes in the place of texts."""
    versions = tuple(Version(*each.mark, each.saved_at) for each in state.versions)
    return state._replace(versions=versions)


def with_texts(state: SyncState, texts: Sequence[Sequence[str]]) -> SyncState:
    """Returns the sync state with texts in the place of hashes, as far as the texts are still there."""
    pairs = zip(state.versions, texts, strict=False)
    versions = (Version(*each[:4], *text) for each, text in pairs)
    return state._replace(versions=tuple(each for each in versions if digest_of(each.text) == each.digest))


_OWN = (*ATTRIBUTED, DEAD, *_NOT_SPEAKERS)


def one_of_topic(states: Sequence[SyncState]) -> tuple[SyncState, ...]:
    """Returns the sync states that merge notes of one topic: all wordings into the oldest, others deleted."""
    first, *rest = sorted(states, key=lambda state: (state.least["born"], state.key))
    latest = max(each.time for state in states for each in state.versions)
    wordings = tuple(each for state in rest for each in state.versions)
    by = {name: machine for state in rest for name, machine in state.by.items() if name not in _OWN}
    most = {name: max(state.most.get(name, ("",)) for state in states) for name in ("seen_at", "updated_at")}
    whole = SyncState(NOTE, first.key, most=most, versions=wordings, by=by)
    return (whole, *(_hidden(state, first.key, latest) for state in rest))


def _hidden(state: SyncState, into: str, time: str) -> SyncState:
    hidden = Register(*after(state.registers.get("deleted"), time), (time,))
    target = Register(*after(state.registers.get("into"), time), (into,))
    return SyncState(NOTE, state.key, registers={"deleted": hidden, "into": target})
