"""Pages of other projects: in packages and repositories below a project, and below the home folder, nothing of theirs changes."""

import shutil
from pathlib import Path

import pytest

TOOLS = ("--tool", "claude-code", "--tool", "codex")


def project_below(world, name: str, mark: str) -> dict[str, bytes]:
    """A project of its own in a folder below, with its pages; returns its files."""
    folder = world.project / name
    (folder / mark).mkdir(parents=True)
    (folder / ".modicum").mkdir(exist_ok=True)
    world.patch.chdir(folder)
    assert world.inject(*TOOLS).code == 0
    if mark == ".git":
        (folder / ".modicum").rmdir()
    world.patch.chdir(world.project)
    return files_of(folder)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("mark", [".modicum", ".git"])
@pytest.mark.parametrize("command", [("inject", *TOOLS), ("uninstall",), ("uninstall", "--tool", "codex")])
def test_a_project_below_keeps_its_pages(world, mark: str, command: tuple[str, ...]) -> None:
    world.rule()
    world.pack("shop", "Prices are in cents.\n", layer="~/.config/modicum")
    before = project_below(world, "deep/pkg", mark)
    assert len(before) == 2

    assert world.modicum(*command).code == 0

    assert files_of(world.project / "deep/pkg") == before


def test_status_says_nothing_of_the_pages_of_a_project_below(world) -> None:
    world.rule()
    project_below(world, "pkg", ".modicum")
    world.inject(*TOOLS)

    said = world.modicum("status", "--json").json

    assert {Path(row["path"]) for row in said["files"]} == {
        world.project / name for name in ("CLAUDE.md", "AGENTS.md")
    }


def test_what_another_machine_wrote_below_is_taken_out_without_naming_a_tool(world) -> None:
    world.rule()
    project_below(world, "sub", ".modicum")
    (world.project / "sub/.modicum").rmdir()
    world.inject(*TOOLS)
    world.path("sub/CLAUDE.md").write_text(world.read("CLAUDE.md"))

    said = world.modicum("inject", *TOOLS)

    assert "sub/CLAUDE.md" in said.out
    assert "--tool modicum" not in said.out


@pytest.mark.parametrize("is_named", [False, True])
def test_a_page_of_another_machine_goes_with_a_word_unless_the_project_names_its_tools(
    world, is_named: bool
) -> None:
    world.pack("shop", "Prices are in cents.\n")
    world.write("AGENTS.md", "# Mine\n")
    world.inject(*TOOLS)
    shutil.rmtree(world.home / ".local")
    world.write(".modicum/config.yaml", "tools: [claude-code]\n" if is_named else "")

    said = world.modicum("inject", "--tool", "claude-code")

    assert world.read("AGENTS.md") == "# Mine\n"
    assert ("name the tools of this project: modicum config set tools" in said.err) is not is_named


@pytest.mark.parametrize("command", ["inject", "status", "explain", "uninstall"])
def test_pages_for_a_project_are_refused_in_the_home_folder(world, command: str) -> None:
    world.rule()
    assert world.modicum("inject", "--global", "--tool", "claude-code").code == 0
    page = world.read("~/.claude/CLAUDE.md")
    world.patch.chdir(world.home)

    refused = world.modicum(command)

    assert (refused.code, refused.out) == (2, "")
    assert "is your home folder, not a project" in refused.err
    assert "add --global" in refused.err
    assert world.read("~/.claude/CLAUDE.md") == page
    for tool in ("chatgpt", "claude-ai"):
        assert world.modicum("inject", "--tool", tool).code == 0  # what is pasted goes anywhere
    assert world.read("~/.claude/CLAUDE.md") == page
    assert world.modicum("inject", "--tool", "chatgpt", "--tool", "codex").code == 2


def test_a_package_that_needs_a_page_of_its_own_gets_it_from_its_project_alone(world) -> None:
    world.rule()
    for path in ("CLAUDE.md", "AGENTS.md", "pkg/AGENTS.md"):
        world.write(path, f"Words of {path}.\n")
    world.path("pkg/.modicum").mkdir()
    before = files_of(world.project / "pkg")

    world.inject(*TOOLS, "--tool", "grok")

    assert files_of(world.project / "pkg") == before
    world.path("pkg/.modicum").rmdir()
    world.inject(*TOOLS, "--tool", "grok")
    assert files_of(world.project / "pkg") != before


@pytest.mark.parametrize("mark", [".modicum", ".git"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_link_into_another_project_is_not_written_through(world, mark: str, is_there: bool) -> None:
    before = project_below(world, "pkg", mark) if is_there else {}
    world.path("pkg").mkdir(exist_ok=True)
    world.path(f"pkg/{mark}").mkdir(exist_ok=True)
    world.path("AGENTS.md").symlink_to("pkg/AGENTS.md")

    world.inject(*TOOLS)
    assert files_of(world.project / "pkg") == before
    world.modicum("uninstall")
    assert files_of(world.project / "pkg") == before


def test_a_tool_that_is_not_found_is_no_reason_to_name_one_in_the_home_folder(world) -> None:
    world.patch.chdir(world.home)
    world.patch.setenv("PATH", "")

    assert "not a project" in world.modicum("inject").err
