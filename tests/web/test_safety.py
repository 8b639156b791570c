"""What another site or a stranger can do with the workbench: nothing."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.http.guard import Guard
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.memory.model import NoteDraft
from modicum.web.cookies import OWNER, cookie_header, new_cookie
from modicum.web.keys import KEY_SECONDS, KEYS, PageKeys, new_key
from modicum.web.routes import ROUTES, WEB

shared = sys.modules["serving"]
JSON = "application/json"


@pytest.fixture
def client(world):
    config = load_config()
    store = open_store(config)
    yield shared.opened(HttpApp(store, tables=(V1, WEB), config=config))
    store.close()


@pytest.fixture
def stranger(client):
    """A program that has opened nothing."""
    return shared.Client(client.app)


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


CHANGES = [route for route in ROUTES if route.writes and not route.path.endswith(("/login", "/logout"))]
SCREENS = [route for route in ROUTES if not route.writes and not route.is_public]


@pytest.mark.parametrize("route", CHANGES, ids=lambda route: route.path)
def test_only_a_page_of_this_server_may_change_anything(client, stranger, route) -> None:
    body, own = '{"tool": "codex"}', {"content_type": JSON, "origin": "http://127.0.0.1:7437"}
    cookie, word = client.always["cookie"], client.always["x_modicum_page"]
    elsewhere = cookie.replace("_7437=", "_9999=")
    another = shared.opened(client.app).always

    def status(**headers: str) -> int:
        return stranger.request("POST", route.path, body, **headers).status

    assert status(**own) == 401
    assert status(**own, x_modicum_page=word) == 401
    assert status(**own, cookie="modicum_page_7437=wrong", x_modicum_page=word) == 401
    assert status(**own, cookie=cookie[:-1] + "x", x_modicum_page=word) == 401
    assert status(**own, cookie=elsewhere, x_modicum_page=word) == 401
    assert status(**own, authorization="Bearer anything") == 401
    assert (
        status(**own, cookie=cookie) == 403
    )  # as a server at another port of this machine hears it from a browser
    assert status(**own, cookie=cookie, x_modicum_page=another["x_modicum_page"]) == 403
    assert status(content_type=JSON, origin="https://evil.example", **client.always) == 403
    assert status(content_type=JSON, origin="http://127.0.0.1:3000", **client.always) == 403
    assert status(content_type=JSON, sec_fetch_site="cross-site", **client.always) == 403
    assert status(content_type=JSON, sec_fetch_site="same-site", **client.always) == 403
    assert status(**(own | {"content_type": "text/plain"}), **client.always) == 415
    assert status(**own, **client.always) not in (401, 403, 415)


@pytest.mark.parametrize("route", SCREENS, ids=lambda route: route.path)
def test_nothing_is_shown_to_who_has_not_opened_the_page(client, stranger, route) -> None:
    client.app.store.save(NoteDraft("Walrus", "words of memory", project="shop"))
    asked = stranger.get(route.path.replace("{id}", "x"), user_agent="Mozilla/5.0")

    assert asked.status == 401
    assert "modicum open" in asked.text
    assert "Walrus" not in asked.text
    assert str(client.app.config.root) not in asked.text
    assert "set-cookie" not in asked.headers


def test_asking_for_a_page_gives_nobody_a_cookie(client, stranger) -> None:
    replies = [
        stranger.get(path) for path in ("/", "/web", "/web/about?question=x", "/web/open", "/web/nothing")
    ]
    replies += [client.get("/"), client.get("/web/memory")]

    assert all("set-cookie" not in reply.headers for reply in replies)


def test_a_name_that_points_at_this_machine_is_refused(client) -> None:
    key = new_key(KEYS.secret, time.time())

    assert client.get("/", host="evil.example").status == 403
    assert client.get(f"/web/open?key={key}", host="evil.example").status == 403
    assert client.get(f"/web/open?key={key}").status == 200  # it was not used up


def test_a_key_opens_the_page_once(stranger) -> None:
    address = f"/web/open?key={new_key(KEYS.secret, time.time())}"
    opened, again = stranger.get(address, sec_fetch_site="cross-site"), stranger.get(address)

    assert opened.status == 200
    assert opened.headers["referrer-policy"] == "no-referrer"
    assert opened.headers["cache-control"] == "no-store"
    assert again.status == 403
    assert "modicum open" in again.text
    assert "set-cookie" not in again.headers


def test_the_cookie_of_the_page_cannot_be_read_or_sent_from_elsewhere(stranger) -> None:
    cookie = stranger.get(f"/web/open?key={new_key(KEYS.secret, time.time())}").headers["set-cookie"]

    assert cookie.startswith("modicum_page_7437=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))


@pytest.mark.parametrize("key", ["", "x", "..", "9999999999.x.y", "é.ü.ß", "9" * 5000, "%00", "-1.a.b"])
def test_what_is_no_key_opens_nothing(stranger, key: str) -> None:
    assert stranger.get(f"/web/open?key={key}").status == 403


def test_a_key_dies_after_a_minute_and_is_for_one_server() -> None:
    now = [1_000_000.0]
    keys, other = PageKeys(clock=lambda: now[0]), PageKeys(clock=lambda: now[0])
    young, old = (new_key(keys.secret, now[0]) for _ in range(2))
    ahead = new_key(keys.secret, now[0] + 30)

    assert not other.redeem(young)
    assert keys.redeem(young)
    assert not keys.redeem(young)
    assert not keys.redeem(ahead)  # a clock that was set back makes none live longer
    now[0] += KEY_SECONDS
    assert not keys.redeem(old)
    assert not keys.redeem(young)


def test_of_many_who_come_with_one_key_one_is_let_in() -> None:
    keys = PageKeys()
    key = new_key(keys.secret, time.time())
    with ThreadPoolExecutor(16) as threads:
        let_in = [*threads.map(lambda _: keys.redeem(key), range(200))]

    assert let_in.count(True) == 1


def test_a_cookie_of_an_earlier_server_opens_nothing(stranger) -> None:
    cookie = new_cookie(OWNER, b"the secret of a server that has stopped")
    ((_, header),) = cookie_header({"host": "127.0.0.1:7437"}, cookie.value)

    assert stranger.get("/", cookie=header.split("; ")[0], x_modicum_page=cookie.word).status == 401


def test_the_key_is_in_no_log(stranger, caplog, world) -> None:
    caplog.set_level(0)
    key = new_key(KEYS.secret, time.time())
    stranger.get(f"/web/open?key={key}")
    stranger.get(f"/web/open?key={key}")

    heard = world.capsys.readouterr()
    assert key not in caplog.text + heard.out + heard.err
    assert all(key.encode() not in content for content in world.files(state=True).values())


def test_a_server_with_a_token_shows_only_how_to_open_the_page(guarded) -> None:
    asked = guarded.get("/")

    assert asked.status == 401
    assert "Open this page from a terminal" in asked.text
    assert "set-cookie" not in asked.headers
    for headers in ({"cookie": "modicum_token_7437=secret"}, {"cookie": "modicum_page_7437=secret"}):
        assert guarded.get("/", **headers).status == 401
    assert guarded.get("/", authorization="Bearer secret").status == 403
    assert guarded.request("POST", "/web/login", "{}", authorization="Bearer wrong").status == 401
    assert shared.opened(guarded.app).get("/").status == 200


@pytest.mark.parametrize("purpose", ["server", "agent", "script"])
def test_a_token_that_is_not_a_persons_never_signs_in(world, guarded, purpose) -> None:
    secret = "secret"
    if purpose != "server":
        secret = world.modicum("team", "token", "new", "anna", "--for", purpose, "--json", "--yes").json[
            "token"
        ]
    bearer = {"authorization": f"Bearer {secret}", "content_type": JSON}

    signed = guarded.request("POST", "/web/login", "{}", **bearer)

    assert signed.status == 403
    assert "--for person" in signed.json()["remedy"]
    assert "set-cookie" not in signed.headers
    assert guarded.get("/web/memory", **bearer).status == 403
    assert guarded.request("POST", "/web/memory/undo", "{}", **bearer).status == 403
    for name in ("page", "token"):
        assert guarded.get("/web/memory", cookie=f"modicum_{name}_7437={secret}").status == 401


def test_a_persons_token_signs_in_and_opens_nothing_else(world) -> None:
    secret = world.modicum("team", "token", "new", "anna", "--for", "person", "--json", "--yes").json["token"]
    config = load_config()
    store = open_store(config)
    app = HttpApp(store, tables=(V1, WEB), config=config)
    bearer = {"authorization": f"Bearer {secret}", "content_type": JSON}
    page = shared.signed_in(app, secret)

    refused = shared.Client(app).request("POST", "/v1/notes", '{"title": "a", "content": "b"}', **bearer)
    shown = page.get("/web/memory")
    world.modicum("team", "token", "revoke", "anna")
    revoked = page.get("/web/memory")
    store.close()

    assert secret not in page.always["cookie"]
    assert (refused.status, shown.status, revoked.status) == (403, 200, 401)
    assert "opens nothing else" in refused.json()["detail"]


def test_only_a_person_makes_a_persons_token(world) -> None:
    world.patch.setenv("CLAUDECODE", "1")
    said = world.modicum("team", "token", "new", "anna", "--for", "person", "--yes")

    assert (said.code, said.out) == (4, "")
    assert "only a person makes a token that speaks as one" in said.err


def test_the_cookie_of_a_person_opens_no_route_for_programs(guarded) -> None:
    assert shared.opened(guarded.app).get("/v1/stats").status == 401


def test_files_of_the_server_are_not_shown_to_people_of_a_team(world) -> None:
    world.write("~/.claude/CLAUDE.md", "private words of the owner\n")
    secret = world.modicum("team", "token", "new", "anna", "--for", "person", "--json", "--yes").json["token"]
    config = load_config()
    store = open_store(config)
    client = shared.signed_in(HttpApp(store, tables=(V1, WEB), config=config), secret)

    pages = [client.get(path) for path in ("/", "/web/reading?tool=claude-code")]
    written = client.request("POST", "/web/reading/inject", '{"tool": "codex"}')
    store.close()

    assert [page.status for page in pages] == [200, 200]
    assert all("private words" not in page.text and "anna" in page.text for page in pages)
    assert written.status == 403
    assert not world.path("AGENTS.md").exists()


@pytest.mark.parametrize("odd", ['prefs={"a": "b"}', "a[b]=1", "flag", "é=ü", 'x="', "; ;="])
def test_odd_cookies_of_other_servers_of_this_machine_do_not_hide_ours(client, odd) -> None:
    sent = {"content_type": JSON, "cookie": f"{odd}; {client.always['cookie']}; {odd}"}

    assert client.request("POST", "/web/memory/undo", "{}", **sent).status == 400


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
    sent = {"content_type": JSON}
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
    reply = client.request("POST", "/web/memory/pin", body, content_type=JSON)

    assert (reply.json()["detail"], reply.json()["remedy"]) == (
        'there is no field "pined"',
        'did you mean "pinned"?',
    )


def test_odd_requests_get_one_clear_sentence(client) -> None:
    for query in ("tool=nope", "tool=codex&max_bytes=-1", "tool=codex&detail=x"):
        assert client.get(f"/web/reading?{query}").status == 400
    sent = {"content_type": JSON}
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
