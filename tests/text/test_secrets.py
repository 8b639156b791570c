"""Likely secrets, and the remarks about them and about hidden characters."""

import re
import re._parser as parser
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.plain_words import SHORTEST_KEY
from modicum.text.secret_kinds.services import RULES
from modicum.text.secrets import findings, redact_secrets

ROOT = Path(__file__).parents[2]
CLAUDE = "sk-ant-" + "api03-" + "Qw3rTy7UiOp" * 8 + "-AA"


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        "AKIA" + "ABCDEFGHIJKLMNOP",
        "ghp_" + "a1B2" * 9,
        "glpat-" + "x7" * 10,
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
    remarks = findings(f"a\u200bb\nglpat-{'x7' * 10}\nc\u202ed\n")

    assert [remark.line for remark in remarks] == [1, 2, 3]
    assert ["secret" in remark.message for remark in remarks] == [False, True, False]


@given(st.text())
def test_any_text_is_screened(text: str) -> None:
    assert all(1 <= remark.line <= text.count("\n") + 1 for remark in findings(text))


@pytest.mark.parametrize(
    "piece",
    [
        "sk-a-",
        "-eyJaaaaaaaaaa",
        "\u200b\n",
        "xoxb-",
        "a://b:",
        "password=",
        "AKIA",
        "ghp_a",
        "jdbc:oracle:thin:a/",
        "userid=a;pwd=",
    ],
)
def test_hostile_texts_take_no_more_than_linear_time(piece: str) -> None:
    assert len(findings(piece * 40_000)) <= 40_000


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"key {CLAUDE}, and on", "key [REDACTED], and on"),
        (f"a\\n{CLAUDE}", "a\\n[REDACTED]"),
        (f"k%3D{CLAUDE}", "k%3D[REDACTED]"),
        (f"\x1b[32m{CLAUDE}\x1b[0m", "\x1b[32m[REDACTED]\x1b[0m"),
        (f"İİİ {CLAUDE}\r\nİ", "İİİ [REDACTED]\r\nİ"),
        ("İİİ Password: aB3dE6gH9", "İİİ Password: [REDACTED]"),
        ("测试环境密码：6j#EkxvkYTrO+", "测试环境密码：[REDACTED]"),
        ("La contraseña del servidor es pOnr3e#O0gZF", "La contraseña del servidor es [REDACTED]"),
        ("cli --token abc123def456 go", "cli --token [REDACTED] go"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic [REDACTED]"),
        ("level: basic understanding of it", "level: basic understanding of it"),
        ("curl -u ops:aB3dE6gH9 https://x.example", "curl -u ops:[REDACTED] https://x.example"),
        ("redis://:s3cr3tvalue@cache/0", "redis://:[REDACTED]@cache/0"),
        ('api_key="aaaa1111bbbb", x', 'api_key="[REDACTED]", x'),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----\ny", "[REDACTED]\ny"),
        (f"token={CLAUDE}{CLAUDE}", "token=[REDACTED]"),
        (f"C:\\Users\\mia {CLAUDE}", "C:\\Users\\mia [REDACTED]"),
        ("jdbc:oracle:thin:app/dsKt#8h@ora:1521/LEDG", "jdbc:oracle:thin:app/[REDACTED]@ora:1521/LEDG"),
        ('jdbc:oracle:oci8:"app"/"ds Kt"@x', 'jdbc:oracle:oci8:"app"/"ds Kt"@x'),  # no such thing
        ('jdbc:oracle:thin:"app"/"tigers"@//ora/X', 'jdbc:oracle:thin:"app"/"[REDACTED]"@//ora/X'),
        ("sqlplus -s app/tigers@PROD", "sqlplus -s app/[REDACTED]@PROD"),
        ("expdp app/tigers@orcl", "expdp app/[REDACTED]@orcl"),
        (
            "jdbc:sqlserver://h;user=sa;password=ab1!;x=1",
            "jdbc:sqlserver://h;user=sa;password=[REDACTED];x=1",
        ),
        (
            "jdbc:postgresql://h/d?user=fred&password=tigers",
            "jdbc:postgresql://h/d?user=fred&password=[REDACTED]",
        ),
        ("Data Source=o;User Id=u;Password=ab3!;", "Data Source=o;User Id=u;Password=[REDACTED];"),
    ],
)
def test_secrets_are_masked_and_the_rest_is_left(text: str, left: str) -> None:
    assert redact_secrets(text) == left
    assert redact_secrets(left) == left


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "GITHUB_TOKEN=ghp_" + "x" * 36,
        "SLACK_BOT_TOKEN=xoxb-your-token-here",
        "cache_key: 2f78bd1828c76d25decf3753941b5faf4eb93746",
        "PublicKey = tKXfGXOmwMWoskG+CmiT8zL2JN9dAP/ybp1jkbE67+O=",
        "token: config.auth.token2",
        "password = load_password(user1234)",
        "secret: /etc/shop/secret2.pem",
        "postgres://postgres:postgres@localhost/test",
        "commit 50211670eae679f02e8d28a79023c39c200661fc",
        "13ab6410-8877-48e7-ae95-050791cfb3fa",
        "jdbc:oracle:thin:@//ora-test:1521/X",
        "jdbc:oracle:thin:user/password@host",
        "jdbc:oracle:thin:${USER}/${PASS}@host",
        "jdbc:oracle:thin:/@wallet",
        "sqlplus / as sysdba",
        "jdbc:mysql://h/db?user=u&password=<password>",
        "the field password= of the form",
        "",
    ],
)
def test_look_alikes_are_left_alone(text: str) -> None:
    assert redact_secrets(text) == text


@pytest.mark.parametrize("word", sorted({word for rule in RULES for word in rule[2]}))
def test_the_word_of_a_rule_alone_is_no_secret(word: str) -> None:
    text = f"Keys that begin with {word} are theirs. "

    assert redact_secrets(text * 3) == text * 3


def test_made_up_secrets_are_found_and_look_alikes_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    from redaction import innocent, kinds, missed

    masked = [line for line in innocent() if redact_secrets(line) != line]

    assert len(missed(redact_secrets)) <= 0.05 * len(kinds())
    assert len(masked) <= 0.02 * len(innocent())


def test_no_key_is_too_short_to_be_noticed_at_a_glance() -> None:
    assert min(parser.parse(pattern).getwidth()[0] for *_, pattern in RULES) >= SHORTEST_KEY


def _takes_blanks(pattern: str) -> bool:
    """Whether a match may have a blank in it: a literal one, a class of them, or everything but something."""
    parts = re.findall(r"\[(?:\\.|[^\]\\])+\]|\\.|\(\?[<!=P:][^)]*?>?|.", pattern)
    return any(
        part in (" ", ".", r"\s", r"\n", r"\W") or part.startswith("[^") or " " in part for part in parts
    )


def test_the_word_of_every_rule_stands_in_a_long_word_without_blanks() -> None:
    assert [words for *_, words, pattern in RULES if _takes_blanks(pattern)] == [("Private-Lines:",)]


def test_the_rules_are_those_of_the_data() -> None:
    check = [sys.executable, str(ROOT / "scripts" / "secret_rules"), "--check"]

    assert subprocess.run(check, check=False).returncode == 0


def test_plain_words_do_not_load_the_rules() -> None:
    """Hooks come through here with every prompt."""
    code = (
        "import sys; from modicum.text.secrets import redact_secrets as screen;"
        "screen('why does the login of the shop fail?'); print([m for m in sys.modules if 'secret_kinds' in m])"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert told == "[]\n"


def test_of_a_header_of_cookies_only_those_of_a_session_are_secret() -> None:
    line = "Cookie: theme=k3J9xQ2mZp7LwT5vB8nR; session=k3J9xQ2mZp7LwT5vB8nR"
    (found,) = findings(line)

    assert "cookie of a session" in found.message
