"""A web page in the user's browser can neither read nor write."""

import pytest

from modicum.base.errors import ModicumError
from modicum.http.guard import Guard, guard_for, host_name, is_loopback

SESSION = {"id": "s", "project": "p"}
JSON = {"content_type": "application/json"}
OWN = {"origin": "http://127.0.0.1:7437", "sec_fetch_site": "same-origin"}


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:9", "localhost:7437", "LOCALHOST", "[::1]:7437", "localhost."]
)
def test_it_answers_to_the_names_of_this_machine(client, host: str) -> None:
    assert client.get("/v1/health", host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7437", "", "127.0.0.1.evil.example", "[::2]", "10.0.0.1"]
)
def test_it_does_not_answer_to_a_name_that_was_bent_to_this_machine(client, host: str) -> None:
    reply = client.get("/v1/notes", host=host)

    assert (reply.status, reply.headers["content-type"]) == (403, "application/problem+json")
    assert reply.json()["remedy"] == "call 127.0.0.1 or localhost"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:3000"},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "chrome-extension://abc"},
        {"origin": ""},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {**OWN, "sec_fetch_site": "cross-site"},
    ],
)
def test_a_web_page_can_neither_read_nor_write(client, store, headers: dict[str, str]) -> None:
    assert client.get("/v1/recall", **headers).status == 403
    assert client.post("/v1/sessions", SESSION, **headers, **JSON).status == 403
    assert store.stats().sessions == 0


def test_no_reply_invites_a_page_of_another_origin(client) -> None:
    for reply in (
        client.get("/v1/recall"),
        client.request("OPTIONS", "/v1/sessions", origin="https://evil.example"),
    ):
        assert not [name for name in reply.headers if name.startswith("access-control")]
        assert reply.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"]
)
def test_a_browser_must_mark_what_it_writes_as_json(client, kind: str) -> None:
    for headers in (OWN, {"origin": OWN["origin"]}, {"sec_fetch_site": "none"}):
        assert client.post("/v1/sessions", SESSION, **headers, content_type=kind).status == 415
        assert client.request("DELETE", "/v1/notes/1", **headers, content_type=kind).status == 415


def test_a_page_of_our_own_may_read_and_write(client) -> None:
    assert client.get("/v1/recall", **OWN).status == 200
    assert (
        client.post("/v1/sessions", SESSION, **OWN, content_type="application/json; charset=utf-8").status
        == 201
    )


def test_a_program_need_not_mark_what_it_writes(client) -> None:
    assert client.post("/v1/sessions", SESSION, content_type="text/plain").status == 201


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer wrong", "Basic c2VjcmV0", "secret", "Bearer sécret"]
)
def test_a_wrong_token_is_refused(make_app, client, header: str) -> None:
    client.app = make_app(guard=Guard(token="secret"))

    reply = client.get("/v1/recall", authorization=header)

    assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer realm="modicum"')


def test_the_right_token_is_let_in(make_app, client) -> None:
    client.app = make_app(guard=Guard(token="secret"))

    assert client.get("/v1/recall", authorization="Bearer secret").status == 200
    assert client.get("/v1/recall", authorization="bearer  secret").status == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com"])
def test_an_address_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(ModicumError, match="other machines"):
        guard_for(host, "")

    assert guard_for(host, "secret") == Guard(hosts=None, token="secret")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_needs_none(host: str) -> None:
    assert is_loopback(host)
    assert guard_for(host, "").token == ""


def test_the_name_in_a_host_header_is_without_port_and_brackets() -> None:
    assert [host_name(host) for host in ("A:1", "[::1]:2", "a.", "")] == ["a", "::1", "a", ""]
