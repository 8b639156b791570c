"""What must hold in a clone that was made to harm us, in a few projects: bench/hostile.py tries many, with more commands."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1] / "bench"))

from hostile_cases.commands import LEFT_OUT, LINES, leaves, typed
from hostile_cases.laws import broken, tried
from hostile_cases.place import SECRET, Place, Runner, Said
from hostile_cases.projects import PARTS, build

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="nothing can be forked so, and canaries are scripts"
)
EXAMPLES = min(int(os.environ.get("MODICUM_EXAMPLES", "4")), 40)
LINES_OF_AN_EXAMPLE = 6
# What is tried in every kind of project: what most people type first in a clone.
FIRST = (
    ("inject",),
    ("inject", "--all-tools"),
    ("status",),
    ("lint",),
    ("see",),
    ("init",),
    ("explain",),
    ("check", "tabs"),
    ("recall",),
    ("source", "add", "."),
    ("inject", "--global", "--all-tools"),
)


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def test_every_command_of_the_table_is_tried_or_left_out_with_a_reason() -> None:
    assert sorted(leaves()) == sorted((*LINES, *LEFT_OUT))
    assert all(LINES.values())
    assert not {word for line in typed("") for word in line} & {"--yes", "--trust", "--wire", "--force", "-y"}


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[*HealthCheck])
@given(
    seed=st.integers(0, 2**32),
    parts=st.sets(st.sampled_from(sorted(PARTS)), min_size=1),
    lines=st.lists(st.sampled_from(typed("{out}")), min_size=1, max_size=LINES_OF_AN_EXAMPLE),
)
def test_nothing_is_run_changed_outside_or_told_from_outside(
    runner: Runner, seed: int, parts: set[str], lines: list[tuple[str, ...]]
) -> None:
    assert tried(runner, seed, parts, lines) == []


@pytest.mark.parametrize("part", PARTS)
def test_what_is_typed_first_in_a_clone_harms_nobody(runner: Runner, part: str) -> None:
    assert tried(runner, 7, [part, "packs", "config"], FIRST) == []


# That the laws can fail: each is broken by hand.


def found(place: Place, do: Any, *words: str, said: str = "") -> list[str]:
    before = place.nodes()
    do()
    return [*broken(place, before, place.nodes(), words or ("inject",), Said(0, said))]


def test_what_must_not_be_done_is_found(tmp_path: Path) -> None:
    place = Place(tmp_path)
    build(place, ("packs",), Random(1))
    project, home = place.project, place.home

    def write(path: Path, text: str = "x", mode: int = 0o644) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    assert found(place, lambda: write(project / "AGENTS.md")) == []
    assert found(place, lambda: write(project / ".claude/settings.json")) == []
    assert found(place, lambda: write(home / ".local/share/modicum/x")) == []
    assert found(place, lambda: write(home / ".codex/AGENTS.md"), "inject", "--global") == []
    assert found(place, lambda: write(home / ".codex/AGENTS.md", "y"))
    for path in (
        ".git/hooks/pre-commit",
        ".git/config",
        "Makefile",
        ".envrc",
        "x.py",
        "../x.md",
        "../../.zshrc",
        "../../.claude.json",
    ):
        assert found(place, lambda path=path: write(project / path)), path
    assert found(place, lambda: write(project / "CLAUDE.md", mode=0o755))
    assert found(place, lambda: write(project / "GEMINI.md", SECRET))
    assert found(place, lambda: (project / "QWEN.md").symlink_to("x"))
    assert found(place, (home / ".zshrc").unlink)
    assert found(place, lambda: os.system(str(place.canary)))
    assert found(place, lambda: None, said=f"a page with {SECRET}")
    assert found(place, lambda: None, "see", said=f"what a tool reads: {SECRET}") == []


def test_the_commands_that_are_tried_do_something(runner: Runner, tmp_path: Path) -> None:
    place = Place(tmp_path)  # a clone without any trap, so that nothing is refused
    pack = place.project / ".modicum" / "packs" / "own"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text("id: own\n")
    (pack / "context.md").write_text("Prices are in cents.\n")
    words = [("inject", "--tool", "codex"), ("save", "Tabs", "Always use tabs in src/queue.py."), ("recall",)]
    said = [runner.run(place, line) for line in words]

    assert [each.code for each in said] == [0, 0, 0], [each.text for each in said]
    assert (place.project / "AGENTS.md").exists()
    assert "src/queue.py" in said[-1].text


def test_a_hostile_project_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    one, other = Place(tmp_path / "one"), Place(tmp_path / "other")
    for place in (one, other):
        build(place, PARTS, Random(5))

    assert sorted(one.nodes()) == sorted(other.nodes())
    assert len(one.nodes()) > 100
