"""Pages for the clipboard: handed over one by one, and which news each tool has been given that way."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.inject.placement import InjectRequest
from modicum.app.inject.plan import Injection, PlannedFile
from modicum.base.config import Config
from modicum.targets.change import FileRecord


class ClipboardPage(NamedTuple):
    """A page for the clipboard, and whether it is there now."""

    outcome: PlannedFile
    done: bool


def hand_over(config: Config, wish: InjectRequest, injection: Injection) -> Iterator[ClipboardPage]:
    """Copy what is for the clipboard, which only a tool that was named may have; what it tells as new is new no more."""
    from modicum.targets.clipboard import copy

    for outcome in injection.outcomes:
        tool = outcome.destination.tool.id
        if outcome.destination.place is None and outcome.payload and tool in wish.tools:
            done = copy(outcome.payload, environment=config.environment).done
            if done and outcome.told:
                _note(config.state, tool, outcome.told)
            yield ClipboardPage(outcome, done)


def given_before(state: Path, tool: str) -> FileRecord:
    """What a tool has been given by the clipboard, in the form of a record; unreadable is as good as nothing."""
    try:
        given = json.loads(_file(state, tool).read_bytes())
    except (OSError, ValueError):
        given = []
    return FileRecord(extra={"given": given})


def forget_given(state: Path, tools: Sequence[str] = ()) -> None:
    """As if these tools (none named: all) had been given nothing."""
    files = [_file(state, tool) for tool in tools] or (state / "given").glob("*.json")
    for file in files:
        file.unlink(missing_ok=True)


def _note(state: Path, tool: str, told: Sequence[str]) -> None:
    from modicum.targets.disk import write_own

    before = given_before(state, tool).extra["given"]
    known = {str(entry) for entry in before} if isinstance(before, list) else set()
    write_own(_file(state, tool), json.dumps(sorted(known.union(told))).encode())


def _file(state: Path, tool: str) -> Path:
    return state / "given" / f"{tool}.json"
