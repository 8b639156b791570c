"""A small HTTP client for hooks: one request, a short patience, JSON in and out."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlencode, urlsplit

PATIENCE_SECONDS = 1.5
MOST_BYTES = 1_000_000  # of an answer


class StatusError(HTTPException):
    """A server answered with an error."""

    def __init__(self, request: str, status: int) -> None:
        super().__init__(f"{request}: {status}")
        self.status = status


class HttpClient:
    """Asks one server."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = urlsplit(address if "//" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address} is no address of a server")
        self._connection = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self.host, self.port, self.base = parts.hostname, parts.port, parts.path.rstrip("/")
        self.headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **parameters: str | int) -> object:
        """Returns the JSON at a path. Raises StatusError if the server answers with an error."""
        return self._ask("GET", f"{path}?{urlencode(parameters)}")

    def post(self, path: str, **body: str) -> object:
        """Sends an object, and returns the JSON of the reply. Raises StatusError if that is an error."""
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
    """The objects in a list; nothing if the value is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
