"""The example of the README, then every example of docs/specs.md: typed in this order, each does what is printed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
ANY_LINES = "..."


def examples(text: str) -> Iterator[tuple[list[str], str]]:
    """Yields what is typed behind `modicum`, and what is printed below it, if anything is."""
    for block in BLOCK.findall(text):
        for typed in block.replace("\\\n", " ").split("$ modicum ")[1:]:
            line, _, printed = typed.partition("\n")
            yield shlex.split(line, comments=True), printed


def is_printed(expected: str, said: str) -> bool:
    pattern = re.escape(expected).replace(f"\\ \\ {re.escape(ANY_LINES)}", "(?:.*)")
    return re.fullmatch(pattern, said, re.DOTALL) is not None


def test_the_examples_of_specs_work_after_those_of_the_readme(world) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = list(examples(readme.partition("## What was decided")[2].partition("\n## ")[0]))
    check, *rest = examples((ROOT / "docs" / "specs.md").read_text(encoding="utf-8"))

    assert [world.modicum(*words).code for words, _ in (*first, check)] == [0] * 4
    for words, printed in rest:
        said = world.modicum(*words)
        assert (words, said.code) == (words, 0)
        assert not printed or is_printed(printed, said.out), said.out
    assert len(rest) > 10


def test_the_examples_of_specs_work_without_those_of_the_readme(world) -> None:
    text = (ROOT / "docs" / "specs.md").read_text(encoding="utf-8")
    (begin,) = re.findall(r"begin with `modicum (change new [^`]+)`", text)
    words = [shlex.split(begin), *(words for words, _ in examples(text))]

    assert [(each, world.modicum(*each).code) for each in words] == [(each, 0) for each in words]
