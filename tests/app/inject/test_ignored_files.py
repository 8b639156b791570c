"""What is committed depends on what is committed: files that git ignores are told, and never move a page."""

import shutil
import subprocess
from pathlib import Path

import pytest

from modicum.targets.loaders.ignored import ignored_files

SIX = ("claude-code", "codex", "copilot", "gemini-cli", "opencode", "qwen")
NAMED = tuple(word for tool in SIX for word in ("--tool", tool))
GIT = shutil.which("git") or "git"
PATH = {"PATH": str(Path(GIT).parent)}


@pytest.fixture
def world(world):
    """A project in a repository, on a machine with git."""
    world.patch.setenv("PATH", PATH["PATH"])
    git(world.project, "init", "-q")
    return world


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "core.excludesFile=")
    return subprocess.run([GIT, *own, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def committed(world) -> dict[str, str]:
    """The files that a commit of everything would have."""
    names = git(world.project, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return {name: world.read(name) for name in names.split("\0") if name and not name.startswith(".git")}


PRIVATE = {
    "CLAUDE.md": "Mine alone.\n",
    ".claude/CLAUDE.md": "Mine alone.\n",
    "GEMINI.md": "Mine alone.\n",
    "AGENTS.override.md": "Mine alone.\n",
    ".gemini/settings.json": '{"context": {"fileName": ["MINE.md"]}}',
    "packages/app/CLAUDE.md": "Mine alone.\n",
}


@pytest.mark.parametrize("said_in", [".gitignore", ".git/info/exclude"])
@pytest.mark.parametrize("private", PRIVATE)
def test_files_that_git_ignores_are_no_reason_for_other_bytes(world, private: str, said_in: str) -> None:
    world.write("AGENTS.md", "For all.\n")
    world.write(said_in, f"/{private}\n")
    assert world.modicum("inject", *NAMED).code == 0
    without = committed(world)
    world.modicum("uninstall")
    world.write(private, PRIVATE[private])
    world.modicum("inject", *NAMED)

    assert committed(world) == without
    world.modicum("uninstall")
    assert world.read(private) == PRIVATE[private]


def test_a_private_file_that_our_page_hides_is_told(world) -> None:
    world.write(".gitignore", "CLAUDE.md\n")
    world.write("CLAUDE.md", "Mine alone.\n")
    said = world.modicum("inject", *NAMED)

    assert said.code == 0
    assert (
        "OpenCode will not read CLAUDE.md beside our page: files of yours that are not committed" in said.err
    )


def test_a_page_goes_to_a_file_that_is_committed(world) -> None:
    """Claude Code would have its page in .claude, which nobody else would get."""
    world.write("CLAUDE.md", "For all.\n")
    world.modicum("inject", *NAMED)
    assert world.path(".claude").exists()
    world.write(".gitignore", ".claude/\n")
    assert world.modicum("inject", *NAMED).code == 0

    assert not world.path(".claude").exists()
    assert "modicum:start" in world.read("CLAUDE.md")
    assert world.modicum("inject", "--check", *NAMED).code == 0


def test_a_page_goes_to_an_ignored_file_where_there_is_no_other(world) -> None:
    """There it has the room that the user's own text leaves."""
    world.write(".gitignore", "AGENTS.md\n.codex/\n")
    world.write("AGENTS.md", "A line of mine.\n" * 1_900)
    assert world.modicum("inject", "--tool", "codex").code == 0

    assert "modicum:start" in world.read("AGENTS.md")
    assert len(world.read("AGENTS.md").encode()) <= 32_768


def test_a_file_that_is_tracked_counts_although_it_is_ignored(world) -> None:
    world.write(".gitignore", "*.md\n!AGENTS.md\n")
    world.write("CLAUDE.md", "For all.\n")
    world.write("AGENTS.md", "For all.\n")
    git(world.project, "add", "-f", "CLAUDE.md")

    asked = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "deep/er/QWEN.md", "中 文.md"]
    found = ignored_files(str(world.project), asked, PATH)
    assert found == dict.fromkeys(["GEMINI.md", "deep/er/QWEN.md", "中 文.md"], True)


def test_without_git_nothing_is_ignored(world, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    world.write(".gitignore", "*.md\n")
    asked = ["CLAUDE.md"]
    assert ignored_files(str(tmp_path), asked, {}) == {}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ignored_files(str(world.project), asked, {}) == {}


def test_a_git_that_does_not_answer_is_not_waited_for(
    world, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("modicum.targets.loaders.ignored.SECONDS", 0.2)

    assert ignored_files(str(world.project), ["CLAUDE.md"], {}) == {}


def test_files_behind_a_link_are_not_asked_about(world) -> None:
    world.write("shared/CLAUDE.md", "x\n")
    world.path(".claude").symlink_to("shared")
    world.write(".gitignore", "GEMINI.md\n")

    asked = [".claude/CLAUDE.md", "GEMINI.md"]
    assert ignored_files(str(world.project), asked, PATH) == {"GEMINI.md": True}
