"""Where things are, and what the user has chosen."""

from pathlib import Path

import pytest

from modicum.base.cache import YamlCache
from modicum.base.config import Config, NamedSource, check_again, find_root, load_config
from modicum.base.errors import ModicumError


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


def shared(home: Path, own: str, project: str, **environment: str) -> Config:
    for path, text in ((".config/modicum", own), ("work/shop/.modicum", project)):
        (home / path).mkdir(parents=True)
        (home / path / "config.yaml").write_text(text)
    return load_config({"HOME": str(home), **environment}, home / "work" / "shop")


def test_a_project_that_names_its_tools_takes_no_choice_of_the_user(home: Path) -> None:
    own = "profile: mine\nlanguage: de\nscope: global\ndocs: specs\nperson: ann\n"

    config = shared(home, own, "tools: [codex, cursor, codex]\n", LANG="fr_FR.UTF-8")

    assert config.is_shared
    assert config.tools == ("codex", "cursor")
    assert (config.profile, config.language, config.scope) == ("", "", "project")
    assert (config.docs, config.person, config.own_profile) == ("specs", "ann", "mine")


def test_what_is_the_users_holds_again_outside_of_the_project(home: Path) -> None:
    config = shared(home, "profile: mine\nlanguage: de\n", "tools: [codex]\nprofile: theirs\n").of_user()

    assert not config.is_shared
    assert (config.profile, config.language, config.tools) == ("mine", "de", ())


def test_empty_lists_of_tools_and_sources_share_nothing(home: Path) -> None:
    config = shared(home, "profile: mine\n", "tools: []\nsources: {}\n")

    assert not config.is_shared
    assert config.profile == "mine"


def test_sources_come_in_the_order_of_the_file_and_agreements_from_the_user_alone(home: Path) -> None:
    project = "sources:\n  b: {location: https://b.example/x, ref: 1.0}\n  a: {location: ../a}\n"

    config = shared(home, "agreed_sources: [x]\n", project, MODICUM_AGREED_SOURCES=" y\n z ")

    assert config.sources == (NamedSource("b", "https://b.example/x", "1.0"), NamedSource("a", "../a"))
    assert config.agreed_sources == ("x", "y", "z")


def test_a_config_file_that_was_checked_is_loaded_without_yaml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path / "data")}
    (tmp_path / "shop" / ".modicum").mkdir(parents=True)
    file = tmp_path / "shop" / ".modicum" / "config.yaml"
    file.write_text("use: [git]\n")
    cache = YamlCache.below(tmp_path / "data")
    check_again(load_config(environment, tmp_path / "shop"), cache.check)
    cache.save()
    monkeypatch.setattr("modicum.base.yaml.nodes.compose", refuse := pytest.fail)
    monkeypatch.setattr("modicum.base.yaml.check.compose", refuse)

    assert load_config(environment, tmp_path / "shop").project_use == ("git",)
    file.write_text("use: [testing]\n")
    monkeypatch.undo()
    assert load_config(environment, tmp_path / "shop").project_use == ("testing",)


def test_a_config_file_that_is_no_text_is_said_to_be_none(world) -> None:
    world.write(".modicum/config.yaml", b"\xff")

    said = world.modicum("status")

    assert said.code == 4
    assert said.err.endswith("config.yaml is not UTF-8 text (save the file as UTF-8)\n")


def test_a_folder_that_is_gone_is_said_to_be(world) -> None:
    gone = world.project / "gone"
    gone.mkdir()
    world.patch.chdir(gone)
    gone.rmdir()

    said = world.modicum("recall")

    assert (said.code, said.out) == (4, "")
    assert "the folder that this was started in is gone (go to a folder that is there)" in said.err


def test_a_config_behind_a_link_of_a_clone_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "clone" / ".modicum").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("the word is OPAL\n")
    (tmp_path / "clone" / ".modicum" / "config.yaml").symlink_to("../../secret.md")

    with pytest.raises(ModicumError, match=r"leads to .*secret\.md, outside of") as told:
        load_config({"HOME": str(tmp_path / "home")}, tmp_path / "clone")
    assert "OPAL" not in str(told.value)
