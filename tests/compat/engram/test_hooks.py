"""Hooks with an engram server behind them, and engram's own hooks with our server behind them."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from modicum.compat.engram.context_text import context_text
from modicum.http.server import HttpApp
from modicum.memory.model import Query
from modicum.memory.store import Store

list_lines = sys.modules["hook_place"].list_lines


@pytest.fixture
def place(tmp_path: Path):
    return sys.modules["hook_place"].Place(tmp_path)


@pytest.fixture
def store(place) -> Iterator[Store]:
    with sys.modules["hook_place"].served_store(place) as found:
        yield found


@pytest.fixture
def ours(make_app: Callable[..., HttpApp]) -> Iterator[str]:
    """Our server, with engram's routes."""
    with sys.modules["serving"].serving(make_app()) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def theirs(store: Store) -> Iterator[tuple[str, list[str]]]:
    """A server that ignores every option, and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            asked.append(
                f"{self.command} {urlsplit(self.path).path} {self.rfile.read(size).decode()}".strip()
            )
            path = urlsplit(self.path).path
            found = store.context(Query(project="shop", limit=20))
            answers = {
                "/context": {"context": context_text(found)},
                "/sessions/recent": [{"id": "s1", "summary": "keep me"}],
                "/search": [{"id": 3, "type": "decision", "title": "Note number 2"}],
            }
            if "broken" in parse_qs(urlsplit(self.path).query).get("project", []):
                self.send_error(500)
                return
            data = json.dumps(answers.get(path, {"status": "ok"})).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET  # noqa: N815 - as the library wants it

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("server", ["theirs", "ours"])
def test_a_server_with_engrams_routes_gives_the_lines_without_ids(request, place, server: str) -> None:
    found = request.getfixturevalue(server)
    place.environment["ENGRAM_URL"] = found if isinstance(found, str) else found[0]

    assert list_lines(place.hear("session-start")) == ["- Last session: “The cart is done.”"] + [
        f"- [decision] “Note number {number - 1}”" for number in range(12, 4, -1)
    ]


def test_the_address_of_our_own_server_counts_first(place, theirs) -> None:
    place.environment |= {"ENGRAM_URL": theirs[0], "MODICUM_SERVER": "http://127.0.0.1:1"}

    with pytest.raises(OSError, match="refused"):
        place.hear("session-start")
    assert theirs[1] == []


def test_prompts_learnings_and_ends_go_to_engrams_routes(place, store, ours) -> None:
    place.environment["ENGRAM_URL"] = ours
    heard = place.hear("prompt-submit", prompt="what was the note number 3 about? password=hunter2hunter2")
    place.say(
        "subagent-stop", last_assistant_message="## Learnings\n\n- the cart must be locked before paying\n"
    )
    store.end_session("s1", "kept")
    place.say("session-end")

    session = store.session("s1")
    assert (session.project, session.summary, session.notes) == ("shop", "kept", 1)
    assert "[REDACTED]" in store.prompts().items[0].content
    assert "#4 [decision] “Note number 3”" in heard


def test_a_summary_is_told_again_to_a_server_that_would_forget_it(place, theirs) -> None:
    place.environment["ENGRAM_URL"], asked = theirs
    place.say("session-end")

    assert asked[-1] == 'POST /sessions/s1/end {"summary": "keep me"}'


def test_the_notes_of_a_server_are_not_repeated(place, theirs) -> None:
    place.environment["ENGRAM_URL"] = theirs[0]

    assert "#3 [decision] “Note number 2”" in place.hear("prompt-submit", prompt="what about the cart?")
    assert place.hear("prompt-submit", prompt="what about the cart, again?") == ""


def test_our_server_answers_the_requests_of_engrams_session_start_script(ours) -> None:
    """In the order of the script: health, migrate, session, context. Bytes as engram has them."""
    requests = [
        ("GET", "/health", None),
        ("POST", "/projects/migrate", {"old_project": "nothing", "new_project": "shop"}),
        ("POST", "/sessions", {"id": "new", "project": "shop", "directory": "/shop"}),
        ("GET", "/context?project=shop&limit=2&compact=1", None),
    ]
    heard = []
    client = HTTPConnection(urlsplit(ours).netloc, timeout=10)
    for method, path, body in requests:
        client.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        reply = client.getresponse()
        heard.append((reply.status, reply.read()))
    client.close()

    assert heard[:3] == [
        (200, b'{"service":"engram","status":"ok","version":"0.1.0"}\n'),
        (200, b'{"reason":"no records found","status":"skipped"}\n'),
        (201, b'{"id":"new","status":"created"}\n'),
    ]
    context = json.loads(heard[3][1])["context"]
    assert heard[3][0] == 200
    assert context.startswith("## Memory from Previous Sessions\n\n### Recent Sessions\n- **shop** (")
    assert context.endswith(
        "### Recent Observations\n- [decision] **Note number 11**\n- [decision] **Note number 10**\n\n"
    )
