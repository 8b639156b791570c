"""Stories: scripts that a user could type, with the files they see. Each runs in a home and a project of its own.

A line that starts with "$ " is typed; the lines up to the next blank line and prompt are what is printed,
warnings included. "[..]" stands for anything on a line, "[...]" alone for any lines. "? 1" is the exit code
(0 if it is not given). "-- path --" begins a file: before the first prompt it is written, after it it must be so.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

STORIES = sorted(Path(__file__).parent.glob("*.story"))
FILE = re.compile(r"-- (.+) --\Z")


@dataclass
class Step:
    """A command with what it should say, or a file with what it should hold."""

    kind: str
    name: str
    lines: list[str] = field(default_factory=list)
    code: int = 0


def steps(text: str) -> Iterator[Step]:
    step: Step | None = None
    for line in text.splitlines():
        if line.startswith("# ") and (step is None or step.kind == "$"):
            continue
        if line.startswith("$ ") or (found := FILE.match(line)):
            if step:
                yield step
            step = Step("$", line[2:]) if line.startswith("$ ") else Step("--", found[1])  # type: ignore[index]
        elif step and step.kind == "$" and line.startswith("? "):
            step.code = int(line[2:])
        elif step:
            step.lines.append(line)
    if step:
        yield step


def pattern(lines: list[str]) -> str:
    """A regular expression for the lines, without the blank ones at the end."""
    text = "\n".join(lines).rstrip("\n")
    parts = (re.escape(part) for part in re.split(r"\[\.\.\.\]\n|\[\.\.\.\]\Z", text))
    return r"(?:.*\n)*?".join(parts).replace(re.escape("[..]"), ".*") + r"\n*"


def type_in(world, command: str) -> tuple[int, str]:
    match shlex.split(command):
        case ["modicum", *arguments]:
            said = world.modicum(*arguments)
            return said.code, said.out + said.err
        case ["cat", path]:
            return 0, world.read(path)
        case ["rm", path]:
            world.path(path).unlink()
            return 0, ""
        case ["mkdir", path]:
            world.path(path).mkdir(parents=True)
            return 0, ""
        case ["cd", path]:
            world.patch.chdir(world.path(path))
            return 0, ""
        case ["append", path, text]:
            world.write(path, world.read(path) + text + "\n")
            return 0, ""
    raise ValueError(f"a story cannot type: {command}")


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_story(world, story: Path) -> None:
    begun = False
    for step in steps(story.read_text(encoding="utf-8")):
        text = "\n".join(step.lines).rstrip("\n") + "\n"
        if step.kind == "$":
            begun = True
            code, said = type_in(world, step.name)
            said = said.replace(str(world.home), "~")
            assert re.fullmatch(pattern(step.lines), said), f"$ {step.name}\n{said}"
            assert code == step.code, f"$ {step.name}\n{said}"
        elif not begun:
            world.write(step.name, text)
        else:
            assert re.fullmatch(pattern(step.lines), world.read(step.name)), (
                f"{step.name}\n{world.read(step.name)}"
            )
