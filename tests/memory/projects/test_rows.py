"""The tables of projects, on both engines: what the first use writes down, and what a name means."""

import pytest

from modicum.app.whose import parse_project
from modicum.base.errors import ModicumError
from modicum.memory.model import NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.projects.keys import FolderKeys, word_of
from modicum.memory.store import Store

ACME = FolderKeys(
    "api", "github.com/acme", origin="github.com/acme/api", root="r1", place="m:/w/acme/api", clone="1.1"
)
BETA = FolderKeys(
    "api", "github.com/beta", origin="github.com/beta/api", root="r2", place="m:/w/beta/api", clone="2.2"
)


def entered(store: Store, keys: FolderKeys, root: str = "") -> str:
    return store.enter_project(store.find_project(keys, lambda: root))


def save(store: Store, project: str, text: str = "the walrus sleeps") -> None:
    store.save(NoteDraft(text, text, project=project))


def test_the_first_of_a_name_has_it_as_its_id_and_the_second_its_owner_too(store) -> None:
    assert (entered(store, ACME), entered(store, BETA)) == ("api", "beta/api")
    assert (entered(store, ACME), entered(store, BETA)) == ("api", "beta/api")
    assert (
        entered(
            store,
            BETA._replace(origin="git.corp/beta/api", owner="git.corp/beta", root="", place="", clone=""),
        )
        == "git.corp/beta/api"
    )


def test_a_name_that_has_notes_is_taken(store) -> None:
    save(store, "api")

    assert entered(store, ACME) == "acme/api"
    assert store.projects_meant(store.find_project(ACME, str)) == ("by-name/api",)


def test_people_share_a_project_by_its_origin_and_not_by_a_place(store) -> None:
    mia, ben = store.seen_by(Person("mia")), store.seen_by(Person("ben"))
    plain = FolderKeys("notes", "home", place="m:/home/notes")

    assert entered(mia, ACME) == entered(ben, ACME) == "api"
    assert entered(mia, plain) != entered(ben, plain)


def test_git_is_asked_once_for_a_clone(store) -> None:
    asked = []
    keys = ACME._replace(root="")
    for _ in range(3):
        store.enter_project(store.find_project(keys, lambda: asked.append(1) or "r1"))
    found = store.find_project(keys, lambda: asked.append(1) or "r1")

    assert (len(asked), found.keys.root, found.new) == (1, "r1", ())


def test_a_name_of_two_projects_is_an_error_at_the_edge(store) -> None:
    for keys in (ACME, BETA):
        save(store, entered(store, keys))
    with pytest.raises(ModicumError, match="acme/api, beta/api"):
        parse_project(store, None, "api")

    assert parse_project(store, None, "acme/api") == "api"
    assert parse_project(store, None, "github.com/beta/api") == "beta/api"
    assert parse_project(store, None, "*") == parse_project(store, None, "") == ""
    assert parse_project(store, None, "shop") == "shop"


def test_who_may_see_one_project_is_told_nothing_of_the_other(store) -> None:
    for keys in (ACME, BETA):
        save(store, entered(store, keys))
    guest = store.seen_by(Person("guest", ("beta/api",)))

    assert parse_project(guest, None, "api") == "beta/api"
    assert guest.shown_projects() == {"beta/api": "api"}
    fork = FolderKeys("fork", "me", origin="github.com/me/fork", root="r1")
    assert guest.projects_meant(guest.find_project(fork, str)) == ()
    assert store.projects_meant(store.find_project(fork, str)) == ("acme/api",)


def test_a_hook_s_word_finds_the_project_of_its_folder_on_a_server(store) -> None:
    for keys in (ACME, BETA):
        save(store, parse_project(store, None, word_of(keys), writing=True), keys.owner)

    assert parse_project(store, None, word_of(ACME)) == "api"
    assert parse_project(store, None, word_of(BETA)) == "beta/api"
    evil = word_of(FolderKeys("api", "github.com/evil", origin="github.com/evil/api"))
    assert store.count(Query(project=parse_project(store, None, evil))) == 0
    with pytest.raises(ModicumError):
        parse_project(store, None, "folder:name=")


def test_reading_makes_no_project(store) -> None:
    assert parse_project(store, None, word_of(ACME)) == "api"
    assert not store.find_project(ACME, str).id


def test_a_merge_takes_the_keys_along_and_a_rename_keeps_them(store) -> None:
    for keys in (ACME, BETA):
        save(store, entered(store, keys), keys.owner)
    store.merge_projects(["beta/api"], "api")
    assert store.find_project(BETA, str).id == "api"
    store.rename_project("api", "shop")

    assert store.find_project(ACME, str).id == store.find_project(BETA, str).id == "shop"
    assert store.count(Query(project="shop")) == 2


def test_whoever_may_only_read_writes_no_keys(store) -> None:
    reader = store.seen_by(Person("reader", read_only=True))

    with pytest.raises(ModicumError):
        reader.enter_project(reader.find_project(ACME, str))
    assert parse_project(reader, None, word_of(ACME)) == "api"


def test_a_name_with_anything_in_it_is_harmless(store) -> None:
    for name in ("%", "_", "api' OR 1=1 --", "\0", "\ud800", "a" * 5000, "名前", "/", "//", "by-name/"):
        assert store.projects_named(name) == ()
    odd = FolderKeys("名前", "h/%", origin="h/%/名前", place="m:/w/\ud800", clone="1")
    assert entered(store, odd) == entered(store, odd)


def test_an_archive_names_its_projects_by_their_keys(store, make_store) -> None:
    for keys in (ACME, BETA):
        save(store, entered(store, keys), f"a note of {keys.owner}")
    save(store, "docs", "a note by a name")
    archive, other = store.export(), make_store("elsewhere")
    assert [key for key in archive.keys if key.kind == "place"] == []
    assert entered(other, BETA) == "api"

    other.take_in(archive)
    other.take_in(archive)

    titles = {
        name: [note.title for note in other.recent(Query(project=other.find_project(keys, str).id)).items]
        for name, keys in (("acme", ACME), ("beta", BETA))
    }
    assert titles == {"acme": ["a note of github.com/acme"], "beta": ["a note of github.com/beta"]}
    assert [note.title for note in other.recent(Query(project="docs")).items] == ["a note by a name"]
