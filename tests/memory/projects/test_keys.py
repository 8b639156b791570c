"""Which project a folder belongs to: the one decision, and the keys that it is made from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.projects.keys import (
    FolderKeys,
    FoundProject,
    KnownProject,
    NamedProject,
    decide,
    keys_in,
    origin_key,
    repository_in,
    word_of,
)
from modicum.memory.projects.shown import shown_names

WORDS = ("", "a", "b")
ORIGINS = ("", "h/acme/api", "h/beta/api", "h/acme/api#web")
CLONES = ("", "1.1", "2.2")
FOLDERS = st.builds(
    FolderKeys,
    st.just("api"),
    declared=st.sampled_from(("", "shop", "api")),
    origin=st.sampled_from(ORIGINS),
    root=st.sampled_from(("", "r1", "r2")),
    place=st.sampled_from(("", "m:/a", "m:/b")),
    clone=st.sampled_from(CLONES),
    is_cloned=st.booleans(),
    owner=st.sampled_from(("", "acme")),
    named=st.just(""),
)
PROJECTS = st.builds(
    KnownProject,
    st.sampled_from("pqrs"),
    st.lists(st.sampled_from(("shop", "api")), max_size=2).map(tuple),
    st.lists(st.sampled_from(ORIGINS[1:]), max_size=2).map(tuple),
    st.lists(st.sampled_from(("r1", "r2")), max_size=2).map(tuple),
    st.lists(st.tuples(st.sampled_from(("m:/a", "m:/b")), st.sampled_from(CLONES)), max_size=2).map(tuple),
)
KNOWN = st.lists(PROJECTS, max_size=4, unique_by=lambda each: each.id)


def strangers(keys: FolderKeys, project: KnownProject) -> bool:
    """Whether both have an origin, or both a root, and none is the same."""
    origins = {repository_in(each) for each in project.origins}
    roots = {repository_in(each) for each in project.roots}
    if keys.origin and origins:
        return repository_in(keys.origin) not in origins
    return bool(keys.root and roots) and repository_in(keys.root) not in roots


@given(FOLDERS, KNOWN)
def test_no_folder_finds_a_project_whose_origin_or_root_is_another(keys, known) -> None:
    found = decide(keys, known)
    project = next((each for each in known if each.id == found.id), None)

    assert project is None or not strangers(keys, project)


@given(FOLDERS, KNOWN)
def test_a_project_with_no_key_of_the_folder_is_neither_found_nor_named(keys, known) -> None:
    found = decide(keys, known)
    shared = {
        each.id
        for each in known
        if keys.declared in each.declared
        or keys.origin in each.origins
        or keys.root in each.roots
        or keys.place in [place for place, _ in each.places]
        or (keys.clone and keys.clone in [clone for _, clone in each.places])
    }

    assert {found.id, *found.others} - {""} <= shared
    assert found.id not in found.others


@given(FOLDERS, KNOWN)
def test_a_name_alone_finds_nothing(keys, known) -> None:
    only_declared = FolderKeys(keys.name, declared=keys.declared or "shop")

    assert decide(only_declared, known).id == ""
    assert decide(FolderKeys("api"), known) == FoundProject()


@given(FOLDERS, KNOWN)
def test_the_same_origin_is_found_unless_a_declared_name_is_stronger(keys, known) -> None:
    found = decide(keys, known)
    with_origin = [each.id for each in known if keys.origin and keys.origin in each.origins]

    assert not with_origin or found.by == "declared" or found.id in with_origin


@given(FOLDERS, KNOWN)
def test_the_order_of_what_is_known_decides_nothing(keys, known) -> None:
    assert decide(keys, known) == decide(keys, known[::-1])


@pytest.mark.parametrize(
    ("keys", "project", "by"),
    [
        (FolderKeys("n", declared="shop", origin="h/evil/x"), KnownProject("p", ("shop",), ("h/acme/shop",)), ""),
        (FolderKeys("n", declared="shop"), KnownProject("p", ("shop",), ("h/acme/shop",)), ""),
        (FolderKeys("n", declared="shop", root="r"), KnownProject("p", ("shop",), (), ("r",)), "declared"),
        (FolderKeys("n", origin="h/me/api", root="r"), KnownProject("p", (), ("h/acme/api",), ("r",)), ""),
        (FolderKeys("n", origin="h/me/api", root="r"), KnownProject("p", (), (), ("r",)), "root"),
        (FolderKeys("n", root="r"), KnownProject("p", (), ("h/acme/api",), ("r",)), ""),
        (FolderKeys("n", place="m:/a"), KnownProject("p", places=(("m:/a", ""),)), "place"),
        (FolderKeys("n", place="m:/a", clone="1"), KnownProject("p", places=(("m:/a", ""),)), "place"),
        (FolderKeys("n", place="m:/a", clone="1", is_cloned=True), KnownProject("p", places=(("m:/a", ""),)), ""),
        (FolderKeys("n", place="m:/a", clone="2"), KnownProject("p", places=(("m:/a", "1"),)), ""),
        (FolderKeys("n", place="m:/b", clone="1"), KnownProject("p", places=(("m:/a", "1"),)), "place"),
        (FolderKeys("n", place="m:/a"), KnownProject("p", places=(("m:/a", "1"),)), ""),
        (FolderKeys("n", origin="h/a/m#x"), KnownProject("p", (), ("h/a/m",)), ""),
    ],
)  # fmt: skip
def test_what_is_found_by_which_key(keys: FolderKeys, project: KnownProject, by: str) -> None:
    assert decide(keys, [project])[:2] == ("p" if by else "", by)


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/Acme/API.git",
        "https://mia:secret@github.com:443/acme/api",
        "git@github.com:acme/api.git",
        "ssh://git@GitHub.com:22/acme/api/",
        "git://github.com//acme/./api.git",
        "github.com:acme/api",
    ],
)
def test_every_address_of_a_repository_is_one_key(address: str) -> None:
    assert origin_key(address) == "github.com/acme/api"


def test_a_repository_that_is_a_folder_is_one_of_its_machine() -> None:
    assert origin_key("/srv/git/Api.git", "m1") == origin_key("file:///srv/git/Api.git", "m1")
    assert origin_key("/srv/git/Api.git", "m1") != origin_key("/srv/git/Api.git", "m2")
    assert origin_key("/srv/git/api/.git", "m1") == origin_key("/srv/git/api", "m1")
    assert origin_key("C:\\git\\api", "m1") == "folder@m1/C:/git/api"


@pytest.mark.parametrize(
    "address", ["", "x", ":", "https://", "https:///", "git@github.com:", "https://h/../x"]
)
def test_what_is_no_address_of_a_repository_is_no_key_of_another(address: str) -> None:
    assert origin_key(address, "m") in ("", f"folder@m/{address}")


@given(st.text())
def test_any_address_gives_a_key_without_user_and_password(address: str) -> None:
    assert origin_key(f"https://mia:hunter2@host/{address}").partition("/")[0] in ("", "host")


@given(FOLDERS)
def test_a_server_reads_the_keys_that_a_hook_has_sent(keys: FolderKeys) -> None:
    assert keys_in(word_of(keys)) == keys
    assert keys_in("shop") is None
    assert word_of(FolderKeys("api", named="shop")) == "shop"


NAMED = st.builds(
    NamedProject,
    st.text("xyz/", min_size=1, max_size=4),
    st.sampled_from("ab"),
    st.sampled_from(("", "h/q", "g/q", "w")),
)


@given(st.lists(NAMED, unique_by=lambda each: each.id))
def test_no_two_projects_are_shown_alike_if_they_have_different_owners(rows) -> None:
    addresses = [each.address for each in rows]
    shown = shown_names([each.id for each in rows], rows)
    alone = [each for each in rows if addresses.count(each.address) == 1]

    assert len({shown[each.id] for each in alone if shown[each.id] != each.id}) == len(
        [each for each in alone if shown[each.id] != each.id]
    )


def test_a_project_is_shown_by_its_name_until_there_is_another_of_it() -> None:
    acme, beta = NamedProject("api", "api", "h/acme"), NamedProject("x", "api", "h/beta")

    assert shown_names(["api"], [acme, beta]) == {"api": "api"}
    assert shown_names(["api", "x"], [acme, beta]) == {"api": "acme/api", "x": "beta/api"}
    assert shown_names(["api", "x"], [beta]) == {"api": "by-name/api", "x": "beta/api"}
