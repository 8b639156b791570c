"""What a person types and what is printed: how stories and pages write it, and a shell that can type it."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

FILE = re.compile(r"-- (.+) --\Z")
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)  # in Markdown: kind, text


@dataclass
class Step:
    """A command with what it should say, or a file with what it should hold."""

    kind: str
    name: str
    lines: list[str] = field(default_factory=list)
    code: int = 0


def steps(text: str) -> Iterator[Step]:
    """Yields the steps of a text, as the first lines of stories/test_stories.py tell."""
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
    """Returns a regular expression for the lines, without the blank ones at the end."""
    text = "\n".join(lines).rstrip("\n")
    parts = (re.escape(part) for part in re.split(r"\[\.\.\.\]\n|\[\.\.\.\]\Z", text))
    return r"(?:.*\n)*?".join(parts).replace(re.escape("[..]"), ".*") + r"\n*"


def type_in(world, command: str) -> tuple[int, str]:
    """Runs a command in the world; returns its exit code and what it printed, warnings included."""
    first, more, rest = command.partition(" && ")
    if more:
        code, printed = type_in(world, first)
        return (code, printed) if code else type_in(world, rest)
    match shlex.split(command, comments=True):
        case ["modicum", *arguments]:
            home = (re.sub(r"\A~(?=/)", str(world.home), word) for word in arguments)
            said = world.modicum(*home)
            return said.code, said.out + said.err
        case ["git", *arguments]:
            done = subprocess.run(["git", *arguments], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr
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
