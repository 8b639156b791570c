"""Prints how the readings of AI tools have changed since a commit, for `modicum see --against`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modicum.app.counted import counted
from modicum.app.reading.see_against import LostLine, ReadingChange, see_against
from modicum.base.config import Config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.targets.model import Adapter

MOST_LINES = 20
LONGEST = 160


def say_against(config: Config, adapters: Sequence[Adapter], options: Mapping[str, Any], folder: str) -> int:
    """Prints what each tool reads more or less than at a commit; returns 1 if lines in files no longer reach a tool."""
    commit = options["against"]
    changes = see_against(config, adapters, commit, folder)
    if options["as_json"]:
        output.say_json({"against": commit, "tools": [_as_json(change) for change in changes]})
    elif options["markdown"]:
        output.say("\n".join(_markdown(changes, commit)))
    else:
        for line in _words(changes):
            output.say(output.shown(line))
    return FOUND if any(change.unread for change in changes) else DONE


def _as_json(change: ReadingChange) -> dict[str, object]:
    return {
        "tool": change.adapter.id,
        "tokens_before": change.tokens_before,
        "tokens": change.tokens_now,
        "lost": [
            {"path": lost.path, "line": _short(lost.line), "why": lost.why or None} for lost in change.lost
        ],
    }


def _words(changes: Sequence[ReadingChange]) -> Iterator[str]:
    if not changes:
        yield "No AI tool was found here. Name one, as in: modicum see codex --against main"
    for change in changes:
        yield f"{change.adapter.name} {_difference(change)}"
        for title, lines in _groups(change):
            yield f"  {title}:"
            yield from (f"    {lost.path}: {_short(lost.line)}{_reason(lost)}" for lost in lines[:MOST_LINES])
            yield from _more(lines, "    ")


def _markdown(changes: Sequence[ReadingChange], commit: str) -> Iterator[str]:
    yield f"### What AI tools read, against {_code(commit)}\n"
    if not changes:
        yield "No AI tool was found here."
    for change in changes:
        yield f"- **{change.adapter.name}** {_difference(change)}"
        for title, lines in _groups(change):
            yield f"  - {title}:"
            yield from (
                f"    - {_code(_short(lost.line))} ({_code(lost.path)}{_reason(lost)})"
                for lost in lines[:MOST_LINES]
            )
            yield from _more(lines, "    - ")


def _difference(change: ReadingChange) -> str:
    before, now = change.tokens_before, change.tokens_now
    if before == now:
        return f"reads as many tokens as before ({now:,})."
    word = "more" if now > before else "less"
    return f"reads {counted(abs(now - before), 'token')} {word} ({before:,} before, {now:,} now)."


def _groups(change: ReadingChange) -> Iterator[tuple[str, Sequence[LostLine]]]:
    """The lost lines in two groups: those that are still in files, which somebody may take for read, and the others."""
    gone = tuple(lost for lost in change.lost if not lost.why)
    if change.unread:
        yield (
            f"These lines no longer reach {change.adapter.name}, although they are in the files",
            change.unread,
        )
    if gone:
        yield f"These lines no longer reach {change.adapter.name}, because they were taken out", gone


def _reason(lost: LostLine) -> str:
    return f"; {output.shown(lost.why)}" if lost.why else ""


def _more(lines: Sequence[LostLine], lead: str) -> Iterator[str]:
    if len(lines) > MOST_LINES:
        yield f"{lead}and {len(lines) - MOST_LINES:,} more"


def _short(line: str) -> str:
    text = line.encode("utf-8", "replace").decode()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _code(text: str) -> str:
    """A text as inline code, which nothing in it can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{output.shown(text)}{pad}{fence}"
