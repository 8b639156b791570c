"""Finds likely secrets (keys, tokens, passwords) in a text and takes them out; reports hidden characters. Pure."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modicum.text.markdown import Remark

REDACTED = "[REDACTED]"

_TOKEN_WORDS = tuple(f"{kind}{joint}token" for kind in ("access", "auth") for joint in ("", "_", "-"))

# By kind: words of which one must be there (in small letters), and the pattern, which is compiled only then. A pattern
# begins with what it cannot do without and looks back from there: so a search can skip, and 10 MB take no second.
SECRETS = {
    "private key": (("private key-",), r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    "AWS access key": (("akia", "asia"), r"A(?<!\wA)[KS]IA[0-9A-Z]{16}\b"),
    "GitHub token": (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"g(?<!\wg)(?:h[pousr]_[A-Za-z0-9]{36,255}|ithub_pat_[A-Za-z0-9_]{22,255})\b",
    ),
    "GitLab token": (("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,255}"),
    "Slack token": (("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    "API key": (
        ("sk-", "rk-", "pk-", "k_live_"),
        (
            r"[srp]k(?:-(?<![\w-][srp]k-)(?:[A-Za-z]{1,20}-){0,4}[A-Za-z0-9_]{20,255}"
            r"|(?<=[sr]k)(?<!\w[sr]k)_live_[A-Za-z0-9]{16,255})"
        ),
    ),
    "Google API key": (("aiza",), r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "npm token": (("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    "JSON web token": (
        ("eyj",),
        r"(?<![\w-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}",
    ),
    "password in an address": (
        ("@",),
        r"://(?<=[A-Za-z0-9+.-]{2}://)[^\s/:@\"'<>]{1,100}:([^\s/@\"'<>]{3,200})@",
    ),
    "password": (
        ("password", "passwd", "secret", "api_key", "api-key", "apikey", *_TOKEN_WORDS),
        (
            r"[pPsSaA](?:(?<=[pP])(?i:assword|asswd)|(?<=[sS])(?i:ecret)"
            r"|(?<=[aA])(?i:pi[_-]?key|ccess[_-]?token|uth[_-]?token))[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
            r"(?![\"'${<*])((?=[^\s\"']{0,200}[0-9])(?=[^\s\"']{0,200}[A-Za-z])[^\s\"',;`]{12,200})"
        ),
    ),
}


def findings(text: str) -> "tuple[Remark, ...]":
    """Returns a remark for each likely secret and hidden character in a text, without the secret itself."""
    # Who only wants the patterns must not pay for these imports.
    from modicum.text.hidden import hidden_characters
    from modicum.text.markdown import Remark

    remarks, line, past = [], 1, 0
    for at, message in sorted((*hidden_characters(text), *_secrets(text)), key=lambda pair: pair[0]):
        line, past = line + text.count("\n", past, at), at
        remarks.append(Remark(line, message))
    return tuple(remarks)


def _secrets(text: str) -> Iterator[tuple[int, str]]:
    small = text.lower()
    for kind, (signs, pattern) in SECRETS.items():
        if any(sign in small for sign in signs):
            for match in re.finditer(pattern, text):
                yield match.start(), f"this looks like a secret ({kind}): take it out and revoke it"


# Compiled only when a text may hold what it finds.
_KEY_BLOCK = r"(?s)-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)"


def redact_secrets(text: str) -> str:
    """Returns a text with likely secrets taken out; what only announces a secret ("password: ") stays."""
    small = text.lower()
    if "private key-" in small:
        text = re.sub(_KEY_BLOCK, REDACTED, text)
    for signs, pattern in SECRETS.values():
        if any(sign in small for sign in signs):
            text = re.sub(pattern, _masked, text)
    return text


def _masked(found: re.Match[str]) -> str:
    secret = found.re.groups
    whole, start = found[0], found.start()
    return whole[: found.start(secret) - start] + REDACTED + whole[found.end(secret) - start :]
