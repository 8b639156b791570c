"""engram's wire format: the golden transcript, and Go's rules for JSON."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.compat.engram.go_json import BadBody, decode, decode_fields, encode, int_or, number, parse_int
from modicum.memory.model import NoteDraft

GOLDEN = Path(__file__).parent.parent / "golden" / "engram_wire.txt"


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


def test_every_route_of_engram_answers_as_the_reference_says(client, clock) -> None:
    wrong = []
    for at, (method, path, body, expected) in enumerate(steps()):
        reply = client.request(method, path, body)
        told = normal(f"{reply.status} {reply.text}")
        if told != f"{expected}\n":
            wrong.append(f"step {at}: {method} {path}\n  expected {expected}\n  got      {told}")
        assert reply.headers["content-type"] == "application/json"
        clock.seconds += 1

    assert "\n".join(wrong) == ""


def test_a_session_that_is_not_there_is_an_error_of_the_database(client) -> None:
    learning = "## Learnings\n- a thing that is worth keeping here"
    note = {"session_id": "nobody", "title": "t", "content": learning}

    for path in ("/observations", "/observations/passive", "/prompts"):
        reply = client.post(path, note)
        assert (reply.status, list(reply.json())) == (500, ["error"])
    nothing = client.post("/observations/passive", {**note, "content": "no learnings"})
    assert nothing.body == b'{"extracted":0,"saved":0,"duplicates":0}\n'


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
