"""Every command that a page prints in a ```console block runs, page by page in a home of its own, and prints what the page says.

A line "…" stands for any lines, "…" within a line for anything there. Ids, dates, times, tokens and the home folder need only be of
the right shape; an id that a page has printed can be typed further down. A command without printed lines must only end well. An exit
code that is not 0 is shown by "$ echo $?". What a page takes for granted is in PAGE.story beside this file: files, and commands.
What cannot run here is in ```text blocks; UNRUN counts those commands, with the reason.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import pytest

from console import FENCED, Step, pattern, steps, type_in

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if "decisions" not in page.parts))

# Commands in ```text and ```sh blocks, by page, and why they are not run here. The rest is run.
UNRUN = {
    "ci": (7, "a repository and a package index in the network"),
    "guides/team": (6, "a server of PostgreSQL; tests/cli/teams has them"),
    "http": (4, "a server that goes on; test_http_page.py asks for the same"),
    "install": (4, "a package index; scripts/installs runs them"),
    "mcp": (7, "programs of others; tests/mcp has the server"),
    "memory": (3, "a package index, and weights of 23 MB"),
    "scale": (2, "several machines"),
    "setup": (5, "programs of others; bench/plugin.py runs them"),
    "sync": (6, "hooks of git, and names of other machines"),
    "teams": (7, "a server of PostgreSQL; tests/cli/teams has them"),
    "workbench": (1, "a browser; tests/web has it"),
}
PROGRAM = re.compile(
    r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )?(?:modicum|git|pip|pipx|uv|uvx|curl|npx|export|claude|codex|gemini|qwen|pg_\w+) ",
    re.MULTILINE,
)

VARIES = {
    r"\bn-[a-z0-9]{6,12}\b": "n-ID",
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z| ?[+-]\d\d:?\d\d)?)?": "DATE",
    r"\bmodicum_[\w-]+": "TOKEN",
}
ID = re.compile(r"\bn-[a-z0-9]{6}\b")


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix() if page.is_relative_to(DOCS) else page.stem


def blocks(page: Path, *kinds: str) -> list[str]:
    found = FENCED.findall(page.read_text(encoding="utf-8"))
    return [dedent(text) for kind, text in found if kind in kinds]


def typed(page: Path) -> list[Step]:
    """Returns the commands of the page's console blocks, each with the lines printed below it."""
    text = "".join(blocks(page, "console")).replace("\\\n", " ")
    return list(steps(text))


def same_shape(text: str) -> str:
    for shape, word in VARIES.items():
        text = re.sub(shape, word, text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def expected(lines: list[str]) -> str:
    """Returns a regular expression for what a page prints, in which "…" is anything."""
    shaped = same_shape("\n".join(lines)).rstrip("\n").split("\n")
    return pattern(["[...]" if line.strip() == "…" else line.replace("…", "[..]") for line in shaped])


@dataclass
class Reader:
    """Somebody who types what a page says, from its first line to its last."""

    world: object
    code: int = 0
    ids: dict[str, str] = field(default_factory=dict)

    def type(self, step: Step) -> None:
        if step.name == "echo $?":
            assert [str(self.code)] == step.lines[:1]
            self.code = 0
            return
        assert self.code == 0, f"the command before ended with {self.code}, and the page does not show it"
        command = ID.sub(lambda found: self.ids.get(found[0], found[0]), step.name)
        self.code, said = type_in(self.world, command)
        said = said.replace(str(self.world.home), "~")  # type: ignore[attr-defined]
        if any(line.strip() for line in step.lines):
            self.compare(step, said)

    def compare(self, step: Step, said: str) -> None:
        assert re.fullmatch(expected(step.lines), same_shape(said)), f"$ {step.name}\n{said}"
        self.ids.update(zip(ID.findall("\n".join(step.lines)), ID.findall(said), strict=False))


def prepare(world, page: Path) -> None:
    """Makes what the page takes for granted."""
    story = Path(__file__).parent / f"{name_of(page).replace('/', '-')}.story"
    for step in steps(story.read_text(encoding="utf-8")) if story.exists() else ():
        if step.kind == "--":
            world.write(step.name, "\n".join(step.lines).rstrip("\n") + "\n")
        else:
            code, said = type_in(world, step.name)
            assert code == step.code, f"$ {step.name}\n{said}"


@pytest.mark.parametrize("page", [page for page in PAGES if typed(page)], ids=name_of)
def test_the_commands_of_the_page_print_what_it_says(git_world, page: Path) -> None:
    git_world.patch.delenv("MODICUM_GATE", raising=False)
    prepare(git_world, page)
    reader = Reader(git_world)
    for step in typed(page):
        reader.type(step)

    assert reader.code == 0


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *DOCS.rglob("*.md")], ids=lambda page: page.name)
def test_no_console_block_is_left_out(page: Path) -> None:
    """Neither one outside of the manual, nor one that is not closed, or has more words behind its kind."""
    begun = re.findall(r"^ *```+ *console", page.read_text(encoding="utf-8"), re.MULTILINE)
    run = blocks(page, "console") if page in PAGES else []

    assert len(begun) == len(run)
    assert [block for block in run if not block.startswith("$ ")] == []


def test_commands_that_are_not_run_are_counted() -> None:
    text = {
        name_of(page): "\n".join(blocks(page, "text", "sh", "bash", ""))
        for page in PAGES
        if page.name != "cli.md"
    }
    found = {name: len(PROGRAM.findall(re.sub("&&", "\n", lines))) for name, lines in text.items()}

    assert {name: count for name, count in found.items() if count} == {
        name: count for name, (count, _) in UNRUN.items()
    }


def test_what_a_page_prints_must_be_what_is_printed() -> None:
    said = "n-06js5s 2026-11-16 [decision] Queue\nRedis needed a host.\n2 of 2 files changed.\n"

    assert re.fullmatch(
        expected(["n-7kq2m4 2025-01-01 [decision] Queue", "…", "… files changed."]), same_shape(said)
    )
    assert re.fullmatch(expected(["n-7kq2m4 2025-01-01 [bugfix] Queue", "…"]), same_shape(said)) is None
    assert re.fullmatch(expected(["n-7kq2m4 2025-01-01 [decision] Queue"]), same_shape(said)) is None


def test_a_command_that_fails_must_be_followed_by_its_exit_code(world) -> None:
    reader = Reader(world)
    reader.type(Step("$", "modicum shwo"))
    with pytest.raises(AssertionError, match="ended with 2"):
        reader.type(Step("$", "modicum init"))
    reader.type(Step("$", "echo $?", ["2"]))
    reader.type(Step("$", "modicum init"))
