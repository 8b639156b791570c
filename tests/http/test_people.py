"""People with tokens of their own: each sees and changes what their token allows, on any number of servers."""

import pytest

from modicum.http.guard import Guard
from modicum.http.people import Limiter, Rate
from modicum.http.server import HttpApp, guard_for
from modicum.memory.people import tokens

NOW = "2026-11-15T10:00:00.000Z"


@pytest.fixture
def team(store, client):
    """A store of two people, and a way to ask as one of them."""
    return Team(store, client)


class Team:
    def __init__(self, store, client):
        self.store, self.client = store, client

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
        self.ask("POST", "/sessions", {"id": "s", "project": project})
        return self.ask("POST", "/observations", body)


def test_as_soon_as_there_is_a_token_everybody_needs_one(team, monkeypatch):
    monkeypatch.setattr("modicum.http.people.RECHECK_SECONDS", -1.0)
    assert team.client.get("/context").status == 200
    mia = team.join("mia")
    for header in ("", "Bearer", "Bearer wrong", f"Basic {mia.secret}", f"Bearer {mia.secret}x"):
        reply = team.client.get("/context", authorization=header)
        assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer realm="modicum"')

    assert mia.get("/context").status == 200
    assert team.client.get("/health").status == 200
    assert team.client.post("/sessions", {"id": "x", "project": "p"}).status == 401
    tokens.revoke(team.store.database, "mia", now=NOW)
    assert [mia.get("/context").status, team.client.get("/context").status] == [401, 401]


def test_the_token_of_the_server_still_opens_it(team):
    team.join("mia")
    team.client.door = HttpApp(team.store, Guard(token="secret"))

    assert team.client.get("/stats", authorization="Bearer secret").status == 200
    assert team.client.get("/stats").status == 401


def test_personal_notes_are_seen_by_their_owner_alone_also_from_the_cache(team):
    mia, ben = team.join("mia"), team.join("ben")
    assert mia.save("walrus", "personal").status == 201
    ben.save("gull")
    for url in (
        "/context",
        "/search?q=sea",
        "/observations",
        "/export",
        "/search?q=sea&max_tokens=500",
        "/context?detail=full",
    ):
        for _ in range(2):
            assert "walrus" in mia.get(url).text
            assert "walrus" not in ben.get(url).text
            assert "gull" in ben.get(url).text

    assert [each.get("/observations/1").status for each in (mia, ben)] == [200, 404]
    assert [each.get("/stats").json()["total_observations"] for each in (mia, ben)] == [2, 1]
    assert ben.ask("DELETE", "/observations/1").status == 200
    assert mia.get("/observations/1").status == 200
    assert ben.ask("PATCH", "/observations/1", {"title": "x"}).status == 404


def test_what_is_related_is_told_to_whoever_may_see_both_ends(team):
    mia, ben = team.join("mia"), team.join("ben")
    mia.save("walrus", "personal")
    mia.save("gull")
    mia.save("seal")
    for one, other in ((1, 2), (2, 3)):
        team.store.relate(one, other)

    assert "walrus" in mia.get("/conflicts").text
    assert "walrus" not in ben.get("/conflicts").text
    assert [each.get("/conflicts").json()["total"] for each in (mia, ben)] == [2, 1]
    assert [each.get("/conflicts/1").status for each in (mia, ben)] == [200, 404]
    assert [each.get("/conflicts/stats").json()["by_judgment_status"] for each in (mia, ben)] == [
        {"judged": 2},
        {"judged": 1},
    ]


def test_a_token_writes_only_where_it_may(team):
    team.join("mia").save("walrus")
    reader, guest = team.join("ci", read_only=True), team.join("ben", projects=["docs"], reads=["shop"])

    assert reader.get("/search?q=walrus").json()[0]["title"] == "walrus"
    assert guest.get("/search?q=walrus").json()[0]["title"] == "walrus"
    for caller in (reader, guest):
        for reply in (
            caller.save("gull"),
            caller.ask("PATCH", "/observations/1", {"title": "x"}),
            caller.ask("DELETE", "/observations/1"),
            caller.ask("PUT", "/observations/1/pin"),
            caller.ask("POST", "/import", {"sessions": [{"id": "z", "project": "shop"}]}),
            caller.ask("POST", "/projects/migrate", {"old_project": "shop", "new_project": "mine"}),
        ):
            assert (reply.status, reply.headers["content-type"]) == (403, "application/problem+json")
    assert guest.save("crab", project="docs").status == 201
    assert reader.get("/stats").json()["total_observations"] == 2


def test_the_audit_list_tells_who_did_what(team):
    mia, ben = team.join("mia"), team.join("ben", projects=["shop"])
    mia.save("walrus")
    mia.save("secret", "personal")
    mia.save("attic", project="attic")
    ben.ask("PATCH", "/observations/1", {"title": "gull"})
    entries = ben.get("/audit").json()["entries"]

    assert [
        (each["person"], each["action"], each["title"]) for each in entries if each["kind"] == "note"
    ] == [
        ("ben", "changed", "gull"),
        ("mia", "saved", "gull"),
    ]
    assert {each["project"] for each in entries} == {"shop"}
    page = mia.get("/audit?limit=1&person=ben").json()
    assert [each["action"] for each in page["entries"]] == ["changed"]
    assert page["next"] is None
    assert mia.get("/audit?cursor=nonsense").status == 400


def test_two_servers_share_one_store(team):
    mia = team.join("mia")
    first, second = HttpApp(team.store), HttpApp(team.store.seen_by(team.store.who))
    for turn in range(4):
        team.client.door = (first, second)[turn % 2]
        mia.save(f"walrus {turn}")
        team.client.door = (second, first)[turn % 2]

        assert f"walrus {turn}" in mia.get("/context").text
    tokens.revoke(team.store.database, "mia", now=NOW)
    assert mia.get("/context").status == 401


def test_nobody_asks_too_often(team):
    mia, ben = team.join("mia"), team.join("ben")
    team.client.door = HttpApp(team.store, rate=Rate(0.001, 2))
    replies = [mia.get("/stats") for _ in range(3)]

    assert [reply.status for reply in replies] == [200, 200, 429]
    assert int(replies[-1].headers["retry-after"]) > 0
    assert ben.get("/stats").status == 200
    assert [team.client.get("/stats").status for _ in range(3)] == [401, 401, 429]


def test_a_limit_fills_up_again():
    now = [0.0]
    limiter = Limiter(Rate(2, 3), clock=lambda: now[0])

    assert [limiter.wait("mia") for _ in range(4)] == [0, 0, 0, 0.5]
    now[0] = 0.5
    assert [limiter.wait("mia"), limiter.wait("mia")] == [0, 0.5]
    now[0] = 100
    assert [limiter.wait("mia") for _ in range(4)] == [0, 0, 0, 0.5]
    assert Limiter(Rate()).wait("mia") == 0


def test_whoever_is_not_let_in_does_not_send_a_body(team):
    team.join("mia")
    team.client.door = HttpApp(team.store)
    huge = b"x" * (33 * 1024 * 1024)

    assert team.client.request("POST", "/observations", huge).status == 401


def test_an_address_that_others_reach_needs_people_or_a_token():
    assert guard_for("0.0.0.0", "", people=True) == Guard(hosts=None, token="")
