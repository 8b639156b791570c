"""Finds secrets by what is said before them: `password: …`, `--token …`, `Bearer …`, `://user:…@host`. Pure."""

import re
from collections.abc import Iterator

Span = tuple[int, int, str]

_PASSWORDS = (
    *("password", "passwd", "passwort", "passphrase", "_pass", "pwd", "contraseña", "mot de passe", "senha"),
    *("пароль", "密码", "密碼", "パスワード"),
)
_TOKENS = (
    *("secret", "token", "credential", "apikey", "api_key", "api-key", "api key"),
    *(
        f"{what}{joint}key"
        for what in ("secret", "access", "private", "master", "signing")
        for joint in ("", "_", "-")
    ),
)
_KEYS = ("key", "_pat")  # also said of what is no secret
_NO_SECRET = (
    *("public", "pub", "publishable", "cache", "primary", "foreign", "partition", "sort", "site", "anon"),
    *("idempotency", "unique", "row", "object", "map", "dict", "inchi", "hot", "i18n", "group", "query"),
)
_VALUE = r"[\"'`]{0,3}(?P<value>[^\s\"'`,;<>]{8,500})"
_SAID = (
    r"(?P<many>s?)(?:_?[0-9]{1,2}|_?value)?[\"'`\])]{0,2}"
    r"(?P<joint>\s{0,3}(?:=>|:=|->|[:=：])\s{0,3}|(?:\s[\w ]{0,30})?\s(?:is|ist|es|est|lautet)\s{1,3}|\s{1,3})"
    + _VALUE
)
_RUN = r"[0-9A-Za-z+/]{20,80}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HEADER = r"[\"'`]?\s{0,3}[:=]\s{0,3}[\"'`]?(?:[A-Za-z]{3,20}\s{1,3})?" + _VALUE
_BEARER = r"\s{1,3}(?P<value>[0-9A-Za-z._~+/=:%-]{16,4000})"
_BASIC = r"\s{1,3}(?P<value>[0-9A-Za-z+/]{8,2000}={0,2})"
_AUTH = r"\s{0,3}:\s{0,3}\"(?P<value>[0-9A-Za-z+/]{8,2000}={0,2})\""
_USER = r"(?:ser)?[ =]{1,2}[\"']?[^\s\"':]{1,64}:(?P<value>[^\s\"'@]{8,200})"
_ADDRESS = r"(?P<user>[^\s/:@\"'<>]{0,100}):(?P<value>[^\s/@\"'<>]{3,200})@"
_PGPASS = r"[^\s:]{1,64}:[^\s:]{1,64}:(?P<value>\S{8,200})"


def announced(text: str) -> Iterator[Span]:
    """Yields the secrets that a word or a sign before them announces."""
    small = folded(text)
    yield from _said(text, small)
    for word, pattern, judge, kind in (
        ("authorization", _HEADER, _is_random, "authorization"),
        ("bearer", _BEARER, _is_random, "bearer token"),
        ("basic", _BASIC, _is_login, "basic authorization"),
        ('"auth"', _AUTH, _is_login, "registry login"),
        ("-u", _USER, _is_made, "password of a command"),
        (":5432:", _PGPASS, _is_mixed, "password in .pgpass"),
    ):
        for at in places(small, word):
            found = re.compile(pattern).match(text, at + len(word))
            if found and judge(found["value"]):
                yield found.start("value"), found.end("value"), kind
    for at in places(small, "://"):
        found = re.compile(_ADDRESS).match(text, at + 3)
        if found and not is_stand_in(found["user"], found["value"]):
            yield found.start("value"), found.end("value"), "password in an address"


def folded(text: str) -> str:
    """Returns a text in small letters, each at its place, in which what announces a secret is sought."""
    # A few letters of Unicode are two as small letters.
    small = text.lower()
    return small if len(small) == len(text) else text.translate({each: each + 32 for each in range(65, 91)})


def places(small: str, word: str) -> Iterator[int]:
    """Yields where a word that announces a secret stands in a text in small letters."""
    at = small.find(word)
    while at >= 0:
        yield at
        at = small.find(word, at + len(word))


def _said(text: str, small: str) -> Iterator[Span]:
    for words, judge, kind in (
        (_PASSWORDS, _is_password, "password"),
        (_TOKENS, _is_token, "token or API key"),
        (_KEYS, _is_key, "key"),
    ):
        for word in filter(small.__contains__, words):
            said, past = re.compile(_SAID), 0
            for at in places(small, word):
                found = said.match(text, at + len(word)) if at >= past else None
                if found and judge(found, small[max(0, at - 40) : at]) and not _is_code(found["value"]):
                    past = found.end()
                    yield found.start("value"), past, kind


def _is_password(found: re.Match[str], before: str) -> bool:
    value = found["value"]
    if any(sign in found["joint"] for sign in ":=：>") or _is_option(before):
        return _is_mixed(value) or (len(value) >= 12 and _has_both(value))
    return _is_mixed(value)


def _is_token(found: re.Match[str], before: str) -> bool:
    said = any(sign in found["joint"] for sign in ":=：>") or _is_option(before)
    return said and len(found["value"]) >= 12 and _has_both(found["value"])


def _is_key(found: re.Match[str], before: str) -> bool:
    run = re.search(_RUN, found["value"][:_LOOK])
    if not run or found["many"] or not _has_both(run[0]) or not before[-1:].strip(" \"'`([{\n\t"):
        return False
    return _is_token(found, before) and not before.rstrip(" _-").endswith(_NO_SECRET)


def _is_option(before: str) -> bool:
    """Whether the word is the end of an option: `--api-token`."""
    return re.search(r"(?<!\S)--?[a-z-]{0,30}\Z", before) is not None


# Compiled only when a word has announced something.
_CODE = (
    r"(?i)[$<{(%]|[a-z_][\w.]{0,80}\(|[a-z_]{1,60}[0-9]{0,2}(?:\.[a-z_]{1,60}[0-9]{0,2}){1,9}\Z|[a-z_]\w{0,60}\[|(?:~|\.{1,2})?/[a-z._-]{2,20}/"
    r"|~|[a-z][a-z0-9+.-]{1,20}://|[a-z]:\\"
)
STAND_IN = (
    r"(?i)example|placeholder|change-?_?me|your[_-]|dummy|redacted|replace|xxxx|\*\*\*|\.\.\.|…|\$\{|\{\{"
)

_LOOK = 80  # letters: in a longer value, no such word says anything


def _is_code(value: str) -> bool:
    """Whether a value only says where the secret is, or how one looks: a variable, a call, a path, `changeme`."""
    return bool(re.match(_CODE, value) or re.search(STAND_IN, value[:_LOOK]))


_KNOWN = ("password", "passwd", "pass", "guest", "root", "admin", "postgres", "user", "test")


def is_stand_in(user: str, value: str) -> bool:
    """Returns True if what is announced as the password of a user only stands for one: `password`, `${PASS}`."""
    return value.lower() in (user.lower(), *_KNOWN) or value[0] in "$<{%" or bool(re.search(STAND_IN, value))


def _has_both(value: str) -> bool:
    """Whether there are letters and digits."""
    return re.search("[0-9]", value) is not None and re.search(r"[^\W\d_]", value) is not None


def _is_mixed(value: str) -> bool:
    """Whether a value has digits, and letters in both cases or signs, as passwords have that a program has made."""
    if not _has_both(value) or _is_code(value):
        return False
    cases = value != value.lower() and value != value.upper()
    return cases or any(not each.isalnum() and each not in "_-./:)(" for each in value)


def _is_made(value: str) -> bool:
    return _is_mixed(value) or _is_random(value)


def _is_random(value: str) -> bool:
    return len(value) >= 16 and _has_both(value) and not _is_code(value)


def _is_login(value: str) -> bool:
    """Whether a value encodes `user:password`."""
    from binascii import Error, a2b_base64

    try:
        return b":" in a2b_base64(value)
    except Error:
        return False
