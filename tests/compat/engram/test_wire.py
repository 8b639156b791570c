"""engram's wire format: the golden transcript, and Go's rules for JSON."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.compat.engram.go_json import BadBody, decode, decode_fields, encode, int_or, number, parse_int
from modicum.compat.engram.http.routes import LARGEST_IMPORT
from modicum.http.routes import LARGEST_BODY
from modicum.memory.model import NoteDraft
from modicum.memory.people import tokens
from modicum.memory.people.access import Person

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "engram_wire.txt"


def steps() -> Iterator[tuple[str, str, str, str]]:
    for block in GOLDEN.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            asked, given_back = lines
            method, path, *body = asked.removeprefix("> ").split(" ", 2)
            yield method, path, "".join(body), given_back.removeprefix("< ")


def normal(text: str) -> str:
    text = re.sub(r"\b(obs|prompt)-[0-9a-f]{16}\b", r"\1-*", text)
    return re.sub(r'"rank":-[0-9.e-]+', '"rank":*', text)


def test_every_route_of_engram_answers_as_the_reference_says(agent, clock) -> None:
    wrong = []
    for at, (method, path, body, expected) in enumerate(steps()):
        reply = agent.request(method, path, body)
        told = normal(f"{reply.status} {reply.text}")
        if told != f"{expected}\n":
            wrong.append(f"step {at}: {method} {path}\n  expected {expected}\n  got      {told}")
        assert reply.headers["content-type"] == "application/json"
        clock.seconds += 1

    assert "\n".join(wrong) == ""


def test_without_a_token_nothing_is_pinned(client) -> None:
    client.post("/sessions", {"id": "s", "project": "p"})
    client.post("/observations", {"session_id": "s", "title": "t", "content": "c", "project": "p"})
    refused = client.request("PUT", "/observations/1/pin")

    assert (refused.status, refused.json()["error"]) == (403, "a script pins nothing")
    assert "Pinned" not in client.get("/context?pinned=5").text


def test_a_session_that_is_not_there_is_an_error_of_the_database(client) -> None:
    learning = "## Learnings\n- a thing that is worth keeping here"
    note = {"session_id": "nobody", "title": "t", "content": learning}

    for path in ("/observations", "/observations/passive", "/prompts"):
        reply = client.post(path, note)
        assert (reply.status, list(reply.json())) == (500, ["error"])
    nothing = client.post("/observations/passive", {**note, "content": "no learnings"})
    assert nothing.body == b'{"extracted":0,"saved":0,"duplicates":0}\n'


def test_a_url_may_hold_what_is_not_ascii(port: int, store) -> None:
    """As curl sends it: the bytes of the letters, and no percent signs."""
    store.save(NoteDraft("here", "words", project="café"))
    for project, found in (("café", True), ("cafe", False)):
        line = f"GET /observations?project={project} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            half = len("GET /observations?project=caf") + 1  # the letter comes in two parts
            for part in (line.encode()[:half], line.encode()[half:]):
                connection.sendall(part)
                time.sleep(0.05)
            heard = b"".join(iter(lambda: connection.recv(10_000), b""))
        assert heard.startswith(b"HTTP/1.1 200 ")
        assert (b'"title":"here"' in heard) == found


def test_a_search_finds_what_has_a_word_and_not_its_neighbours(client, store) -> None:
    drafts = [
        NoteDraft(f"n{n}", "the walrus sleeps" if n == 3 else f"other {n}", session_id="s") for n in range(7)
    ]
    store.save_all(drafts)
    assert any(hit.nearby for hit in store.search("walrus sleeps").items)

    for text in ("walrus", "walrus+sleeps"):
        assert [hit["title"] for hit in client.get(f"/search?q={text}&limit=5").json()] == ["n3"]


def test_an_import_takes_lists_that_are_missing_for_empty_ones(client) -> None:
    counts = b'{"sessions_imported":0,"observations_imported":0,"prompts_imported":0}\n'
    reply = client.post("/import", {"version": "0.1.0", "exported_at": "2026-04-07 10:00:00"})

    assert (reply.status, reply.body) == (200, counts)
    assert client.post("/import", []).body == counts
    assert client.post("/import", [1]).status == 400


def test_an_import_refuses_a_note_without_title_and_text(client, store) -> None:
    reply = client.post("/import", {"observations": [{"id": -1}]})

    assert reply.status == 400
    assert b"item 1: it has neither title nor text" in reply.body
    assert store.recent().items == ()


def test_an_import_keeps_a_missing_type_trailing_blanks_and_no_half_characters(client, store) -> None:
    archive = {
        "sessions": [{"id": "s", "project": "p", "summary": "done \n"}],
        "observations": [{"session_id": "s", "title": "half \ud800", "content": "words"}],
        "prompts": [{"session_id": "s", "content": "why?  "}],
    }

    assert client.post("/import", archive).status == 200
    (note,) = store.recent().items
    assert (note.type, note.title) == ("", "half \ufffd")
    assert store.prompts().items[0].content == "why?  "
    assert store.session("s").summary == "done \n"


def test_an_import_of_an_archive_of_ours_keeps_its_types(client, store) -> None:
    record = {"id": 1, "sync_id": "obs-1", "session_id": "s", "type": "config", "title": "t", "content": "c"}

    assert client.post("/import", {"notes": [record]}).json()["observations_imported"] == 1
    assert store.get(1).type == "config"


def test_a_summary_keeps_its_trailing_blanks(client, store) -> None:
    store.start_session("s", project="p")
    client.post("/sessions/s/end", {"summary": "has summary \n"})

    assert client.get("/sessions/s").json()["summary"] == "has summary \n"


def test_the_title_of_a_learning_is_cut_at_60_bytes(client, store) -> None:
    store.start_session("s", project="p")
    learning = "the cache of the server must be cleared whenever the schema changes at all"
    whole, umlauts = "short enough to be a title", "ü" * 25 + " und noch viele Wörter mehr als das"
    content = "## Key Learnings:\n" + "".join(f"- {each}\n" for each in (learning, whole, umlauts))
    client.post("/observations/passive", {"session_id": "s", "content": content})

    titles = {note.content: note.title for note in store.recent().items}
    assert titles[learning] == f"{learning[:60]}..."
    assert titles[whole] == whole
    assert titles[umlauts] == f"{umlauts[:35]}..."


def test_page_parameters_of_ours_mean_nothing_on_these_routes(client, store) -> None:
    store.save(NoteDraft("one", "one"))

    assert client.get("/context?detail=full&max_tokens=5&ids=1").body == client.get("/context").body
    assert client.get("/search?q=one&cursor=x").body == client.get("/search?q=one").body


@pytest.mark.parametrize("engine", ["sqlite"])
@pytest.mark.parametrize(
    ("path", "size", "status", "error"),
    [
        ("/observations", LARGEST_BODY + 1, 413, "the body is too large"),
        ("/import", LARGEST_IMPORT + 1, 400, "failed to read body: http: request body too large"),
        ("/projects/migrate", 1025, 400, "invalid JSON"),
    ],
)
def test_a_body_that_is_too_large_is_refused_in_its_words(
    client, path: str, size: int, status: int, error: str
) -> None:
    reply = client.request("POST", path, b"x" * size)

    assert (reply.status, reply.json()["error"]) == (status, error)


@pytest.mark.parametrize("engine", ["sqlite"])
def test_a_database_that_fails_is_told_as_the_reference_tells_it(client, store, tmp_path: Path) -> None:
    store.save(NoteDraft("a", "b"))
    store.close()
    for file in tmp_path.iterdir():
        file.write_bytes(b"this is no database " * 500)

    statuses = {
        path: client.get(path).status for path in ("/context", "/search?q=b", "/stats", "/observations/1")
    }
    assert statuses == {"/context": 500, "/search?q=b": 500, "/stats": 200, "/observations/1": 404}


def test_people_with_tokens_see_what_is_theirs(client, store, make_app) -> None:
    secrets = {}
    for name in ("mia", "ben"):
        secrets[name], _ = tokens.new_token(store.database, name, now="2026-11-15T10:00:00.000Z")
    client.app = make_app()
    store.seen_by(Person("mia")).save(NoteDraft("walrus", "of the sea", scope="personal", session_id="s"))

    for path in ("/context", "/search?q=sea", "/observations", "/export"):
        heard = {name: client.get(path, authorization=f"Bearer {secrets[name]}").text for name in secrets}
        assert ("walrus" in heard["mia"], "walrus" in heard["ben"]) == (True, False)
    refused = client.get("/context")
    assert (refused.status, refused.headers["content-type"]) == (401, "application/problem+json")
    assert refused.json()["error"] == refused.json()["detail"] == "the token is missing or wrong"
    assert client.get("/health").status == 200


def test_an_unknown_path_and_a_wrong_method_are_told_in_plain_text(client) -> None:
    unknown, wrong = client.get("/nope"), client.request("PUT", "/observations/1")

    assert (unknown.status, unknown.text) == (404, "404 page not found\n")
    assert (wrong.status, wrong.text) == (405, "Method Not Allowed\n")
    assert wrong.headers["allow"] == "DELETE, GET, HEAD, PATCH"
    assert client.get("/health/").status == 404
    assert client.request("OPTIONS", "/context").status == 405


def test_a_get_route_answers_head(client) -> None:
    reply = client.request("HEAD", "/health")

    assert (reply.status, reply.headers["content-length"]) == (200, "53")


def test_the_first_of_repeated_parameters_wins(client, store) -> None:
    store.save_all([NoteDraft("one", "one"), NoteDraft("two", "two")])

    assert len(client.get("/observations/recent?limit=1&limit=2").json()) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1e-7, "-1e-7"), (0.0, "0"), (-1000.0, "-1000"), (1e-05, "0.00001"), (1e21, "1e+21"), (-1.25, "-1.25")],
)
def test_numbers_are_written_as_go_writes_them(value: float, text: str) -> None:
    assert encode(number(value)) == f"{text}\n".encode()


def test_text_is_escaped_as_go_escapes_it() -> None:
    assert encode("<a>&\u2028\u2029é\x01\t\x7f") == (
        '"\\u003ca\\u003e\\u0026\\u2028\\u2029é\\u0001\\t\x7f"\n'.encode()
    )


@pytest.mark.parametrize(
    ("word", "found"),
    [("7", 7), ("+7", 7), ("-7", -7), ("", None), (" 7", None), ("1_0", None), ("٣", None), ("9" * 19, None)],
)
def test_numbers_are_read_as_go_reads_them(word: str, found: int | None) -> None:
    assert parse_int(word) == found
    assert int_or(word, 5) == (5 if found is None else found)


@given(st.binary())
def test_any_body_is_read_or_refused(body: bytes) -> None:
    with suppress(BadBody):
        decode_fields(body, "id")


@pytest.mark.parametrize(
    "body", [b"", b"[" * 100_000, b'{"id":NaN}', b'{"id":1}', b"[]", b'"x"', b"9" * 9000]
)
def test_what_is_no_object_of_texts_is_refused(body: bytes) -> None:
    with pytest.raises(BadBody):
        decode_fields(body, "id")


def test_half_a_pair_becomes_a_mark() -> None:
    assert decode_fields(b'{"id":"a\\ud800"}', "id") == {"id": "a\N{REPLACEMENT CHARACTER}"}
    assert decode(b"{} {") == {}
