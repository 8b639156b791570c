"""modicum see --against: what each tool reads more or less than at a commit, and which lines no longer arrive."""

import pytest

from repositories import commit_all, git


@pytest.fixture
def project(git_world):
    """A project that serves Codex and Claude Code, with files of its own, all committed."""
    git_world.write(".modicum/config.yaml", "tools: [codex, claude-code]\n")
    git_world.write("AGENTS.md", "# Rules\n\nNever push to main.\n\nUse pnpm.\n")
    git_world.write("CLAUDE.md", "# For Claude\n\nThink twice.\n")
    commit_all(git_world.project)
    return git_world


def tool(world, name: str, *words: str) -> dict:
    rows = world.modicum("see", "--against", "HEAD", "--json", *words).json["tools"]
    return next(row for row in rows if row["tool"] == name)


def test_nothing_has_changed(project) -> None:
    said = project.modicum("see", "--against", "HEAD")

    assert said.code == 0
    assert said.out.splitlines() == [
        "Codex (AGENTS.md) reads as many tokens as before (12).",
        "Claude Code reads as many tokens as before (7).",
    ]


def test_what_is_new_is_counted_and_what_was_taken_out_is_named(project) -> None:
    project.write("AGENTS.md", "# Rules\n\nNever push to main.\n\nUse npm, and nothing else at all.\n")

    said = project.modicum("see", "--against", "HEAD")

    assert said.code == 0
    assert said.out.splitlines()[:3] == [
        "Codex (AGENTS.md) reads 5 tokens more (12 before, 17 now).",
        "  These lines no longer reach Codex (AGENTS.md), because they were taken out:",
        "    AGENTS.md: Use pnpm.",
    ]


def test_a_line_that_falls_behind_the_limit_of_a_tool_is_told_with_the_reason(project) -> None:
    text = project.read("AGENTS.md")
    project.write("AGENTS.md", f"# Long\n\n{'word ' * 7000}\n\n{text}")

    said = project.modicum("see", "--against", "HEAD")

    assert said.code == 1
    why = "in AGENTS.md: it is behind the 32,768 bytes that the tool reads"
    assert "  These lines no longer reach Codex (AGENTS.md), although they are in the files:" in said.out
    assert f"    AGENTS.md: Never push to main.; {why}\n" in said.out
    assert tool(project, "codex")["lost"][1] == {
        "path": "AGENTS.md",
        "line": "Never push to main.",
        "why": why,
    }


def test_a_line_that_moved_to_a_file_which_the_tool_does_not_read_is_told(project) -> None:
    project.write("AGENTS.md", "# Rules\n\nUse pnpm.\n")
    project.write("CLAUDE.md", "# For Claude\n\nThink twice.\n\nNever push to main.\n")

    assert project.modicum("see", "--against", "HEAD").code == 1
    assert tool(project, "codex")["lost"] == [
        {
            "path": "AGENTS.md",
            "line": "Never push to main.",
            "why": "it is in CLAUDE.md now, which the tool does not read",
        }
    ]
    assert tool(project, "claude-code")["lost"] == []


def test_a_file_that_hides_another_one_is_told(project) -> None:
    project.write("AGENTS.override.md", "Only this.\n")

    lost = tool(project, "codex")["lost"]

    assert [row["line"] for row in lost] == ["# Rules", "Never push to main.", "Use pnpm."]
    assert all(row["why"].startswith("in AGENTS.md: ") for row in lost)


def test_imports_are_followed_at_the_commit_too(project) -> None:
    project.write("docs/rules.md", "Sign your commits.\n")
    project.write("CLAUDE.md", "# For Claude\n\n@docs/rules.md\n")
    commit_all(project.project)
    project.write("CLAUDE.md", "# For Claude\n")

    mention, line = tool(project, "claude-code")["lost"]
    assert (mention["line"], mention["why"]) == ("@docs/rules.md", None)
    assert line == {
        "path": "docs/rules.md",
        "line": "Sign your commits.",
        "why": "it is in docs/rules.md now, which the tool does not read",
    }


def test_what_is_not_in_the_repository_counts_as_it_is_now(project) -> None:
    project.write("~/.codex/AGENTS.md", "Mine at home.\n")
    project.write("~/.claude/CLAUDE.md", "Mine at home.\n")
    project.write(".gitignore", "CLAUDE.local.md\n")
    commit_all(project.project)
    project.write("CLAUDE.local.md", "Only on this machine.\n")

    for name in ("codex", "claude-code"):
        row = tool(project, name)
        assert (row["tokens_before"], row["lost"]) == (row["tokens"], [])
    project.write("AGENTS.md", "New, and not committed.\n")
    assert tool(project, "codex")["tokens"] != tool(project, "codex")["tokens_before"]


def test_a_project_below_the_root_of_its_repository(git_world) -> None:
    git_world.write("AGENTS.md", "Above.\n")
    git_world.write("app/.modicum/config.yaml", "tools: [codex]\n")
    git_world.write("app/AGENTS.md", "Never push to main.\n")
    commit_all(git_world.project)
    git_world.write("AGENTS.md", "Higher.\n")
    git_world.write("app/AGENTS.md", "Push to main.\n")
    git_world.patch.chdir(git_world.project / "app")

    assert {row["line"] for row in tool(git_world, "codex")["lost"]} == {"Above.", "Never push to main."}


def test_it_works_in_a_folder_of_the_project(project) -> None:
    project.write("sub/AGENTS.md", "Only here.\n")
    commit_all(project.project)
    project.path("sub/AGENTS.md").unlink()

    assert [row["line"] for row in tool(project, "codex", "--in", "sub")["lost"]] == ["Only here."]
    assert tool(project, "codex")["lost"] == []


def test_the_repository_stays_as_it_is(project) -> None:
    project.write("AGENTS.md", "Staged.\n")
    git(project.project, "add", "AGENTS.md")
    project.write("AGENTS.md", "Not staged.\n")
    before = git(project.project, "status", "--porcelain=v2", "--branch")
    hook = project.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)

    project.modicum("see", "--against", "HEAD")
    hook.unlink()

    assert git(project.project, "status", "--porcelain=v2", "--branch") == before
    assert git(project.project, "worktree", "list").count("\n") == 0


def test_a_branch_a_tag_and_a_hash_name_a_commit(project) -> None:
    git(project.project, "tag", "v1")
    for name in ("main", "v1", git(project.project, "rev-parse", "HEAD"), "HEAD~0"):
        assert project.modicum("see", "--against", name).code == 0


@pytest.mark.parametrize("name", ["nope", "--help", "-x", "HEAD^{tree}", "a b", "\u4e2d\u6587"])
def test_what_is_no_commit_is_told(project, name: str) -> None:
    said = project.modicum("see", f"--against={name}")

    assert said.code == 4
    assert f'there is no commit "{name}" here' in said.err


def test_without_a_repository_it_is_told(world) -> None:
    world.patch.setenv("PATH", "/usr/bin:/bin")
    world.write("AGENTS.md", "mine\n")

    said = world.modicum("see", "codex", "--against", "HEAD")

    assert said.code == 4
    assert "not a git repository" in said.err


def test_as_markdown_for_a_summary(project) -> None:
    project.write("AGENTS.md", "# Rules\n\nUse pnpm.\n")
    project.write("CLAUDE.md", "# For `Claude` ``\n\nThink twice.\n")
    commit_all(project.project)
    project.write("AGENTS.md", "# Rules\n")
    project.write("CLAUDE.md", "Think twice.\n")

    said = project.modicum("see", "--against", "HEAD", "--markdown")

    assert said.out == (
        "### What AI tools read, against `HEAD`\n\n"
        "- **Codex (AGENTS.md)** reads 4 tokens less (7 before, 3 now).\n"
        "  - These lines no longer reach Codex (AGENTS.md), because they were taken out:\n"
        "    - `Use pnpm.` (`AGENTS.md`)\n"
        "- **Claude Code** reads 7 tokens less (10 before, 3 now).\n"
        "  - These lines no longer reach Claude Code, because they were taken out:\n"
        "    - ``` # For `Claude` `` ``` (`CLAUDE.md`)\n"
    )
    assert project.modicum("see", "--markdown").code == 2


def test_many_and_long_lines_are_shortened(project) -> None:
    project.write("AGENTS.md", "".join(f"{number} {'word ' * 50}\n" for number in range(30)))
    commit_all(project.project)
    project.write("AGENTS.md", "\n")

    said = project.modicum("see", "--against", "HEAD").out.splitlines()

    assert max(map(len, said)) < 200
    assert "    and 10 more" in said
    assert sum("word" in line for line in said) == 20


def test_line_ends_make_no_difference_to_what_arrives(project) -> None:
    project.write("AGENTS.md", project.read("AGENTS.md").replace("\n", "\r\n"))

    assert tool(project, "codex")["lost"] == []


def test_a_file_of_the_first_commit_may_be_missing(git_world) -> None:
    git_world.write("readme.md", "hi\n")
    commit_all(git_world.project)
    git_world.write("AGENTS.md", "Never push to main.\n")

    row = tool(git_world, "codex", "codex")

    assert (row["tokens_before"], row["lost"]) == (0, [])
    assert row["tokens"] > 0


def test_the_folder_of_the_project_may_be_new(git_world) -> None:
    git_world.write("AGENTS.md", "Above.\n")
    commit_all(git_world.project)
    git_world.write("app/.modicum/config.yaml", "tools: [codex]\n")
    git_world.write("app/AGENTS.md", "Never push to main.\n")
    git_world.patch.chdir(git_world.project / "app")

    row = tool(git_world, "codex")

    assert row["lost"] == []
    assert row["tokens"] > row["tokens_before"] > 0


def test_a_link_to_another_file_is_followed_at_the_commit_too(project) -> None:
    project.path("CLAUDE.md").unlink()
    project.path("CLAUDE.md").symlink_to("AGENTS.md")
    commit_all(project.project)
    project.path("CLAUDE.md").unlink()
    project.write("CLAUDE.md", "Use pnpm.\n")

    assert [row["line"] for row in tool(project, "claude-code")["lost"]] == ["# Rules", "Never push to main."]
