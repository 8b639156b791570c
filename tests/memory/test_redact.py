"""What is private or secret is never written."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.redact import REDACTED, redact

TAGS = st.sampled_from(
    ["<private>", "</private>", "<PRIVATE>", "</Private >", "< private>", '<private why="x">']
)
PIECES = st.lists(st.one_of(TAGS, st.text(alphabet="abc <>/\n", max_size=6)), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <private>b</private> c", "a [REDACTED] c"),
        ("<private>a<private>b</private>c</private>d", "[REDACTED]d"),
        ("a <private>b", "a [REDACTED]"),
        ("a <PRIVATE>b</Private>c", "a [REDACTED]c"),
        ("a <private>b\nc</private>\nd", "a [REDACTED]\nd"),
        ("a </private> b", "a </private> b"),
        ("<privateer>a", "<privateer>a"),
        ("  around  ", "around"),
        ("half \ud800 of a pair, and \0", "half � of a pair, and �"),
    ],
)
def test_private_text_is_taken_out(text, left):
    assert redact(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("key AKIAIOSFODNN7QTRWBZA here", "key [REDACTED] here"),
        ("postgres://admin:hunter2x@db/shop", "postgres://admin:[REDACTED]@db/shop"),
        ('password = "correct1horse2battery"', 'password = "[REDACTED]"'),
        ("token ghp_" + "a1" * 18, "token [REDACTED]"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nafter",
            "[REDACTED]\nafter",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIE never closed", "[REDACTED]"),
        ("the password is in the vault", "the password is in the vault"),
    ],
)
def test_likely_secrets_are_taken_out(text, left):
    assert redact(text) == left


@given(before=st.text(alphabet="xyz ", max_size=5), inside=PIECES, after=st.text(alphabet="xyz ", max_size=5))
def test_nothing_from_inside_a_private_passage_is_left(before, inside, after):
    opened = inside.lower().count("private") * "</private>"

    left = redact(f"{before}<private>SECRET{inside}{opened}</private>{after}")

    assert "SECRET" not in left
    assert left.startswith((before + REDACTED).lstrip())


@given(PIECES)
def test_an_opening_tag_never_survives(text):
    left = redact(text)

    assert "<private" not in left.lower().replace(" ", "")


@given(st.one_of(PIECES, st.text(), st.from_regex(r"(password|token)[:=] ?[a-z0-9]{8,20}@?", fullmatch=True)))
def test_redacting_twice_changes_nothing_more(text):
    assert redact(redact(text)) == redact(text)


@given(st.text(alphabet=st.characters(exclude_characters="<:=-@_", exclude_categories=["Cs"]), max_size=200))
def test_ordinary_text_is_only_trimmed(text):
    assert redact(text) == text.replace("\0", "�").strip()


def test_what_is_taken_out_is_known_without_loading_more() -> None:
    """Hooks come through here, and have no time for what only remarks need."""
    code = "import sys, modicum.memory.redact; print('modicum.text.markdown' in sys.modules)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert told == "False\n"
