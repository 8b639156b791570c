"""engram's routes for projects: the one of a folder, and what has none."""

from pathlib import Path

import pytest

from modicum.http.guard import Guard
from modicum.memory.model import NoteDraft

KEY = "secret"


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


def test_whoever_comes_with_a_token_learns_nothing_about_the_folders_of_the_server(
    client, make_app, tmp_path
) -> None:
    (tmp_path / "My-Shop" / ".git").mkdir(parents=True)
    client.app = make_app(guard=Guard(token=KEY))
    there, gone = (
        client.get(f"/project/current?cwd={folder}", authorization=f"Bearer {KEY}").json()
        for folder in (f"{tmp_path}/My-Shop/src", f"{tmp_path}/Nowhere/src")
    )

    assert there == {**gone, "cwd": f"{tmp_path}/My-Shop/src", "project_path": f"{tmp_path}/My-Shop/src"}
    assert there["project"] == "src"
    assert client.get("/project/current", authorization=f"Bearer {KEY}").json()["cwd"] == ""


RESCUE = "/projects/rescue-ownership"


@pytest.fixture
def rescuer(client, store, make_app):
    """Asks for a rescue with the token of the server."""
    client.app = make_app(guard=Guard(token=KEY))
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


def test_a_rescue_needs_a_server_with_a_token(rescuer, client, store, make_app) -> None:
    body = {"target_project": "shop", "confirmed": True, "observation_ids": [1]}
    assert client.post(RESCUE, body).status == 401
    client.app = make_app()

    heard = client.post(RESCUE, body)
    assert (heard.status, heard.json()) == (503, {"error": "server authorization is not configured"})
    assert store.get(1).project == ""
