"""engram's later routes, answered from what memory knows."""

from pathlib import Path

import pytest

from modicum.http.guard import Guard
from modicum.http.server import HttpApp
from modicum.memory.model import NoteDraft


@pytest.fixture
def pair(store) -> tuple[int, int]:
    drafts = [NoteDraft("Use Redis for sessions", "It is fast.", project="shop", session_id="s")]
    drafts += [NoteDraft("Use SQLite for sessions", "Redis was too much.", project="shop", session_id="s")]
    one, other = store.save_all(drafts)
    return one.id, other.id


VERDICT = {"relation": "conflicts_with", "confidence": 0.9, "reasoning": "both cannot be"}


def test_a_verdict_is_kept_as_a_relation_and_told_as_a_judged_conflict(client, store, pair) -> None:
    one, other = pair
    kept = client.post("/conflicts/compare", {"memory_id_a": one, "memory_id_b": other, **VERDICT})

    assert (kept.status, kept.body) == (200, b'{"sync_id":"rel-1"}\n')
    (edge,) = store.relations(one)
    assert (edge.type, edge.note) == ("contradicts", "both cannot be (confidence 0.9)")
    told = client.get("/conflicts?project=shop").json()
    assert list(told) == ["limit", "offset", "relations", "total"]
    assert told["relations"] == [
        {
            "id": 1,
            "sync_id": "rel-1",
            "relation": "conflicts_with",
            "judgment_status": "judged",
            "source_id": store.get(one).sync_id,
            "source_title": "Use Redis for sessions",
            "target_id": store.get(other).sync_id,
            "target_title": "Use SQLite for sessions",
            "created_at": "2026-04-07 10:00:00",
            "updated_at": "2026-04-07 10:00:00",
        }
    ]


def test_the_same_verdict_twice_is_one_relation(client, store, pair) -> None:
    body = {"memory_id_a": pair[0], "memory_id_b": pair[1], **VERDICT}
    replies = [client.post("/conflicts/compare", body).body for _ in range(2)]

    assert replies[0] == replies[1]
    assert len(store.relations(pair[0])) == 1


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"memory_id_a": 0}, 400, "memory_id_a is required"),
        ({"memory_id_b": 99}, 404, "observation id=99 not found: sql: no rows in result set"),
        ({"relation": ""}, 400, "relation is required"),
        ({"reasoning": " "}, 400, "reasoning is required"),
        ({"confidence": None}, 400, "confidence is required"),
        ({"confidence": 1.5}, 400, "confidence must be between 0.0 and 1.0"),
        ({"confidence": "much"}, 400, None),
        ({"memory_id_a": "1"}, 400, None),
        ({"relation": "hates"}, 400, None),
        ({"relation": 3}, 400, None),
    ],
)
def test_a_verdict_that_is_not_whole_is_refused(client, store, pair, change, status, error) -> None:
    body = {"memory_id_a": pair[0], "memory_id_b": pair[1], **VERDICT, **change}
    heard = client.post("/conflicts/compare", body)

    assert heard.status == status
    assert error is None or heard.json() == {"error": error}
    assert store.relations(pair[0]) == ()


def test_notes_of_two_projects_are_not_compared(client, store, pair) -> None:
    far = store.save(NoteDraft("Elsewhere", "x", project="other", session_id="o")).id
    heard = client.post("/conflicts/compare", {"memory_id_a": pair[0], "memory_id_b": far, **VERDICT})

    assert heard.status == 400


def test_relations_are_counted_paged_and_told_one_by_one(client, store, pair) -> None:
    store.relate(*pair, "supersedes")
    store.relate(*pair)

    stats = client.get("/conflicts/stats").json()
    assert stats["by_relation"] == {"related": 1, "supersedes": 1}
    assert stats["by_judgment_status"] == {"judged": 2}
    page = client.get("/conflicts?limit=1&offset=1").json()
    assert ([each["relation"] for each in page["relations"]], page["total"]) == (["supersedes"], 2)
    assert client.get("/conflicts?status=pending").json()["total"] == 0
    assert client.get("/conflicts?project=other").json()["total"] == 0
    assert client.get("/conflicts?since=2030-01-01T00:00:00Z").json()["total"] == 0
    one = client.get("/conflicts/2").json()
    assert (one["relation_id"], one["target_snippet"]) == (2, "Use SQLite for sessions")


@pytest.mark.parametrize(
    ("path", "status"), [("/conflicts/99", 404), ("/conflicts/x", 400), ("/conflicts?since=soon", 400)]
)
def test_what_is_asked_wrongly_is_told_in_the_reference_s_shape(client, path: str, status: int) -> None:
    heard = client.get(path)

    assert (heard.status, list(heard.json())) == (status, ["error"])


def test_nothing_is_pending_due_or_waiting(client, pair) -> None:
    assert client.get("/review").body == b'{"count":0,"observations":[]}\n'
    assert client.get("/conflicts/deferred").body == b'{"limit":50,"rows":[],"total":0}\n'
    replayed = client.post("/conflicts/deferred/replay", {})
    assert replayed.body == b'{"dead":0,"failed":0,"retried":0,"succeeded":0}\n'
    judged = client.post("/conflicts/judge", {"judgment_id": "rel-1", "relation": "related"})
    assert judged.status == 400
    assert "compare" in judged.json()["error"]
    assert client.post("/conflicts/judge", {"judgment_id": "rel-1"}).json()["error"] == "relation is required"


def test_a_note_that_was_reviewed_is_told_again(client, store, pair) -> None:
    heard = client.post("/review/mark_reviewed", {"observation_id": pair[0]})

    assert heard.json() == {
        "id": pair[0],
        "project": "shop",
        "state": "active",
        "sync_id": store.get(pair[0]).sync_id,
        "title": "Use Redis for sessions",
        "type": "manual",
    }
    assert client.post("/review/mark_reviewed", {"id": 99}).status == 404
    assert client.post("/review/mark_reviewed", {}).json() == {"error": "observation_id is required"}
    assert client.request("POST", "/review/mark_reviewed", "[1]").status == 400
    assert client.request("POST", "/review/mark_reviewed", "null").status == 400


def test_a_scan_counts_pairs_and_keeps_none(client, store, pair) -> None:
    found = client.post("/conflicts/scan", {"project": "shop", "apply": True}).json()

    assert (found["inspected"], found["candidates_found"], found["already_related"]) == (2, 1, 0)
    assert (found["inserted"], found["dry_run"]) == (0, True)
    assert store.relations(pair[0]) == ()
    store.relate(*pair)
    assert client.post("/conflicts/scan", {"project": "shop"}).json()["already_related"] == 1
    assert client.post("/conflicts/scan", {}).json() == {"error": "project is required"}


def test_the_doctor_says_that_the_file_is_whole(client, store, pair) -> None:
    assert client.get("/doctor").json()["status"] == "ok"


def test_the_current_project_is_that_of_the_folder(client, tmp_path) -> None:
    (tmp_path / "My-Shop" / ".git").mkdir(parents=True)
    (tmp_path / "My-Shop" / "src").mkdir()
    told = client.get(f"/project/current?cwd={tmp_path}/My-Shop/src").json()

    assert told == {
        "available_projects": [],
        "cwd": f"{tmp_path}/My-Shop/src",
        "project": "my-shop",
        "project_path": f"{tmp_path}/My-Shop",
        "project_source": "git_root",
    }
    (tmp_path / "My-Shop" / ".git" / "config").write_text(
        '[remote "origin"]\nurl = git@x.org:mia/Store.git\n'
    )
    told = client.get(f"/project/current?cwd={tmp_path}/My-Shop/src").json()
    assert (told["project"], told["project_source"]) == ("store", "git_remote")
    for odd in ("%00", "/%00", "somewhere", "/" + "a" * 300):
        assert client.get(f"/project/current?cwd={odd}").json()["project_source"] == "dir_basename"
    assert client.get("/project/current").json()["cwd"] == str(Path.cwd())


RESCUE = "/projects/rescue-ownership"
KEY = "secret"


@pytest.fixture
def rescuer(client, store):
    """Asks for a rescue with the token of the server."""
    client.door = HttpApp(store, Guard(token=KEY))
    store.start_session("old")
    store.save(NoteDraft("Lost", "words", session_id="old"))
    store.add_prompt("why?", session_id="old")
    store.save(NoteDraft("Theirs", "words", project="other", session_id="theirs"))
    return lambda body: client.post(RESCUE, body, authorization=f"Bearer {KEY}")


def test_what_has_no_project_is_brought_into_one(rescuer, store) -> None:
    body = {"target_project": "Shop", "confirmed": True, "observation_ids": [1], "prompt_ids": [1]}

    assert rescuer(body).body == (
        b'{"blocked":[],"complete":true,"conflicting_records":0,"journaled_local":false,'
        b'"reconciliation_status":"background sync is not configured","rescued_observations":1,"rescued_prompts":1,'
        b'"rescued_sessions":1,"skipped_records":0,"status":"rescued","target_project":"shop"}\n'
    )
    assert (store.get(1).project, store.session("old").project) == ("shop", "shop")
    assert rescuer(body).json()["skipped_records"] == 2


def test_what_is_left_behind_is_named(rescuer, store) -> None:
    body = {
        "target_project": "shop",
        "confirmed": True,
        "observation_ids": [2, 9],
        "session_ids": ["old", "half \ud800 \0"],
    }
    told = rescuer(body).json()

    assert (told["status"], told["complete"], told["rescued_sessions"]) == ("partially_rescued", False, 1)
    assert (told["conflicting_records"], told["skipped_records"]) == (1, 2)
    assert told["blocked"] == [
        {"kind": "session", "id": "half \ufffd \ufffd", "reason": "missing", "owned_by": ""},
        {"kind": "observation", "id": "2", "reason": "owned_by_other_project", "owned_by": "other"},
        {"kind": "observation", "id": "9", "reason": "missing", "owned_by": ""},
    ]
    assert store.get(2).project == "other"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"target_project": " "}, "target_project is required"),
        ({"confirmed": False}, "confirmed must be true"),
        ({"observation_ids": []}, "invalid ownership rescue request"),
        ({"observation_ids": [0]}, "invalid ownership rescue request"),
        ({"session_ids": [" "]}, "invalid ownership rescue request"),
        ({"confirmed": "yes"}, "invalid JSON"),
        ({"observation_ids": 1}, "invalid JSON"),
        ({"observation_ids": ["1"]}, "invalid JSON"),
        ({"session_ids": [1]}, "invalid JSON"),
        ({"target_project": "x" * 8192}, "invalid JSON"),
    ],
)
def test_a_rescue_that_is_not_meant_moves_nothing(rescuer, store, change, error: str) -> None:
    heard = rescuer({"target_project": "shop", "confirmed": True, "observation_ids": [1], **change})

    assert (heard.status, heard.json()["error"].partition(":")[0]) == (400, error)
    assert store.get(1).project == ""


def test_a_rescue_needs_a_server_with_a_token(rescuer, client, store) -> None:
    body = {"target_project": "shop", "confirmed": True, "observation_ids": [1]}
    assert client.post(RESCUE, body).status == 401
    client.door = HttpApp(store)

    heard = client.post(RESCUE, body)
    assert (heard.status, heard.json()) == (503, {"error": "server authorization is not configured"})
    assert store.get(1).project == ""
