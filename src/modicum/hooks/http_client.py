"""A small HTTP client for hooks: one request, a short timeout, JSON in and out."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlencode, urlsplit

from modicum.memory.model import HOOK_AGENT

PATIENCE_SECONDS = 1.5
MOST_BYTES = 1_000_000  # of an answer


class StatusError(HTTPException):
    """The error of a hook's HTTP client when a server answers with an error status."""

    def __init__(self, request: str, status: int) -> None:
        super().__init__(f"{request}: {status}")
        self.status = status


class HttpClient:
    """The HTTP client with which a hook sends requests to one server."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = urlsplit(address if "//" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address} is no address of a server")
        self._connection = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self.host, self.port, self.base = parts.hostname, parts.port, parts.path.rstrip("/")
        self.headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self.headers["User-Agent"] = HOOK_AGENT
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **parameters: str | int) -> object:
        """Sends a GET request for a hook; returns the JSON. Raises StatusError for an error status."""
        return self._ask("GET", f"{path}?{urlencode(parameters)}")

    def post(self, path: str, **body: str) -> object:
        """Sends a POST request for a hook; returns the JSON. Raises StatusError for an error status."""
        return self._ask("POST", path, body)

    def _ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> object:
        connection = self._connection(self.host, self.port, timeout=PATIENCE_SECONDS)
        try:
            data = json.dumps(body).encode() if body is not None else None
            connection.request(method, self.base + path, data, self.headers)
            reply = connection.getresponse()
            content = reply.read(MOST_BYTES)
        finally:
            connection.close()
        if reply.status >= 400:
            raise StatusError(f"{method} {path.partition('?')[0]}", reply.status)
        return json.loads(content or b"null")


def rows_of(value: object) -> list[Mapping[str, object]]:
    """Returns the objects in a JSON list that the hook's HTTP client received; empty if it is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
