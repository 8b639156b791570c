"""Stories: scripts that a user could type, with the files they see. Each runs in a home and a project of its own.

A line that starts with "$ " is typed; the lines up to the next blank line and prompt are what is printed,
warnings included. "[..]" stands for anything on a line, "[...]" alone for any lines. "? 1" is the exit code
(0 if it is not given). "-- path --" begins a file: before the first prompt it is written, after it it must be so.
"""

import re
from pathlib import Path

import pytest

from console import pattern, steps, type_in

STORIES = sorted(Path(__file__).parent.glob("*.story"))


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
