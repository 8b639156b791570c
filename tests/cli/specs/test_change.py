"""modicum change"""


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


def test_files_are_written_without_memory(world) -> None:
    world.write("~/.local/share/modicum/memory.db", "no database")
    said = world.modicum("change", "new", "Login fails")

    assert said.code == 0
    assert "memory is left out" in said.err
    assert world.read("docs/changes/login-fails/describe.md")
