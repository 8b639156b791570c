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
_OKTA = r"\s{1,3}(?P<value>[0-9A-Za-z_-]{20,80})(?![0-9A-Za-z_-])"
_WIFI = r"(?:(?:\\.|[^;\\\n]){0,80};){0,4}P:(?P<value>(?:\\.|[^;\\\n]){4,80});"
_MYSQL = r"(?:dump|admin|import|show|check)?(?:\.exe)?\b[^\n|;&]{0,200}?\s-p(?P<value>[^\s\"'`;|&]{2,200})"
_MYSQL_QUOTED = r"(?:dump|admin|import|show|check)?(?:\.exe)?\b[^\n|;&]{0,200}?\s-p(?P<quote>[\"'])(?P<value>[^\s\"']{2,200})(?P=quote)"
_COOKIES = r"s?[\"']?\s{0,3}[:= ]\s{0,3}[\"'`]?(?P<pairs>[^\r\n\"'`]{8,2000})"
_COOKIE = r"(?<=[;\s\"'`:=])(?P<name>[\w.-]{2,60})=(?P<value>[^;\s,]{12,1000})"
_OF_A_SESSION = ("sess", "sid", "auth", "token", "jwt", "login", "remember")
_OF_NAME = r"(?:WORD|WD|PHRASE)?=(?P<quote>[\"']?)(?P<value>[^\s\"'`;&|<>,)]{4,200})"
_IN_NAME = r"(?<![a-z])[A-Z][A-Z0-9_]{0,60}_\Z"
# Where a sentence says what a password is; as a rule it says of what kind one is, and that is no secret.
_SENTENCES = (
    ("passwort", r"[\w ]{0,40}?\s(?:lautet|heißt|heisst)[ :]{1,3}"),
    ("kennwort", r"[\w ]{0,40}?\s(?:lautet|heißt|heisst)[ :]{1,3}"),
    ("contraseña", r"[\w ]{0,40}?\ses[ :]{1,3}"),
    ("mot de passe", r"[\w ]{0,40}?\sest[ :]{1,3}"),
    ("senha", r"[\w ]{0,40}?\sé[ :]{1,3}"),
)
_LETTERS = r"(?P<quote>[\"'`«„“]{0,2})(?P<value>[^\W\d_]{6,40})(?:[\"'`»“”]|[.!,;)]{0,2}(?=\s|\Z))"
_ABOUT = (
    r"(?i)(?:oblig|incorr|correc|necess|neces|requ|vál|inv|seg|débil|deb|sens|dema|trop|muy|cort|larg|mism|mêm|igual|"
    r"únic|unic|váz|vac|vide|nul|null|opcion|option|facult|falsch|richtig|leer|gleich|nicht|ident|diff|difer|expir|cad|"
    r"encrip|chif|cifr|hash|guard|alma|stock|enreg|salv|fuert|fort|fraca|frac|erron|erró|mauv|incon|desc|vuln|"
    r"gener|defin|utili|usad|visib|ocul|cach|mask|hidd|compl|simpl|weak|strong|required|wrong|missing|too|siempre|"
    r"toujours|sempre|anders|folgend|suivant|siguient|seguint|demand|envoy|enviad|recomm|recom|temporar|temporal|prov)"
    r"|(?:ada|ido|ida|ado|ible|able|aire|ante|iva|oria|ória|eta)\Z"
)
_PGPASS = r"[^\s:]{1,64}:[^\s:]{1,64}:(?P<value>\S{8,200})"


def announced(text: str) -> Iterator[Span]:
    """Yields the secrets that a word or a sign before them announces."""
    small = folded(text)
    yield from _said(text, small)
    yield from _in_commands(text, small)
    yield from _in_cookies(text, small)
    yield from _in_names(text, small)
    yield from _in_sentences(text, small)
    for word, pattern, judge, kind in (
        ("authorization", _HEADER, _is_random, "authorization"),
        ("bearer", _BEARER, _is_random, "bearer token"),
        ("basic", _BASIC, _is_login, "basic authorization"),
        ('"auth"', _AUTH, _is_login, "registry login"),
        ("-u", _USER, _is_made, "password of a command"),
        (":5432:", _PGPASS, _is_mixed, "password in .pgpass"),
        ("ssws", _OKTA, _is_random, "Okta API token"),
        ("wifi:", _WIFI, _is_given, "password of a network"),
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


def _in_commands(text: str, small: str) -> Iterator[Span]:
    for word in ("mysql", "mariadb"):
        for at in places(small, word):
            for pattern in (_MYSQL, _MYSQL_QUOTED):
                found = re.compile(pattern).match(text, at + len(word))
                if found and _is_given(found["value"]):
                    yield found.start("value"), found.end("value"), "password of a command"


def _in_cookies(text: str, small: str) -> Iterator[Span]:
    past = 0
    for at in places(small, "cookie"):
        header = re.compile(_COOKIES).match(text, at + len("cookie")) if at >= past else None
        if not header:
            continue
        past = header.end()
        for pair in re.compile(_COOKIE).finditer(text, header.start("pairs"), header.end("pairs")):
            if any(part in pair["name"].lower() for part in _OF_A_SESSION) and _is_random(pair["value"]):
                yield pair.start("value"), pair.end("value"), "cookie of a session"


def _in_names(text: str, small: str) -> Iterator[Span]:
    """Passwords of letters alone behind the names of variables: `DB_PASS=`."""
    for at in places(small, "_pass"):
        found = re.compile(_OF_NAME).match(text, at + 5) if text.startswith("_PASS", at) else None
        if not found or not re.search(_IN_NAME, text[max(0, at - 60) : at + 1]):
            continue
        value, name = found["value"], small[max(0, at - 60) : at]
        if (
            (_has_both(value) or (value.isalpha() and len(value) >= 6))
            and not re.search(_DEFAULTS, value)
            and not _is_code(value)
            and value.lower() not in name
        ):
            yield found.start("value"), found.end("value"), "password"


def _in_sentences(text: str, small: str) -> Iterator[Span]:
    """Passwords of letters alone in sentences that say them: `das Passwort lautet …`."""
    for word, says in _SENTENCES:
        for at in places(small, word):
            said = re.compile(says).match(small, at + len(word))
            found = re.compile(_LETTERS).match(text, said.end()) if said else None
            if found and (found["quote"] or not re.search(_ABOUT, found["value"])):
                yield found.start("value"), found.end("value"), "password"


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


_DEFAULTS = r"(?i)pass|secret|admin|root|test|user|default|guest|none|null|true|false|postgres|mysql|redis|value|string|here"
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


def _is_given(value: str) -> bool:
    return not is_stand_in("", value) and not _is_code(value)


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
