"""The guard: refuses HTTP requests that a web page could have sent, by Host, Origin and content type."""

from collections.abc import Mapping
from hmac import compare_digest
from http import HTTPStatus
from ipaddress import ip_address

from modicum.base.errors import ModicumError
from modicum.base.value import Value
from modicum.http.replies import JSON, Problem

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
WRITES = frozenset(("POST", "PUT", "PATCH", "DELETE"))
# What a browser says in Sec-Fetch-Site of a request that the user, or a page of our own, has made.
OWN_SITES = ("", "same-origin", "none")

# Where a key from the terminal is handed in. The browser comes there from a file, as if from another site.
KEY_PATH = "/web/open"

HeaderMap = Mapping[str, str]


class Guard(Value):
    """The guard of an HTTP server: the Host names it accepts (None: any) and its own token (empty: none)."""

    hosts: frozenset[str] | None = LOOPBACK
    token: str = ""

    @property
    def is_reachable(self) -> bool:
        """Returns True if the server that is guarded can be reached from other machines."""
        return self.hosts is None

    def refusal(self, method: str, headers: HeaderMap, path: str = "") -> Problem | None:
        """Returns why the guard refuses a request (its Host, Origin or content type), or None."""
        if path == KEY_PATH and method == "GET":
            return self._wrong_host(headers)
        return self._wrong_host(headers) or self._from_a_page(method, headers)

    def _wrong_host(self, headers: HeaderMap) -> Problem | None:
        # A page can make its own name point at this machine, but it cannot make the browser send another Host.
        if self.hosts is None or host_name(headers.get("host", "")) in self.hosts:
            return None
        detail = "the Host header does not name this machine"
        return Problem(HTTPStatus.FORBIDDEN, detail, "call 127.0.0.1 or localhost")

    def _from_a_page(self, method: str, headers: HeaderMap) -> Problem | None:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        own = origin is None or origin.partition("://")[2] == headers.get("host", "")
        if not own or (site or "") not in OWN_SITES:
            return Problem(HTTPStatus.FORBIDDEN, "web pages are not answered", "call from a program instead")
        by_browser = origin is not None or site is not None
        if by_browser and method in WRITES and _media_type(headers) != JSON:
            status, remedy = HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"send Content-Type: {JSON}"
            return Problem(status, "the body is not marked as JSON", remedy)
        return None


def guard_for(host: str, token: str, *, people: bool = False) -> Guard:
    """Returns the guard of an HTTP server at this address; `people` says that persons have tokens.

    Raises ModicumError if other machines reach the address and there is no token at all.
    """
    if is_loopback(host):
        return Guard(token=token)
    if not token and not people:
        raise ModicumError(
            f"{host} can be reached from other machines, and there is no token",
            remedy="modicum team token new NAME makes one; or set MODICUM_TOKEN or --token-file, or stay at 127.0.0.1",
        )
    return Guard(hosts=None, token=token)


def bearer_token(headers: HeaderMap) -> str:
    """Returns the token in a request's Authorization header, for the guard; empty if there is none."""
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else ""


def host_name(host: str) -> str:
    """Returns the name in a Host header without the port, for the guard to compare."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """Says whether only this machine can reach an address, so that the guard needs no token."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _media_type(headers: HeaderMap) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def same_token(given: str, token: str) -> bool:
    """Compares two tokens for the guard in constant time, so that timing does not reveal the token."""
    return compare_digest(given.encode("latin-1", "replace"), token.encode())
