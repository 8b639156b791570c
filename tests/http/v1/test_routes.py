"""Our routes: notes, sessions, prompts, projects, packs, specs, and what is refused."""

import pytest

from modicum.memory.model import NoteDraft

NOTE = {"title": "Queue moved", "content": "Redis needed a host of its own.", "project": "shop"}


def test_a_note_is_kept_read_changed_deleted_and_restored(client, store) -> None:
    saved = client.post("/v1/notes", {**NOTE, "type": "decision"})

    name = store.names([1])[1]
    assert (saved.status, saved.headers["location"]) == (201, f"/v1/notes/{name}")
    assert saved.json() == {
        "id": name,
        "number": 1,
        "outcome": "created",
        "suggested_topic": "decision/queue-moved",
        "warnings": [],
    }
    changed = client.request("PATCH", f"/v1/notes/{name}", '{"title": "Queue moved again"}').json()
    assert (changed["title"], changed["revision_count"], changed["content"]) == (
        "Queue moved again",
        2,
        NOTE["content"],
    )
    assert client.get(f"/v1/notes/{name[:6]}").json()["id"] == name
    assert client.get("/v1/notes/1").json()["number"] == 1
    revisions = client.get("/v1/notes/1/history").json()["revisions"]
    assert {each["note_id"] for each in revisions} == {name}
    assert [each["title"] for each in revisions] == ["Queue moved again", "Queue moved"]
    assert client.request("DELETE", "/v1/notes/1").json() == {
        "id": name, "number": 1, "title": "Queue moved again"
    }  # fmt: skip
    assert client.get("/v1/notes/1").status == 404
    assert client.request("DELETE", "/v1/notes/1").status == 404
    assert client.request("POST", "/v1/notes/1/restore").json()["title"] == "Queue moved again"
    assert client.request("DELETE", "/v1/notes/1?hard=true").status == 200
    assert client.request("POST", "/v1/notes/1/restore").status == 404


def test_a_script_pins_nothing_and_no_header_makes_it_more(client, store) -> None:
    client.post("/v1/notes", NOTE)
    for headers in (
        {},
        {"user_agent": "modicum-hook/1"},
        {"cookie": "modicum_page_7437=0.0.x.y"},
        {"x_modicum_page": "x"},
    ):
        refused = client.request("PUT", "/v1/notes/1/pin", **headers)
        assert (refused.status, refused.json()["detail"]) == (403, "a script pins nothing")
    note = store.get(1)

    assert (note.pinned, note.origin) == (0, "script")
    assert client.request("PUT", "/v1/notes/9/pin").status == 404
    assert client.request("DELETE", "/v1/notes/1/pin").status == 200


def test_a_note_is_pinned_and_unpinned(agent) -> None:
    agent.post("/v1/notes", NOTE)

    assert agent.request("PUT", "/v1/notes/1/pin").json()["number"] == 1
    assert agent.get("/v1/notes/1").json()["pinned"] is True
    assert "### Pinned" in agent.get("/v1/recall").json()["text"]
    agent.request("DELETE", "/v1/notes/1/pin")
    assert agent.get("/v1/notes/1").json()["pinned"] is False
    assert agent.request("PUT", "/v1/notes/9/pin").status == 404


def test_a_header_hides_no_change_from_undo(client, store) -> None:
    client.post("/v1/notes", NOTE)
    client.request("DELETE", "/v1/notes/1", user_agent="modicum-hook")
    client.post("/v1/sessions", {"id": "s"}, user_agent="modicum-hook")

    assert [(each.batch.kind, each.batch.source) for each in store.log(2)] == [
        ("session start", "hook"),
        ("delete", ""),
    ]
    assert client.post("/v1/undo", {}).json()["kind"] == "delete"


def test_notes_are_related_and_the_relation_deleted(client, store) -> None:
    for title in ("one", "two"):
        client.post("/v1/notes", {**NOTE, "title": title})
    made = client.post("/v1/notes/1/relations", {"to": 2, "type": "supersedes", "note": "newer"})

    assert made.status == 201
    (relation,) = client.get("/v1/notes/2/relations").json()["relations"]
    assert [relation["from_id"], relation["to_id"]] == [*store.names((1, 2)).values()]
    assert relation["type"] == "supersedes"
    assert client.get("/v1/notes/1").json()["relations"] == [relation]
    assert client.request("DELETE", f"/v1/relations/{relation['id']}").status == 200
    assert client.get("/v1/notes/1").json()["relations"] == []
    assert client.post("/v1/notes/1/relations", {"to": 1}).status == 400
    assert client.post("/v1/notes/1/relations", {"to": 2, "type": "supersede"}).status == 400
    assert client.post("/v1/notes", {"title": " ", "content": "x"}).status == 400
    assert client.post("/v1/notes", {"title": "x", "content": " "}).status == 400
    assert client.post("/v1/notes/1/relations", {"to": 9}).status == 404


def test_learnings_are_captured_once(client, store) -> None:
    body = {"content": "## Key Learnings:\n- the cart must be locked before paying\n", "project": "shop"}

    assert client.post("/v1/notes/capture", body).json() == {
        "extracted": 1,
        "saved": [store.names([1])[1]],
        "duplicates": 0,
    }
    assert client.post("/v1/notes/capture", body).json() == {"extracted": 1, "saved": [], "duplicates": 1}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/notes", NOTE),
        ("/v1/prompts", {"content": "why?"}),
        ("/v1/notes/capture", {"content": "## Learnings\n- a thing that is worth keeping"}),
    ],
)
def test_a_session_that_is_not_there_is_not_found(client, path: str, body: dict[str, str]) -> None:
    reply = client.post(path, {**body, "session_id": "nobody"})

    assert (reply.status, reply.json()["detail"]) == (404, 'there is no session "nobody"')
    assert reply.json()["remedy"]


def test_a_session_is_started_read_ended_and_deleted(client) -> None:
    started = client.post("/v1/sessions", {"id": "a/b c", "project": "shop", "directory": "/w"})

    assert (started.status, started.headers["location"]) == (201, "/v1/sessions/a%2Fb%20c")
    assert client.get("/v1/sessions/a%2Fb%20c").json()["directory"] == "/w"
    ended = client.post("/v1/sessions/a%2Fb%20c/end", {"summary": "Done."}).json()
    assert (ended["summary"], bool(ended["ended_at"])) == ("Done.", True)
    assert client.request("POST", "/v1/sessions/a%2Fb%20c/end").json()["summary"] == "Done."
    assert client.request("DELETE", "/v1/sessions/a%2Fb%20c").status == 200
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/end")):
        reply = client.request(method, f"/v1/sessions/a%2Fb%20c{path}")
        assert (reply.status, reply.json()["detail"]) == (404, 'there is no session "a/b c"')


def test_a_session_without_a_summary_takes_the_one_that_was_saved_as_a_note(client, store) -> None:
    store.start_session("s", project="shop")
    store.save(NoteDraft("Summary", "The cart is done.", "session_summary", "shop", "s"))

    assert client.request("POST", "/v1/sessions/s/end").json()["summary"] == "The cart is done."


def test_a_session_that_holds_something_is_not_deleted(client, store) -> None:
    store.save(NoteDraft("a", "b", session_id="s"))

    assert client.request("DELETE", "/v1/sessions/s").status == 409


def test_a_prompt_is_kept_read_and_deleted(client) -> None:
    kept = client.post("/v1/prompts", {"content": "why? password=hunter2hunter2", "project": "shop"})

    assert (kept.status, kept.headers["location"]) == (201, "/v1/prompts/1")
    assert "[REDACTED]" in client.get("/v1/prompts/1").json()["content"]
    assert client.request("DELETE", "/v1/prompts/1").json() == {"id": 1}
    assert [client.request(method, "/v1/prompts/1").status for method in ("GET", "DELETE")] == [404, 404]


def test_projects_are_merged(client, store) -> None:
    store.save_all([NoteDraft("a", "b", project="old"), NoteDraft("c", "d", project="new")])
    moved = client.post("/v1/projects/merge", {"sources": ["old"], "target": "new"}).json()

    assert moved["notes"] == 1
    assert client.get("/v1/stats").json() == {"sessions": 2, "notes": 2, "prompts": 0, "projects": ["new"]}


def test_a_project_that_is_not_there_is_not_merged_and_those_near_are_named(client, store) -> None:
    store.save_all([NoteDraft("a", "b", project="older"), NoteDraft("c", "d", project="new")])

    refused = client.post("/v1/projects/merge", {"sources": ["older", "oldr"], "target": "new"})
    unlike = client.post("/v1/projects/merge", {"sources": ["xyzzy"], "target": "new"})

    assert (refused.status, refused.json()["detail"], refused.json()["remedy"]) == (
        404,
        'there is no project "oldr"',
        'did you mean "older"?',
    )
    assert (unlike.status, unlike.json()["remedy"]) == (404, "GET /v1/projects lists them")
    assert {each.name for each in store.projects()} == {"older", "new"}


def test_the_last_change_is_undone_and_the_log_tells_it(client, store) -> None:
    client.post("/v1/notes", NOTE)
    client.post("/v1/notes", {**NOTE, "title": "Another", "content": "one"})
    tried = client.post("/v1/undo", {"dry_run": True}).json()
    assert (tried["batch"], tried["number"], tried["counts"]) == (2, None, {"note": 1})

    done = client.post("/v1/undo", {}).json()
    assert (done["batch"], done["kind"]) == (2, "save")
    again = done["number"]  # PostgreSQL leaves out the number of a dry run
    assert [each["title"] for each in done["notes"]] == ["Another"]
    assert done["left"] == []
    assert client.get("/v1/notes/2").status == 404
    for wrong in (0, -1, 2**63, 10**20):
        assert client.post("/v1/undo", {"batch": wrong}).status == 400
    twice, unknown = client.post("/v1/undo", {"batch": 2}), client.post("/v1/undo", {"batch": 9})
    assert (twice.status, unknown.status) == (400, 404)
    assert twice.json()["remedy"] == f"POST /v1/undo with batch {again} does it again"
    assert unknown.json()["remedy"] == "GET /v1/log lists what can be undone"
    log = client.get("/v1/log?limit=2").json()["batches"]
    assert [(each["id"], each["kind"], each["undoes"], each["undone_by"]) for each in log] == [
        (again, "undo", 2, None), (2, "save", None, again)
    ]  # fmt: skip
    assert client.get("/v1/log?limit=0").status == 400
    assert client.request("POST", "/v1/undo", "").status == 200


def test_the_log_goes_on_by_a_cursor_of_its_own(client, store) -> None:
    for number in range(5):
        store.save(NoteDraft(f"note {number}", "text"))
    first = client.get("/v1/log?limit=3").json()
    rest = client.get(f"/v1/log?limit=3&cursor={first['next']}").json()

    assert [each["id"] for each in first["batches"] + rest["batches"]] == [5, 4, 3, 2, 1]
    assert rest["next"] is None
    assert client.get(f"/v1/audit?cursor={first['next']}").status == 400
    assert client.get(f"/v1/notes?cursor={first['next']}").status == 400
    assert client.get("/v1/log?cursor=nonsense").json()["detail"] == "this is no cursor of ours"
    assert client.get("/v1/log?limit=0").json()["detail"] == 'limit is "0"'


def test_what_a_hook_sends_is_known_as_a_hooks(client, store) -> None:
    client.post("/v1/notes", NOTE)
    client.post("/v1/prompts", {"content": "typed"}, user_agent="modicum-hook")

    assert [each["source"] for each in client.get("/v1/log").json()["batches"]] == ["hook", ""]
    assert client.post("/v1/undo", {}).json()["kind"] == "save"


def test_a_brief_has_what_a_hook_tells(client, store) -> None:
    store.save_all(
        [NoteDraft(f"Cart {n}", f"locked before paying {n}", "decision", "shop") for n in range(5)]
    )
    store.pin(2)
    found = client.get("/v1/brief?project=shop&limit=2").json()

    (pinned,) = found["pinned"]
    assert pinned.pop("saved_at")
    assert pinned == {
        "id": store.names([2])[2],
        "number": 2,
        "type": "decision",
        "title": "Cart 1",
        "origin": "",
        "pinned_by": "",
    }
    assert [each["number"] for each in found["notes"]] == [5, 4]
    assert (found["total"], found["waiting"]) == (5, 0)
    asked = client.get("/v1/brief?project=shop&q=why+is+the+cart+locked+before+paying&limit=3").json()
    assert len(asked["notes"]) == 3
    assert client.get("/v1/brief?project=shop&q=walrus").json()["notes"] == []


def test_health_says_whether_the_store_can_be_read(client, store, monkeypatch) -> None:
    from modicum.memory.model import Unusable

    def broken(*_: object) -> None:
        raise Unusable("it is damaged", remedy="restore a backup")

    assert client.get("/v1/health").json()["status"] == "ok"
    monkeypatch.setattr(store.database, "ask", broken)
    reply = client.get("/v1/health")
    assert (reply.status, reply.json()["remedy"]) == (500, "restore a backup")


def test_what_is_not_there_is_a_problem_with_a_remedy(client) -> None:
    unknown, wrong = client.get("/v1/nope"), client.request("PUT", "/v1/notes")

    assert (unknown.status, unknown.headers["content-type"]) == (404, "application/problem+json")
    assert unknown.json()["remedy"] == "/openapi.json lists the routes"
    assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD, POST")
    assert wrong.json()["remedy"] == "use GET, HEAD, POST"
    assert client.request("HEAD", "/v1/health").status == 200
    assert client.get("/v1/health/").status == 404
    assert client.get("/V1/health").status == 404
    assert client.get("/v1/%68ealth").status == 200


@pytest.mark.parametrize(
    ("url", "detail", "remedy"),
    [
        ("/v1/recall?detial=full", 'there is no parameter "detial"', 'did you mean "detail"?'),
        ("/v1/stats?zzz=1", 'there is no parameter "zzz"', "this route has no parameters"),
        ("/v1/notes/x", '"x" is no note', "give its id, such as n-7kq2m4, or its number, such as 42"),
        (
            "/v1/prompts/" + "9" * 30,
            'id is "' + "9" * 30 + '"',
            "give a whole number from 0 on, of at most 18 digits",
        ),
        ("/v1/timeline", "note is missing", "give the id of a note, as in ?note=n-7kq2m4"),
    ],
)
def test_what_is_asked_wrongly_is_told_in_one_sentence(client, url: str, detail: str, remedy: str) -> None:
    reply = client.get(url)

    assert reply.status == 400
    assert (reply.json()["detail"], reply.json()["remedy"]) == (detail, remedy)


def test_a_body_is_refused_in_one_sentence(client) -> None:
    reply = client.post("/v1/notes", {"titel": "t", "content": "c"})

    assert (reply.status, reply.headers["content-type"]) == (400, "application/problem+json")
    assert reply.json() == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": 'there is no field "titel"',
        "remedy": 'did you mean "title"?',
    }
    assert client.request("DELETE", "/v1/notes/1?hard=maybe").json()["remedy"] == "give true or false"
    client.post("/v1/notes", NOTE)
    assert client.request("PATCH", "/v1/notes/1", "{}").json()["detail"] == "there is nothing to change"


def test_a_route_without_a_body_refuses_a_field_instead_of_passing_over_it(client) -> None:
    note = client.post("/v1/notes", NOTE).json()["id"]

    for method, path, body, remedy in (
        ("DELETE", f"/v1/notes/{note}", '{"hard": true}', "send it as a parameter, as in ?hard=…"),
        ("DELETE", f"/v1/notes/{note}", '{"nonsense": 1}', "send no body: this route reads none"),
        ("PUT", f"/v1/notes/{note}/pin", '{"pinned": false}', "send no body: this route reads none"),
        ("DELETE", f"/v1/notes/{note}", "nonsense", "send one JSON object"),
    ):
        reply = client.request(method, path, body)
        assert (reply.status, remedy in str(reply.json())) == (400, True)
    assert client.get(f"/v1/notes/{note}").json()["title"] == NOTE["title"]
    assert client.request("DELETE", f"/v1/notes/{note}", "{}").status == 200
