"""Two paragraphs say the same if their words, names and polarity do."""

import pytest

from modicum.text.alike import NEARLY, SAME, alike, find_alike, wording_of


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("- Never push to main.", "* **Never** push to main!", SAME),
        ("- [ ] Never push to main", "1. never push to main", SAME),
        (
            "Never send a command without confirmation.",
            "A command must never be sent without confirmation.",
            NEARLY,
        ),
        ("No `new` or `delete` in `core/a`.", "Do not use `new`/`delete` in `core/a`.", NEARLY),
        ("Ask before you add a dependency.", "Ask before adding a dependency.", NEARLY),
        ("Keep the traffic under 5 MB a day.", "Traffic must stay under 5 MB per day.", NEARLY),
        ("Write the release notes in English.", "Write the release notes in English, in `NEWS.md`.", NEARLY),
        # the same words, another meaning
        ("Run `npm test` before each push.", "Run `pnpm test` before each push.", ""),
        ("Never log customer names.", "Always log customer names.", ""),
        ("Keep lines under 80 characters.", "Keep lines under 100 characters.", ""),
        ("Run `lint` before `test` in the pipeline.", "Run `test` before `lint` in the pipeline.", ""),
        ("Never deploy the shop on Fridays.", "Never deploy the shop on Fridays unless asked.", ""),
        ("Never push to the main branch of billing.", "Never push to the main branch of payments.", ""),
        (
            "Write integration tests for the payment service in Kotlin.",
            "Write integration tests for the order service in Kotlin.",
            "",
        ),
        ("Use tabs.", "Use tabs in all of them.", ""),  # too short to tell
        ("", "", ""),
    ],
)
def test_what_says_the_same(one: str, other: str, how: str) -> None:
    assert alike(wording_of(one), wording_of(other)) == how
    assert alike(wording_of(other), wording_of(one)) == how


def test_code_is_the_same_only_line_by_line() -> None:
    one, other = (wording_of(text, is_code=True) for text in ("```\nmake a\n```", "```\n  make a\n```\n"))

    assert alike(one, other) == SAME
    assert alike(one, wording_of("make a")) == ""
    assert alike(one, wording_of("```\nmake b\n```", is_code=True)) == ""


def test_what_a_heading_forbids_is_not_what_another_asks_for() -> None:
    asked = wording_of("Put business rules into controllers")

    assert alike(asked, wording_of("Put business rules into controllers", forbidden=True)) == ""


def test_pairs_are_found_in_order() -> None:
    texts = [
        "Never push to the main branch.",
        "Be kind.",
        "Do not push to the main branch.",
        "never push to the main branch",
    ]

    assert [*find_alike([wording_of(text) for text in texts])] == [
        (0, 2, NEARLY),
        (0, 3, SAME),
        (2, 3, NEARLY),
    ]
