"""Likely secrets, and the remarks about them and about hidden characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.secrets import findings


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "ghp_" + "a1B2" * 9,
        "glpat-" + "x" * 20,
        "xoxb-" + "1234567890-abc",
        "sk-proj-" + "a" * 30,
        "AIza" + "a" * 35,
        "npm_" + "a" * 36,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY.c2lnbmF0dXJlLWhlcmU",
        "postgres://user:hunter22@db/app",
        'password: "abc123def456ghi"',
        "API_KEY=abc123def456ghi789",
    ],
)
def test_likely_secrets_are_found_and_not_repeated(text: str) -> None:
    (remark, *_) = findings(f"one\n{text}\n")

    assert remark.line == 2
    assert "secret" in remark.message
    assert text not in remark.message


@pytest.mark.parametrize(
    "text",
    [
        "password: ${DB_PASSWORD}",
        "api_key = <your key>",
        "https://example.com:8080/a@b",
        "the password is in the vault",
        "sk-learn",
    ],
)
def test_what_only_speaks_of_secrets_is_left_alone(text: str) -> None:
    assert findings(text) == ()


def test_secrets_and_hidden_characters_are_told_in_the_order_of_the_text() -> None:
    remarks = findings(f"a\u200bb\nglpat-{'x' * 20}\nc\u202ed\n")

    assert [remark.line for remark in remarks] == [1, 2, 3]
    assert ["secret" in remark.message for remark in remarks] == [False, True, False]


@given(st.text())
def test_any_text_is_screened(text: str) -> None:
    assert all(1 <= remark.line <= text.count("\n") + 1 for remark in findings(text))


@pytest.mark.parametrize(
    "piece", ["sk-a-", "-eyJaaaaaaaaaa", "\u200b\n", "xoxb-", "a://b:", "password=", "AKIA", "ghp_a"]
)
def test_hostile_texts_take_no_more_than_linear_time(piece: str) -> None:
    assert len(findings(piece * 40_000)) <= 40_000
