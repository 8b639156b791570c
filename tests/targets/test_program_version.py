"""The version of a program that is installed is known by where it lies."""

from pathlib import Path

import pytest

from modicum.targets.program_version import version_of


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that is installed by npm, but for its package.json, below a link on the PATH."""
    (tmp_path / "package" / "bin").mkdir(parents=True)
    (tmp_path / "package" / "bin" / "x.js").touch()
    link = tmp_path / "x"
    link.symlink_to(tmp_path / "package" / "bin" / "x.js")
    return link


def test_it_is_that_of_the_package(program: Path, tmp_path: Path) -> None:
    (tmp_path / "package" / "package.json").write_text('{"version": "1.2"}', encoding="utf-8")
    assert version_of(str(program)) == "1.2"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "\udcff"])
def test_a_program_without_a_sound_package_has_none(program: Path, tmp_path: Path, text: str) -> None:
    package = tmp_path / "package" / "package.json"
    package.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert version_of(str(program)) == ""
    package.unlink()
    assert version_of(str(program)) == ""


def test_it_is_the_name_in_a_folder_of_versions(tmp_path: Path) -> None:
    (tmp_path / "versions").mkdir()
    for name, version in {"2.1.325": "2.1.325", "current": ""}.items():
        (tmp_path / "versions" / name).touch()
        link = tmp_path / f"to-{name}"
        link.symlink_to(tmp_path / "versions" / name)
        assert version_of(str(link)) == version
