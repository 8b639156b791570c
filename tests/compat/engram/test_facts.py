"""Facts of the reference about what its routes do, as it has them in its own tests."""

import json as jsons

import apsw
import pytest

from modicum.memory.engines.sqlite_packed import add_functions
from modicum.memory.model import NoteDraft, Unusable


@pytest.fixture
def six(client, store, clock):
    store.start_session("s", project="p")
    for number in range(6):
        clock.seconds += 1
        store.save(NoteDraft(f"obs-{number}", f"first line\nLorem ipsum {number}", "decision", "p", "s"))
    return client


def context(client, query: str = "") -> str:
    return client.get(f"/context{query}").json()["context"]


def test_options_at_zero_are_the_text_without_options(six) -> None:
    assert context(six, "?limit=0&compact=0") == context(six) == context(six, "?compact=yes")
    assert "Lorem ipsum" in context(six)


def test_a_compact_context_has_titles_and_no_bodies(six) -> None:
    compact = context(six, "?compact=1")

    assert "Lorem ipsum" not in compact
    assert "- [decision] **obs-5**\n" in compact
    assert len(compact) < len(context(six))


@pytest.mark.parametrize(
    ("query", "number"), [("?limit=2", 2), ("?limit=3&compact=true", 3), ("?limit=-1", 6)]
)
def test_a_limit_caps_the_observations(six, query: str, number: int) -> None:
    told = context(six, query)

    assert told.count("- [decision] **obs-") == number
    assert ("Lorem ipsum" in told) == ("compact" not in query)


def test_one_compact_observation_has_no_body(six) -> None:
    one = context(six, "?limit=1&compact=1")

    assert "**: " not in one
    assert len(one) < len(context(six))


def test_a_personal_context_has_only_what_is_personal(six, store) -> None:
    store.save(NoteDraft("mine", "my own", "preference", "p", "s", scope="personal"))

    told = context(six, "?scope=personal")
    assert "**mine**" in told
    assert "obs-" not in told


@pytest.fixture
def broken(store, tmp_path):
    """Runs a statement on the file behind the store's back."""
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    add_functions(connection)  # which a view calls
    yield connection.execute
    connection.close()


@pytest.mark.parametrize("engine", ["sqlite"])  # whose file can be damaged from outside
@pytest.mark.parametrize("table", ["sessions", "notes", "prompts"])
def test_a_context_of_which_a_part_cannot_be_read_is_an_error(six, broken, table: str) -> None:
    broken(f"ALTER TABLE {table} RENAME TO gone")

    assert six.get("/context").status == 500


def test_what_is_deleted_is_gone_from_every_route(six) -> None:
    deleted = six.request("DELETE", "/observations/3?hard=not-bool").json()

    assert deleted == {"hard_delete": False, "id": 3, "status": "deleted"}
    assert [six.get(path).status for path in ("/observations/3", "/timeline?observation_id=3")] == [404, 404]
    assert 3 not in [each["id"] for each in six.get("/search?q=ipsum").json()]
    assert [each["id"] for each in six.get("/timeline?observation_id=4").json()["before"]] == [1, 2]


def test_a_hard_delete_leaves_nothing(six, store) -> None:
    six.request("DELETE", "/observations/3?hard=true")

    assert store.get(3, deleted=True) is None


def test_an_update_changes_what_it_names_and_empties_project_and_topic(six) -> None:
    six.request("PATCH", "/observations/1", '{"topic_key": "a b"}')
    told = six.request(
        "PATCH", "/observations/1", '{"content": "new", "scope": "personal", "project": "", "topic_key": ""}'
    ).json()

    assert (told["title"], told["content"], told["scope"]) == ("obs-0", "new", "personal")
    assert not {"project", "topic_key"} & told.keys()


def test_what_is_private_is_not_told_and_what_is_long_is_whole(six) -> None:
    note = {"session_id": "s", "title": "Private <private>secret</private> title", "content": "x" * 50_001}
    number = six.post("/observations", note).json()["id"]

    told = six.get(f"/observations/{number}").json()
    assert (told["title"], told["content"]) == ("Private [REDACTED] title", note["content"])


def test_a_search_gives_at_most_twenty_and_is_narrowed_by_type(client, store) -> None:
    kinds = ["bugfix", "decision"]
    store.save_all([NoteDraft(f"t{i}", f"walrus {i}", kinds[i % 2], session_id=f"s{i}") for i in range(50)])

    assert len(client.get("/search?q=walrus&limit=9999").json()) == 20
    assert {each["type"] for each in client.get("/search?q=walrus&type=bugfix").json()} == {"bugfix"}


@pytest.mark.parametrize(
    ("query", "before", "after"),
    [("", [1, 2], [4, 5, 6]), ("&before=1&after=1", [2], [4]), ("&before=0&after=-1", [1, 2], [4, 5, 6])],
)
def test_a_timeline_has_five_neighbours_where_no_number_above_zero_is_asked_for(
    six, query: str, before: list[int], after: list[int]
) -> None:
    told = six.get(f"/timeline?observation_id=3{query}").json()

    assert [[each["id"] for each in told[part]] for part in ("before", "after")] == [before, after]
    assert told["total_in_range"] == 6


@pytest.mark.parametrize("engine", ["sqlite"])  # whose file can be damaged from outside
def test_a_note_whose_session_is_missing_has_a_timeline_of_its_own(client, store, broken) -> None:
    store.save(NoteDraft("lone", "words", session_id="s"))
    broken("PRAGMA foreign_keys = OFF")
    broken("DELETE FROM sessions")

    told = client.get("/timeline?observation_id=1").json()
    assert (told["session_info"], told["total_in_range"], told["before"], told["after"]) == (
        None,
        1,
        None,
        None,
    )


def test_a_session_that_ends_without_a_summary_has_none(six) -> None:
    six.post("/sessions/s/end", {"summary": ""})

    told = six.get("/sessions/s").json()
    assert "ended_at" in told
    assert "summary" not in told


NOTE = {"session_id": "s", "title": "t", "content": "## Learnings\n- a thing that is worth keeping"}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/sessions", {"id": "s", "project": "p"}),
        ("POST", "/sessions/s/end", {}),
        ("POST", "/observations", NOTE),
        ("POST", "/observations/passive", NOTE),
        ("POST", "/prompts", NOTE),
        ("POST", "/import", {"sessions": [], "observations": [], "prompts": []}),
        ("POST", "/projects/migrate", {"old_project": "p", "new_project": "q"}),
        ("DELETE", "/observations/1", None),
    ],
)
def test_a_memory_that_cannot_be_written_is_told_on_every_route(
    six, store, monkeypatch, method, path, body
) -> None:
    def broken(*names: str, **more: object) -> None:
        raise Unusable("it is damaged", remedy="restore a backup")

    monkeypatch.setattr(store.database, "writing", broken)

    heard = six.request(method, path, jsons.dumps(body))
    assert (heard.status, list(heard.json())) == (500, ["error"])


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/context", 500),
        ("/search?q=x", 500),
        ("/sessions/recent", 500),
        ("/observations/recent", 500),
        ("/prompts/recent", 500),
        ("/prompts/search?q=x", 500),
        ("/timeline?observation_id=1", 500),
        ("/export", 500),
        ("/conflicts", 500),
        ("/stats", 200),
        ("/observations/1", 404),
        ("/health", 200),
    ],
)
def test_a_memory_that_cannot_be_read_is_told_as_the_reference_does(
    six, store, monkeypatch, path, status
) -> None:
    def broken(*asked: object) -> None:
        raise Unusable("it is damaged", remedy="restore a backup")

    monkeypatch.setattr(store.database, "reading", broken)

    assert six.get(path).status == status
