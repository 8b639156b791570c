"""The cookie of the workbench: who has opened the page, with a key from a terminal or with a person's token, and its proof.

A cookie is `WHO.SINCE.NONCE.MAC`: 0 or the number of a token, when it was made, random letters, and what only a server can compute
that has the secret of WHO. Browsers send it to every port of this machine. So whoever writes also shows a word that the page alone has.
"""

import hmac
import time
from hashlib import sha256
from secrets import token_bytes, token_urlsafe
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import cookie_parser

from modicum.app.memory.callers import store_of_person
from modicum.http.guard import HeaderMap, same_token
from modicum.http.replies import Headers

if TYPE_CHECKING:
    from modicum.memory.store import Store

OWNER = 0  # who came with a key from a terminal of this machine
OWNER_SECRET = token_bytes(32)  # of this process: a cookie of an earlier server opens nothing
SIGNED_IN_SECONDS = 30 * 24 * 60 * 60
WORD_HEADER = "x-modicum-page"


class PageCookie(NamedTuple):
    """The cookie of a page for one browser: what the browser sends back, and the word that the page shows when it writes."""

    value: str
    word: str


def new_cookie(who: int, secret: bytes) -> PageCookie:
    """Returns a new cookie of the page for the owner or a person, by their secret."""
    plain = f"{who}.{int(time.time())}.{token_urlsafe(24)}"
    return PageCookie(f"{plain}.{_mac(secret, 'cookie', plain)}", _mac(secret, "word", plain))


class KnownPerson(NamedTuple):
    """Whom a cookie of the page can be of: the store as they may see it, and the secret of their cookies."""

    store: "Store"
    secret: bytes


def known_person(store: "Store", number: int) -> KnownPerson | None:
    """Returns the person whose cookies of the page have this number: the owner, or who has a token made for a person."""
    if number == OWNER:
        return KnownPerson(store, OWNER_SECRET)
    found = store_of_person(store, number)
    return KnownPerson(found[0], found[1].encode()) if found else None


def person_of(store: "Store", headers: HeaderMap) -> "Store | None":
    """Returns the store as the person may see it who has opened the page with the cookie of a request; None without a valid one."""
    found = _checked(store, headers)
    return found[0].store if found else None


def is_own_page(store: "Store", headers: HeaderMap) -> bool:
    """Returns True if a request shows, beside the cookie, the word that only the page itself was told."""
    found = _checked(store, headers)
    return found is not None and same_token(headers.get(WORD_HEADER, ""), found[1])


def _checked(store: "Store", headers: HeaderMap) -> tuple[KnownPerson, str] | None:
    """Whose cookie a request has, and the word that belongs to it."""
    value = cookie_parser(headers.get("cookie", "")).get(_name(headers), "")
    plain, _, mac = value.rpartition(".")
    who, _, rest = plain.partition(".")
    since = rest.partition(".")[0]
    if not (_is_number(who) and _is_number(since)) or int(since) + SIGNED_IN_SECONDS < time.time():
        return None
    known = known_person(store, int(who))
    if known is None or not same_token(mac, _mac(known.secret, "cookie", plain)):
        return None
    return known, _mac(known.secret, "word", plain)


def cookie_header(headers: HeaderMap, value: str, *, is_lasting: bool = False) -> Headers:
    """Returns the header that gives a browser the cookie of the page; an empty value takes it away."""
    # Behind a proxy we cannot see that the browser speaks TLS, but its Origin tells.
    secure = "; Secure" if headers.get("origin", "").startswith("https://") else ""
    seconds = SIGNED_IN_SECONDS if value else 0
    age = f"; Max-Age={seconds}" if is_lasting or not value else ""
    return (("Set-Cookie", f"{_name(headers)}={value}; Path=/; HttpOnly; SameSite=Strict{age}{secure}"),)


def _name(headers: HeaderMap) -> str:
    """The name of the cookie; browsers do not keep the cookies of two ports apart."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"modicum_page_{port}" if port.isascii() and port.isdigit() else "modicum_page"


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 15


def _mac(secret: bytes, what: str, plain: str) -> str:
    return hmac.new(secret, f"{what} {plain}".encode(), sha256).hexdigest()
