"""People with tokens of their own: each sees and changes what their token allows, on any number of servers."""

import pytest

from modicum.app.answer.cursor import read_cursor
from modicum.http.guard import Guard, guard_for
from modicum.http.limits.requests import Rate, RateLimiter
from modicum.http.server import HttpApp
from modicum.memory.people import tokens

NOW = "2026-11-15T10:00:00.000Z"


@pytest.fixture
def team(store, client, make_app):
    """A store of two people, and a way to ask as one of them."""
    return Team(store, client, make_app)


class Team:
    def __init__(self, store, client, make_app):
        self.store, self.client, self.make_app = store, client, make_app

    def join(self, name, **limits):
        secret, _ = tokens.new_token(self.store.database, name, now=NOW, **limits)
        return Caller(self.client, secret)


class Caller:
    def __init__(self, client, secret):
        self.client, self.secret = client, secret

    def get(self, url):
        return self.client.get(url, authorization=f"Bearer {self.secret}")

    def ask(self, method, url, body=None):
        from json import dumps

        return self.client.request(method, url, dumps(body or {}), authorization=f"Bearer {self.secret}")

    def save(self, title, scope="project", project="shop"):
        body = {
            "session_id": "s",
            "title": title,
            "content": f"{title} of the sea",
            "project": project,
            "scope": scope,
        }
        self.ask("POST", "/v1/sessions", {"id": "s", "project": project})
        return self.ask("POST", "/v1/notes", body)


def test_as_soon_as_there_is_a_token_everybody_needs_one(team, monkeypatch):
    monkeypatch.setattr("modicum.http.token_check.RECHECK_SECONDS", -1.0)
    assert team.client.get("/v1/recall").status == 200
    mia = team.join("mia")
    for header in ("", "Bearer", "Bearer wrong", f"Basic {mia.secret}", f"Bearer {mia.secret}x"):
        reply = team.client.get("/v1/recall", authorization=header)
        assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer realm="modicum"')

    assert mia.get("/v1/recall").status == 200
    assert team.client.get("/v1/health").status == 200
    assert team.client.post("/v1/sessions", {"id": "x", "project": "p"}).status == 401


def test_revoking_the_last_token_opens_a_file_of_this_machine_again(team, engine, monkeypatch):
    monkeypatch.setattr("modicum.http.token_check.RECHECK_SECONDS", -1.0)
    mia, ben = team.join("mia"), team.join("ben")
    tokens.revoke(team.store.database, "mia", now=NOW)
    assert [mia.get("/v1/recall").status, team.client.get("/v1/recall").status] == [401, 401]

    tokens.revoke(team.store.database, "ben", now=NOW)
    open_again = 200 if engine == "sqlite" else 401
    assert team.client.get("/v1/recall").status == open_again
    assert ben.get("/v1/recall").status == 401, "a revoked token opens nothing"
    team.join("cem")
    assert team.client.get("/v1/recall").status == 401


def test_a_server_that_others_reach_stays_closed_when_the_last_token_is_revoked(team, monkeypatch):
    monkeypatch.setattr("modicum.http.token_check.RECHECK_SECONDS", -1.0)
    team.join("mia")
    team.client.app = team.make_app(guard=guard_for("0.0.0.0", "", people=True))
    tokens.revoke(team.store.database, "mia", now=NOW)

    assert team.client.get("/v1/recall").status == 401


def test_the_token_of_the_server_still_opens_it(team):
    team.join("mia")
    team.client.app = team.make_app(guard=Guard(token="secret"))

    assert team.client.get("/v1/stats", authorization="Bearer secret").status == 200
    assert team.client.get("/v1/stats").status == 401


def test_personal_notes_are_seen_by_their_owner_alone_also_from_the_cache(team):
    mia, ben = team.join("mia"), team.join("ben")
    assert mia.save("walrus", "personal").status == 201
    ben.save("gull")
    for url in (
        "/v1/recall",
        "/v1/search?q=sea",
        "/v1/notes",
        "/v1/timeline?note=2",
        "/v1/brief?project=shop",
        "/v1/brief?project=shop&q=sea",
    ):
        seen = "walrus" if "timeline" not in url else "gull"
        for _ in range(2):
            assert seen in mia.get(url).text
            assert "walrus" not in ben.get(url).text
            assert "gull" in ben.get(url).text

    assert [each.get("/v1/notes/1").status for each in (mia, ben)] == [200, 404]
    assert [each.get("/v1/stats").json()["notes"] for each in (mia, ben)] == [2, 1]
    assert ben.ask("DELETE", "/v1/notes/1").status == 404
    assert mia.get("/v1/notes/1").status == 200
    assert ben.ask("PATCH", "/v1/notes/1", {"title": "x"}).status == 404


def test_what_is_related_is_told_to_whoever_may_see_both_ends(team):
    mia, ben = team.join("mia"), team.join("ben")
    mia.save("walrus", "personal")
    mia.save("gull")
    mia.save("seal")
    for one, other in ((1, 2), (2, 3)):
        team.store.relate(one, other)

    assert [len(each.get("/v1/notes/2/relations").json()["relations"]) for each in (mia, ben)] == [2, 1]
    assert [len(each.get("/v1/notes/2").json()["relations"]) for each in (mia, ben)] == [2, 1]
    assert ben.get("/v1/notes/1/history").status == 404


def test_a_token_writes_only_where_it_may(team):
    mia = team.join("mia")
    mia.save("walrus")
    mia.save("seal")
    reader, guest = team.join("ci", read_only=True), team.join("ben", projects=["docs"], reads=["shop"])

    assert reader.get("/v1/search?q=walrus").json()["items"][0]["title"] == "walrus"
    assert guest.get("/v1/search?q=walrus").json()["items"][0]["title"] == "walrus"
    for caller in (reader, guest):
        for reply in (
            caller.save("gull"),
            caller.ask("PATCH", "/v1/notes/1", {"title": "x"}),
            caller.ask("DELETE", "/v1/notes/1"),
            caller.ask("PUT", "/v1/notes/1/pin"),
            caller.ask("POST", "/v1/notes/1/relations", {"to": 2}),
            caller.ask("POST", "/v1/projects/merge", {"sources": ["shop"], "target": "mine"}),
        ):
            assert (reply.status, reply.headers["content-type"]) == (403, "application/problem+json")
    assert guest.save("crab", project="docs").status == 201
    assert reader.get("/v1/stats").json()["notes"] == 3


def test_everybody_undoes_and_sees_their_own_changes_alone(team):
    mia, ben = team.join("mia"), team.join("ben")
    mia.save("walrus")
    ben.save("gull")

    assert [each["person"] for each in mia.get("/v1/log").json()["batches"]] == ["mia", "mia"]
    (his,) = ben.get("/v1/log").json()["batches"]
    assert mia.ask("POST", "/v1/undo", {"batch": his["id"]}).status == 404
    assert [mia.ask("POST", "/v1/undo", {}).json()["kind"] for _ in range(2)] == ["save", "session start"]
    assert mia.ask("POST", "/v1/undo", {}).status == 404
    assert ben.get("/v1/search?q=gull").json()["total"] == 1


def test_the_audit_list_tells_who_did_what(team):
    mia, ben = team.join("mia"), team.join("ben", projects=["shop"])
    mia.save("walrus")
    mia.save("secret", "personal")
    mia.save("attic", project="attic")
    ben.ask("PATCH", "/v1/notes/1", {"title": "gull"})
    entries = ben.get("/v1/audit").json()["entries"]

    assert [
        (each["person"], each["action"], each["title"]) for each in entries if each["kind"] == "note"
    ] == [
        ("ben", "changed", "gull"),
        ("mia", "saved", "gull"),
    ]
    assert {each["project"] for each in entries} == {"shop"}
    page = mia.get("/v1/audit?limit=1&person=ben").json()
    assert [each["action"] for each in page["entries"]] == ["changed"]
    assert page["next"] is None
    first = mia.get("/v1/audit?limit=1&person=mia").json()
    following = mia.get(f"/v1/audit?limit=1&person=mia&cursor={first['next']}").json()
    assert read_cursor(first["next"]).shown == 1
    assert [each["project"] for each in first["entries"] + following["entries"]] == ["attic", "attic"]
    assert mia.get(f"/v1/audit?person=ben&cursor={first['next']}").status == 400
    assert mia.get("/v1/audit?cursor=nonsense").status == 400


def test_two_servers_share_one_store(team):
    mia = team.join("mia")
    first, second = team.make_app(), HttpApp(team.store.seen_by(team.store.who))
    for turn in range(4):
        team.client.app = (first, second)[turn % 2]
        mia.save(f"walrus {turn}")
        team.client.app = (second, first)[turn % 2]

        assert f"walrus {turn}" in mia.get("/v1/recall").text
    tokens.revoke(team.store.database, "mia", now=NOW)
    assert mia.get("/v1/recall").status == 401


def test_nobody_asks_too_often(team):
    mia, ben = team.join("mia"), team.join("ben")
    team.client.app = team.make_app(rate=Rate(0.001, 2))
    replies = [mia.get("/v1/stats") for _ in range(3)]

    assert [reply.status for reply in replies] == [200, 200, 429]
    assert int(replies[-1].headers["retry-after"]) > 0
    assert ben.get("/v1/stats").status == 200
    assert [team.client.get("/v1/stats").status for _ in range(3)] == [401, 401, 429]


def test_a_limit_fills_up_again():
    now = [0.0]
    limiter = RateLimiter(Rate(2, 3), clock=lambda: now[0])

    assert [limiter.wait("mia") for _ in range(4)] == [0, 0, 0, 0.5]
    now[0] = 0.5
    assert [limiter.wait("mia"), limiter.wait("mia")] == [0, 0.5]
    now[0] = 100
    assert [limiter.wait("mia") for _ in range(4)] == [0, 0, 0, 0.5]
    assert RateLimiter(Rate()).wait("mia") == 0


def test_whoever_is_not_let_in_does_not_send_a_body(team):
    team.join("mia")
    team.client.app = team.make_app()
    huge = b"x" * (33 * 1024 * 1024)

    assert team.client.request("POST", "/v1/notes", huge).status == 401


def test_an_address_that_others_reach_needs_people_or_a_token():
    assert guard_for("0.0.0.0", "", people=True) == Guard(hosts=None, token="")


@pytest.mark.parametrize("engine", ["sqlite"])
@pytest.mark.parametrize(
    "host", ["127.0.0.1:7437/v1/health?", "127.0.0.1:7437/", "127.0.0.1:7437/v1/health#"]
)
def test_a_host_header_does_not_open_a_route(team, host):
    """Some versions of Starlette take a path for the one of the request that stands in the Host header."""
    team.join("mia")
    team.client.app = team.make_app()

    assert team.client.get("/v1/recall", host=host).status == 401


def test_specs_are_shown_to_whoever_may_see_the_project(team):
    mia, ben = team.join("mia", projects=["project"]), team.join("ben", projects=["elsewhere"])

    assert [each.get("/v1/specs").status for each in (mia, ben)] == [200, 403]
    assert [each.get("/v1/specs/check?q=login").status for each in (mia, ben)] == [200, 403]
    assert [each.get("/v1/packs").status for each in (mia, ben)] == [200, 200]
