"""Prints what was put into the settings of tools: servers, hooks and skills."""

from collections.abc import Mapping

from modicum.app.agents.wiring import Wired, Wiring
from modicum.cli import output
from modicum.cli.inject import report


def as_json(fields: Mapping[str, object], wiring: Wiring) -> dict[str, object]:
    """An object about an injection, with what was wired."""
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
    """All that a person should know beside the answer."""
    notes = [f"{wired.path}: {wired.note}" for wired in wiring.wired if wired.note]
    return [*wiring.warnings, *notes, *wiring.troubles]


def say(wiring: Wiring, *, dry: bool, diffs: bool = False) -> None:
    """A line for each file, with its diff if asked for, and what a person should know."""
    for wired in wiring.wired if diffs else ():
        if wired.change.changed:
            change = wired.change
            output.say_diff(output.diff_lines(change.before or "", change.after or "", wired.path))
            output.say()
    report.say_lines((wired.path, wired.tool, _action(wired, dry=dry)) for wired in wiring.wired)
    for sentence in sentences(wiring):
        output.warn(sentence)


def _action(wired: Wired, *, dry: bool) -> str:
    change = wired.change
    if not change.changed:
        return "left alone" if change.note else "wired already" if change.record else "nothing to do"
    word = "wired" if change.record else "unwired"
    return f"would be {word}" if dry else word
