"""The version of a program that is installed is known by where it lies."""

from pathlib import Path

import pytest

from modicum.targets.program_version import version_of


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that is installed by npm, but for its package.json, below a link on the PATH."""
    (package_of(tmp_path) / "bin").mkdir(parents=True)
    (package_of(tmp_path) / "bin" / "x.js").touch()
    link = tmp_path / "x"
    link.symlink_to(package_of(tmp_path) / "bin" / "x.js")
    return link


def package_of(folder: Path) -> Path:
    return folder / "node_modules" / "@maker" / "x"


def test_it_is_that_of_the_package(program: Path, tmp_path: Path) -> None:
    (package_of(tmp_path) / "package.json").write_text('{"version": "1.2"}', encoding="utf-8")
    assert version_of(str(program)) == "1.2"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "\udcff"])
def test_a_program_without_a_sound_package_has_none(program: Path, tmp_path: Path, text: str) -> None:
    package = package_of(tmp_path) / "package.json"
    package.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert version_of(str(program)) == ""
    package.unlink()
    assert version_of(str(program)) == ""


@pytest.mark.parametrize("place", ["x", "bin/x", "node_modules/.bin/x"])
def test_a_package_around_it_that_npm_did_not_install_says_nothing(tmp_path: Path, place: str) -> None:
    program = tmp_path / place
    program.parent.mkdir(parents=True, exist_ok=True)
    program.touch()
    (tmp_path / "package.json").write_text('{"version": "1.2"}', encoding="utf-8")

    assert version_of(str(program)) == ""


def test_it_is_the_name_in_a_folder_of_versions(tmp_path: Path) -> None:
    (tmp_path / "versions").mkdir()
    for name, version in {"2.1.325": "2.1.325", "current": ""}.items():
        (tmp_path / "versions" / name).touch()
        link = tmp_path / f"to-{name}"
        link.symlink_to(tmp_path / "versions" / name)
        assert version_of(str(link)) == version
