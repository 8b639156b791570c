"""Where things are, and what the user has chosen."""

from pathlib import Path

import pytest

from modicum.base.config import find_root, load_config


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "work" / "shop" / "src" / "deep").mkdir(parents=True)
    return tmp_path


def folder(home: Path, *marks: str) -> Path:
    for mark in marks:
        (home / mark).mkdir(parents=True)
    return home / "work" / "shop" / "src" / "deep"


def test_the_nearest_modicum_folder_is_the_project(home: Path) -> None:
    assert find_root(folder(home, "work/shop/.modicum", "work/.git"), home) == home / "work/shop"


def test_a_modicum_folder_further_up_wins_over_a_repository_within(home: Path) -> None:
    assert find_root(folder(home, "work/.modicum", "work/shop/.git"), home) == home / "work"


def test_without_one_it_is_the_repository(home: Path) -> None:
    assert find_root(folder(home, "work/shop/.git"), home) == home / "work/shop"


def test_a_worktree_has_a_file_there(home: Path) -> None:
    here = folder(home)
    (home / "work" / ".git").write_text("gitdir: elsewhere\n")

    assert find_root(here, home) == home / "work"


def test_the_home_folder_is_no_project(home: Path) -> None:
    here = folder(home, ".modicum", ".git")

    assert find_root(here, home) == here
    assert find_root(home, home) == home


@pytest.mark.parametrize(
    ("environment", "settings", "data"),
    [
        ({}, ".config/modicum", ".local/share/modicum"),
        ({"XDG_CONFIG_HOME": "{home}/c", "XDG_DATA_HOME": "{home}/d"}, "c/modicum", "d/modicum"),
        ({"MODICUM_HOME": "{home}/m"}, "m", "m"),
    ],
)
def test_folders_follow_the_environment(
    home: Path, environment: dict[str, str], settings: str, data: str
) -> None:
    words = {name: value.format(home=home) for name, value in environment.items()}
    config = load_config({"HOME": str(home), **words}, home)

    assert (config.folder, config.data) == (home / settings, home / data)
    assert config.state == config.data / "state"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, ""),
        ({"LANG": "de_AT.UTF-8"}, "de_AT"),
        ({"LANG": "de", "LC_MESSAGES": "fr"}, "fr"),
        ({"LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "ja_JP@x"}, "ja_JP"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de"}, ""),
    ],
)
def test_the_language_is_that_of_the_locale(home: Path, environment: dict[str, str], language: str) -> None:
    assert load_config({"HOME": str(home), **environment}, home).language == language


def test_the_project_has_the_last_word(home: Path) -> None:
    here = folder(home, "work/shop/.modicum", ".config/modicum")
    (home / ".config/modicum/config.yaml").write_text("profile: mine\nlanguage: de\nscope: global\n")
    (home / "work/shop/.modicum/config.yaml").write_text("profile: shop\n")
    config = load_config({"HOME": str(home), "LANG": "fr"}, here)

    assert (config.profile, config.language, config.scope) == ("shop", "de", "global")
    assert config.root == home / "work/shop"
