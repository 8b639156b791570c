"""Options that are read without the command-line library."""

import click
from hypothesis import given
from hypothesis import strategies as st

from modicum.cli.inject.inject import command
from modicum.cli.inject.request import plain_options

FLAGS = sorted(name for option in command.params for name in option.opts)
WORDS = st.one_of(
    st.sampled_from(FLAGS), st.sampled_from(["cursor", "full", "", "a b", "-x", "--tool=kiro", "--too"])
)


def by_library(arguments: list[str]) -> dict[str, object] | None:
    try:
        return command.make_context("modicum inject", list(arguments)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


@given(st.lists(WORDS, max_size=8))
def test_plain_options_are_what_the_library_reads(arguments: list[str]) -> None:
    plain = plain_options(arguments)

    assert plain is None or plain == by_library(arguments)


def test_what_people_type_is_plain() -> None:
    typed = "--tool cursor --tool kiro --dry-run --detail minimal --global --exclude git"

    assert plain_options(typed.split()) == by_library(typed.split())
    assert plain_options([]) == by_library([])


def test_help_and_mistakes_are_left_to_the_library() -> None:
    assert [plain_options(words.split()) for words in ("--help", "--tol cursor", "--tool", "cursor")] == [
        None
    ] * 4
