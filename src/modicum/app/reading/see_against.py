"""Compares what AI tools read here with what they read at an earlier commit: tokens, and lines that no longer arrive."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from modicum.app.reading.tool_reading import MARKER, ToolReading, folders_to, read_files, see_tools
from modicum.base.bounded import read_bounded
from modicum.base.config import Config
from modicum.base.value import NOTHING, Value
from modicum.engine.tokens import count
from modicum.targets.loaders.past_files import past_files
from modicum.targets.model import Adapter
from modicum.targets.plan import OURS


class LostLine(NamedTuple):
    """A line of a tool's reading at the earlier commit that is gone now; `why` is empty if it was taken out."""

    path: str  # the file that it came from
    line: str
    why: str


class ReadingChange(Value):
    """How the reading of one AI tool has changed since an earlier commit."""

    adapter: Adapter
    tokens_before: int
    tokens_now: int
    lost: tuple[LostLine, ...] = ()

    @property
    def unread(self) -> tuple[LostLine, ...]:
        """Returns the lines lost since the earlier commit that are still in files, so that their author may take them for read."""
        return tuple(each for each in self.lost if each.why)


def see_against(
    config: Config, adapters: Sequence[Adapter], commit: str, folder: str = ""
) -> list[ReadingChange]:
    """Returns how the reading of each AI tool has changed since an earlier commit; tools that nobody knows are left out."""
    now = see_tools(config, adapters, folder)
    if not now:
        return []
    loaders = [each.adapter.reads for each in now if each.adapter.reads]
    files = past_files(now[0].files, commit, config.home, config.environment, loaders, folders_to(folder))
    before = read_files([each.adapter for each in now], files, folder)
    unlisted = _texts(config.root, files.texts.keys() - now[0].files.texts.keys())
    return [compare_readings(old, new, unlisted) for old, new in zip(before, now, strict=True)]


def _texts(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those files that are still there although no tool lists them now, such as one imported before."""
    found = {}
    for path in sorted(paths):
        with suppress(OSError, ValueError):
            found[path] = read_bounded(root / path).decode("utf-8", "surrogateescape")
    return found


def compare_readings(
    before: ToolReading, now: ToolReading, unlisted: Mapping[str, str] = NOTHING
) -> ReadingChange:
    """Compares a reading with that of an earlier commit: its tokens, and the lines that do not arrive any more, with the reason.

    `unlisted` are the texts of further files that are there now and that no tool reads.
    """
    arriving = {line for text in now.texts() for line in _lines(text)}
    reasons = _reasons(now, unlisted)
    lost: dict[str, LostLine] = {}
    for passage in before.reading.passages:
        for line in _lines(before.text_of(passage)):
            if line not in arriving:
                lost.setdefault(line, LostLine(passage.path, line, reasons.get(line, "")))
    old, new = (count(each.reading.text(each.files)) for each in (before, now))
    return ReadingChange(now.adapter, old, new, tuple(lost.values()))


def _reasons(now: ToolReading, unlisted: Mapping[str, str]) -> dict[str, str]:
    """By line that is in a file and may not arrive, why it does not."""
    reasons: dict[str, str] = {}
    for each in (*now.reading.unread, *now.reading.dropped):
        text = (now.files.text(each.path) or "")[each.start : each.end]
        reasons |= {line: f"in {each.path}: {each.why}" for line in _lines(text) if line not in reasons}
    for path, text in {**now.files.texts, **unlisted}.items():
        why = f"it is in {path} now, which the tool does not read"
        reasons |= {line: why for line in _lines(text) if line not in reasons}
    return reasons


def _lines(text: str) -> Iterator[str]:
    """The lines of a text that say something, without white space around them."""
    lines = (line.strip() for line in text.splitlines())
    return (line for line in lines if any(map(str.isalnum, line)) and not line.startswith((MARKER, OURS)))
