"""The screens of memory, asked without a browser: who sees what, odd requests, and pages of many notes."""

import json
import re
import sys

import pytest

from modicum.app.answer.cursor import read_cursor
from modicum.app.memory.notes import open_store
from modicum.app.session.seen_notes import remember_seen
from modicum.app.whose import project_of
from modicum.base.config import load_config
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.memory.model import NOTE_TYPES, NoteDraft
from modicum.web.routes import WEB

shared = sys.modules["serving"]
SENT = {"content_type": "application/json"}


@pytest.fixture
def place(world):
    config = load_config()
    store = open_store(config)
    yield store, shared.opened(HttpApp(store, tables=(V1, WEB), config=config)), config
    store.close()


def titles(text: str) -> list[str]:
    return [
        found.strip() for found in re.findall(r'<a href="/web/memory\?[^>]*note=n-\w+"[^>]*>(.*?)</a>', text)
    ]


@pytest.mark.parametrize(
    ("path", "items"),
    [
        ("memory?project=p", 70),
        ("memory?project=p&q=text", 70),
        ("memory?project=p&state=pinned", 70),
        ("memory/sessions?project=p", 71),  # with the one of the notes,
    ],
)
def test_every_list_has_the_cursors_of_all_doors_and_refuses_those_of_another_list(
    place, path: str, items: int
) -> None:
    store, client, _ = place
    store.save_all([NoteDraft(f"note {n}", f"text {n}", project="p") for n in range(70)])
    for number in range(1, 71):
        store.pin(number)
        store.start_session(f"s{number}", project="p")

    cursors, address, shown = [], path, 0
    while address:
        text = client.get(f"/web/{address}").text
        shown += len(re.findall(r'<a href="/web/memory\?[^"]*note=n-|<li class="session"', text))
        found = re.search(r'href="/web/([^"]*cursor=([^"]*))"[^>]*>(?:Next page|Earlier)', text)
        cursors += [found[2]] if found else []
        address = found[1].replace("&amp;", "&") if found else ""

    assert shown == items
    assert [read_cursor(word).shown for word in cursors] == sorted(
        {read_cursor(word).shown for word in cursors}
    )
    assert client.get(f"/web/{path.replace('=p', '=q')}&cursor={cursors[0]}").status == 400


def test_the_types_of_notes_are_proposed_with_what_each_is_for(place) -> None:
    store, client, _ = place
    number = store.save(NoteDraft("a note", "text", "bugfix", "p")).id

    text = client.get(f"/web/memory?project=p&note={number}").text

    proposed = re.search(r'<datalist id="note-types">(.*?)</datalist>', text)
    assert proposed
    assert dict(re.findall(r'<option value="(\w+)">(.*?)</option>', proposed[1])) == NOTE_TYPES
    assert f'<option value="bugfix" title="{NOTE_TYPES["bugfix"]}">' in text
    assert f'<span title="{NOTE_TYPES["bugfix"]}">bugfix</span>' in text


@pytest.mark.parametrize("name", ["scope", "namespace", "session"])
def test_a_filter_that_only_an_address_gives_is_shown_to_be_let_go(place, name: str) -> None:
    text = place[1].get(f"/web/memory?project=p&{name}=global").text

    assert f'<input type="checkbox" name="{name}" value="global" checked>' in text
    assert "Nothing is found" in text


def test_an_empty_memory_says_what_to_do(place) -> None:
    _, client, _ = place

    pages = [client.get(path) for path in ("/web/memory", "/web/memory/sessions", "/web/review")]

    assert [page.status for page in pages] == [200, 200, 200]
    for page, words in zip(
        pages, ("There are no notes yet", "There are no sessions yet", "Nothing waits"), strict=True
    ):
        assert words in page.text


def test_filters_and_pages_lead_through_all_notes(place) -> None:
    store, client, _ = place
    store.save_all(
        [NoteDraft(f"note {n}", f"text {n}", "decision" if n % 2 else "bugfix", "p") for n in range(70)]
    )
    store.save(NoteDraft("elsewhere", "text", project="other"))

    seen, address = [], "/web/memory?part=list&project=p&type=decision"
    while address:
        text = client.get(address).text
        seen += titles(text)
        found = re.search(r'href="(/web/memory\?[^"]*cursor=[^"]*)" data-page>Next', text)
        address = found[1].replace("&amp;", "&") + "&part=list" if found else ""

    assert seen == [f"note {n}" for n in range(69, 0, -2)]
    assert "elsewhere" in client.get("/web/memory?part=list&project=*").text
    assert titles(client.get("/web/memory?part=list&project=*&since=2999-01-01").text) == []


def test_the_project_of_the_server_is_shown_first_if_it_has_notes(place) -> None:
    store, client, config = place
    mine = project_of(store, config, writing=True)
    store.save_all([NoteDraft("mine", "text", project=mine), NoteDraft("other", "text", project="other")])

    assert titles(client.get("/web/memory?part=list").text) == ["mine"]


def test_a_note_tells_to_which_sessions_it_was_shown(place) -> None:
    store, client, config = place
    number = store.save(NoteDraft("a", "b")).id
    remember_seen(str(config.data), "morning", (number,), anew=True)

    assert "<code>morning</code>" in client.get(f"/web/memory?note={number}").text
    assert "morning" not in client.get("/web/memory").text


def test_a_person_of_a_team_sees_and_changes_only_their_projects(world) -> None:
    secret = world.modicum(
        "team", "token", "new", "anna", "--for", "person", "--projects", "shop", "--json", "--yes"
    ).json["token"]
    config = load_config()
    store = open_store(config)
    client = shared.signed_in(HttpApp(store, tables=(V1, WEB), config=config), secret)
    own = store.save(NoteDraft("for anna", "text for anna", project="shop")).id
    hidden = store.save(NoteDraft("hidden", "words of others", project="secret")).id
    store.relate(
        store.save(NoteDraft("x", "words of others too", project="secret")).id, hidden, "contradicts"
    )
    remember_seen(str(config.data), "of-the-owner", (own,), anew=True)

    paths = (
        "/web/memory?project=*",
        "/web/memory?q=words&project=*",
        f"/web/memory?note={hidden}",
        "/web/review?project=*",
    )
    paths += (
        "/web/memory/sessions?project=*",
        "/web/memory/session-start?project=secret",
        f"/web/memory?note={own}",
    )
    pages = [client.get(path) for path in paths]
    merge = client.get(f"/web/memory/merge?keep={own}&other={hidden}")
    body = json.dumps({"ids": [hidden]})
    deleted = client.request("POST", "/web/memory/delete", body, content_type="application/json")
    alive = store.get(hidden)
    store.close()

    assert [page.status for page in pages] == [200] * len(paths)
    assert all("words of others" not in page.text and ">hidden<" not in page.text for page in pages)
    assert "secret" not in pages[0].text
    assert "of-the-owner" not in pages[-1].text
    assert "for anna" in pages[0].text
    assert (merge.status, deleted.status, alive is not None) == (404, 404, True)


def test_odd_requests_get_one_clear_sentence(place) -> None:
    store, client, _ = place
    store.save(NoteDraft("a", "b"))

    for query in (
        "?note=x",
        "?since=yesterday",
        "?state=gone",
        "?origin=nobody",
        "?state=deleted&cursor=zzz",
        "?cursor=zzz",
        "/merge?keep=1&other=1",
        "/session-start?agent=nobody",
    ):
        assert client.get(f"/web/memory{query}").status == 400, query
    assert client.get("/web/memory/merge?keep=1&other=2").status == 404
    assert client.get("/web/memory?note=99").status == 200
    for path, body in {
        "memory/change": {"id": 1, "revision": 1, "title": "", "content": "x", "type": "manual"},
        "memory/pin": {"id": "1", "pinned": "yes"},
        "memory/relate ": {"id": "1", "to": "n-zzzzzzzz"},
        "memory/relate": {"id": 1, "to": 1},
        "memory/delete": {"ids": []},
        "memory/restore": {"ids": []},
        "memory/undo": {"batch": 0},
        "review/accept": {"ids": [1]},
        "review/drop": {"ids": ["x" * 1000]},
        "memory/unrelate": {"relation": 10**30},
        "memory/merge": {"keep": 1, "other": -2, "revisions": [1, 1], "title": "x", "content": "y"},
        "review/settle": {"newer": 1, "older": 2, "verdict": "shrug"},
    }.items():
        reply = client.request("POST", f"/web/{path.strip()}", json.dumps(body), **SENT)
        assert 400 <= reply.status < 500, path
        assert reply.json()["remedy"], path


def test_a_change_of_what_somebody_else_has_changed_is_refused(place) -> None:
    store, client, _ = place
    number = store.save(NoteDraft("a", "one")).id
    body = {"id": number, "revision": 1, "title": "a", "content": "two", "type": "manual"}

    first, second = (client.request("POST", "/web/memory/change", json.dumps(body), **SENT) for _ in range(2))

    assert first.status == 200
    assert "changed in the meantime" in second.json()["detail"]
    assert len(store.history(number)) == 2


def test_a_huge_note_is_shown_in_part_and_cannot_be_cut_by_an_edit(place) -> None:
    store, client, _ = place
    number = store.save(NoteDraft("huge", "word " * 400_000)).id

    page = client.get(f"/web/memory?note={number}")

    assert len(page.text) < 150_000
    assert "1,939,999 more characters" in page.text
    assert 'data-act="edit" disabled' in page.text


def test_two_at_once_delete_and_settle_and_each_is_told_something_clear(place) -> None:
    store, client, _ = place
    one, two = (store.save(NoteDraft(title, f"{title} text")).id for title in ("a", "b"))
    delete = json.dumps({"ids": [one]})
    verdict = json.dumps({"newer": two, "older": one, "verdict": "keep-newer"})

    first, again = (client.request("POST", "/web/memory/delete", delete, **SENT) for _ in range(2))
    late = client.request("POST", "/web/review/settle", verdict, **SENT)

    assert (first.status, again.status, late.status) == (200, 404, 404)
    assert "gone already" in again.json()["detail"]
