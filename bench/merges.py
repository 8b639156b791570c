#!/usr/bin/env python3
"""Where a page in a shared file conflicts least with what others change there: merges of real histories, by place of the page.

usage: bench/merges.py FOLDER [COMMITS]     FOLDER holds clones of repositories; COMMITS is how far the other side is ahead (1)

For each instruction file in each clone (at most six, the last twelve changes of each): a branch puts a page into one version
of the file, another branch is the version so many changes later, and git merges the two.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from modicum.text.regions import put_region

NAMES = re.compile(
    r"(^|/)(AGENTS|CLAUDE|GEMINI)\.md$|^\.github/copilot-instructions\.md$|^\.cursorrules$|^\.windsurfrules$"
)
PAGE = "## Shop\n\nNever use floats for money."
MOST_FILES, MOST_CHANGES, MOST_VERSIONS = 6, 12, 60


def git(folder: Path, *words: str) -> str:
    said = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    return said.stdout.decode("utf-8", "replace")


def at_end(host: str) -> str:
    return put_region(host, "modicum", PAGE)


def on_top(host: str) -> str:
    return put_region(host, "modicum", PAGE, top=True)


def headings(lines: list[str]) -> list[int]:
    """The lines of the headings below the title, outside of fences."""
    found, fence = [], False
    for number, line in enumerate(lines):
        fence ^= line.lstrip().startswith(("```", "~~~"))
        if not fence and re.match(r"##+ ", line):
            found.append(number)
    return found


def before_heading(which: Callable[[int], int]) -> Callable[[str], str]:
    def put(host: str) -> str:
        lines = host.splitlines(keepends=True)
        if not (found := headings(lines)):
            return at_end(host)
        at = found[which(len(found))]
        return "".join(lines[:at]) + put_region("", "modicum", PAGE) + "\n" + "".join(lines[at:])

    return put


PLACES = {
    "at the end": at_end,
    "before the last heading": before_heading(lambda _: -1),
    "before the middle heading": before_heading(lambda number: number // 2),
    "before the first heading": before_heading(lambda _: 0),
    "on top": on_top,
}


def changes(folder: Path, file: str, ahead: int) -> Iterator[tuple[str, str]]:
    commits = git(
        folder, "log", "--first-parent", "--format=%H", "-n", str(MOST_VERSIONS), "--", file
    ).split()
    versions: list[str] = []
    for commit in reversed(commits):
        text = git(folder, "show", f"{commit}:{file}")
        if text and text not in versions[-1:]:
            versions.append(text)
    pairs = [(versions[n], versions[min(n + ahead, len(versions) - 1)]) for n in range(len(versions) - 1)]
    yield from (pair for pair in pairs[-MOST_CHANGES:] if pair[0] != pair[1])


def conflicts(folder: Path, base: str, ours: str, theirs: str) -> bool:
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_text(text, newline="")
    files = [str(folder / name) for name in ("ours", "base", "theirs")]
    return (
        subprocess.run(["git", "merge-file", "-p", "-q", *files], capture_output=True, check=False).returncode
        > 0
    )


def main(clones: Path, ahead: int) -> None:
    chance, found, total, met = random.Random(1), Counter[str](), 0, Counter[str]()
    with tempfile.TemporaryDirectory() as room:
        for folder in sorted(each for each in clones.iterdir() if each.is_dir()):
            files = [file for file in git(folder, "ls-files").splitlines() if NAMES.search(file)]
            chance.shuffle(files)
            for file in files[:MOST_FILES]:
                for base, theirs in changes(folder, file, ahead):
                    total += 1
                    met[folder.name] += 1
                    found.update(
                        n for n, put in PLACES.items() if conflicts(Path(room), base, put(base), theirs)
                    )
    print(f"{total} merges in {len(met)} repositories, the other side {ahead} changes ahead")
    for name in PLACES:
        print(f"  {name:<26} {found[name]:>4}  {found[name] / max(1, total):.1%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
