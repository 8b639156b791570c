"""Hidden characters and likely secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.secrets import findings


@pytest.mark.parametrize(
    "character", ["\u202e", "\u200b", "\u2066", "\U000e0041", "\u00ad", "\u2060", "\u3164"]
)
def test_hidden_characters_are_named_with_their_line(character: str) -> None:
    (remark,) = findings(f"fine\nnot{character}fine\n")

    assert remark.line == 2
    assert f"U+{ord(character):04X}" in remark.message


@pytest.mark.parametrize(
    "text", ["👩\u200d🚀", "می\u200cخواهم", "\ufeffa byte order mark", "plain", "日本語 🇩🇪"]
)
def test_what_scripts_and_emoji_need_is_not_hidden(text: str) -> None:
    assert findings(text) == ()


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


@given(st.text())
def test_any_text_is_screened(text: str) -> None:
    assert all(1 <= remark.line <= text.count("\n") + 1 for remark in findings(text))


@pytest.mark.parametrize(
    "piece", ["sk-a-", "-eyJaaaaaaaaaa", "\u200b\n", "xoxb-", "a://b:", "password=", "AKIA", "ghp_a"]
)
def test_hostile_texts_take_no_more_than_linear_time(piece: str) -> None:
    assert len(findings(piece * 40_000)) <= 40_000
