"""Whose notes these are, with real repositories: what a folder finds, and what it must not find."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from modicum.memory.projects.keys import FolderKeys, word_of

PATH = os.environ["PATH"]
MINE, OTHER = "the walrus sleeps on the ice shelf", "the heron stands in the reeds"


class Machine:
    """A home with repositories of two owners, in which modicum and git are run as a person would."""

    def __init__(self, world) -> None:
        self.world, self.home = world, world.home
        for name, value in {"PATH": PATH, "GIT_CONFIG_NOSYSTEM": "1"}.items():
            world.patch.setenv(name, value)
        self.git(self.home, "config", "--global", "user.email", "mia@example.org")
        self.git(self.home, "config", "--global", "user.name", "mia")
        self.git(self.home, "config", "--global", "protocol.file.allow", "always")

    def git(self, folder: Path, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def repository(self, path: str, origin: str = "") -> Path:
        folder = self.home / path
        folder.mkdir(parents=True)
        self.git(folder, "init", "-q")
        (folder / "file").write_text(path)
        self.git(folder, "add", "file")
        self.git(folder, "commit", "-qm", path)
        if origin:
            self.git(folder, "remote", "add", "origin", origin)
        return folder

    def run(self, folder: Path, *words: str):
        self.world.patch.chdir(folder)
        return self.world.modicum(*words)

    def save(self, folder: Path, text: str) -> None:
        assert self.run(folder, "save", text, text).code == 0

    def finds(self, folder: Path, text: str = MINE) -> bool:
        """Whether any door that reads tells a note in this folder; all of them must say the same."""
        word = text.split()[1]
        told = {
            text in self.run(folder, "recall").out,
            text in self.run(folder, "search", word).out,
            text in self.run(folder, "check", word).out,
            text in self.hook(folder),
        }
        assert len(told) == 1
        return told.pop()

    def hook(self, folder: Path) -> str:
        from io import BytesIO

        from modicum.hooks.run import HookCommand, answer_to

        body = f'{{"session_id": "s", "cwd": "{folder}"}}'.encode()
        return answer_to(HookCommand("session-start", "claude-code"), BytesIO(body), dict(os.environ))

    def names(self, folder: Path, project: str) -> bool:
        """Whether recall, search, check, sync and the session start name a project that the folder may mean."""
        line = f"modicum memory projects join {project}"
        told = {
            line in self.run(folder, *words).err
            for words in (("recall",), ("search", "ice"), ("check", "ice"), ("sync", "--status"))
        }
        told.add(line in self.hook(folder))
        assert len(told) == 1
        return told.pop()


@pytest.fixture
def machine(world) -> Machine:
    return Machine(world)


def test_two_repositories_of_one_name_share_nothing(machine) -> None:
    acme = machine.repository("acme/api", "https://github.com/acme/api.git")
    beta = machine.repository("beta/api", "git@github.com:beta/api.git")
    machine.save(acme, MINE)
    machine.save(beta, OTHER)

    assert (machine.finds(acme), machine.finds(beta)) == (True, False)
    assert (machine.finds(acme, OTHER), machine.finds(beta, OTHER)) == (False, True)
    assert not machine.names(beta, "acme/api")
    machine.run(acme, "sync")
    machine.run(beta, "sync")
    chunks = {each: "".join(file.read_text() for file in each.rglob("*.jsonl")) for each in (acme, beta)}
    assert (MINE in chunks[acme], OTHER in chunks[acme]) == (True, False)
    assert (MINE in chunks[beta], OTHER in chunks[beta]) == (False, True)


def test_a_name_that_fits_two_projects_is_an_error_that_lists_them(machine) -> None:
    acme = machine.repository("acme/api", "https://github.com/acme/api.git")
    machine.save(acme, MINE)
    assert MINE in machine.run(acme, "recall", "--project", "api").out
    beta = machine.repository("beta/api", "https://github.com/beta/api")
    machine.save(beta, OTHER)

    for words in (
        ("recall",),
        ("search", "ice"),
        ("save", "a", "b"),
        ("sync",),
        ("memory", "sessions", "list"),
    ):
        said = machine.run(acme, *words, "--project", "api")
        assert said.code
        assert "acme/api, beta/api" in said.err
    assert MINE in machine.run(beta, "recall", "--project", "acme/api").out
    assert MINE not in machine.run(acme, "recall", "--project", "beta/api").out
    listed = machine.run(acme, "memory", "projects", "list").out
    assert "acme/api: 1 note" in listed
    assert "beta/api: 1 note" in listed
    refused = machine.run(acme, "sync", "--project", "beta/api")
    assert "belong to github.com/beta/api" in refused.err
    assert not (acme / ".modicum").exists()


def test_a_remote_that_is_added_keeps_the_notes(machine) -> None:
    folder = machine.repository("solo")
    machine.save(folder, MINE)
    machine.git(folder, "remote", "add", "origin", "https://github.com/me/solo")

    assert machine.finds(folder)
    clone = machine.home / "clone"
    machine.git(machine.home, "clone", "-q", str(folder), str(clone))
    machine.git(clone, "remote", "set-url", "origin", "ssh://git@github.com:22/Me/Solo.git")
    assert machine.finds(clone)


def test_another_address_of_the_same_repository_keeps_them_and_another_repository_is_only_named(
    machine,
) -> None:
    folder = machine.repository("api", "https://github.com/acme/api")
    machine.save(folder, MINE)
    machine.git(folder, "remote", "set-url", "origin", "git@github.com:acme/api.git")
    assert machine.finds(folder)
    machine.git(folder, "remote", "set-url", "origin", "git@github.com:acme/renamed.git")

    assert not machine.finds(folder)
    assert machine.names(folder, "api")
    assert "belongs to api now" in machine.run(folder, "memory", "projects", "join", "api").out
    assert machine.finds(folder)
    machine.git(folder, "remote", "set-url", "origin", "git@github.com:acme/api.git")
    assert machine.finds(folder)


@pytest.mark.parametrize("origin", ["", "https://github.com/acme/api"])
def test_a_folder_that_is_moved_keeps_them(machine, origin: str) -> None:
    folder = machine.repository("api", origin)
    machine.save(folder, MINE)
    moved = folder.rename(machine.home / "elsewhere")

    assert machine.finds(moved)


def test_a_repository_without_commits_that_is_moved_keeps_them(machine) -> None:
    folder = machine.home / "new"
    folder.mkdir()
    machine.git(folder, "init", "-q")
    machine.save(folder, MINE)

    assert machine.finds(folder.rename(machine.home / "moved"))


@pytest.mark.parametrize("origin", ["", "https://github.com/acme/api"])
def test_a_worktree_is_the_same_project(machine, origin: str) -> None:
    folder, tree = machine.repository("api", origin), machine.home / "tree"
    machine.save(folder, MINE)
    machine.git(folder, "worktree", "add", "-q", str(tree))

    assert machine.finds(tree)
    machine.save(tree, OTHER)
    assert machine.finds(folder, OTHER)


def test_a_fork_is_another_project_and_names_the_first(machine) -> None:
    folder, fork = machine.repository("api", "https://github.com/acme/api"), machine.home / "fork"
    machine.save(folder, MINE)
    machine.git(machine.home, "clone", "-q", str(folder), str(fork))
    machine.git(fork, "remote", "set-url", "origin", "https://github.com/me/api")

    assert not machine.finds(fork)
    assert machine.names(fork, "api")
    machine.save(fork, OTHER)
    assert not machine.finds(folder, OTHER)
    assert not machine.names(fork, "acme/api")


def test_two_repositories_from_one_template_are_two_projects(machine) -> None:
    template = machine.repository("template", "https://github.com/acme/template")
    machine.save(template, MINE)
    for name in ("one", "two"):
        machine.git(machine.home, "clone", "-q", str(template), str(machine.home / name))
        machine.git(machine.home / name, "remote", "set-url", "origin", f"https://github.com/me/{name}")
    machine.save(machine.home / "one", OTHER)

    assert not machine.finds(machine.home / "one")
    assert not machine.finds(machine.home / "two", OTHER)
    assert machine.finds(template)


def test_a_submodule_is_a_project_of_its_own(machine) -> None:
    library = machine.repository("lib", "https://github.com/acme/lib")
    outer = machine.repository("outer", "https://github.com/acme/outer")
    machine.git(outer, "submodule", "add", "-q", str(library), "lib")
    machine.git(outer / "lib", "remote", "set-url", "origin", "https://github.com/acme/lib")
    (outer / ".modicum").mkdir()
    machine.save(library, MINE)
    machine.save(outer, OTHER)

    assert machine.finds(outer / "lib")
    assert not machine.finds(outer / "lib", OTHER)
    assert not machine.finds(outer)
    machine.run(outer / "lib", "sync")
    assert not [*(outer / ".modicum").rglob("*.jsonl")]


def test_packages_of_a_monorepo_are_projects_in_every_clone(machine) -> None:
    mono, clone = machine.repository("mono", "https://github.com/acme/mono"), machine.home / "again"
    for package in ("web", "api"):
        (mono / package / ".modicum").mkdir(parents=True)
        (mono / package / ".modicum" / "config.yaml").write_text("profile: minimal\n")
    machine.git(mono, "add", ".")
    machine.git(mono, "commit", "-qm", "packages")
    machine.git(machine.home, "clone", "-q", str(mono), str(clone))
    machine.git(clone, "remote", "set-url", "origin", "git@github.com:acme/mono")
    machine.save(mono / "web", MINE)
    machine.save(mono / "api", OTHER)

    assert (machine.finds(clone / "web"), machine.finds(clone / "api"), machine.finds(clone)) == (
        True,
        False,
        False,
    )
    assert (machine.finds(clone / "web", OTHER), machine.finds(clone / "api", OTHER)) == (False, True)


def test_without_git_the_folder_counts_and_is_named_where_it_was_moved(machine) -> None:
    plain = machine.home / "notes"
    plain.mkdir()
    machine.save(plain, MINE)
    assert machine.finds(plain)
    moved = plain.rename(machine.home / "papers")

    assert not machine.finds(moved)
    assert machine.names(moved, "notes")
    machine.run(moved, "memory", "projects", "join", "notes")
    assert machine.finds(moved)


def test_git_that_is_begun_in_a_folder_keeps_its_notes_and_a_clone_in_its_place_does_not(machine) -> None:
    plain = machine.home / "notes"
    plain.mkdir()
    machine.save(plain, MINE)
    machine.git(plain, "init", "-q")
    assert machine.finds(plain)
    other = machine.home / "other"
    other.mkdir()
    machine.save(other, OTHER)
    shutil.rmtree(other)
    machine.repository("evil")
    machine.git(machine.home, "clone", "-q", str(machine.home / "evil"), str(other))

    assert not machine.finds(other, OTHER)


@pytest.mark.parametrize(
    "text", ["project: shop\n", 'project: "shop" # mine\n', "profile: minimal\nproject: Shop\n"]
)
def test_a_clone_gets_nothing_by_declaring_somebody_s_name(machine, text: str) -> None:
    shop = machine.repository("acme/shop", "https://github.com/acme/shop")
    (shop / ".modicum").mkdir()
    (shop / ".modicum" / "config.yaml").write_text("project: shop\n")
    machine.save(shop, MINE)
    evil = machine.repository("evil/thing", "https://github.com/evil/thing")
    (evil / ".modicum").mkdir()
    (evil / ".modicum" / "config.yaml").write_text(text)

    assert not machine.finds(evil)
    assert machine.names(evil, "shop")
    machine.save(evil, OTHER)
    assert not machine.finds(shop, OTHER)
    assert not machine.finds(evil)


def test_a_declared_name_joins_what_its_user_has_joined(machine) -> None:
    web, api = (machine.repository(name, f"https://github.com/acme/{name}") for name in ("web", "api"))
    machine.save(web, MINE)
    assert machine.run(api, "memory", "projects", "join", "web").code == 0

    assert machine.finds(api)
    machine.save(api, OTHER)
    assert machine.finds(web, OTHER)


def test_a_join_is_taken_back_whole(machine) -> None:
    web, api = (machine.repository(name, f"https://github.com/acme/{name}") for name in ("web", "api"))
    machine.save(web, MINE)
    machine.save(api, OTHER)
    machine.run(api, "memory", "projects", "join", "web")
    assert machine.finds(api)
    assert machine.run(api, "undo", "--everywhere").code == 0

    assert not machine.finds(api)
    assert machine.finds(api, OTHER)
    assert not machine.finds(web, OTHER)


def test_a_second_project_in_one_folder_has_chunks_of_its_own(machine) -> None:
    folder = machine.repository("api", "https://github.com/acme/api")
    machine.save(folder, MINE)
    machine.run(folder, "save", OTHER, OTHER, "--project", "docs")
    machine.run(folder, "sync")
    machine.run(folder, "sync", "--project", "docs")
    again = machine.run(folder, "sync")

    assert "Nothing came into api." in again.out
    assert not machine.finds(folder, OTHER)
    own = "".join(file.read_text() for file in (folder / ".modicum" / "memory").glob("*.jsonl"))
    second = "".join(file.read_text() for file in (folder / ".modicum" / "memory" / "docs").glob("*.jsonl"))
    assert (MINE in own, OTHER in own, MINE in second, OTHER in second) == (True, False, False, True)


def test_a_word_with_the_keys_of_a_folder_finds_no_project_of_that_name() -> None:
    assert word_of(FolderKeys("api", origin="github.com/evil/api")).startswith("folder:")
