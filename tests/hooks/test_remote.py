"""Memory behind a server: ours, and one that knows none of the options, as engram does not."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn

from modicum.app.session.hook_log import read_failures
from modicum.compat.engram.text import context_text
from modicum.http.server import HttpApp, bind
from modicum.memory.model import Query
from modicum.memory.store import Store

BODY = "**What**: guard it\n### Details\n- [ ] a task\n" + "x" * 400


@pytest.fixture
def store(place) -> Iterator[Store]:
    """What the servers remember; the hooks' own data folder stays empty."""
    place.data.mkdir()
    found = place.store()
    found.start_session("old", project="shop", directory="/shop")
    for number in range(12):
        place.note(f"Note number {number}", BODY)
    found.end_session("old", "The cart is done.")
    place.environment["MODICUM_HOME"] = str(place.data.parent / "empty")
    yield found
    found.close()


@pytest.fixture
def ours(store: Store) -> Iterator[str]:
    listening = bind("127.0.0.1", 0)
    config = uvicorn.Config(HttpApp(store), lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


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


def told(heard: str) -> list[str]:
    return [line for line in heard.splitlines() if line.startswith("- ")]


def test_a_server_of_ours_and_one_that_ignores_the_options_give_the_same_lines(place, ours, theirs) -> None:
    here = {"MODICUM_SERVER": ours}, {"ENGRAM_URL": theirs[0]}
    heard = []
    for variables in here:
        place.environment = {**place.environment, "MODICUM_SERVER": "", **variables}
        heard.append(told(place.hear("session-start")))

    assert heard[0] == ["- Last session: The cart is done."] + [
        f"- #{number} [decision] Note number {number - 1}" for number in range(12, 4, -1)
    ]
    assert heard[1] == ["- Last session: The cart is done."] + [
        f"- [decision] Note number {number - 1}" for number in range(12, 4, -1)
    ]


def test_a_server_tells_what_the_store_itself_would(place, store, ours) -> None:
    local = {**place.environment, "MODICUM_HOME": str(place.data)}
    remote = {**place.environment, "MODICUM_SERVER": ours}
    heard = []
    for place.environment in (local, remote):
        heard.append(told(place.hear("session-start")))

    assert heard[0] == heard[1]


def test_prompts_learnings_and_ends_go_to_the_server(place, store, ours) -> None:
    place.environment["MODICUM_SERVER"] = ours
    heard = place.hear("prompt-submit", prompt="what was the note number 3 about? password=hunter2hunter2")
    place.say(
        "subagent-stop", last_assistant_message="## Learnings\n\n- the cart must be locked before paying\n"
    )
    store.end_session("s1", "kept")
    place.say("session-end")

    session = store.session("s1")
    assert session is not None
    assert (session.project, session.summary, session.notes) == ("shop", "kept", 1)
    assert "[REDACTED]" in store.prompts().items[0].content
    assert "#4 [decision] Note number 3" in heard
    assert not (place.data.parent / "empty" / "memory.db").exists()


def test_a_summary_is_told_again_to_a_server_that_would_forget_it(place, theirs) -> None:
    place.environment["MODICUM_SERVER"], asked = theirs
    place.say("session-end")

    assert asked[-1] == 'POST /sessions/s1/end {"summary": "keep me"}'


def test_the_notes_of_a_server_are_not_repeated(place, theirs) -> None:
    place.environment["MODICUM_SERVER"] = theirs[0]

    assert "#3 [decision] Note number 2" in place.hear("prompt-submit", prompt="what about the cart?")
    assert place.hear("prompt-submit", prompt="what about the cart, again?") == ""


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "http://", "http://127.0.0.1:1"])
def test_a_server_that_cannot_be_asked_is_an_error_for_the_log(place, address: str) -> None:
    place.environment["MODICUM_SERVER"] = address

    with pytest.raises((OSError, ValueError)):
        place.say("session-start")
    assert read_failures(str(place.data)) == ()


def test_our_server_answers_the_requests_of_engrams_session_start_script(ours) -> None:
    """In the order of the script: health, migrate, session, context. Bytes as engram has them."""
    from http.client import HTTPConnection

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
