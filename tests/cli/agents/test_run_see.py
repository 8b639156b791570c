"""Options of `modicum see` that are read without the command-line library."""

import subprocess
import sys

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.cli.agents.run_see import plain_options
from modicum.cli.agents.see import command

FLAGS = sorted(name for option in command.params for name in option.opts if name.startswith("-"))
WORDS = st.one_of(
    st.sampled_from(FLAGS), st.sampled_from(["codex", "pkg/app", "", "a b", "-x", "--in=x", "--"])
)


def by_library(arguments: list[str]) -> dict[str, object] | None:
    try:
        return command.make_context("modicum see", list(arguments)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


@given(st.lists(WORDS, max_size=6))
def test_plain_options_are_what_the_library_reads(arguments: list[str]) -> None:
    plain = plain_options(arguments)

    assert plain is None or plain == by_library(arguments)


@pytest.mark.parametrize("typed", ["", "codex", "codex --in pkg --json", "--all-tools"])
def test_what_people_type_is_plain(typed: str) -> None:
    assert plain_options(typed.split()) == by_library(typed.split()) is not None


@pytest.mark.parametrize("typed", ["--help", "codex qwen", "--in", "codex --live", "--costs"])
def test_the_rest_is_left_to_the_library(typed: str) -> None:
    assert plain_options(typed.split()) is None


def test_a_table_needs_neither_the_library_nor_a_tokenizer(world) -> None:
    code = "import sys; from modicum.cli.main import main; main(['see', '--all-tools']); print(*sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=world.project, capture_output=True, text=True, check=True
    )

    assert not {"click", "splintr", "subprocess", "modicum.app.inject.pages"} & {*said.stdout.split()}
