"""Adopts the instruction files of made-up repositories: duplicates found, tokens for each tool, instructions lost, undo.

Run: python bench/adopt.py [FILE]. Each line of FILE (bench/instructions/repositories.jsonl) is a repository: its files, pairs of
places that say the same, and every instruction with its place. Each one is adopted in a throw-away home, read by every
tool before and after, and undone.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from modicum.app.adopt import run
from modicum.app.adopt.preview import Preview
from modicum.app.adopt.propose import Proposal
from modicum.app.reading.tool_reading import see_tools
from modicum.base.config import Config, load_config
from modicum.engine.tokens import count
from modicum.targets.model import Adapter
from modicum.text.directives import directives
from modicum.text.markdown import TIERS

Place = tuple[str, int]


class Counts(NamedTuple):
    """What one repository shows."""

    name: str
    wanted: int
    found: int
    wrong: int
    instructions: int
    literal: int
    alike: int
    lost: tuple[str, ...]
    undone: bool
    directive_lines: tuple[int, int, int]  # right, missed, wrong


def place_of(text: str) -> Place:
    path, _, line = text.rpartition(":")
    return path, int(line)


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode) for path in files}


def set_up(files: dict[str, str], home: Path) -> Config:
    """The files of a repository in a home that has no packs, so that only what is adopted is on the pages."""
    project = home / "project"
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(text.encode())
    (project / ".git").mkdir()
    return load_config({"HOME": str(home), "PATH": "/nonexistent"}, project)


def unit_at(proposal: Proposal) -> dict[Place, int]:
    return {
        (unit.path, unit.line + down): at
        for at, unit in enumerate(proposal.units)
        for down in range(unit.text.count("\n") + 1)
    }


def pairs(truth: list[list[str]], units: dict[Place, int]) -> tuple[set[tuple[int, int]], int]:
    """The pairs of units that say the same, and how many pairs are within one unit, which nobody can find."""
    rows = [sorted(units.get(place_of(text), -1) for text in pair) for pair in truth]
    return {(one, other) for one, other in rows if one != other}, sum(one == other for one, other in rows)


def texts_read(config: Config, adapters: list[Adapter]) -> dict[str, str]:
    return {each.adapter.id: each.reading.text(each.files) for each in see_tools(config, adapters)}


def judge(name: str, truth: dict[str, list[dict[str, str]]], found: Preview, config: Config) -> Counts:
    proposal, units = found.proposal, unit_at(found.proposal)
    wanted, within = pairs(truth["duplicates"], units)  # type: ignore[arg-type]  # what JSON has
    got = {(one, other) for one, other, _ in proposal.twins}
    told = plain(found.context)
    stays = plain(
        "\n".join(
            (config.root / s.path).read_text() for s in proposal.sources if (config.root / s.path).is_file()
        )
    )
    literal, alike, lost = 0, 0, []
    for row in truth["directives"]:
        words = plain(row["text"])
        at = units.get((row["file"], int(row["line"])), -1)
        other = (
            proposal.units[proposal.units[at].same_as].text
            if at >= 0 and proposal.units[at].same_as >= 0
            else ""
        )
        if words in told or words in stays:
            literal += 1
        elif other and plain(other) in told:
            alike += 1
        else:
            lost.append(f"{row['file']}:{row['line']}: {row['text']}")
    marked = {(row["file"], int(row["line"])) for row in truth["directives"]}
    counted = {(s.path, each.line) for s in proposal.sources for each in directives(s.text)}
    lines = len(marked & counted), len(marked - counted), len(counted - marked)
    return Counts(
        name, len(wanted) + within, len(wanted & got), len(got - wanted), len(truth["directives"]),
        literal, alike, tuple(lost), undone=False, directive_lines=lines,
    )  # fmt: skip


class ToolSums:
    """Tokens by tool over all repositories."""

    def __init__(self) -> None:
        self.sums: dict[str, Counter[str]] = {}

    def add(self, before: dict[str, str], after: dict[str, str], context: str) -> None:
        told = {line.strip() for line in context.splitlines()}
        for tool, text in before.items():
            had = {line.strip() for line in text.splitlines()}
            lines = [line for line in after[tool].splitlines() if line.strip()]
            again = [line for line in lines if line.strip() in had]
            new = [line for line in lines if line.strip() not in had and line.strip() in told]
            frame = [line for line in lines if line.strip() not in had and line.strip() not in told]
            row = self.sums.setdefault(tool, Counter())
            row["repositories"] += 1
            row["before"] += count(text)
            row["after"] += count(after[tool])
            row["gained"] += count("\n".join(new))
            row["frame"] += count("\n".join(frame))
            row["saved"] += count("\n".join(filter(str.strip, text.splitlines()))) - count("\n".join(again))

    def say(self) -> None:
        print(f"{'tool':<14}{'repos':>6}{'before':>9}{'after':>9}{'saved':>8}{'gained':>8}{'frame':>8}")
        for tool in sorted(self.sums):
            row = self.sums[tool]
            numbers = (row[name] for name in ("before", "after", "saved", "gained", "frame"))
            print(
                f"{tool:<14}{row['repositories']:>6}"
                + "".join(f"{n:>{w},}" for n, w in zip(numbers, (9, 9, 8, 8, 8), strict=True))
            )


def measure(repository: dict[str, Any], sums: ToolSums) -> Counts:
    with tempfile.TemporaryDirectory() as top:
        config = set_up(repository["files"], Path(top) / "home")
        before = snapshot(config.root)
        adapters = [tool.adapter for tool in run.make_preview(config).tools]
        read = texts_read(config, adapters)
        found, _ = run.apply(config, force=True)
        sums.add(read, texts_read(config, adapters), found.context)
        counts = judge(repository["name"], repository["truth"], found, config)
        run.undo(config)
        return counts._replace(undone=snapshot(config.root) == before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    known = Path(__file__).parent / "instructions" / "repositories.jsonl"
    parser.add_argument("file", nargs="?", type=Path, default=known)
    sums, rows = ToolSums(), []
    for line in parser.parse_args().file.read_text(encoding="utf-8").splitlines():
        rows.append(measure(json.loads(line), sums))
        for each in rows[-1].lost:
            print(f"lost: {rows[-1].name}: {each}")
    sums.say()
    wanted, found, wrong = (sum(getattr(row, name) for row in rows) for name in ("wanted", "found", "wrong"))
    right, missed, more = (sum(row.directive_lines[at] for row in rows) for at in range(3))
    print(f"\n{len(rows)} repositories, tiers {', '.join(TIERS)}")
    print(f"duplicates: {found} of {wanted} found ({found / max(1, wanted):.0%}), {wrong} false")
    print(
        f"instructions: {sum(row.instructions for row in rows)}, of which {sum(row.literal for row in rows)} word for word, "
        f"{sum(row.alike for row in rows)} by one that says the same, {sum(len(row.lost) for row in rows)} lost"
    )
    print(
        f"counted as instructions: precision {right / max(1, right + more):.3f}, recall {right / max(1, right + missed):.3f}"
    )
    print(f"undone byte for byte: {sum(row.undone for row in rows)} of {len(rows)}")


if __name__ == "__main__":
    main()
