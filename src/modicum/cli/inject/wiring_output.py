"""Prints the wiring of tools: which servers, hooks and skills were put into their settings files."""

from collections.abc import Iterable, Mapping

from modicum.app.agents.wiring import Wired, Wiring
from modicum.cli import output
from modicum.cli.inject import report


def as_json(fields: Mapping[str, object], wiring: Wiring) -> dict[str, object]:
    """Returns the JSON that a command prints after a wiring: an injection, and a row for each settings file that was wired."""
    warnings = fields["warnings"]
    others = warnings if isinstance(warnings, list) else []
    wired = [_row_as_json(wired) for wired in wiring.wired]
    return {**fields, "wired": wired, "warnings": [*others, *sentences(wiring)]}


def _row_as_json(wired: Wired) -> dict[str, object]:
    change = wired.change
    return {
        "tool": wired.tool,
        "path": change.path,
        "state": str(change.state),
        "changed": change.changed,
        "note": wired.note,
    }


def sentences(wiring: Wiring) -> list[str]:
    """Returns the warnings and notes that are printed below a wiring of settings files."""
    notes = [f"{wired.path}: {wired.note}" for wired in wiring.wired if wired.note]
    return [*wiring.warnings, *notes, *wiring.troubles]


def say(wiring: Wiring, *, dry: bool, diffs: bool = False, above: Iterable[tuple[str, ...]] = ()) -> None:
    """Prints the output of a wiring: a line for each settings file below other ones, its diff if `diffs`, and the warnings."""
    for wired in wiring.wired if diffs else ():
        if wired.change.changed:
            change = wired.change
            output.say_diff(output.diff_lines(change.before or "", change.after or "", wired.path))
            output.say()
    report.say_lines([*above, *((each.path, each.tool, _action(each, dry=dry)) for each in wiring.wired)])
    for sentence in sentences(wiring):
        output.warn(sentence)


def _action(wired: Wired, *, dry: bool) -> str:
    change = wired.change
    if not change.changed:
        return "left alone" if change.note else "wired already" if change.record else "nothing to do"
    word = "wired" if change.record else "unwired"
    return f"would be {word}" if dry else word
