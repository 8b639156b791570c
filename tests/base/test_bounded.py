"""Files of a repository are read only if they are regular and of a bearable size."""

import os
import sys
from pathlib import Path

import pytest

from modicum.app.packs.notices import read_notices
from modicum.app.specs.change_names import open_changes
from modicum.base import bounded
from modicum.base.bounded import read_beginning, read_bounded
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.packs.load import Layer, load_layers
from modicum.specs.files import read_text
from modicum.specs.git import current_branch
from modicum.specs.project.scan import walk
from modicum.targets.load import load_adapters

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such devices")


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"", b"one", b"x" * 100_000):
        file.write_bytes(content)
        assert read_bounded(file) == read_bounded(str(file), len(content)) == content
        assert read_beginning(file, 2) == content[:2]


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * (bounded.MAX_BYTES + 1))

    with pytest.raises(OSError, match="larger than 10 MB"):
        read_bounded(tmp_path / "file")


@posix
def test_devices_pipes_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")

    for name in ("pipe", "zero"):
        with pytest.raises(OSError, match="not a regular file"):
            read_bounded(tmp_path / name)
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path)


@posix
def test_a_file_that_hides_its_size_is_read_no_further_than_the_bound() -> None:
    if not Path("/proc/self/pagemap").exists():
        pytest.skip("there is no such file here")
    assert len(read_beginning("/proc/self/pagemap", 1024 * 1024)) == 1024 * 1024


@posix
@pytest.mark.parametrize("what", ["config.yaml", "notices.yaml", "adapters/x.yaml", "packs/a/context.md"])
def test_nothing_in_a_project_makes_us_read_for_ever(what: str, tmp_path: Path) -> None:
    file = tmp_path / ".modicum" / what
    file.parent.mkdir(parents=True)
    file.symlink_to("/dev/zero")
    (tmp_path / ".modicum" / "packs" / "a").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".modicum" / "packs" / "a" / "pack.yaml").write_text("id: a\n")

    def config():
        return load_config({"HOME": str(tmp_path / "home")}, tmp_path)

    if what == "config.yaml":
        with pytest.raises(ModicumError, match="leads to /dev/zero, outside of"):
            config()
    elif what == "notices.yaml":
        with pytest.raises(ModicumError, match="leads to /dev/zero, outside of"):
            read_notices(config())
    elif what == "adapters/x.yaml":
        (problem,) = load_adapters([("project", tmp_path / ".modicum")]).problems
        assert problem.message == "cannot be read: not a regular file"
    else:
        (pack,) = load_layers([Layer("project", tmp_path / ".modicum")]).packs
        assert pack.context == ()


@posix
def test_a_git_file_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")

    assert load_config({"HOME": str(tmp_path / "home")}, tmp_path).name == tmp_path.name


@posix
def test_no_file_of_the_specs_is_waited_for(tmp_path: Path) -> None:
    change = tmp_path / "docs" / "changes" / "c"
    change.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    for file in (change / "change.json", tmp_path / "AGENTS.md", tmp_path / ".git" / "HEAD"):
        os.mkfifo(file)

    assert open_changes(str(tmp_path), "main") == ()
    assert [name for name, _ in walk(tmp_path)] == []
    assert current_branch(tmp_path) == ""
    with pytest.raises(ModicumError, match=r"AGENTS\.md: not a regular file.*move it away"):
        read_text(tmp_path / "AGENTS.md")
