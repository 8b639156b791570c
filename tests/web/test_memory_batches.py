"""What the pages of memory change, asked without a browser: it is a person's, one batch each, and can be taken back."""

import json
import sys

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.memory.model import NoteDraft
from modicum.memory.origins import KINDS
from modicum.web.routes import WEB

shared = sys.modules["serving"]
SENT = {"content_type": "application/json"}


@pytest.fixture
def place(world):
    config = load_config()
    store = open_store(config)
    client = shared.opened(HttpApp(store, tables=(V1, WEB), config=config))

    def send(path: str, **body: object):
        reply = client.request("POST", f"/web/{path}", json.dumps(body), user_agent="Mozilla/5.0", **SENT)
        assert reply.status == 200, reply.text
        return reply.json()

    yield store, client, send
    store.close()


def fill(store) -> None:
    agent = store.with_origin("agent:codex")
    for title, text in (
        ("Tax", "Taxes are rounded."),
        ("Stock", "Stock is counted."),
        ("Mail", "Mail waits."),
    ):
        agent.save(NoteDraft(title, text, project="shop"))
    agent.save_waiting(NoteDraft("Doubts", "Fixing tests now.", project="shop"), "it tells what is done now")
    agent.relate(1, 2, "contradicts")
    agent.relate(1, 3)


def state(store) -> list[object]:
    notes = [store.get(number, deleted=True) for number in range(1, 5)]
    return [
        [
            note and (note.title, note.content, note.pinned, bool(note.deleted_at), note.origin)
            for note in notes
        ],
        [edge._replace(created_at="") for edge in store.every_relation()],
        [each.id for each in store.inbox().items],
    ]


ACTIONS = {
    "update": ("memory/change", {"id": 1, "revision": 1, "title": "Taxes", "content": "new", "type": "manual"}),
    "pin": ("memory/pin", {"id": 2, "pinned": True}),
    "relate": ("memory/relate", {"id": 2, "to": "#3", "type": "depends_on"}),
    "unrelate": ("memory/unrelate", {"relation": 2}),
    "merge": ("memory/merge", {"keep": 1, "other": 2, "revisions": [1, 1], "title": "Both", "content": "both"}),
    "delete": ("memory/delete", {"ids": [1, 2, 3]}),
    "verdict": ("review/settle", {"newer": 2, "older": 1, "verdict": "keep-newer"}),
    "accept": ("review/accept", {"ids": [4], "title": "Sure", "content": "Known now.", "type": "manual"}),
    "drop": ("review/drop", {"ids": [4]}),
    "restore": ("memory/restore", {"ids": [4]}),
}  # fmt: skip


@pytest.mark.parametrize("kind", ACTIONS)
def test_an_action_is_one_batch_of_the_page_and_its_undo_gives_back_all(place, kind: str) -> None:
    store, _, send = place
    fill(store)
    before, known = state(store), len(store.log(100))
    path, body = ACTIONS[kind]

    done = send(path, **body)
    log = store.log(100)

    assert len(log) == known + 1
    assert (log[0].batch.kind, log[0].batch.source, log[0].batch.id) == (kind, "web", done["batch"])
    changed = state(store)
    assert changed != before
    undone = send("memory/undo", batch=done["batch"])
    assert undone["said"].startswith(f"Taken back: {kind} (")
    assert state(store) == before
    send("memory/undo", batch=undone["batch"])
    assert state(store) == changed


def test_what_a_page_changes_is_a_persons(place) -> None:
    store, _, send = place
    fill(store)
    send(*ACTIONS["update"][:1], **ACTIONS["update"][1])
    send(*ACTIONS["accept"][:1], **ACTIONS["accept"][1])

    assert [store.get(number).origin for number in (1, 2, 4)] == ["person", "agent:codex", "person"]
    assert store.log(1)[0].batch.source == "web"


def test_an_undo_leaves_and_names_what_was_changed_again(place) -> None:
    store, client, send = place
    fill(store)
    done = send("memory/delete", ids=[1, 2])
    store.restore(2)

    said = send("memory/undo", batch=done["batch"])["said"]
    again = client.request("POST", "/web/memory/undo", json.dumps({"batch": done["batch"]}), **SENT)

    assert (
        said
        == f'Taken back: delete (1 note); changed again since, and left: {store.get(2).public_id} "Stock"'
    )
    assert again.status in (400, 409)
    assert "taken back already" in again.json()["detail"]


def test_notes_are_named_by_their_public_ids_everywhere(place) -> None:
    store, client, send = place
    fill(store)
    names = store.names(range(1, 5))

    shown = client.get(f"/web/memory?note={names[1]}").text
    merge = client.get(f"/web/memory/merge?keep={names[1]}&other={names[2]}")
    send("memory/relate", id=names[2], to=names[3], type="part_of")

    assert f'data-id="{names[1]}" data-number="1"' in shown
    assert f'data-open="{names[2]}"' in shown
    assert "agent codex" in shown
    assert merge.status == 200
    assert f"{names[1]} gets the text below and supersedes {names[2]}" in merge.text
    for page in (shown, merge.text, *(client.get(f"/web/{path}").text for path in ("review", "memory/log"))):
        assert "#1<" not in page
        assert ">#" not in page


def test_origin_and_state_narrow_the_list(place) -> None:
    store, client, _ = place
    fill(store)
    store.with_origin("person").save(NoteDraft("Mine", "own words", project="shop"))
    store.pin(2)
    store.delete(3)

    def listed(query: str) -> list[str]:
        text = client.get(f"/web/memory?part=list&project=*&{query}").text
        return [
            title
            for title in ("Tax", "Stock", "Mail", "Doubts", "Mine")
            if f">{title}<" in text or f"</span> {title}<" in text
        ]

    screen = client.get("/web/memory").text
    assert all(f'<option value="{kind}"' in screen for kind in KINDS)
    assert listed("") == ["Tax", "Stock", "Mine"]
    assert listed("origin=person") == ["Mine"]
    assert listed("origin=agent:codex") == ["Tax", "Stock"]
    assert listed("state=pinned") == ["Stock"]
    assert listed("state=inbox") == ["Doubts"]
    assert listed("state=deleted") == ["Mail"]
    assert listed("state=deleted&origin=person") == []
    assert 'data-act="restore"' in client.get("/web/memory?note=3").text
    assert "It waits in the inbox: it tells what is done now" in client.get("/web/memory?note=4").text


def test_the_log_tells_who_changed_what_and_what_was_taken_back(place) -> None:
    store, client, send = place
    assert "Nothing was changed" in client.get("/web/memory/log").text
    fill(store)
    done = send("memory/delete", ids=[1, 2])
    send("memory/undo", batch=done["batch"])

    text = client.get("/web/memory/log?part=1").text

    assert "2 notes in shop, by web" in text
    assert "taken back" in text
    assert f'data-undo="{done["batch"]}"' not in text
    assert f'data-undo="{done["batch"] + 1}"' in text


def test_the_log_names_what_an_undo_removed_and_the_first_projects(place) -> None:
    store, client, send = place
    store.save_all([NoteDraft(f"Gone {name}", f"{name} is gone", project=name) for name in "abcd"])
    send("memory/undo", batch=1)

    text = client.get("/web/memory/log?part=1").text

    assert text.count("Gone a · Gone b · Gone c") == 2
    assert "in a, b, c and 1 more" in text
    assert "Gone a</a>" not in text


def test_the_review_begins_with_the_inbox_and_ends_with_an_audit(place) -> None:
    store, client, _ = place
    fill(store)
    store.save(NoteDraft("Again", "Taxes are rounded.", project="shop"))

    page = client.get("/web/review?project=shop").text
    audit = client.get("/web/review?project=shop&part=audit").text

    assert page.index("Inbox") < page.index("Contradictions") < page.index("Duplicates")
    assert "it tells what is done now" in page
    assert "1 duplicate; its plan deletes " in audit


def test_the_version_tells_an_open_page_that_something_was_changed(place) -> None:
    store, client, send = place
    fill(store)
    before = client.get("/web/memory/version").json()["version"]
    done = send("memory/pin", id=1, pinned=True)

    after = client.get("/web/memory/version").json()["version"]

    assert before != after == done["version"]


def test_a_person_of_a_team_sees_only_their_own_log_and_inbox(world) -> None:
    secret = world.modicum(
        "team", "token", "new", "anna", "--for", "person", "--projects", "shop", "--json", "--yes"
    ).json["token"]
    config = load_config()
    store = open_store(config)
    client = shared.signed_in(HttpApp(store, tables=(V1, WEB), config=config), secret)
    hidden = store.save(NoteDraft("Walrus", "words of others", project="secret")).id
    waits = store.save_waiting(NoteDraft("Another walrus", "words of others", project="secret"), "why").id
    store.delete(hidden)
    theirs = store.log(1)[0].batch.id

    paths = (
        "memory/log",
        "review?project=*",
        "memory?project=*&state=deleted",
        "memory?project=*&state=inbox",
        f"memory?note={hidden}",
    )
    pages = [client.get(f"/web/{path}") for path in paths]
    bodies = {
        "memory/undo": {"batch": theirs},
        "review/accept": {"ids": [waits]},
        "memory/restore": {"ids": [hidden]},
    }
    refused = [
        client.request("POST", f"/web/{path}", json.dumps(body), content_type="application/json")
        for path, body in bodies.items()
    ]
    still = (store.get(hidden), store.count_inbox())
    store.close()

    assert [page.status for page in pages] == [200] * len(paths)
    assert all("alrus" not in page.text and "words of others" not in page.text for page in pages)
    assert [reply.status for reply in refused] == [404] * 3
    assert still == (None, 1)
