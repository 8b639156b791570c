"""Web pages are fetched over https only, bounded, and as text. A local server stands in for the web."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, build_opener

import pytest

from modicum.base.errors import ModicumError
from modicum.packs.web import download as module
from modicum.packs.web.download import MAX_BYTES, check_address, download
from modicum.packs.web.fetch_markers import Marker

PAGES: dict[str, tuple[str, bytes]] = {
    "/page": ("text/html; charset=utf-8", "<nav>menu</nav><main><h1>Ü</h1></main>".encode()),
    "/plain": ("text/plain; charset=latin-1", "grün\n".encode("latin-1")),
    "/odd": ("text/markdown; charset=no-such", "grün".encode()),
    "/image": ("image/png", b"PNG"),
    "/nul": ("text/plain", b"a\0b"),
    "/long": ("text/plain", b"0123456789\n" * (MAX_BYTES // 10)),
}


class Pages(BaseHTTPRequestHandler):
    seen: list[dict[str, str]]

    def do_GET(self) -> None:
        self.server.seen.append(dict(self.headers))  # type: ignore[attr-defined]
        kind, body = PAGES.get(self.path, ("text/plain", b"not here"))
        self.send_response(200 if self.path in PAGES else 404)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


class Local:
    """Opens https addresses at the local server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.opener = build_opener()

    def open(self, fullurl: Request, *, timeout: float) -> Any:
        local = fullurl.full_url.replace("https://example.com", f"http://127.0.0.1:{self.port}")
        return self.opener.open(Request(local, headers=dict(fullurl.header_items())), timeout=timeout)


@contextmanager
def serving() -> Iterator[SimpleNamespace]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.seen = []  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield SimpleNamespace(opener=Local(server.server_port), seen=server.seen)  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def web() -> Iterator[SimpleNamespace]:
    with serving() as local:
        yield local


def get(web: SimpleNamespace, path: str, **attributes: str) -> str:
    return download(Marker(f"https://example.com{path}", **attributes), web.opener)  # type: ignore[arg-type]


def test_a_page_is_turned_into_text_as_the_marker_asks(web: SimpleNamespace) -> None:
    assert get(web, "/page") == "# Ü"
    assert get(web, "/page", format="text") == "Ü"
    assert get(web, "/page", selector="h1") == "# Ü"
    assert get(web, "/page", format="raw") == "<nav>menu</nav><main><h1>Ü</h1></main>"


def test_text_is_read_in_its_own_encoding(web: SimpleNamespace) -> None:
    assert get(web, "/plain") == "grün\n"
    assert get(web, "/odd") == "grün"


def test_no_more_than_a_mebibyte_is_read_and_it_ends_at_a_line(web: SimpleNamespace) -> None:
    text = get(web, "/long")

    assert MAX_BYTES - 11 < len(text) <= MAX_BYTES
    assert text.endswith("9\n")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/image", "is not text but image/png"),
        ("/nul", "is not text but text/plain"),
        ("/none", "cannot be fetched: 404 Not Found"),
    ],
)
def test_what_is_no_text_is_refused(path: str, message: str, web: SimpleNamespace) -> None:
    with pytest.raises(ModicumError) as caught:
        get(web, path)

    assert str(caught.value) == message


def test_nothing_about_the_user_is_sent(web: SimpleNamespace) -> None:
    get(web, "/plain")

    assert set(web.seen[-1]) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
    assert web.seen[-1]["User-Agent"] == "modicum"


def test_a_server_that_dawdles_is_given_up(web: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", -1)
    monkeypatch.setattr(
        Local, "open", lambda self, request, timeout: self.opener.open(f"http://127.0.0.1:{self.port}/plain")
    )

    with pytest.raises(ModicumError, match="took more than"):
        get(web, "/plain")


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModicumError, match=r"cannot be fetched: .*refused"):
        download(Marker("https://127.0.0.1:9/x"))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://example.com", "only https"),
        ("file:///etc/passwd", "only https"),
        ("ftp://example.com", "only https"),
        ("https:///path", "only https"),
        ("https://me:secret@example.com", "a name or a password"),
        ("https://[bad", "is not an address"),
    ],
)
def test_only_https_addresses_without_credentials_are_fetched(url: str, message: str) -> None:
    with pytest.raises(ModicumError, match=message):
        download(Marker(url))


def test_a_redirect_must_stay_on_https() -> None:
    opener = module._opener()
    redirects = next(
        handler
        for handler in opener.handlers  # type: ignore[attr-defined]
        if hasattr(handler, "redirect_request")
    )
    request = Request("https://example.com/a")

    assert redirects.redirect_request(request, None, 302, "", {}, "https://example.com/b").full_url.endswith(
        "/b"
    )
    with pytest.raises(ModicumError, match="only https"):
        redirects.redirect_request(request, None, 302, "", {}, "http://example.com/b")
    assert not any(hasattr(handler, "http_open") for handler in opener.handlers)  # type: ignore[attr-defined]


def test_an_https_address_is_fine() -> None:
    check_address("https://example.com/a?b=c")
