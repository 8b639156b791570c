"""Inject by clipboard: copies pages for AI tools without a file, and records the news each tool was given."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.plan import Injection, PlannedFile
from modicum.base.config import Config
from modicum.base.named_tuple import NamedTuple
from modicum.targets.change import FileRecord


class ClipboardPage(NamedTuple):
    """An injected page for the clipboard, and whether the page was copied."""

    outcome: PlannedFile
    done: bool


def hand_over(config: Config, request: InjectRequest, injection: Injection) -> Iterator[ClipboardPage]:
    """Copies injected pages to the clipboard for named AI tools without a file; records their news."""
    from modicum.targets.clipboard import copy

    for planned in injection.outcomes:
        tool = planned.destination.tool.id
        if planned.destination.place is None and planned.payload and tool in request.tools:
            done = copy(planned.payload, environment=config.environment).done
            if done and planned.told:
                _remember(config.state, tool, planned.told)
            yield ClipboardPage(planned, done)


def given_before(state: Path, tool: str) -> FileRecord:
    """Returns the record of the news that inject gave an AI tool by clipboard before; empty if unreadable."""
    try:
        given = json.loads(_file(state, tool).read_bytes())
    except (OSError, ValueError):
        given = []
    return FileRecord(extra={"given": given})


def forget_given(state: Path, tools: Sequence[str] = ()) -> None:
    """Forgets the news that these AI tools (none named: all) were given by clipboard."""
    files = [_file(state, tool) for tool in tools] or (state / "given").glob("*.json")
    for file in files:
        file.unlink(missing_ok=True)


def _remember(state: Path, tool: str, news: Sequence[str]) -> None:
    from modicum.targets.disk import write_own

    before = given_before(state, tool).extra["given"]
    known = {str(entry) for entry in before} if isinstance(before, list) else set()
    write_own(_file(state, tool), json.dumps(sorted(known.union(news))).encode())


def _file(state: Path, tool: str) -> Path:
    return state / "given" / f"{tool}.json"
