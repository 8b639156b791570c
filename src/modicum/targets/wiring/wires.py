"""Updates our servers and hooks in a settings file: puts in the wanted entries, takes out the others. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from modicum.base.value import Value, replace
from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, Path, Undo, undo_from
from modicum.targets.settings.spans import InsertedText
from modicum.targets.settings.undo import plain, same
from modicum.targets.wiring.entries import Wanted

_MISSING = object()
_EMPTY: tuple[object, ...] = ({}, [], None)

# Where something is: at a key, or as the item with a mark in the list there.
Spot = tuple[Path, str | None]


class Wire(Value):
    """A wire in a settings file: a server or hook of ours, with its undo record and the tools that want it there.

    Without a name it is something that the file needs, such as its version, and nobody asked for.
    """

    undo: Undo
    name: str = ""
    tools: tuple[str, ...] = ()

    @property
    def spot(self) -> Spot:
        return _spot(self.undo.path, self.undo.value, is_item=self.undo.is_item)


class Rewired(Value):
    """A settings file after its wires were updated: the new text, our wires, and what was left alone."""

    text: str
    wires: tuple[Wire, ...] = ()
    notes: tuple[str, ...] = ()


def wires_as_json(format: str, wires: Sequence[Wire]) -> dict[str, object]:
    """Returns the wires of a settings file as JSON for the record, until the next update; empty if none."""
    rows = [{"undo": wire.undo.as_json(), "name": wire.name, "tools": list(wire.tools)} for wire in wires]
    return {"format": format, "wires": rows} if rows else {}


class _WireRow(TypedDict):
    undo: dict[str, Any]
    name: str
    tools: tuple[str, ...]


class _WiresRow(TypedDict):
    """What is remembered about a settings file, as JSON has it."""

    format: str
    wires: list[_WireRow]


def wires_from(data: Mapping[str, object]) -> tuple[str, tuple[Wire, ...]]:
    """Reads the wires of a settings file back from JSON, with the file's format; raises DocumentError for anything else."""
    import msgspec

    try:
        row = msgspec.convert(dict(data), _WiresRow)
    except msgspec.ValidationError as error:
        problem = f"the record of what was put in cannot be read: {error}"
        raise DocumentError(problem, remedy="take it out by hand") from error
    wires = (Wire(undo_from(each["undo"]), each["name"], each["tools"]) for each in row["wires"])
    return row["format"], tuple(wires)


def rewire(
    text: str,
    format: str,
    wires: Sequence[Wire],
    wanted: Sequence[Wanted],
    *,
    tools: Collection[str],
) -> Rewired:
    """Updates the wires in a settings file: puts in what the named tools want, takes out what they no longer want."""
    entries, notes = _merged(wanted)
    found = editing.read(text, format)
    looks = [_look(found, wire, entries, tools) for wire in wires]
    theirs = [look.wire for look in looks if look.is_theirs]
    notes += [f"you changed {wire.name}, so it is left as it is" for wire in theirs if wire.name]
    ours = [look for look in looks if not look.is_theirs]
    kept = tuple(look.wire for look in looks if look.is_theirs and look.goal)
    text, changed = _brought_to_goals(text, format, ours)
    return _with_new(Rewired(text, (*kept, *changed), tuple(notes)), format, entries)


def _merged(wanted: Iterable[Wanted]) -> tuple[dict[Spot, Wanted], list[str]]:
    """One entry for each spot: the first one, for the tools of all of them."""
    entries: dict[Spot, Wanted] = {}
    notes: dict[str, None] = {}
    for entry in wanted:
        value = plain(entry.value)
        spot = _spot(entry.keys, value, is_item=entry.is_item)
        first = entries.setdefault(spot, replace(entry, value=value))
        entries[spot] = replace(first, tools=_united(first.tools, entry.tools))
        if not same(first.value, value):
            notes[f"{first.name or '.'.join(entry.keys)} is wanted in two ways, and the first is used"] = None
    return entries, list(notes)


class _Look(Value):
    """A wire, what it should become (None: it has to go), and whether the file still has it as we wrote it."""

    wire: Wire
    goal: Wire | None
    is_there: bool
    is_theirs: bool = False  # somebody changed it

    @property
    def is_steady(self) -> bool:
        return self.is_there and self.goal is not None


def _look(found: object, wire: Wire, entries: Mapping[Spot, Wanted], tools: Collection[str]) -> _Look:
    entry = entries.get(wire.spot)
    others = tuple(tool for tool in wire.tools if tool not in tools)
    owners = _united(others, entry.tools if entry else ())
    value = entry.value if entry else wire.undo.value
    wire = replace(wire, tools=owners)
    goal = replace(wire, undo=replace(wire.undo, value=value)) if owners else None
    there = _there(found, wire.spot, wire.undo.value)
    if there is not _MISSING and same(there, value):
        wire = replace(wire, undo=replace(wire.undo, value=value))
    is_theirs = there is not _MISSING and not same(there, wire.undo.value)
    return _Look(wire, goal, there is not _MISSING, is_theirs)


def _brought_to_goals(
    text: str,
    format: str,
    looks: Sequence[_Look],
) -> tuple[str, tuple[Wire, ...]]:
    wires = tuple(look.wire for look in looks)
    goals = tuple(look.goal for look in looks if look.goal)
    if all(look.is_steady for look in looks):
        replaced = _replaced(text, format, wires, goals)
        if replaced is not None:
            return replaced, goals
    # Only the last one can go without a trace, so all of them go, and those that stay come back in their order.
    return _put_in(_unwound(text, format, wires), format, goals)


def _replaced(
    text: str,
    format: str,
    wires: Sequence[Wire],
    goals: Sequence[Wire],
) -> str | None:
    """The text with new values in the places of the old ones; None if they could not be taken out again like those."""
    changed = [goal for wire, goal in zip(wires, goals, strict=True) if not same(_value(wire), _value(goal))]
    if not changed:
        return text
    if any(goal.undo.is_item for goal in changed):
        return None
    after = text
    try:
        for goal in changed:
            after = editing.set_entry(after, format, goal.undo.path, goal.undo.value).text
        is_clean = _unwound(after, format, goals) == _unwound(text, format, wires)
    except DocumentError:
        return None
    return after if is_clean else None


def _value(wire: Wire) -> object:
    return wire.undo.value


def _unwound(text: str, format: str, wires: Sequence[Wire]) -> str:
    for wire in reversed(wires):
        there = _there(editing.read(text, format), wire.spot, wire.undo.value)
        undos = _rests(wire.undo) if there is _MISSING else (wire.undo,)
        for undo in undos:
            if _at(editing.read(text, format), undo.path) is not _MISSING:
                text = editing.undo(text, format, undo).text
    return text


def _rests(undo: Undo) -> tuple[Undo, ...]:
    """Where somebody took ours out by hand: the containers that were made for it, if they are empty now."""
    path = undo.path if undo.is_item else undo.path[:-1]
    return tuple(Undo(path, empty, False, undo.created - 1, undo.glue) for empty in _EMPTY if undo.created)


def _put_in(
    text: str,
    format: str,
    goals: Iterable[Wire],
) -> tuple[str, tuple[Wire, ...]]:
    wires = []
    for goal in goals:
        undo = goal.undo
        put = editing.add_item if undo.is_item else editing.set_entry
        edit = put(text, format, undo.path, undo.value)
        text = edit.text
        wires += [replace(goal, undo=edit.undo)] if edit.undo else []
    return text, tuple(wires)


def _with_new(rewired: Rewired, format: str, entries: Mapping[Spot, Wanted]) -> Rewired:
    found = editing.read(rewired.text, format)
    held = {wire.spot for wire in rewired.wires}
    goals, notes = [], []
    for spot, entry in entries.items():
        there = _there(found, spot, entry.value)
        if spot in held:
            continue
        if there is _MISSING:
            undo = Undo(entry.keys, entry.value, entry.is_item, 0, InsertedText())
            goals.append(Wire(undo, entry.name, entry.tools))
        elif entry.name and not same(there, entry.value):
            notes.append(f"{entry.name} is there with other settings, not from modicum: left as it is")
    text, new = _put_in(rewired.text, format, goals)
    return Rewired(text, (*rewired.wires, *new), (*rewired.notes, *notes))


def _spot(path: Path, value: object, *, is_item: bool) -> Spot:
    return path, min(_marks(value), default="") if is_item else None


def _there(found: object, spot: Spot, value: object) -> object:
    """What is at a spot; in a list, the equal item rather than another one with the same mark."""
    path, mark = spot
    there = _at(found, path)
    if mark is None or there is _MISSING:
        return there
    items = there if isinstance(there, list) else []
    alike = [item for item in items if mark in _marks(item)]
    return next((item for item in alike if same(item, value)), alike[-1] if alike else _MISSING)


def _at(found: object, path: Path) -> object:
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return _MISSING
        found = found[key]
    return found


def _marks(item: object) -> Iterator[str]:
    """What an item of a list is known by: a word by itself, a record by its name, or else by the commands in it."""
    if isinstance(item, str):
        yield item
    if not isinstance(item, dict):
        return
    keys = ("name",) if "name" in item else ("command", "bash")
    yield from (item[key] for key in keys if isinstance(item.get(key), str))
    group = item.get("hooks")
    for inner in group if isinstance(group, list) else ():
        yield from _marks(inner)


def _united(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
