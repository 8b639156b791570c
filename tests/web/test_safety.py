"""What another site or a stranger can do with the workbench: nothing."""

import sys

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.http.guard import Guard
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.memory.model import NoteDraft
from modicum.web.cookies import PAGE_TOKEN
from modicum.web.routes import ROUTES, WEB

shared = sys.modules["serving"]
COOKIE = f"modicum_page_7437={PAGE_TOKEN}"
JSON = "application/json"


@pytest.fixture
def client(world):
    config = load_config()
    store = open_store(config)
    yield shared.Client(HttpApp(store, tables=(V1, WEB), config=config))
    store.close()


@pytest.fixture
def guarded(world):
    config = load_config()
    store = open_store(config)
    yield shared.Client(HttpApp(store, Guard(token="secret"), tables=(V1, WEB), config=config))
    store.close()


def test_every_page_has_a_strict_policy_and_no_inline_script_or_style(client) -> None:
    for path in ("/", "/?all=1", "/web/reading", "/web/nothing", "/web/memory", "/web/review"):
        found = client.get(path)
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert " style=" not in found.text
        assert "<script>" not in found.text
        assert " onclick=" not in found.text


@pytest.mark.parametrize("path", ["/web", "/web/"])
def test_the_path_that_all_pages_are_below_leads_to_the_start_page(client, guarded, path: str) -> None:
    for server in (client, guarded):
        found = server.get(path)

        assert (found.status, found.headers["location"]) == (307, "/")


@pytest.mark.parametrize("route", [route for route in ROUTES if route.writes], ids=lambda route: route.path)
def test_only_a_page_of_this_server_may_change_anything(client, route) -> None:
    body, own = '{"tool": "codex"}', {"content_type": JSON, "origin": "http://127.0.0.1:7437"}

    def status(**headers: str) -> int:
        return client.request("POST", route.path, body, **headers).status

    assert status(**own) == 403
    assert status(**own, cookie="modicum_page_7437=wrong") == 403
    assert status(**own, cookie=f"modicum_page_9999={PAGE_TOKEN}") == 403
    assert status(content_type=JSON, origin="https://evil.example", cookie=COOKIE) == 403
    assert status(content_type=JSON, sec_fetch_site="cross-site", cookie=COOKIE) == 403
    assert status(**(own | {"content_type": "text/plain"}), cookie=COOKIE) == 415
    assert client.request("POST", route.path, body, **own, cookie=COOKIE).status != 403


def test_a_name_that_points_at_this_machine_is_refused(client) -> None:
    assert client.get("/", host="evil.example").status == 403


def test_the_cookie_of_the_page_cannot_be_read_or_sent_from_elsewhere(client) -> None:
    cookie = client.get("/").headers["set-cookie"]

    assert cookie.startswith("modicum_page_7437=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "set-cookie" not in client.get("/", cookie=COOKIE).headers


def test_a_server_with_a_token_shows_only_the_page_to_sign_in(guarded) -> None:
    asked = guarded.get("/")

    assert asked.status == 401
    assert "Sign in" in asked.text
    assert "set-cookie" not in asked.headers
    assert guarded.get("/", cookie="modicum_token_7437=wrong").status == 401
    signed = guarded.request("POST", "/web/login", "{}", authorization="Bearer secret", content_type=JSON)
    cookie = signed.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    assert guarded.get("/", cookie=cookie.split("; ")[0]).status == 200
    assert guarded.request("POST", "/web/login", "{}", authorization="Bearer wrong").status == 401


def test_the_cookie_of_a_person_opens_no_route_for_programs(guarded) -> None:
    assert guarded.get("/v1/stats", cookie="modicum_token_7437=secret").status == 401


def test_files_of_the_server_are_not_shown_to_people_of_a_team(world) -> None:
    world.write("~/.claude/CLAUDE.md", "private words of the owner\n")
    secret = world.modicum("team", "token", "new", "anna", "--json", "--yes").json["token"]
    config = load_config()
    store = open_store(config)
    client = shared.Client(HttpApp(store, tables=(V1, WEB), config=config))
    cookie = f"modicum_token_7437={secret}"

    pages = [client.get(path, cookie=cookie) for path in ("/", "/web/reading?tool=claude-code")]
    written = client.request("POST", "/web/reading/inject", '{"tool": "codex"}', cookie=cookie)
    store.close()

    assert [page.status for page in pages] == [200, 200]
    assert all("private words" not in page.text and "anna" in page.text for page in pages)
    assert written.status == 403
    assert not world.path("AGENTS.md").exists()


@pytest.mark.parametrize("odd", ['prefs={"a": "b"}', "a[b]=1", "flag", "é=ü", 'x="', "; ;="])
def test_odd_cookies_of_other_servers_of_this_machine_do_not_hide_ours(client, guarded, odd) -> None:
    sent = {"content_type": JSON, "cookie": f"{odd}; {COOKIE}; {odd}"}

    assert client.request("POST", "/web/memory/undo", "{}", **sent).status == 400
    assert guarded.get("/", cookie=f"{odd}; modicum_token_7437=secret").status == 200


def test_a_token_with_signs_that_a_cookie_cannot_hold_signs_in(world) -> None:
    token = 'a;b,"c"\\%41='
    config = load_config()
    store = open_store(config)
    client = shared.Client(HttpApp(store, Guard(token=token), tables=(V1, WEB), config=config))

    signed = client.request("POST", "/web/login", "{}", authorization=f"Bearer {token}", content_type=JSON)
    page = client.get("/", cookie=signed.headers["set-cookie"].split("; ")[0])
    store.close()

    assert page.status == 200


def test_a_token_in_a_cookie_does_not_stand_in_for_the_cookie_of_the_page(guarded) -> None:
    def status(**headers: str) -> int:
        return guarded.request("POST", "/web/memory/undo", "{}", content_type=JSON, **headers).status

    assert status(cookie="modicum_token_7437=secret") == 403
    assert status(cookie=f"modicum_token_7437=secret; {COOKIE}") == 400
    assert status(authorization="Bearer secret") == 400


def test_every_reply_has_a_policy(client) -> None:
    replies = (
        *(
            client.get(path)
            for path in ("/web/static/x/mark.svg", "/web/static/x/nothing", "/v1/stats", "/nothing")
        ),
        client.get("/", host="evil.example"),
        client.request("POST", "/web/memory/undo", "{}", content_type=JSON),
    )

    assert all("default-src 'none'" in reply.headers["content-security-policy"] for reply in replies)


def test_remedies_on_a_page_are_no_routes(client) -> None:
    sent = {"content_type": JSON, "cookie": COOKIE}
    refused = client.request("POST", "/web/memory/pin", '{"id": 999, "pinned": true}', **sent)

    assert refused.json()["remedy"] == "search for it"
    assert "note.find" not in client.get("/web/memory?note=n-8bax390w").text


def test_a_long_title_does_not_fill_the_pages_that_only_name_the_note(client) -> None:
    store = client.app.store
    number = store.save(NoteDraft("t" * 100_000, "text", project="shop")).id
    other = store.save(NoteDraft("other", "text of it", project="shop")).id
    store.relate(other, number, "contradicts")

    for path in ("/web/memory/log", f"/web/memory?note={other}", "/web/review?project=*"):
        assert "ttt" in client.get(path).text
        assert len(client.get(path).text) < 60_000, path


def test_folders_outside_of_the_project_are_refused(client) -> None:
    for folder in ("../..", "/etc", "..%2F.."):
        found = client.get(f"/web/reading?tool=codex&folder={folder}")
        assert (found.status, "not below the project" in found.text) == (400, True)


def test_the_detail_of_a_reading_is_a_word_of_any_door(client) -> None:
    pages = [
        client.get(f"/web/reading?tool=codex&view=after&part=1&detail={word}")
        for word in ("summary", "minimal", "Concise")
    ]

    assert [page.status for page in pages] == [200, 200, 200]
    assert pages[0].text == pages[1].text == pages[2].text


def test_what_is_wrong_with_a_request_names_the_field(client) -> None:
    body = '{"id": 1, "pined": true}'
    reply = client.request("POST", "/web/memory/pin", body, content_type=JSON, cookie=COOKIE)

    assert (reply.json()["detail"], reply.json()["remedy"]) == (
        'there is no field "pined"',
        'did you mean "pinned"?',
    )


def test_odd_requests_get_one_clear_sentence(client) -> None:
    for query in ("tool=nope", "tool=codex&max_bytes=-1", "tool=codex&detail=x"):
        assert client.get(f"/web/reading?{query}").status == 400
    sent = {"content_type": JSON, "cookie": COOKIE}
    for body in (
        "",
        "[]",
        '{"tool": 1}',
        '{"tool": "codex", "detail": 9}',
        '{"tool": "codex", "max_bytes": -5}',
        '{"tool": "codex", "max_bytes": 1e30}',
        '{"tool": "nope"}',
    ):
        reply = client.request("POST", "/web/reading/keep", body, **sent)
        assert reply.status == 400
        assert reply.json()["remedy"]
