"""Where things are, without pathlib."""

import os
from pathlib import Path

import pytest

from modicum.base import paths


def test_the_branch_is_read_from_the_repository_and_from_a_worktree(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    (main / ".git" / "worktrees" / "other").mkdir(parents=True)
    other.mkdir()
    (main / ".git" / "HEAD").write_text("ref: refs/heads/fix/login\n")
    (main / ".git" / "worktrees" / "other" / "HEAD").write_text("ref: refs/heads/feature/cart\n")
    (other / ".git").write_text("gitdir: ../main/.git/worktrees/other\n")

    assert [paths.branch_of(str(folder)) for folder in (main, other, tmp_path)] == [
        "fix/login",
        "feature/cart",
        "",
    ]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("git@github.com:mia/Shop.git", "Shop"),
        ("git@github.com:mia/shop", "shop"),
        ("/srv/mia/shop/.git", "shop"),
        ("https://github.com/mia/shop.git", "shop"),
        ("https://token:x@example.org/group/sub/shop/", "shop"),
        ("ssh://git@example.org:2222/mia/shop.git", "shop"),
        ("host:shop.git", "shop"),
        ("/srv/git/shop.git", "shop"),
        (r'"C:\\git\\shop"', "shop"),
        ("git@github.com:mia/.github", ".github"),
        ("https://mia:password@example.org/", "folder"),
        ("..", "folder"),
        ("", "folder"),
    ],
)
def test_a_project_is_called_as_its_repository_is_at_its_origin(
    tmp_path: Path, address: str, name: str
) -> None:
    root = tmp_path / "folder"
    (root / ".git").mkdir(parents=True)
    text = f'[core]\n\turl = no\n[remote "fork"]\n\turl = x/fork.git\n[remote "origin"]\n\tfetch = +a:b\n\turl = {address}\n'
    (root / ".git" / "config").write_text(text)

    assert paths.name_of(str(root)) == name


def test_a_worktree_has_the_name_of_its_repository_and_a_folder_inside_one_its_own(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    (main / ".git" / "worktrees" / "other").mkdir(parents=True)
    (main / "part" / ".modicum").mkdir(parents=True)
    other.mkdir()
    (main / ".git" / "config").write_text('[remote "origin"]\n\turl = git@example.org:mia/shop.git\n')
    (main / ".git" / "worktrees" / "other" / "commondir").write_text("../..\n")
    (other / ".git").write_text(f"gitdir: {main}/.git/worktrees/other\n")

    assert [paths.name_of(str(folder)) for folder in (main, other, main / "part", tmp_path / "\0")] == [
        *("shop", "shop", "part", "\0"),
    ]


@pytest.mark.parametrize("head", ["", "0123456789abcdef\n", "\xff\xfe", "gitdir: nowhere"])
def test_without_a_branch_there_is_none(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)

    assert paths.branch_of(str(tmp_path)) == ""


def test_the_root_is_never_the_home_folder_or_above_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    home = tmp_path / "home"
    (home / ".git").mkdir(parents=True)
    (home / "shop" / "src").mkdir(parents=True)
    (home / "shop" / ".modicum").mkdir()

    assert paths.find_root(str(home / "shop" / "src"), str(home)) == str(home / "shop")
    assert paths.find_root(str(home / "else"), str(home)) == str(home / "else")
    assert paths.find_root(str(home), str(home)) == str(home)


def test_a_team_needs_a_name_and_a_file_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://h/d"
    assert paths.person_of({"USER": "mia"}, {}, "") == ""
    assert paths.person_of({"MODICUM_PERSON": "ben", "USER": "mia"}, {}, "") == "ben"
    assert paths.person_of({"USER": "mia"}, {"person": "eve"}, url) == "eve"
    assert paths.person_of({"USER": "mia"}, {}, url) == "mia"
    pwd = pytest.importorskip("pwd")
    assert paths.person_of({}, {}, url) == pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setattr(os, "getuid", lambda: 2**31)
    assert paths.person_of({}, {}, url) == "somebody"


def test_the_environment_may_name_the_project(tmp_path: Path) -> None:
    root = str(tmp_path / "shop")

    assert paths.project_of({}, root) == "shop"
    assert paths.project_of({"ENGRAM_PROJECT": " theirs "}, root) == "theirs"
    assert paths.project_of({"ENGRAM_PROJECT": "theirs", "MODICUM_PROJECT": "ours"}, root) == "ours"
    assert paths.project_of({"ENGRAM_PROJECT": " "}, root) == "shop"
