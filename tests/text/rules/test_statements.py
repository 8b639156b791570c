"""What a sentence demands and forbids, in words."""

import pytest

from modicum.text.rules.index import WordIndex
from modicum.text.rules.intents import intent_of, standing_against
from modicum.text.rules.statements import Statement, may_be_negative, statements


def told(sentence: str, under: str = "") -> list[tuple[bool, set[str], str]]:
    return [
        (each.forbids, set(each.words), each.verb)
        for each in statements(sentence, under=under)
        if not each.derived
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Never push to `main`.", [(True, {"push", "main"}, "push")]),
        ("**Never** push.", [(True, {"push"}, "push")]),
        ("Use X instead of Y.", [(True, {"y"}, ""), (False, {"x"}, "")]),
        ("Go over the list.", [(False, {"list"}, "")]),
        ("Ship it without tests.", [(True, {"ship", "test"}, ""), (False, {"ship"}, "ship")]),
        ("No feature without a flag.", [(False, {"featur", "flag"}, ""), (True, {"featur"}, "")]),
        ("When green, merge.", [(False, {"green", "merg"}, "merg")]),
        ("Tests are run by CI.", [(False, {"test", "run", "ci"}, "run")]),
        ("✅ small functions", [(False, {"small", "function"}, "")]),
        ("✅ tabs", [(False, {"tab"}, "")]),
        ("Swallow exceptions.", [(False, {"swallow", "error"}, "swallow")]),
        ("123.", []),
        ("Code must not be left.", [(True, {"leav"}, "leav")]),
        ("Never, ever.", []),
        ("Go on: : test now.", [(False, {"test"}, "test")]),
    ],
)
def test_a_sentence_says_what_to_do_and_what_not(
    sentence: str, expected: list[tuple[bool, set[str], str]]
) -> None:
    assert told(sentence) == expected


def test_under_a_heading_that_forbids_a_word_is_forbidden() -> None:
    assert told("tabs", "Style. Don't") == [(True, {"tab"}, "")]


def test_a_text_without_words_that_forbid_is_seen_at_once() -> None:
    assert not may_be_negative("Use tabs.")
    assert may_be_negative("Tabs rather than spaces.")


def test_a_statement_is_strict_unless_it_only_tells() -> None:
    strict = {
        text: statements(text)[0].strict for text in ("Never poll.", "No polling.", "Redis does not join.")
    }

    assert strict == {"Never poll.": True, "No polling.": True, "Redis does not join.": False}


def test_what_a_change_drops_is_not_wanted() -> None:
    intent = intent_of("Replace Postgres with Redis.\nSend mail without a queue.")

    assert "postgr" not in intent.wanted
    assert {"redi", "mail"} <= intent.wanted
    assert (
        standing_against(intent, "Orders are fine. We must keep Postgres.", lambda _: True)
        == "We must keep Postgres"
    )
    assert standing_against(intent, "Postgres must not be used.", lambda _: True) == ""
    assert standing_against(intent_of(""), "Never.", lambda _: True) == ""


def test_items_are_found_by_their_rarest_words() -> None:
    index = WordIndex([(frozenset({"use", "tabs"}), 1), (frozenset({"use", "spaces"}), 2)])

    assert [*index.having(frozenset({"use", "tabs"}))] == [1]
    assert [*index.having(frozenset())] == []
    assert sorted(index.sharing(frozenset({"use", "tabs"}), 1)) == [1, 1, 2]


def test_statements_are_values() -> None:
    assert Statement(True, frozenset()) == Statement(True, frozenset())
