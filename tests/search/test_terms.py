"""Words as the full-text index has them."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.search.terms import (
    LONGEST_RESPELT,
    Trait,
    compounds,
    distinct_stems,
    fold,
    halves,
    joined,
    near,
    one_slip_from,
    stem,
    stems,
    tokens,
    traits,
)

SUFFIXES = str.split("""
ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti
iviti biliti ical ness icate iciti ful ative alize al ance ence er ic able ible ant ement ment ent ion ou ism ate iti
ous ive ize ed ing eed s es ies sses ss y e ll
""")
LETTERS = st.text("aeiouybdlstnmwxzr", max_size=6)
WORDS = st.builds(
    lambda a, b, c: a + b + c, LETTERS, st.sampled_from(SUFFIXES), st.sampled_from(["", *SUFFIXES])
)


def indexed(words: list[str]) -> list[str]:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    db.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(words, 1))
    found = [term for (term,) in db.execute("SELECT term FROM v ORDER BY doc, offset")]
    db.close()
    return found


@given(st.lists(WORDS, min_size=20, max_size=60))
def test_a_stem_is_what_the_full_text_index_keeps(words):
    assert [stem(word) for word in words] == indexed(words)


def test_known_words_are_stemmed_as_the_index_does():
    words = "caresses ponies ties cats feed agreed plastered sing motoring conflated troubled sized hopping fizzed "
    words += "falling failing filing happy sky relational rational adoption probate rate cease controll roll oed yying "
    words += (
        "sses ies ing ed is at naive locking locked adjustment replacement irritant communion ion " + "a" * 65
    )
    listed = words.split()

    assert [stem(word) for word in listed] == indexed(listed)


@given(st.text())
def test_folding_is_done_once(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("word", ["Café", "naïve", "ÅNGSTRÖM", "Straße", "µm"])
def test_accents_and_case_go_as_in_the_index(word):
    assert [stem(fold(word))] == indexed([word])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", "getuserbyid get user by id"),
        ("snake_case", "snake case snakecase"),
        ("kebab-case", "kebab case kebabcase"),
        ("src/app/main.py", "src app main py srcappmainpy"),
        ("HTTPServer2", "httpserver2 http server 2"),
        ("数据库锁", "数据 据库 库锁"),
        ("锁", "锁"),
        ("x日本語", "x 日本 本語"),
        ("don't", "don t"),
        ("wrote the db", "write the database"),
        ("", ""),
    ],
)
def test_a_text_is_split_into_words(text, expected):
    assert list(tokens(text)) == expected.split()


def test_what_utf_8_cannot_say_is_no_error():
    assert stem("\ud800") == "\ud800"


def test_the_parts_of_an_identifier_are_stemmed():
    assert stems("lockedRows") == ("lockedrow", "lock", "row")


def test_a_compound_is_kept_as_written():
    assert compounds("See src/app.py, and config/env!") == ["See", "src/app.py", "and", "config/env"]


@given(st.text())
def test_any_text_has_words_and_traits(text):
    assert all(token and token == token.strip() for token in tokens(text))
    assert isinstance(traits(text), Trait)


def test_traits_say_what_a_text_holds():
    assert traits("Did it work?") == Trait.QUESTION
    assert traits("we saw Marta twice yesterday") == Trait.NAME | Trait.NUMBER | Trait.TIME
    assert traits("nothing at all") == Trait(0)


def test_a_misspelt_word_is_near_what_was_meant():
    vocabulary = ["deadlock", "deadline", "lock", "parcel", "cart"]

    assert near("deadlok", vocabulary) == ("deadlock",)
    assert near("dedalock", vocabulary) == ("deadlock",)
    assert near("parcl", vocabulary) == ("parcel",)


def test_another_word_is_not_a_misspelling():
    assert near("card", ["cart"]) == ()
    assert near("deadlock", ["deadlock"]) == ()
    assert near("wired", ["wider"]) == ()


@given(st.text("abc", min_size=8, max_size=10), st.lists(st.text("abc", max_size=12)))
def test_what_is_near_is_part_of_the_vocabulary(word, vocabulary):
    assert set(near(word, vocabulary)) <= set(vocabulary)


@given(st.text("abcxyz", min_size=1, max_size=9))
def test_a_slip_can_be_taken_back(word):
    assert word not in one_slip_from(word)
    assert all(word in one_slip_from(other) for other in one_slip_from(word) if other)


@given(st.text("ab", min_size=1, max_size=30), st.integers(1, 200))
def test_the_variants_of_a_word_are_few_however_long_it_is(part, times):
    word = part * times
    variants = one_slip_from(word)

    assert len(variants) <= 54 * (LONGEST_RESPELT + 1)
    assert sum(map(len, variants)) <= 54 * (LONGEST_RESPELT + 1) ** 2
    assert bool(variants) == (len(word) <= LONGEST_RESPELT)


@given(st.integers(0, 5_000))
def test_a_word_is_compared_with_others_only_if_it_is_one(length):
    looked_at = []
    vocabulary = (looked_at.append(other) or other for other in ["a" * (length + 1)] * 3)
    near("a" * length, vocabulary)

    assert bool(looked_at) == (length <= LONGEST_RESPELT)


def test_a_word_is_written_as_two_and_two_as_one():
    assert ("time", "zone") in halves("timezone")
    assert halves("short") == halves("日本語日本語") == halves("x" * 25) == []
    assert joined("Which time zone, when we log in?") == {
        "timezone": ("time", "zone"),
        "zonewhen": ("zone", "when"),
        "login": ("log", "in"),
    }


@given(st.text(st.sampled_from("中文字漢カタ가abY1-_. \n，。é😀"), max_size=40) | st.text(max_size=30))
def test_distinct_stems_are_all_stems_each_once(text):
    found = distinct_stems(text)

    assert set(found) == set(stems(text))
    assert len(set(found)) == len(found)
