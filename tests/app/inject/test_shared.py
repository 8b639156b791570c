"""A project that says its tools or its sources: everybody who has its repository makes the same files."""

import pytest

from repositories import commit_all, fresh_home, packs_repository

TOOLS = "tools: [claude-code, codex, cursor]\n"


def made(world) -> dict[str, str]:
    """The files of the project that git knows, without git's own."""
    return {
        path.relative_to(world.project).as_posix(): path.read_text()
        for path in sorted(world.project.rglob("*"))
        if path.is_file() and ".git/" not in path.as_posix()
    }


def test_the_tools_of_the_project_are_served_whatever_is_installed(git_world) -> None:
    git_world.write("~/.gemini/settings.json", "{}")
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n")

    said = git_world.inject()

    assert said.code == 0
    assert {page["tool"] for page in said.json["pages"]} == {"claude-code", "codex", "cursor"}
    assert {row["tool"] for row in git_world.modicum("status", "--json").json["files"]} == {
        *("claude-code", "codex", "cursor")
    }
    assert [row["tool"] for row in git_world.modicum("see", "--json").json["tools"]] == [
        *("claude-code", "codex", "cursor")
    ]


@pytest.mark.parametrize("scope", ["tools", "sources"])
def test_a_fresh_home_finds_a_correct_commit_current(git_world, scope: str) -> None:
    packs = git_world.home / "packs"
    packs_repository(packs, tag="v1")
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.write("AGENTS.md", "# Mine\n\nUse pnpm.\n")
    git_world.pack("shop", "Prices are in cents.\n", header="changelog: [Prices were in euros]\n")
    if scope == "sources":
        git_world.modicum("source", "add", packs.as_uri(), "--ref", "v1", "--here")
    git_world.patch.setenv("MODICUM_AGREED_SOURCES", packs.as_uri())
    assert git_world.modicum("inject").code == 0
    before = made(git_world)
    commit_all(git_world.project)
    fresh_home(git_world)

    checked = git_world.modicum("inject", "--check")

    assert (checked.code, checked.err) == (0, "")
    assert git_world.modicum("inject").code == 0
    assert made(git_world) == before
    assert ("Never round twice." in before["AGENTS.md"]) is (scope == "sources")


def test_what_differs_is_named_with_its_tool_and_its_lines(git_world) -> None:
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n")
    git_world.modicum("inject")
    git_world.pack("shop", "Prices are in euros.\n")
    commit_all(git_world.project)
    fresh_home(git_world)

    said = git_world.modicum("inject", "--check")

    assert said.code == 1
    assert "-Prices are in cents.\n+Prices are in euros.\n" in said.out
    assert "Claude Code" in said.out
    assert "Codex" in said.out
    assert "Nothing was written." in said.out


def test_what_only_one_user_has_does_not_come_into_the_files(git_world) -> None:
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n", header="changelog: [Prices were in euros]\n")
    git_world.write(".modicum/packs/shop/context.de.md", "Preise sind in Cent.\n")
    git_world.modicum("inject")
    before = made(git_world)
    commit_all(git_world.project)
    fresh_home(git_world)
    git_world.write("~/.config/modicum/config.yaml", "profile: minimal\nlanguage: de\nscope: global\n")
    git_world.write("~/.config/modicum/packs/mine/pack.yaml", "id: mine\n")
    git_world.write("~/.config/modicum/packs/mine/context.md", "Only I want this.\n")
    git_world.write("~/.config/modicum/adapters/codex.yaml", "id: codex\nverbosity: minimal\n")
    git_world.write("~/team/packs/other/pack.yaml", "id: other\n")
    git_world.write("~/team/packs/other/context.md", "Only my team wants this.\n")
    git_world.modicum("source", "add", str(git_world.path("~/team")))
    git_world.patch.setenv("LANG", "de_DE.UTF-8")

    assert git_world.modicum("inject", "--check").code == 0
    git_world.modicum("inject")
    assert made(git_world) == before
    explained = git_world.modicum("explain").err
    assert "your own packs are not in the files of this project" in explained


def test_the_page_of_a_tool_that_the_project_no_longer_names_is_taken_out(git_world) -> None:
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n")
    git_world.modicum("inject")
    git_world.write(".modicum/config.yaml", "tools: [codex]\n")

    git_world.modicum("inject")

    assert not git_world.path("CLAUDE.md").exists()
    assert "Prices" in git_world.read("AGENTS.md")


def test_a_named_tool_is_placed_together_with_the_others_of_the_project(git_world) -> None:
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n")
    git_world.modicum("inject")
    before = made(git_world)
    commit_all(git_world.project)
    fresh_home(git_world)

    git_world.modicum("inject", "--tool", "codex")

    assert made(git_world) == before


def test_a_tool_that_does_not_exist_stops_the_run_before_a_page_is_taken_out(git_world) -> None:
    git_world.write(".modicum/config.yaml", TOOLS)
    git_world.pack("shop", "Prices are in cents.\n")
    git_world.modicum("inject")
    before = made(git_world)
    git_world.write(".modicum/config.yaml", "tools: [claud-code, codex]\n")

    said = git_world.modicum("inject")

    assert said.code == 4
    assert 'there is no tool "claud-code" (did you mean "claude-code"?)' in said.err
    assert {**made(git_world), ".modicum/config.yaml": TOOLS} == before
    assert git_world.modicum("see").code == 4


def test_global_files_are_the_users_own_business(git_world) -> None:
    git_world.write(".modicum/config.yaml", "tools: [codex]\n")
    (git_world.home / ".claude").mkdir()

    said = git_world.inject("--global")

    assert "claude-code" in {page["tool"] for page in said.json["pages"]}


def test_a_chat_box_among_the_tools_waits_until_it_is_asked_for(git_world) -> None:
    git_world.write(".modicum/config.yaml", "tools: [codex, chatgpt]\n")
    git_world.pack("shop", "Prices are in cents.\n")

    said = git_world.modicum("inject")

    assert said.code == 0
    assert "only when asked for: modicum inject --tool chatgpt" in said.out
    assert not git_world.path("~/Documents").exists()


def test_a_global_page_of_one_user_leaves_the_files_of_the_project_whole(git_world) -> None:
    git_world.write(".modicum/config.yaml", "tools: [codex]\n")
    git_world.modicum("inject")
    commit_all(git_world.project)
    (git_world.home / ".codex").mkdir()

    assert git_world.modicum("inject", "--global", "--tool", "codex").code == 0
    assert git_world.modicum("inject", "--check").code == 0


def test_what_is_new_in_a_pack_is_not_told_because_it_is_new_on_each_machine_once(git_world) -> None:
    git_world.write(".modicum/config.yaml", "tools: [codex]\n")
    for changelog in ("[First change]", "[First change, Second change]"):
        git_world.pack("shop", "Prices are in cents.\n", header=f"changelog: {changelog}\n")
        git_world.modicum("inject")
    commit_all(git_world.project)
    fresh_home(git_world)

    assert "First change" not in git_world.read("AGENTS.md")
    assert git_world.modicum("inject", "--check").code == 0


def test_all_tools_at_once_with_files_of_the_user_are_current_in_a_fresh_home(git_world) -> None:
    rows = git_world.modicum("tool", "list", "--json").json["tools"]
    tools = [row["id"] for row in rows if row["id"] != "zed"]  # which has no room beside so many files
    git_world.write(".modicum/config.yaml", f"tools: [{', '.join(tools)}]\n")
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", "sub/AGENTS.md"):
        git_world.write(name, f"# Mine\n\nA rule in {name}.\n")
    git_world.pack("shop", "Prices are in cents.\n")
    git_world.pack("web", "Tabs.\n", header='globs: ["src/**/*.ts"]\n')
    git_world.modicum("inject")
    commit_all(git_world.project)
    here = git_world.modicum("inject", "--check")
    fresh_home(git_world)

    there = git_world.modicum("inject", "--check")

    assert (here.code, there.code) == (0, 0)
    assert "would be" not in there.out
