"""modicum change"""


def test_a_small_fix_from_beginning_to_end(world) -> None:
    world.write("AGENTS.md", "- Never show a stack trace.\n")
    begun = world.modicum("change", "new", "--type", "fix", "--size", "small", "Show", "a", "stack", "trace")
    first = world.modicum("change", "advance")
    second = world.modicum("change", "advance")
    shut = world.modicum("change", "advance")
    third = world.modicum("change", "advance", "--content", "- [x] T1: Show it (files: a.py)")
    last = world.modicum("change", "advance", "--content", "Ran it.\n\nVerdict: PASS", "--json")

    folder = "docs/changes/show-a-stack-trace"
    assert begun.out == (
        "show-a-stack-trace is now at describe\n"
        f"Next: write {folder}/describe.md, then: modicum change advance\n"
    )
    assert "has none of" in begun.err
    assert first.out == (
        "describe is finished. show-a-stack-trace is now at context-check\n"
        f"Next: modicum change advance fills in {folder}/context-check.md\n"
    )
    assert "Never show a stack trace." in world.read("docs/changes/show-a-stack-trace/context-check.md")
    assert second.code == 0
    assert (shut.code, shut.out) == (
        1,
        f"show-a-stack-trace stays at tasks.\nEdit {folder}/tasks.md, then: modicum change advance\n",
    )
    assert f"error: {folder}/tasks.md: has nothing but its headings" in shut.err
    assert third.code == 0
    assert last.json["change"]["status"] == "completed"


def test_open_tasks_are_named_with_their_file_and_not_the_file_of_the_verdict(world) -> None:
    world.modicum("change", "new", "Login fails")
    world.modicum("change", "advance")
    world.modicum("change", "advance")
    world.modicum("change", "advance", "--content", "# Tasks\n\n- [x] T1: a\n- [ ] T2: b\n- [ ] T3: c\n")
    shut = world.modicum("change", "advance", "login", "--content", "Ran it.\n\nVerdict: PASS")

    tasks = "docs/changes/login-fails/tasks.md"
    assert (shut.code, shut.out) == (
        1,
        f"login-fails stays at verify.\nEdit {tasks}, then: modicum change advance login\n",
    )
    assert shut.err == (
        f"modicum: error: {tasks}: 1 of 3 tasks are ticked; finish and tick T2 (line 4), T3 (line 5)\n"
    )
    world.write(tasks, world.read(tasks).replace("[ ]", "[x]"))
    done = world.modicum("change", "advance", "--json")
    assert (done.json["change"]["status"], done.json["next_file"]) == ("completed", None)


def test_a_gate_names_every_file_that_keeps_it_shut(world) -> None:
    world.modicum("change", "new", "Login fails")
    world.modicum("change", "advance")
    world.modicum("change", "advance")
    world.modicum("change", "advance", "--content", "- [ ] T1: a\n")
    shut = world.modicum("change", "advance", "--content", "Verdict: FAIL", "--json")

    folder = "docs/changes/login-fails"
    assert shut.json["to_mend"] == [f"{folder}/tasks.md", f"{folder}/verify.md"]


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
