"""Downloads the text of a web page for a pack: https only, bounded in size and time, without credentials."""

import time
from typing import TYPE_CHECKING, Protocol

from modicum.base.errors import ModicumError
from modicum.packs.web.fetch_markers import Marker
from modicum.packs.web.html_text import page_text

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import Request

MAX_BYTES = 1024 * 1024
SECONDS = 10
_CHUNK = 64 * 1024
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/yaml")
_HTML_TYPES = ("text/html", "application/xhtml+xml")


class Opener(Protocol):
    """The interface of a urllib opener, with which a web page is downloaded."""

    def open(self, fullurl: "Request", *, timeout: float) -> "HTTPResponse": ...


def download(marker: Marker, opener: Opener | None = None) -> str:
    """Downloads the web text that a fetch marker asks for; raises ModicumError if that fails."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request

    check_address(marker.url)
    headers = {"User-Agent": "modicum", "Accept": "text/*;q=1, */*;q=0.1", "Accept-Encoding": "identity"}
    request = Request(marker.url, headers=headers)  # noqa: S310 (the address is checked)
    try:
        with (opener or _opener()).open(request, timeout=SECONDS) as answer:
            kind = answer.headers.get_content_type()
            charset = answer.headers.get_content_charset("utf-8")
            content = _bounded(answer)
    except HTTPError as error:
        with error:
            raise ModicumError(f"cannot be fetched: {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise ModicumError(f"cannot be fetched: {_reason(error)}") from error
    return _text(content, kind, charset, marker)


def check_address(url: str) -> None:
    """Checks the address of a download: raises ModicumError if not https, or with a name or password."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ModicumError("is not an address") from error
    if parts.scheme != "https" or not parts.hostname:
        raise ModicumError("only https addresses are fetched")
    if "@" in parts.netloc:
        raise ModicumError("an address must not carry a name or a password")


def _bounded(answer: "HTTPResponse") -> bytes:
    deadline = time.monotonic() + SECONDS
    content = b""
    while len(content) < MAX_BYTES and (chunk := answer.read1(_CHUNK)):
        content += chunk
        if time.monotonic() > deadline:
            raise TimeoutError(f"took more than {SECONDS} seconds")
    if len(content) < MAX_BYTES:
        return content
    return content[: content.rfind(b"\n", 0, MAX_BYTES) + 1]


def _text(content: bytes, kind: str, charset: str, marker: Marker) -> str:
    if b"\0" in content or not kind.startswith(_TEXT_TYPES):
        raise ModicumError(f"is not text but {kind}")
    try:
        text = content.decode(charset, "replace")
    except LookupError:
        text = content.decode("utf-8", "replace")
    if kind not in _HTML_TYPES or marker.format == "raw":
        return text
    return page_text(text, selector=marker.selector, plain=marker.format == "text")


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error)


def _opener() -> Opener:
    from urllib import request

    class HttpsRedirects(request.HTTPRedirectHandler):
        def redirect_request(self, *given: object) -> "Request | None":
            check_address(str(given[-1]))
            return super().redirect_request(*given)  # type: ignore[arg-type]  # passed on as they came

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPSHandler,
        request.HTTPDefaultErrorHandler,
        HttpsRedirects,
        request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener
