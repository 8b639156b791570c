"""Who may speak to us: programs of this machine, and never a web page that happens to be open in its browser."""

from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from http import HTTPStatus
from ipaddress import ip_address

from modicum.http.replies import JSON, Reply, problem

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
WRITES = frozenset(("POST", "PUT", "PATCH", "DELETE"))
# What a browser says of a request that the user, or a page of our own, has made.
OWN_SITES = ("", "same-origin", "none")

Headers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Guard:
    """The names by which we may be called, if that matters, and the token that is asked for, if any."""

    hosts: frozenset[str] | None = LOOPBACK
    token: str = ""

    def refusal(self, method: str, headers: Headers) -> Reply | None:
        """Why a request is not answered, or None."""
        return self._by_name(headers) or self._by_page(method, headers)

    def _by_name(self, headers: Headers) -> Reply | None:
        """A page can make its own name point at this machine, but not make the browser call us by ours."""
        if self.hosts is None or host_name(headers.get("host", "")) in self.hosts:
            return None
        return problem(
            HTTPStatus.FORBIDDEN, "the Host header does not name this machine", "call 127.0.0.1 or localhost"
        )

    def _by_page(self, method: str, headers: Headers) -> Reply | None:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        own = origin is None or origin.partition("://")[2] == headers.get("host", "")
        if not own or (site or "") not in OWN_SITES:
            return problem(HTTPStatus.FORBIDDEN, "web pages are not answered", "call from a program instead")
        browser = origin is not None or site is not None
        if browser and method in WRITES and _media_type(headers) != JSON:
            return problem(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "the body is not marked as JSON",
                f"send Content-Type: {JSON}",
            )
        return None


def bearer(headers: Headers) -> str:
    """The token that a request comes with, if any."""
    kind, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else ""


def host_name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def same(given: str, token: str) -> bool:
    """Whether two tokens are one, in a time that tells nothing."""
    return compare_digest(given.encode("latin-1", "replace"), token.encode())
