"""The tier of a paragraph is chosen by rules that can be read."""

import pytest

from modicum.text.paragraphs import split_paragraphs
from modicum.text.tiers import choose_tiers, is_forbidding

LONG = "The service reads orders from the queue and writes them to the table. " * 8


@pytest.mark.parametrize(
    ("text", "headings", "tier", "reason"),
    [
        ("- Never push to main.", (), "core", "it forbids something"),
        ("- `eval`", ("## Don't",), "core", 'it is forbidden by its heading "Don\'t"'),
        ("Tests must pass.", (), "core", "it says what must always hold"),
        ("1. Build it.\n2. Never skip tests.", (), "core", "it forbids something"),
        ("Use tabs, not spaces.", (), "core", "it chooses one thing over another"),
        ("Prefer hooks over classes.", (), "core", "it chooses one thing over another"),
        (
            "Put helpers in `src/util`.",
            (),
            "core",
            "a short instruction that names something of this project",
        ),
        ("```sh\nmake test\n```", (), "core", "commands to run"),
        ("Keep functions short.", (), "detail", "advice or how-to, without a must"),
        ("The shop sells bread.", (), "detail", "a description"),
        ("1. Build it.\n2. Look at it.", (), "detail", "steps of how something is done"),
        ("```py\nx = 1\n```", (), "detail", "a short code example"),
        ("```py\n" + "x = 1\n" * 20 + "```", (), "extended", "a code example of 20 lines"),
        ("    x = 1\n" * 9, (), "extended", "a code example of 9 lines"),
        ("| a |\n|---|\n| b |", (), "extended", "a table of 3 lines"),
        ("<!-- who -->", (), "extended", "a comment"),
        ("We moved to Go.", ("# Shop", "## History"), "extended", 'background, by its heading "History"'),
        ("1. Tag it.", ("## How to release",), "detail", "steps of how something is done"),
        ("1. Tag it.", ("## Release",), "detail", "steps of how something is done"),
        ("1. Add it.", ("## How we add links",), "detail", "steps of how something is done"),
        ("Two was fast.", ("## Releases",), "extended", 'background, by its heading "Releases"'),
        (LONG, (), "extended", "104 words of description without an instruction"),
    ],
)
def test_each_choice_has_its_reason(text: str, headings: tuple[str, ...], tier: str, reason: str) -> None:
    assert choose_tiers(split_paragraphs(text), headings) == [(tier, reason)]


def test_what_introduces_a_list_is_shown_as_often_as_any_of_its_items() -> None:
    text = "For releases:\n\n- The notes are in `docs`.\n- Never tag by hand.\n\nOther text."

    assert [each.tier for each in choose_tiers(split_paragraphs(text), ())] == [
        "core",
        "detail",
        "core",
        "detail",
    ]
    assert choose_tiers(split_paragraphs(text), ())[0].reason == "it introduces what follows"


def test_what_introduces_code_goes_with_it() -> None:
    found = choose_tiers(split_paragraphs("The tests:\n\n```sh\nmake\n```"), ())

    assert [each.tier for each in found] == ["core", "core"]


def test_headings_forbid_but_not_lists_of_both() -> None:
    assert is_forbidding("## Anti-patterns")
    assert not is_forbidding("## Do's and Don'ts")
    assert not is_forbidding("## Testing")
