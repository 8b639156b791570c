"""With --make-room our page goes above the user's text where a limit would cut it off, and what falls off is told."""

import shutil
import subprocess
from pathlib import Path

import pytest

from modicum.targets.plan import ROOM_WAS_MADE

GIT = shutil.which("git") or "git"  # before a test has a PATH of its own
pytestmark = pytest.mark.usefixtures("starters")

LINE = "A rule of the user's that takes some room.\n"
LONG = "# First\n\n" + LINE * 900 + "\n# Last\n\nthe last rule\n"
START = "<!-- modicum:start:modicum -->"
TWO = ("--tool", "codex", "--tool", "claude-code")
# The setting of the user's own keeps inject from raising the limit.
KEPT = "project_doc_max_bytes = 32768\n"


@pytest.fixture
def git_path(world) -> None:
    world.patch.setenv("PATH", str(Path(GIT).parent))
    subprocess.run([GIT, "init", "-q"], cwd=world.project, check=True)


@pytest.fixture
def full(world):
    """A project whose AGENTS.md is larger than what Codex reads."""
    world.write("AGENTS.md", LONG)
    world.write(".codex/config.toml", KEPT)
    return world


def test_without_room_nothing_is_written_for_the_tool_and_the_run_fails(full) -> None:
    said = full.modicum("inject", "--tool", "codex")

    assert said.code == 1
    assert "Codex (AGENTS.md) gets nothing" in said.err
    assert "no place for a page beside your own files: modicum see codex" in said.out
    assert full.read("AGENTS.md") == LONG


def test_with_room_the_page_is_above_the_users_text_and_stays_there(full) -> None:
    first = full.modicum("inject", "--make-room", "--tool", "codex")
    made = full.read("AGENTS.md")

    assert first.code == 0, first.err
    assert made.startswith(f"{START}\n{ROOM_WAS_MADE}\n")
    assert made.endswith(LONG)
    assert full.modicum("inject", "--check", "--tool", "codex").code == 0
    assert full.modicum("inject", "--tool", "codex").code == 0
    assert full.read("AGENTS.md") == made


def test_what_falls_off_is_told_by_heading_and_size(full) -> None:
    said = full.modicum("inject", "--make-room", "--tool", "codex")
    lost = len(full.read("AGENTS.md").encode()) - 32_768

    assert f'does not read the last {lost:,} bytes of your AGENTS.md, in "# First"' in said.err
    assert "no longer read" not in said.err


def test_what_falls_off_is_the_users_text_without_our_page(full) -> None:
    said = full.modicum("inject", *TWO)

    assert f"does not read the last {len(LONG) - 32_768:,} bytes of your AGENTS.md" in said.err


def test_room_for_one_tool_hides_nothing_from_the_others(full) -> None:
    said = full.modicum("inject", "--make-room", *TWO)
    seen = full.modicum("see", "claude-code").out

    assert said.code == 0, said.err
    assert "will no longer read" not in said.err
    assert "the last rule" in seen
    assert seen.count(START) <= 1


@pytest.mark.parametrize("head", ["", "\ufeff", "---\nname: mine\n---\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_uninstall_gives_back_every_byte_below_the_page(full, head: str, end: str) -> None:
    data = (head + LONG).replace("\n", end)
    full.write("AGENTS.md", data)
    full.modicum("inject", "--make-room", "--tool", "codex")
    made = full.read("AGENTS.md")

    assert made.startswith(head.replace("\n", end) + START)
    assert made.count("\r\n") == (made.count("\n") if end == "\r\n" else 0)
    assert full.modicum("inject", "--check", "--tool", "codex").code == 0
    assert full.modicum("uninstall").code == 0
    assert full.read("AGENTS.md") == data


def test_a_page_with_the_users_text_below_it_keeps_its_size(world) -> None:
    """It is at the top because the file was ours first, and not to make room."""
    world.modicum("inject", "--tool", "codex")
    page = world.read("AGENTS.md")
    world.write("AGENTS.md", page + "\nwritten later\n")

    assert world.modicum("inject", "--check", "--tool", "codex").code == 0
    world.modicum("uninstall")
    assert world.read("AGENTS.md").strip() == "written later"


@pytest.mark.parametrize("end", ["```\nopen\n", "<!-- open\n"])
def test_a_page_above_an_open_fence_or_comment_is_current_at_the_next_run(world, end: str) -> None:
    world.write("AGENTS.md", f"# Mine\n{end}")
    tools = (*TWO, "--tool", "copilot", "--tool", "gemini-cli")
    assert world.modicum("inject", *tools).code == 0

    assert world.modicum("inject", "--check", *tools).code == 0
    world.modicum("uninstall")
    assert world.read("AGENTS.md") == f"# Mine\n{end}"


def test_room_is_not_made_where_there_is_enough(world) -> None:
    world.write("AGENTS.md", "mine\n")
    world.modicum("inject", "--make-room", "--tool", "codex")

    assert ROOM_WAS_MADE not in world.read("AGENTS.md")


def test_a_page_leaves_the_top_when_the_users_text_has_grown_to_the_limit(world) -> None:
    """Nobody asked for room: what falls off is ours."""
    tools = ("--tool", "codex", "--tool", "opencode")
    world.write("AGENTS.md", "mine\n")
    world.write(".codex/config.toml", KEPT)
    world.modicum("inject", *tools)
    assert world.read("AGENTS.md").startswith(START)

    world.write("AGENTS.md", world.read("AGENTS.md") + LONG)
    world.modicum("inject", *tools)

    assert world.read("AGENTS.md").startswith("mine\n" + LONG)


def test_a_page_in_a_link_to_a_full_file_pushes_nothing_of_the_users_out(full) -> None:
    full.path("CLAUDE.md").symlink_to("AGENTS.md")
    full.modicum("inject", *TWO)

    assert full.read("AGENTS.md").startswith(LONG)


def test_two_files_that_are_equal_stay_so_where_one_of_them_is_full(full) -> None:
    """Copilot reads one of two files with the same text, and both if they differ."""
    full.write("CLAUDE.md", LONG)
    full.modicum("inject", *TWO, "--tool", "copilot", "--tool", "gemini-cli")

    assert full.read("CLAUDE.md") == full.read("AGENTS.md")


def test_a_setting_in_a_file_that_git_ignores_is_named_where_it_might_help(world, git_path) -> None:
    world.write("AGENTS.md", LONG)
    world.write(".gitignore", ".codex/\n")

    said = world.modicum("inject", "--tool", "codex")

    assert said.code == 1
    assert "A setting in .codex/config.toml might help, but git ignores that file." in said.err
    assert not world.path(".codex").exists()
