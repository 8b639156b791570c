"""Where things are, without pathlib."""

from pathlib import Path

import pytest

from modicum import places


def test_the_branch_is_read_from_the_repository_and_from_a_worktree(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    (main / ".git" / "worktrees" / "other").mkdir(parents=True)
    other.mkdir()
    (main / ".git" / "HEAD").write_text("ref: refs/heads/fix/login\n")
    (main / ".git" / "worktrees" / "other" / "HEAD").write_text("ref: refs/heads/feature/cart\n")
    (other / ".git").write_text("gitdir: ../main/.git/worktrees/other\n")

    assert [places.branch_of(str(folder)) for folder in (main, other, tmp_path)] == [
        "fix/login",
        "feature/cart",
        "",
    ]


@pytest.mark.parametrize("head", ["", "0123456789abcdef\n", "\xff\xfe", "gitdir: nowhere"])
def test_without_a_branch_there_is_none(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)

    assert places.branch_of(str(tmp_path)) == ""


def test_the_root_is_never_the_home_folder_or_above_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    home = tmp_path / "home"
    (home / ".git").mkdir(parents=True)
    (home / "shop" / "src").mkdir(parents=True)
    (home / "shop" / ".modicum").mkdir()

    assert places.find_root(str(home / "shop" / "src"), str(home)) == str(home / "shop")
    assert places.find_root(str(home / "else"), str(home)) == str(home / "else")
    assert places.find_root(str(home), str(home)) == str(home)
