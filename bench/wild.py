"""Adopts the instruction files of real repositories: adopted or refused, lines that a tool lost, rules that became wider.

Run: python bench/wild.py FOLDER [NAME ...]. FOLDER/NAME is a clone of a repository; it is copied before it is touched, and read with an
empty home, so that only its own files tell which tools are here. Adopted counts where nine of ten lines that these tools read
are in the pack. A line is lost if one of these tools reads it less often than one file said it; a rule is wider if a
line that a tool read for some files only is read always. Lines of any kind count: headings, code, tables.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from modicum.app.adopt.run import look
from modicum.app.reading.tool_reading import ToolReading, see_tools
from modicum.base.config import Config, load_config
from modicum.targets.model import Adapter

MARKS = re.compile(r"[\s*`_#>|\-•@]+")
ENOUGH = 0.9


class Result(NamedTuple):
    """What one repository shows."""

    name: str
    tools: int
    lines: int
    taken: int
    lost: tuple[str, ...]
    wider: tuple[str, ...]
    exit_code: int
    message: str
    deleted: tuple[str, ...]
    is_back: bool

    @property
    def is_adopted(self) -> bool:
        return self.exit_code == 0 and self.taken >= ENOUGH * self.lines


def plain(line: str) -> str:
    return MARKS.sub(" ", line).strip().lower()


def lines_of(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text without its front matter, as they are compared and as they are."""
    if text.startswith("---"):
        text = re.sub(r"\A---[ \t]*\r?\n.*?^---[ \t]*$", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
    for line in text.splitlines():
        if len(plain(line)) > 2 and not re.fullmatch(r"\s*[-*]?\s*@\S+\s*", line):
            yield plain(line), line


def texts_of(tool: ToolReading) -> dict[str, str]:
    """What a tool reads at its start, by file: each part of a file once."""
    found: dict[str, dict[tuple[int, int], str]] = {}
    for each in tool.reading.passages:
        part = (tool.files.text(each.path) or "")[each.start : each.end]
        found.setdefault(each.path, {})[each.start, each.end] = part
    return {path: "".join(parts.values()) for path, parts in found.items()}


def later_of(tool: ToolReading) -> dict[str, str]:
    later = (each for each in tool.reading.unread if each.kind == "later")
    return {each.path: (tool.files.text(each.path) or "")[each.start : each.end] for each in later}


class Read(NamedTuple):
    """What the tools of a repository read, by tool and folder."""

    at_start: dict[tuple[str, str], dict[str, str]]
    later: dict[tuple[str, str], dict[str, str]]


def read_all(config: Config, tools: Iterable[Adapter], folders: tuple[str, ...]) -> Read:
    rows = {(each.adapter.id, f): each for f in folders for each in see_tools(config, tools, f)}
    return Read({k: texts_of(v) for k, v in rows.items()}, {k: later_of(v) for k, v in rows.items()})


def counted(texts: dict[str, str]) -> Counter[str]:
    return Counter(key for text in texts.values() for key, _ in lines_of(text))


def said(texts: dict[str, str]) -> set[str]:
    """The lines of texts without headings and the ends of code, which our page has, too, and many files."""
    rows = (row for text in texts.values() for row in lines_of(text))
    return {key for key, line in rows if not line.lstrip().startswith(("#", "```", "~~~"))}


def titles_of(read: dict[tuple[str, str], dict[str, str]]) -> set[str]:
    """The titles of files, which are no instructions and stay in their files, above our page."""
    lines = (line for texts in read.values() for text in texts.values() for line in text.splitlines())
    return {plain(line) for line in lines if line.startswith("# ")}


def lost_between(before: Read, after: Read) -> Iterator[str]:
    for case, texts in before.at_start.items():
        told = counted(after.at_start[case])
        for path, text in texts.items():
            wanted = Counter(key for key, _ in lines_of(text))
            shown = dict(lines_of(text))
            yield from (
                f"{case[0]} in {case[1] or '.'}: {path}: {shown[k].strip()}"
                for k, n in wanted.items()
                if told[k] < n
            )
    for case, texts in before.later.items():
        told = counted(after.at_start[case]) + counted(after.later[case])
        for path, text in texts.items():
            yield from (
                f"{case[0]} later: {path}: {line.strip()}" for key, line in lines_of(text) if key not in told
            )


def wider_between(before: Read, after: Read) -> Iterator[str]:
    for case, texts in after.at_start.items():
        scoped = said(before.later[case]) | {
            key
            for (tool, folder), read in before.at_start.items()
            if tool == case[0] and folder and folder != case[1] and not f"{case[1]}/".startswith(f"{folder}/")
            for key in said(read)
        }
        # What the tool read always, or what others read always and it gains, is not widened.
        always = {key for (_, folder), read in before.at_start.items() if not folder for key in counted(read)}
        newly = counted(texts).keys() - counted(before.at_start[case]).keys() - always
        yield from (f"{case[0]} in {case[1] or '.'}: {key}" for key in newly & scoped)


def modicum(program: str, config_home: Path, project: Path, *words: str) -> tuple[int, str]:
    environment = {"HOME": str(config_home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    own = [sys.executable, "-c", "from modicum.cli.main import main; raise SystemExit(main())"]
    command = [*([program] if program else own), *words]
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stdout + done.stderr


def status(project: Path) -> str:
    command = ["git", "-C", str(project), "status", "--porcelain", "-uall"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def measure(source: Path, program: str, options: list[str]) -> Result | None:
    with tempfile.TemporaryDirectory() as top:
        project, home = Path(top) / source.name, Path(top) / "home"
        shutil.copytree(source, project, symlinks=True)
        home.mkdir()
        config = load_config({"HOME": str(home), "PATH": "/usr/bin:/bin"}, project)
        seen = look(config)
        folders = seen.folders[:30]
        before, clean = read_all(config, seen.tools, folders), status(project)
        at_root = {case: texts for case, texts in before.at_start.items() if not case[1]}
        wanted = {key for texts in at_root.values() for key in counted(texts)} - titles_of(at_root)
        if not wanted:
            return None
        code, said = modicum(program, home, project, "adopt", "--apply", "--json", *options)
        after = read_all(config, seen.tools, folders)
        pack = project / ".modicum/packs/project/context.md"
        told = {key for key, _ in lines_of(pack.read_text() if pack.exists() else "")}
        message = json.loads(said[said.index("{") :])["error"]["message"] if code else ""
        gone = tuple(line[3:] for line in status(project).splitlines() if line.startswith(" D"))
        modicum(program, home, project, "adopt", "--undo")
        lost, wider = (*lost_between(before, after),), (*wider_between(before, after),)
        return Result(
            source.name, len(seen.tools), len(wanted), len(wanted & told), lost, wider, code, message,
            gone, status(project) == clean,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--yes", action="store_true", help="delete what would be deleted")
    parser.add_argument("--program", default="", help="another modicum, to compare with")
    parser.add_argument("--quiet", action="store_true", help="figures only")
    given = parser.parse_args()
    names = given.names or sorted(path.name for path in given.folder.iterdir() if path.is_dir())
    rows = []
    for name in names:
        if row := measure(given.folder / name, given.program, ["--yes"] * given.yes):
            rows.append(row)
            if not given.quiet:
                print(
                    f"{name}: {'adopted' if row.is_adopted else 'REFUSED'} {row.taken}/{row.lines} tools {row.tools} "
                    f"lost {len(row.lost)} wider {len(row.wider)} deleted {len(row.deleted)} {row.message}",
                    flush=True,
                )
                for line in (*row.lost[:3], *row.wider[:3], *row.deleted[:5]):
                    print(f"    {line[:160]}")
    adopted = sum(row.is_adopted for row in rows)
    print(
        f"{len(names)} repositories, {len(rows)} with something to adopt: {adopted} adopted, {len(rows) - adopted} refused"
    )
    print(
        f"tools {sum(row.tools for row in rows)}, lines lost {sum(len(row.lost) for row in rows)} in "
        f"{sum(bool(row.lost) for row in rows)} repositories, rules widened in {sum(bool(row.wider) for row in rows)}, "
        f"files deleted {sum(len(row.deleted) for row in rows)}, undone {sum(row.is_back for row in rows)} of {len(rows)}"
    )


if __name__ == "__main__":
    main()
