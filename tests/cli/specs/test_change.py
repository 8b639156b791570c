"""Specs on the command line."""

import json
import re

import pytest

ADR = ("--context", "Redis lost some.", "--decision", "A table.", "--rationale", "One thing less.")


def test_a_small_fix_from_beginning_to_end(world) -> None:
    world.write("AGENTS.md", "- Never show a stack trace.\n")
    begun = world.modicum("change", "new", "--type", "fix", "--size", "small", "Show", "a", "stack", "trace")
    first = world.modicum("change", "advance")
    second = world.modicum("change", "advance")
    shut = world.modicum("change", "advance")
    third = world.modicum("change", "advance", "--content", "- [x] T1: Show it (files: a.py)")
    last = world.modicum("change", "advance", "--content", "Ran it.\n\nVerdict: PASS", "--json")

    assert begun.out == "show-a-stack-trace is now at describe: docs/changes/show-a-stack-trace/\n"
    assert "has none of" in begun.err
    assert first.out.startswith("describe is finished.")
    assert "Never show a stack trace." in world.read("docs/changes/show-a-stack-trace/context-check.md")
    assert second.code == 0
    assert (shut.code, shut.out) == (
        1,
        "show-a-stack-trace stays at tasks. Mend docs/changes/show-a-stack-trace/tasks.md and advance again.\n",
    )
    assert "error: tasks.md: has nothing but its headings" in shut.err
    assert third.code == 0
    assert last.json["change"]["status"] == "completed"


def test_a_change_is_shown_with_its_waves(world) -> None:
    world.modicum("change", "new", "Login fails")
    world.modicum("change", "advance")
    world.modicum("change", "advance")
    world.modicum("change", "advance", "--content", "- [x] T1: a\n- [ ] T2: b (after: T1)\n")
    said = world.modicum("change", "status", "login")

    assert "[x] tasks" in said.out
    assert "Tasks: 1 of 2 done.\n  wave 1: T1\n  wave 2: T2\n" in said.out
    assert world.modicum("change", "status", "--json").json["waves"] == [["T1"], ["T2"]]


def test_changes_are_listed_moved_and_put_aside(world) -> None:
    assert world.modicum("change", "list").out == "No change is open.\n"
    world.modicum("change", "new", "Login fails")
    world.modicum("change", "advance")

    assert world.modicum("change", "back").out.startswith("login-fails is now at describe")
    assert world.modicum("change", "resize", "xl").err == (
        'modicum: there is no size "xl" of a fix (there are: small, medium, large)\n'
    )
    assert world.modicum("change", "list").out == "login-fails  fix, small, at describe\n"
    assert world.modicum("change", "cancel", "--reason", "no time").out.startswith("login-fails is cancelled")
    assert (
        world.modicum("change", "archive", "login-fails").out
        == "login-fails is archived: docs/history/login-fails/\n"
    )
    assert world.modicum("change", "list", "--all", "--json").json["changes"][0]["reason"] == "no time"
    assert world.modicum("change", "reopen", "login-fails").out.startswith("login-fails is now at describe")


def test_decisions_are_written_listed_shown_and_superseded(world) -> None:
    assert world.modicum("adr", "list").out == "There are no decisions.\n"
    first = world.modicum("adr", "new", "Keep", "sessions", "in", "Postgres", *ADR)
    second = world.modicum("adr", "supersede", "1", "Keep sessions in Redis", *ADR, "--json")

    assert first.out == "001 Keep sessions in Postgres: docs/adrs/001-keep-sessions-in-postgres.md\n"
    assert second.json["number"] == "002"
    assert world.modicum("adr", "list").out == (
        "001  Keep sessions in Postgres  (superseded by 002)\n002  Keep sessions in Redis  (accepted)\n"
    )
    assert world.modicum("adr", "show", "1").out.startswith(
        "# 001. Keep sessions in Postgres\n\n- Status: superseded by"
    )
    assert 'no decision "9"' in world.modicum("adr", "show", "9").err
    assert "ADR 002" in world.modicum("search", "sessions", "redis").out


def test_the_check_tells_what_bears_on_a_change(world) -> None:
    world.write("AGENTS.md", "- Never keep sessions in Redis.\n")
    said = world.modicum("check", "keep", "sessions", "in", "Redis", "--max-tokens", "200")
    item = world.modicum("check", "sessions in redis", "--json").json["items"][0]

    assert said.out.startswith("## Possible conflicts\n- **AGENTS.md**")
    assert (item["kind"], item["where"]["line"]) == ("possible conflict", 1)
    assert "AGENTS.md" in world.modicum("specs", "suggest", "sessions in redis").out
    assert "- [ ] **AGENTS.md**" in world.modicum("specs", "review", "sessions in redis").out
    assert world.modicum("check", "zebras").out == "Nothing that was written here bears on that.\n"
    assert world.modicum("check").err.startswith("modicum: say what you want to change")


def test_what_does_not_fit_is_told(world) -> None:
    for number in range(40):
        world.write(f"docs/adrs/{number:03}-x.md", f"# {number:03}. Redis {number}\n\nUse Redis.\n")
    small = world.modicum("check", "redis", "--max-tokens", "60")
    none = world.modicum("check", "redis", "--max-tokens", "3")

    assert re.search(r"… \d+ more with cursor [0-9a-f]{4}\.0-\d", small.out)
    assert none.out == "Nothing of it fits; there are 41 items.\n"
    assert "more of 41: add --cursor" in none.err


def test_a_project_is_begun_scanned_and_drafted(world) -> None:
    world.write("README.md", "# Shop\n\n## Features\n\n- Sells books\n")
    world.write("src/a.py", "x = 1  # FR-001\n")
    drafted = world.modicum("specs", "bootstrap")

    assert drafted.out.splitlines()[0] == "docs/requirements.md is written, as a draft"
    assert world.modicum("specs", "bootstrap").out.splitlines()[0] == "docs/requirements.md is there already"
    assert "- src/ (1 source files)" in world.modicum("specs", "scan").out
    assert world.modicum("specs", "scan", "../..").err.startswith("modicum: ../.. is outside of the project")
    assert "## Seen in the code\n- FR-001" in world.modicum("specs", "audit", "--detail", "summary").out
    assert world.modicum("specs", "init", "Shop", "Sells books").out.startswith(
        "Shop is begun, and at principles."
    )
    assert world.modicum("specs", "advance").err.startswith("modicum: there is no principles.md yet")
    assert world.modicum("specs", "advance", "--content", "Cents are whole.").out.startswith(
        "principles is finished"
    )
    assert world.modicum("specs", "advance", "--content", "TBD").code == 1
    assert world.modicum("specs", "back", "principles").out == "Shop is at principles again.\n"
    assert world.modicum("specs", "context", "--detail", "summary").out.startswith(
        "# Shop (guided), at principles"
    )
    assert world.modicum("specs", "context", "--stage", "requirements").out.startswith("# project: Specify")


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("specs", "init", "Shop", "Books"), {"name", "mode", "current_stage"}),
        (
            ("specs", "context"),
            {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"},
        ),
        (("specs", "scan"), {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"}),
        (("change", "list"), {"changes", "warnings"}),
        (("adr", "list"), {"decisions"}),
        (
            ("change", "new", "x"),
            {"change", "folder", "finished", "file", "advanced", "complaints", "warnings"},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_is_one_object_with_known_keys(world, arguments: tuple[str, ...], keys: set[str]) -> None:
    assert set(json.loads(world.modicum(*arguments, "--json").out)) == keys


def test_files_are_written_without_memory(world) -> None:
    world.write("~/.local/share/modicum/memory.db", "no database")
    said = world.modicum("change", "new", "Login fails")

    assert said.code == 0
    assert "memory is left out" in said.err
    assert world.read("docs/changes/login-fails/describe.md")
