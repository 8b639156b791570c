"""The two cookies of the workbench: a token of the page itself, and the token of the person who has signed in."""

from secrets import token_urlsafe
from urllib.parse import quote, unquote

from starlette.requests import cookie_parser

from modicum.http.guard import HeaderMap, bearer_token, same_token
from modicum.http.replies import Headers

PAGE_TOKEN = token_urlsafe(32)  # of this process: a page of another server, or another site, does not have it
SIGNED_IN_SECONDS = 30 * 24 * 60 * 60


def token_of(headers: HeaderMap) -> str:
    """Returns the token of a browser or program: from the Authorization header, or from the cookie of somebody who has signed in."""
    return bearer_token(headers) or unquote(_cookies(headers).get(_name("token", headers), ""))


def has_page_token(headers: HeaderMap) -> bool:
    """Returns True if a request has the cookie of a page that this server has made."""
    return same_token(_cookies(headers).get(_name("page", headers), ""), PAGE_TOKEN)


def page_cookie(headers: HeaderMap) -> Headers:
    """Returns the header with the cookie of a page, for a browser that does not have it."""
    return () if has_page_token(headers) else _set(headers, "page", PAGE_TOKEN)


def sign_in_cookie(headers: HeaderMap, token: str) -> Headers:
    """Returns the header with the cookie in which a browser keeps a person's token; an empty token signs the person out."""
    return _set(headers, "token", quote(token, safe=""), SIGNED_IN_SECONDS if token else 0)


def _set(headers: HeaderMap, kind: str, value: str, seconds: int | None = None) -> Headers:
    # Behind a proxy we cannot see that the browser speaks TLS, but its Origin tells.
    secure = "; Secure" if headers.get("origin", "").startswith("https://") else ""
    age = "" if seconds is None else f"; Max-Age={seconds}"
    cookie = f"{_name(kind, headers)}={value}; Path=/; HttpOnly; SameSite=Strict{age}{secure}"
    return (("Set-Cookie", cookie),)


def _name(kind: str, headers: HeaderMap) -> str:
    """The name of a cookie; browsers do not keep the cookies of two ports apart."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"modicum_{kind}_{port}" if port.isascii() and port.isdigit() else f"modicum_{kind}"


def _cookies(headers: HeaderMap) -> dict[str, str]:
    # Every server of this machine shares its cookies with us, so odd ones must not hide ours: SimpleCookie stops at them.
    return cookie_parser(headers.get("cookie", ""))
