"""Notes that are meant for every project, as a project sees them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.app.answer.amount import parse_amount
from modicum.app.answer.answer import answer
from modicum.app.memory.recall import RecallCounts, recall, search
from modicum.engine.page import Fate
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store

AMOUNT = parse_amount()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield found
    found.close()


def _far_and_near(store) -> dict[str, int]:
    drafts = {
        "here": NoteDraft("Deploys", "Deploys of the shop run on Mondays.", project="shop"),
        "mine": NoteDraft("Shop rule", "Deploys need a second pair of eyes.", project="shop", scope="global"),
        "rule": NoteDraft(
            "House rule", "Deploys need two reviewers everywhere.", project="infra", scope="global"
        ),
        "other": NoteDraft("Elsewhere", "Deploys of the docs run on Tuesdays.", project="docs"),
        "own": NoteDraft("Habit", "I like deploys in the morning.", project="docs", scope="personal"),
    }
    return {name: store.save(draft).id for name, draft in drafts.items()}


def key_of(store, number: int) -> str:
    return f"note:{store.names([number])[number]}"


def test_a_project_sees_what_is_meant_for_every_project(store) -> None:
    ids = _far_and_near(store)
    seen = {key_of(store, ids[name]) for name in ("here", "mine", "rule")}

    found = answer(search(store, "deploys", Query(project="shop", limit=0), AMOUNT), AMOUNT)
    told = answer(recall(store, Query(project="shop", limit=0), AMOUNT), AMOUNT)

    assert set(found.page.fates) == seen
    assert found.total == 3
    assert {key for key in told.page.fates if key.startswith("note")} == seen
    assert f"### For every project\n- {store.names([3])[3]} " in told.page.text


def test_who_names_a_scope_gets_that_scope_of_the_project_alone(store) -> None:
    ids = _far_and_near(store)
    query = Query(project="shop", scope="global", limit=0)

    found = answer(search(store, "deploys", query, AMOUNT), AMOUNT)

    assert set(found.page.fates) == {key_of(store, ids["mine"])}
    assert key_of(store, ids["rule"]) not in answer(recall(store, query, AMOUNT), AMOUNT).page.fates


def test_pages_of_a_project_and_of_what_is_global_are_everything_once(store) -> None:
    ids = _far_and_near(store)
    for number in range(6):
        store.save(NoteDraft(f"Rule {number}", f"Deploys rule {number}.", project="infra", scope="global"))
    wanted = 3 + 6
    small, query = parse_amount(detail="summary", max_tokens="40", limit="2"), Query(project="shop")
    for read in (
        lambda amount: search(store, "deploys", query, amount),
        lambda amount: recall(store, query, amount, RecallCounts(0, 0, 0)),
    ):
        seen: list[str] = []
        cursor = ""
        for _ in range(30):
            amount = small._replace(cursor=cursor)
            page = answer(read(amount), amount)
            assert page.total == wanted
            seen += [key for key, fate in page.page.fates.items() if fate in (Fate.SHOWN, Fate.SHORTENED)]
            if not (cursor := page.next):
                break
        assert len(seen) == len(set(seen)) == wanted
        assert key_of(store, ids["other"]) not in seen


def test_many_matches_of_a_project_and_of_what_is_global_are_counted_once(store, monkeypatch) -> None:
    monkeypatch.setattr("modicum.memory.find.search.HITS", 3)
    drafts = [
        NoteDraft(f"n{i}", f"deploys {i}", project="shop", scope=("project", "global")[i % 2])
        for i in range(12)
    ]
    drafts += [NoteDraft(f"g{i}", f"deploys of all {i}", project="infra", scope="global") for i in range(8)]
    store.save_all(drafts)
    asked = Query(project="shop", limit=7, everywhere=True)
    seen: list[int] = []
    while True:
        found = store.search("deploys", asked)
        assert found.total == 20
        seen += [hit.note.id for hit in found.items]
        if not found.next:
            break
        asked = asked._replace(cursor=found.next)

    assert sorted(seen) == list(range(1, 21))
    phrases = store.search('"deploys of all"', Query(project="shop", limit=3, everywhere=True))
    assert phrases.total == 8
