"""Names are compared in one form; the table is that of the systems whose notes we take over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.learnings import learnings
from modicum.memory.model import Refused
from modicum.memory.names import (
    ALL_LETTERS,
    SHOWN_LETTERS,
    Similar,
    clip,
    default_session,
    project_name,
    public_id,
    public_ids,
    public_name,
    scope_name,
    similar_projects,
    topic_name,
)
from modicum.memory.tables.notes import hash_of
from modicum.memory.times import parse_time, stamp
from modicum.memory.topics import suggest_topic

TOKEN = "ghp_" + "a1" * 18


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Engram", "engram"),
        ("engram--memory", "engram-memory"),
        (" a___b ", "a_b"),
        ("", ""),
        ("a----b", "a-b"),
    ],
)
def test_a_project_has_one_spelling(text, name):
    assert project_name(text) == name


@given(st.text())
def test_names_do_not_change_when_normalised_again(text):
    assert project_name(project_name(text)) == project_name(text)
    assert topic_name(topic_name(text)) == topic_name(text)
    assert scope_name(scope_name(text)) == scope_name(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "project"),
        ("PERSONAL", "personal"),
        ("  Personal  ", "personal"),
        ("x", "project"),
        ("Global", "global"),
    ],
)
def test_an_unknown_scope_is_project(text, name):
    assert scope_name(text) == name


@pytest.mark.parametrize(
    "text", ["a\x1b[31mb", "a\nb", "a\u2028b", "a\x85b", "a\x00b", "a\ud800b", "a\x7f\x9bb"]
)
def test_a_name_is_one_line_that_can_be_shown(text):
    assert public_name(text).isprintable()
    assert public_name(f"{text} {TOKEN}").isprintable()
    assert (public_name("a\tb"), public_name("a\x1bb")) == ("a b", "a\N{REPLACEMENT CHARACTER}b")


def test_a_long_name_is_bounded_and_differs_from_others_that_begin_alike():
    long = ["é" * 400 + end for end in ("", "a", "b")]
    names = {clean(name) for name in long for clean in (public_name, project_name)}

    assert len(names) == 3
    assert all(len(name.encode()) <= 600 for name in names)
    assert {public_name(name) for name in names} == {project_name(name) for name in names} == names
    assert len(project_name("İ" * 300).encode()) <= 600
    assert len(default_session("p" * 600).encode()) <= 600
    assert public_name("x" * 600) == "x" * 600


def test_a_topic_key_has_no_blanks_and_an_end():
    assert topic_name("ARCHITECTURE   AUTH  MODEL") == "architecture-auth-model"
    assert len(topic_name("é" * 200).encode()) == 120
    assert clip("é", 1) == ""


def test_what_is_saved_outside_of_a_session_has_one_for_its_project():
    assert (default_session(""), default_session("shop")) == ("manual-save", "manual-save-shop")


def test_similar_projects_come_by_kind_then_by_distance():
    existing = ["totally-different", "engam", "engram-memory", "Engram", "engram"]

    assert similar_projects("engram", existing) == (
        Similar("Engram", "case-insensitive"),
        Similar("engram-memory", "substring"),
        Similar("engam", "levenshtein", 1),
    )


def test_short_names_are_similar_to_little():
    assert similar_projects("ab", ["abc", "xyz", ""]) == (Similar("abc", "levenshtein", 1),)


@pytest.mark.parametrize(
    ("kind", "title", "content", "key"),
    [
        ("Architecture", "  Auth Model  ", "", "architecture/auth-model"),
        (
            "bugfix",
            "",
            "Fix nil panic in auth middleware on empty token",
            "bug/fix-nil-panic-in-auth-middleware-on-empty",
        ),
        ("manual", "", "Fix regression in auth login flow", "bug/fix-regression-in-auth-login-flow"),
        ("", "ADR: Split API gateway boundary", "", "architecture/adr-split-api-gateway-boundary"),
        ("decision", "decision", "", "decision/general"),
        ("bugfix", "bug-auth-panic", "", "bug/auth-panic"),
        ("manual", "!!!", "...", "topic/general"),
        ("Custom Type", "Some Name", "", "custom-type/some-name"),
        ("bugfix", "Memory leak fix", "", "bug/memory-leak-fix"),
        ("architecture", "Auth strategy", "", "architecture/auth-strategy"),
        ("decision", "Use PostgreSQL", "", "decision/use-postgresql"),
        ("config", "Docker setup", "", "config/docker-setup"),
        ("exploration", "Dark Mode", "", "explore/dark-mode"),
        ("discuss", "API Design", "", "explore/api-design"),
        ("manual", "", "Some descriptive content about auth", "topic/some-descriptive-content-about-auth"),
        ("decision", "Use <private>x</private> PostgreSQL", "", "decision/use-redacted-postgresql"),
    ],
)
def test_a_topic_key_is_suggested_by_type_or_words(kind, title, content, key):
    assert suggest_topic(kind, title, content) == key


def test_a_suggested_key_has_an_end():
    assert len(suggest_topic("decision", "a" * 300)) == len("decision/") + 100
    assert len(suggest_topic("k" * 50, "a" * 300)) == 120


def test_texts_that_differ_in_case_and_blanks_have_one_hash():
    known = int.from_bytes(bytes.fromhex("06e88253c73c2716"))

    assert hash_of("Normalized tokenizer panic on edge case") == known
    assert hash_of("normalized   tokenizer panic on EDGE case") == known


def test_every_item_that_says_something_is_a_learning():
    text = "".join(f"{i}) the {i}. thing that is worth keeping\n" for i in (1, 2, 3))

    assert len(learnings(f"## Key Learnings:\n{text}")) == 3
    assert learnings("## Key Learnings:\n1. short\n2. also short\n- tiny") == ()


NUMBERED = """Done.

## Key Learnings:

1. **bcrypt** cost 12 is the right balance for our `server`
2. Refresh tokens need *atomic* rotation to prevent races
3. too short
"""


def test_learnings_are_a_numbered_list_in_plain_words():
    assert learnings(NUMBERED) == (
        "bcrypt cost 12 is the right balance for our server",
        "Refresh tokens need atomic rotation to prevent races",
    )


@pytest.mark.parametrize(
    "heading", ["## Aprendizajes Clave:", "### Learnings:", "## key learning", "## Aprendizajes"]
)
def test_learnings_may_be_bullets_under_several_headings(heading):
    text = f"{heading}\n- one thing that is worth keeping\n* another thing worth keeping\n# Next\n- not of the section here"

    assert learnings(text) == ("one thing that is worth keeping", "another thing worth keeping")


def test_the_last_section_with_learnings_wins():
    text = f"{NUMBERED}\n## Learnings\n- a later thing that is worth keeping\n"

    assert learnings(text) == ("a later thing that is worth keeping",)
    assert learnings(NUMBERED + "\n## Learnings\nnothing\n") == learnings(NUMBERED)
    assert learnings("no section") == ()
    assert learnings("## Learnings\n- averyveryverylongsingleword is here") == ()


def test_times_sort_as_text():
    assert stamp(1_800_000_000.1234) == "2027-01-15T08:00:00.123Z"
    assert stamp(0.9999) == "1970-01-01T00:00:01.000Z"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-04-07 10:00:00", "2026-04-07T10:00:00.000Z"),
        ("2026-04-07T10:00:00+02:00", "2026-04-07T08:00:00.000Z"),
        ("2026-04-07", "2026-04-07T00:00:00.000Z"),
        ("2026-04-07T10:00:00.1239Z", "2026-04-07T10:00:00.123Z"),
    ],
)
def test_a_time_may_be_spelt_in_several_ways(text, time):
    assert parse_time(text) == time


def test_the_end_of_a_day_is_the_start_of_the_next():
    assert parse_time("2026-12-31", end=True) == "2027-01-01T00:00:00.000Z"
    assert parse_time("2026-12-31T10:00", end=True) == "2026-12-31T10:00:00.000Z"


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "9999-12-31"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(Refused, match="is no time"):
        parse_time(text, end=True)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("plain", "plain"),
        ("feature/secret-santa", "feature/secret-santa"),
        ("mia@example.com", "mia@example.com"),
        (f"run {TOKEN}", "run [REDACTED]"),
        ("AKIAIOSFODNN7QTRWBZA", "[REDACTED]"),
        ("hf_" + "aB3d" * 8 + "xY", "[REDACTED]"),
        ("run/r8_" + "aB3d" * 9 + "x", "run/[REDACTED]"),
        ("password aB3dE6gH9", "password [REDACTED]"),
        ("13ab6410-8877-48e7-ae95-050791cfb3fa", "13ab6410-8877-48e7-ae95-050791cfb3fa"),
        ("<private>x</private>y", "[REDACTED]y"),
        ("half \ud800", "half \N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_name_is_kept_without_what_looks_like_a_secret(name, kept):
    assert public_name(name) == kept
    assert project_name(name) == kept.lower()


def plain_id(numbers: dict[int, int], local: int) -> str:
    """The public id of a note by definition: as few letters as no other note has, or else its local number."""
    for letters in (SHOWN_LETTERS, ALL_LETTERS):
        every = [public_id(number, letters) for number in numbers.values()]
        if every.count(name := public_id(numbers[local], letters)) == 1:
            return name
    return f"#{local}"


@given(st.dictionaries(st.integers(1, 99), st.sampled_from([0, 1, 1 << 29, 1 << 30, 1 << 58]), max_size=9))
def test_a_public_id_has_as_few_letters_as_tell_it_from_the_others(numbers):
    assert public_ids(numbers) == {local: plain_id(numbers, local) for local in numbers}


class ComparedName(str):
    """A name that counts how often it is compared with another."""

    __slots__ = ()
    __hash__ = str.__hash__
    times = 0

    def __eq__(self, other):
        ComparedName.times += 1
        return str.__eq__(self, other)


def test_many_notes_are_named_without_comparing_each_with_all(monkeypatch):
    monkeypatch.setattr("modicum.memory.names.public_id", lambda *given: ComparedName(public_id(*given)))
    monkeypatch.setattr(ComparedName, "times", 0)
    numbers = {local: local << 30 for local in range(1_000)} | {1_000: 1}  # two share their six letters

    assert len(set(public_ids(numbers).values())) == len(numbers)
    assert ComparedName.times < 10 * len(numbers)
