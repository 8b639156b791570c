"""Secrets and hidden characters in a text: found, named with their lines, taken out. Pure."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modicum.text.markdown import Remark

REDACTED = "[REDACTED]"

# Zero-width and bidirectional controls, tag characters, variation selectors beyond the emoji one.
_HIDDEN = (
    *(("\u00ad", "\u00ad"), ("\u061c", "\u061c"), ("\u115f", "\u1160"), ("\u180e", "\u180e")),
    *(("\u200b", "\u200f"), ("\u202a", "\u202e"), ("\u2060", "\u2064"), ("\u2066", "\u206f")),
    *(("\u3164", "\u3164"), ("\ufeff", "\ufeff"), ("\uffa0", "\uffa0"), ("\U000e0000", "\U000e0fff")),
)
# Joiners are part of emoji and of several scripts; only between plain letters do they hide something.
_JOINERS = "\u200c\u200d"

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
    """Each hidden character and likely secret with its line; a secret itself is not repeated."""
    from modicum.text.markdown import Remark  # whoever only wants the patterns must not pay for it

    remarks, line, past = [], 1, 0
    for at, message in sorted((*_hidden(text), *_secrets(text)), key=lambda pair: pair[0]):
        line, past = line + text.count("\n", past, at), at
        remarks.append(Remark(line, message))
    return tuple(remarks)


def _hidden(text: str) -> Iterator[tuple[int, str]]:
    strange = () if text.isascii() else {sign for sign in set(text) if sign > "\x7f"}
    found = "".join(sign for sign in strange if any(low <= sign <= high for low, high in _HIDDEN))
    for match in re.finditer(f"[{found}]", text) if found else ():
        at = match.start()
        if not (at == 0 and match[0] == "\ufeff") and not _joins(text, at):
            from unicodedata import name as name_of

            name = name_of(match[0], "a character without a name")
            yield at, f"hidden character U+{ord(match[0]):04X} ({name.lower()}): delete it"


def _joins(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return text[at] in _JOINERS and len(around) == 2 and not around.isascii()


def _secrets(text: str) -> Iterator[tuple[int, str]]:
    small = text.lower()
    for kind, (signs, pattern) in SECRETS.items():
        if any(sign in small for sign in signs):
            for match in re.finditer(pattern, text):
                yield match.start(), f"this looks like a secret ({kind}): take it out and revoke it"


# Compiled only when a text may hold what it finds.
_KEY_BLOCK = r"(?s)-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)"


def redact_secrets(text: str) -> str:
    """The text with likely secrets taken out; what only announces one ("password: ") stays."""
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
