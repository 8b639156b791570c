"""engram's routes for conflicts, answered from the relations that memory has."""

import pytest

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


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/review"),
        ("POST", "/review/mark_reviewed"),
        ("POST", "/conflicts/judge"),
        ("POST", "/conflicts/deferred/replay"),
    ],
)
def test_there_is_no_route_for_a_state_that_memory_does_not_keep(client, method: str, path: str) -> None:
    assert client.request(method, path, "{}").status in (404, 405)


def test_half_a_surrogate_pair_in_a_verdict_becomes_a_mark(client, store, pair) -> None:
    body = {"memory_id_a": pair[0], "memory_id_b": pair[1], **VERDICT, "reasoning": "half \ud800"}

    assert client.post("/conflicts/compare", body).status == 200
    assert store.relations(pair[0])[0].note == "half \ufffd (confidence 0.9)"
    assert client.post("/conflicts/scan", {"project": "half \udfff"}).json()["inspected"] == 0


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
