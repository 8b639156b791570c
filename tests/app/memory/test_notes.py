"""Keeping and looking at notes, on a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.app.memory.notes import (
    delete_notes,
    look,
    open_store,
    relate,
    relation_type,
    save,
    unrelate,
    with_title,
)
from modicum.base.config import load_config
from modicum.base.errors import Remedy, WrongUsage
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, NotFound, SaveOutcome
from modicum.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield found
    found.close()


def test_a_store_is_opened_where_modicum_keeps_its_data(tmp_path: Path) -> None:
    config = load_config({"MODICUM_HOME": str(tmp_path / "m"), "HOME": str(tmp_path)}, tmp_path)
    store = open_store(config)
    store.save(NoteDraft("a", "b"))
    store.close()

    assert (tmp_path / "m" / "memory.db").exists()


def test_a_note_is_kept_with_advice(store: Store) -> None:
    kept = save(store, NoteDraft("Auth Model", "We use JWT.", "architecture", "Engram"))

    assert (kept.saved.id, kept.saved.outcome) == (1, SaveOutcome.CREATED)
    assert kept.suggested_topic == "architecture/auth-model"
    assert kept.remarks == ('The project "Engram" is kept as "engram".',)


@pytest.mark.parametrize("text", ["password: Hunter2hunter2hunter2", "<private>mine</private> and yours"])
def test_what_was_taken_out_of_a_note_is_told(store: Store, text: str) -> None:
    assert save(store, NoteDraft("a", text)).remarks == (
        "What is private or looks like a secret was taken out.",
    )
    assert save(store, NoteDraft("b", "It said [REDACTED].")).remarks == ()


def test_a_new_project_that_looks_like_another_is_remarked_on_once(store: Store) -> None:
    save(store, NoteDraft("a", "b", project="engram"))

    assert save(store, NoteDraft("c", "d", project="engam")).remarks == (
        '"engam" is a new project. Did you mean "engram"?',
    )
    assert save(store, NoteDraft("e", "f", project="engam", topic_key="t"))[1:] == (
        (3, "created", 0, ""),
        "",
        (),
    )


def test_a_look_shows_all_that_hangs_on_a_note(store: Store) -> None:
    store.save_all([NoteDraft("a", "b", topic_key="t"), NoteDraft("c", "d")])
    store.save(NoteDraft("a2", "b2", topic_key="t"))
    store.relate(1, 2)

    found = look(store, 1, depth=1)

    assert (found.note.title, [revision.title for revision in found.history]) == ("a2", ["a2", "a"])
    assert [near.note.id for near in found.neighbours] == [2]
    assert look(store, 1).neighbours == ()
    with pytest.raises(NotFound):
        look(store, 9)


def test_a_confirmation_has_nothing_that_a_terminal_would_obey(store: Store) -> None:
    note = save(store, NoteDraft("green \x1b[32mlight\x1b[0m\x07", "text")).note

    assert with_title(note) == f'{note.public_id} "green [32mlight[0m"'


def test_notes_are_deleted_all_or_none_and_one_that_is_gone_is_named(store: Store) -> None:
    one, gone = (save(store, NoteDraft(title, "text")).note for title in ("one", "two"))
    delete_notes(store, [gone])

    with pytest.raises(NotFound) as error:
        delete_notes(store, [one, gone])

    assert (error.value.message, error.value.remedy) == (
        f"there is no note {gone.public_id}",
        Remedy("note.find"),
    )
    assert store.get(one.id) == one
    assert delete_notes(store, [gone], hard=True)[0].id == gone.id
    assert store.get(gone.id, deleted=True) is None


@pytest.mark.parametrize(
    ("given", "kept"), [("", "relates_to"), (" Depends-On ", "depends_on"), ("part of", "part_of")]
)
def test_a_type_of_relations_is_one_of_the_known_ones(given, kept) -> None:
    assert relation_type(given) == kept


@pytest.mark.parametrize(
    ("given", "remedy"),
    [("supersede", 'did you mean "supersedes"?'), ("likes", "use one of: relates_to, supersedes")],
)
def test_an_unknown_type_of_relations_is_refused_with_the_nearest(given, remedy) -> None:
    with pytest.raises(WrongUsage, match="is no type of relations") as caught:
        relation_type(given)

    assert str(caught.value.remedy).startswith(remedy)


def test_relations_between_two_notes_are_removed(store: Store) -> None:
    for title in ("a", "b", "c"):
        store.save(NoteDraft(title, f"text of {title}"))
    relate(store, 1, 2, both=True)
    relate(store, 1, 2, "supersedes")
    relate(store, 1, 3)

    assert [edge.type for edge in unrelate(store, 2, 1, "supersedes")] == ["supersedes"]
    assert len(unrelate(store, 1, 2)) == 2
    assert [edge.to_id for edge in store.relations(1)] == [3]
    with pytest.raises(
        NotFound, match="{} and {} have no such relation".format(*store.names((1, 2)).values())
    ):
        unrelate(store, 1, 2)
