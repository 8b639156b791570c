"""What is committed depends on what is committed: files that git ignores carry no page, and never move one."""

import shutil
import subprocess
from pathlib import Path

import pytest

from modicum.targets.loaders.ignored import ignored_files, lines_against

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
    world.rule()
    world.write("CLAUDE.md", "For all.\n")
    world.modicum("inject", *NAMED)
    assert world.path(".claude").exists()
    world.write(".gitignore", ".claude/\n")
    assert world.modicum("inject", *NAMED).code == 0

    assert not world.path(".claude").exists()
    assert "modicum:start" in world.read("CLAUDE.md")
    assert world.modicum("inject", "--check", *NAMED).code == 0


@pytest.mark.parametrize("tool", ["codex", "claude-code", "gemini-cli", "cursor", "windsurf", "copilot"])
def test_where_git_ignores_all_files_of_a_tool_it_is_told_and_nothing_written(world, tool: str) -> None:
    world.write(".gitignore", "*.md\n.*/\n!.modicum\n")
    world.write("AGENTS.md", "Mine alone.\n")
    before = committed(world)

    said = world.modicum("inject", "--tool", tool)

    assert said.code == 1
    assert "git ignores " in said.err
    assert "to keep it in git, add to .gitignore: !/" in said.err
    assert committed(world) == before
    assert world.read("AGENTS.md") == "Mine alone.\n"


def test_a_clone_of_what_was_committed_is_current(world, tmp_path: Path) -> None:
    world.pack("shop", "Prices are in cents.\n")
    world.write(".gitignore", ".claude/\n.codex/\nGEMINI.md\n.cursor/rules\n")
    world.write("AGENTS.md", "For all.\n")
    world.modicum("inject", *NAMED, "--tool", "cursor")
    git(world.project, "add", "-A")
    git(world.project, "commit", "-qm", "all")
    git(tmp_path, "clone", "-q", str(world.project), "clone")
    world.patch.chdir(tmp_path / "clone")

    served = [name for name in (*SIX, "cursor") if name != "gemini-cli"]
    named = [word for name in served for word in ("--tool", name)]
    assert world.modicum("inject", "--check", *named).code == 0
    for name in served:
        assert "Prices are in cents" in world.modicum("see", name).out


def test_a_file_for_some_paths_that_git_ignores_is_not_written(world) -> None:
    """What it would hold stands on the page."""
    world.write(".gitignore", ".claude/rules\n")
    world.pack("shop", "Prices are in cents.\n", more='applies_to: ["src/**"]\n')
    assert world.modicum("inject", "--tool", "claude-code").code == 0

    assert not world.path(".claude/rules").exists()


def test_a_file_that_is_tracked_counts_although_it_is_ignored(world) -> None:
    world.write(".gitignore", "*.md\n!AGENTS.md\n")
    world.write("CLAUDE.md", "For all.\n")
    world.write("AGENTS.md", "For all.\n")
    git(world.project, "add", "-f", "CLAUDE.md")

    asked = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "deep/er/QWEN.md", "中 文.md"]
    found = ignored_files(str(world.project), asked, PATH)
    assert found == dict.fromkeys(["GEMINI.md", "deep/er/QWEN.md", "中 文.md"], "*.md")


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
    assert ignored_files(str(world.project), asked, PATH) == {"GEMINI.md": "GEMINI.md"}


@pytest.mark.parametrize(
    "pattern",
    [
        ".modicum",
        ".modicum/",
        "/.modicum/",
        ".*",
        "**/.modicum/",
        ".modicum/*",
        ".modicum/**",
        "*",
    ],
)
@pytest.mark.parametrize(("folder", "file"), [(".modicum/", ".modicum/packs/shop/context.md")])
def test_after_the_lines_that_are_offered_git_ignores_a_folder_no_longer(
    world, pattern: str, folder: str, file: str
) -> None:
    world.write(".gitignore", f"{pattern}\n")
    world.write(file, "x\n")
    found = ignored_files(str(world.project), [file], PATH)

    world.write(".gitignore", "\n".join([pattern, *lines_against(folder, found[file])]) + "\n")

    assert ignored_files(str(world.project), [file], PATH) == {}


@pytest.mark.parametrize(
    "pattern",
    [
        ".claude",
        ".claude/",
        "/.claude/",
        ".*",
        "CLAUDE.md",
        ".claude/*",
        "*.md",
        ".claude/CLAUDE.md",
    ],
)
def test_after_the_lines_that_are_offered_git_ignores_one_file_no_longer_and_the_others_still(
    world, pattern: str
) -> None:
    paths = [".claude/CLAUDE.md", ".claude/settings.local.json"]
    world.write(".gitignore", f"{pattern}\n")
    before = ignored_files(str(world.project), paths, PATH)

    lines = lines_against(paths[0], before.pop(paths[0]))
    world.write(".gitignore", "\n".join([pattern, *lines]) + "\n")

    after = ignored_files(str(world.project), paths, PATH)
    assert after.keys() == before.keys()


LINES = "to share it, add to .gitignore: !/.modicum/ and !/.modicum/**"


@pytest.mark.parametrize("command", [("init",), ("pack", "new", "billing"), ("inject", "--tool", "codex")])
def test_a_project_that_git_ignores_is_told_with_the_lines_that_end_it(
    world, command: tuple[str, ...]
) -> None:
    world.pack("shop", "Prices are in cents.\n")
    assert "git ignores" not in world.modicum(*command).err
    world.write(".gitignore", ".modicum\n")

    world.path(".modicum/packs/billing").exists() and shutil.rmtree(world.path(".modicum/packs/billing"))
    said = world.modicum(*command)

    assert said.code == 0
    assert (
        f"git ignores .modicum (.modicum in a .gitignore), so that others get no pack of this project; {LINES}"
        in said.err
    )


def without_packs(world, tmp_path: Path) -> Path:
    """A clone of a project whose page is committed and whose packs are not."""
    world.pack("shop", "Prices are in cents.\n")
    world.write(".gitignore", ".modicum\n")
    world.write("AGENTS.md", "For all.\n")
    world.modicum("inject", "--tool", "codex")
    git(world.project, "add", "-A")
    git(world.project, "commit", "-qm", "all")
    git(tmp_path, "clone", "-q", str(world.project), "clone")
    world.patch.chdir(tmp_path / "clone")
    return tmp_path / "clone/AGENTS.md"


@pytest.mark.parametrize("tools", [("--tool", "codex"), ("--all-tools",), ("--tool", "claude-code")])
def test_a_page_stays_where_the_packs_that_it_is_made_from_are_missing(
    world, tmp_path: Path, tools: tuple[str, ...]
) -> None:
    page = without_packs(world, tmp_path)
    before = page.read_bytes()

    said = world.modicum("inject", *tools)
    checked = world.modicum("inject", "--check", "--tool", "codex")

    assert page.read_bytes() == before
    assert checked.code == 1
    assert "its page is made from packs that are not here (shop)" in checked.err
    assert said.code == 1 or tools == ("--tool", "claude-code")


def test_a_page_whose_packs_are_missing_goes_with_force_and_with_uninstall(world, tmp_path: Path) -> None:
    page = without_packs(world, tmp_path)
    forced = world.modicum("inject", "--tool", "codex", "--force")

    assert forced.code == 0
    assert "Prices are in cents" not in page.read_text()
    git(page.parent, "checkout", "-q", ".")
    assert world.modicum("uninstall").code == 0
    assert page.read_text() == "For all.\n"


def test_whoever_wrote_a_page_may_take_a_pack_away_while_others_stay(world) -> None:
    world.pack("shop", "Prices are in cents.\n")
    world.pack("more", "Deploy on Tuesdays.\n")
    world.modicum("inject", "--tool", "codex")
    shutil.rmtree(world.path(".modicum/packs/shop"))

    assert world.modicum("inject", "--tool", "codex").code == 0
    assert "Prices are in cents" not in world.read("AGENTS.md")
    shutil.rmtree(world.path(".modicum/packs/more"))
    assert world.modicum("inject", "--tool", "codex").code == 1
    assert "Deploy on Tuesdays" in world.read("AGENTS.md")
