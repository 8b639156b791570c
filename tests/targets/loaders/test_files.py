"""The files of a project as a value: paths, settings and links."""

import pytest

from modicum.targets.loaders.files import ProjectFiles, folder_of, glob_pattern, is_below, joined, steps_up


@pytest.mark.parametrize(
    ("folder", "name", "path"),
    [
        ("", "A.md", "A.md"),
        (".", "./A.md", "A.md"),
        ("p", "../A.md", "A.md"),
        ("p/q", "../../../A.md", "../A.md"),
        ("~", ".x/A.md", "~/.x/A.md"),
        ("~/.x", "../A.md", "~/A.md"),
        ("p", "~/A.md", "~/A.md"),
        ("p", "/A.md", "/A.md"),
        ("..", "A.md", "../A.md"),
    ],
)
def test_a_path_is_put_together_without_detours(folder: str, name: str, path: str) -> None:
    assert joined(folder, name) == path


def test_folders_above_the_project_hold_it() -> None:
    assert steps_up("../..") == ("../..", "..")
    assert steps_up("") == ()
    assert is_below("A.md", "..")
    assert is_below("../A.md", "..")
    assert is_below("../q/A.md", "../..")
    assert not is_below("../../A.md", "..")
    assert not is_below("~/A.md", "..")
    assert not is_below("../A.md", "")


def test_a_file_is_below_its_folders() -> None:
    assert folder_of("p/q/A.md") == "p/q"
    assert folder_of("A.md") == ""
    assert is_below("p/q/A.md", "p")
    assert is_below("p/A.md", "")
    assert not any(is_below(path, "") for path in ("../A.md", "~/A.md", "/A.md"))
    assert not is_below("pq/A.md", "p")


@pytest.mark.parametrize(
    ("glob", "matching", "other"),
    [
        ("r/*.md", "r/a.md", "r/d/a.md"),
        ("r/**/*.md", "r/d/e/a.md", "x/r/a.md"),
        ("r/**/*.md", "r/a.md", "r/a.txt"),
        ("**/A.md", "/x/y/A.md", "/x/yA.md"),
        ("**/x/**", "/a/x/b/c", "/a/y/b"),
        ("?.md", "a.md", "/.md"),
        ("a.(b)+[c]", "a.(b)+[c]", "axb"),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, matching: str, other: str) -> None:
    assert glob_pattern(glob).match(matching)
    assert not glob_pattern(glob).match(other)


def test_a_link_stands_for_its_file() -> None:
    files = ProjectFiles({"A.md": "a"}, links={"B.md": "A.md"}).with_text("B.md", "b")

    assert files.texts == {"A.md": "b"}
    assert files.text("B.md") == files.text("A.md") == "b"
    assert files.text("C.md") is None
    assert files.real("B.md") == files.real("A.md") == "A.md"


def test_a_setting_is_set_in_depth() -> None:
    files = ProjectFiles(settings={"s.json": {"a": {"b": 1}, "c": 2}})

    assert files.with_setting("s.json", ("a", "d"), 3).settings == {"s.json": {"a": {"b": 1, "d": 3}, "c": 2}}
    assert files.with_setting("t.json", ("a", "b"), 1).settings["t.json"] == {"a": {"b": 1}}
    assert files.with_setting("s.json", ("c", "d"), 1).setting("s.json", ("c", "d")) == 1
    assert files.setting("s.json", ("c", "d")) is None
    assert files.setting("none.json", ("c",)) is None
