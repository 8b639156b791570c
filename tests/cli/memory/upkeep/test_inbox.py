"""modicum memory inbox and modicum memory audit"""

import pytest

GOOD = "The queue moved to SQLite because Redis lost jobs on restart."
POOL = "The pool of the booking nodes is 24, since the server allows 400 sessions."


@pytest.fixture
def waiting(world):
    """Two notes of an agent that wait."""
    world.patch.setenv("MODICUM_GATE", "inbox")
    world.patch.setenv("CLAUDECODE", "1")
    for title, text in (("Queue", GOOD), ("Pool", POOL)):
        assert world.modicum("save", title, text, "--json").json["outcome"] == "inbox"
    world.patch.delenv("CLAUDECODE")
    return world


def test_what_waits_is_listed_with_its_reason_and_counted(waiting) -> None:
    said = waiting.modicum("memory", "inbox")

    assert said.code == 0
    assert "Pool (all notes of agents wait here first; agent:claude-code)" in said.out
    listed = waiting.modicum("memory", "inbox", "--json").json
    assert [(item["number"], item["origin"], item["why"]) for item in listed["items"]] == [
        (2, "agent:claude-code", "all notes of agents wait here first"),
        (1, "agent:claude-code", "all notes of agents wait here first"),
    ]
    assert waiting.modicum("memory", "stats", "--json").json["waiting"] == 2
    assert "2 notes in the inbox: modicum memory inbox" in waiting.modicum("memory", "stats").out
    said = waiting.modicum("search", "queue").out
    assert said == "No note answers that. 2 notes wait in the inbox: modicum memory inbox.\n"


def test_notes_are_accepted_edited_and_dropped_by_id(waiting) -> None:
    assert waiting.modicum("memory", "inbox", "accept", "1").out.endswith(' "Queue" accepted\n')
    assert waiting.modicum("memory", "inbox", "edit", "2", "--title", "Pool size").out.endswith(
        ' "Pool size" accepted\n'
    )
    assert waiting.modicum("memory", "inbox", "list").out == "Nothing waits in the inbox.\n"
    assert waiting.modicum("show", "2", "--json").json["title"] == "Pool size"
    items = waiting.modicum("recall", "--origin", "agent", "--json").json["items"]
    assert [item["number"] for item in items] == [1]  # the other one is in a person's words now
    assert "did you mean" in waiting.modicum("recall", "--origin", "agnt").err


def test_all_notes_are_dropped_at_once_and_one_comes_back(waiting) -> None:
    said = waiting.modicum("memory", "inbox", "drop", "--all").out
    assert [line.split(maxsplit=1)[1] for line in said.splitlines()] == ['"Pool" dropped', '"Queue" dropped']
    assert waiting.modicum("memory", "inbox", "accept", "--all").out == "Nothing waits in the inbox.\n"
    assert waiting.modicum("memory", "restore", "1").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("accept",), "give their ids, or --all"),
        (("drop", "1", "--all"), "give their ids, or --all"),
        (("edit", "1"), "add --title, --content or --type"),
        (("accept", "9"), "there is no note #9"),
        (("akcept", "9"), "did you mean"),
    ],
)
def test_mistakes_have_a_remedy(waiting, arguments, sentence) -> None:
    said = waiting.modicum("memory", "inbox", *arguments)

    assert said.code != 0
    assert sentence in said.err


def test_an_audit_plans_and_applies(world) -> None:
    world.patch.setenv("CLAUDECODE", "1")  # the junk of people is not deleted
    for title, text in (("Queue", GOOD), ("Once more", GOOD), ("Tests", "All 412 tests pass now.")):
        world.modicum("save", title, text)

    planned = world.modicum("memory", "audit")
    assert "3 findings" not in planned.out
    assert "2 findings; the plan deletes 2: modicum memory audit --apply" in planned.out
    findings = world.modicum("memory", "audit", "--json").json
    assert [(each["number"], each["kind"]) for each in findings["findings"]] == [
        (2, "duplicate"),
        (3, "junk"),
    ]
    assert findings["deleted"] == []
    assert "2 notes deleted" in world.modicum("memory", "audit", "--apply").out
    assert world.modicum("memory", "audit", "--all-projects").out == "Nothing to complain of.\n"
    assert world.modicum("memory", "audit", "--apply", "--dry-run").code == 2
    assert world.modicum("memory", "restore", "2").code == 0


def test_an_audit_leaves_out_what_specs_keep_in_memory(world) -> None:
    reasons = ("--context", "It was slow.", "--decision", "A table.", "--rationale", "One less.")
    world.modicum("adr", "new", "Keep", "sessions", *reasons)
    world.modicum("adr", "supersede", "1", "Drop sessions", *reasons)
    world.modicum("change", "new", "Answer", "faster")
    world.modicum("spec", "init", "shop", "A shop")
    world.modicum("spec", "advance", "--content", "Keep it simple.")
    of_specs = world.modicum("memory", "stats", "--json").json["notes"]
    world.modicum("save", "Tests", "All 412 tests pass now.")

    findings = world.modicum("memory", "audit", "--json").json["findings"]

    assert of_specs == 4
    assert [each["title"] for each in findings] == ["Tests"]


def test_what_was_dropped_or_accepted_is_named_when_it_comes_back(waiting) -> None:
    for verb in ("drop", "accept"):
        waiting.modicum("memory", "inbox", verb, "1")
        assert '"Queue"' in waiting.modicum("memory", "log", "--limit", "1").out

        said = waiting.modicum("undo").out

        assert f"\nTaken back: {verb} of " in said
        assert "(1 note)" in said
        assert '"Queue"' in said
        assert waiting.modicum("memory", "inbox", "--json").json["total"] == 2
