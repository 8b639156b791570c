"""Asks an installed agent program what it reads here: its first request, attributed to files, in tokens."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from modicum.base.value import Value
from modicum.engine.tokens import count
from modicum.targets.live.model import AgentRequest, Attribution, Disagreement
from modicum.targets.live.request import attributed, disagreements
from modicum.targets.live.run import SECONDS, first_request

LIMITS = (
    "The program runs in a copy: a folder that it trusts, with nothing but instruction files and the settings that concern them.",
    "Organisation-wide files, extensions, plugins and the memory that a program keeps by itself are not in the copy.",
    "Only the first request is shown: files below the folder are read later, when the agent opens a file there.",
)


class LiveFile(Value):
    """A file that a live program could read: its tokens, its lines with text, and how many did not arrive, or twice."""

    path: str
    tokens: int
    lines: int
    missing: int
    doubled: int
    places: tuple[str, ...] = ()


class LiveReading(Value):
    """The reading of a tool that ran live: the request, what arrived of which file, and the tokens of each share."""

    tool: str
    version: str
    seconds: float
    request: AgentRequest
    files: tuple[LiveFile, ...]
    attribution: Attribution
    texts: Mapping[str, str]
    system_tokens: int
    message_tokens: int
    tool_tokens: Mapping[str, int]
    limits: tuple[str, ...] = LIMITS

    @property
    def total_tokens(self) -> int:
        return self.system_tokens + self.message_tokens + sum(self.tool_tokens.values())


def live_reading(
    tool: str,
    folder: Path,
    home: Path,
    environment: Mapping[str, str],
    *,
    executable: str = "",
    run_servers: bool = False,
    seconds: float = SECONDS,
) -> LiveReading:
    """Returns the reading of an installed program, which is run live against a model on loopback, passage by passage."""
    sent = first_request(
        tool, folder, home, environment, executable=executable, servers=run_servers, seconds=seconds
    )
    found = attributed(sent.request.parts, sent.files)
    parts = sent.request.parts
    return LiveReading(
        tool,
        sent.version,
        sent.seconds,
        sent.request,
        tuple(_file(path, text, found) for path, text in sent.files.items()),
        found,
        sent.files,
        sum(count(part.text) for part in parts if _is_system(part.place)),
        sum(count(part.text) for part in parts if not _is_system(part.place)),
        {name: count(text) for name, text in sent.request.tools},
    )


def disagreeing(live: LiveReading, told: Iterable[str]) -> tuple[Disagreement, ...]:
    """Returns where a live program sent something else than the texts that modicum says it reads."""
    return disagreements(live.attribution, live.texts, told)


def _is_system(place: str) -> bool:
    return place.endswith(("system", "developer"))


def _file(path: str, text: str, found: Attribution) -> LiveFile:
    runs = [run for run in found.arrived if run.path == path]
    copies: dict[int, int] = {}
    for run in runs:
        for line in range(run.first, run.last + 1):
            copies[line] = copies.get(line, 0) + 1
    filled = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    unseen = {line for each in found.unseen if each.path == path for line in range(each.first, each.last + 1)}
    doubled = sum(copies.get(number, 0) > 1 for number in filled)
    places = tuple(dict.fromkeys(run.place for run in runs))
    return LiveFile(path, count(text), len(filled), len(unseen.intersection(filled)), doubled, places)
