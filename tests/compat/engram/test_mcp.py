"""engram's tools, in its bytes."""

import re

import pytest

from modicum.base.errors import ModicumError
from modicum.compat.quoting import quoted
from modicum.mcp.sets import choose_tools
from modicum.memory.model import NoteDraft

TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
LONG = "word " * 100


def told(answer) -> str:
    return TIME.sub("<TS>", answer.text)


def test_a_memory_is_saved_found_and_got(ask_engram) -> None:
    saved = ask_engram(
        "mem_save", title='Use "WAL"', content="Readers go on.", type="decision", project="Demo"
    )

    assert told(saved) == (
        'Memory saved: "Use \\"WAL\\"" (decision)\nSuggested topic_key: decision/use-wal\n'
        '⚠️ Project name normalized: "Demo" → "demo"'
    )
    assert told(ask_engram("mem_search", query="readers", project="demo")) == (
        'Found 1 memories:\n\n[1] #1 (decision) — Use "WAL"\n    Readers go on.\n'
        "    <TS> | project: demo | scope: project\n\n"
    )
    assert told(ask_engram("mem_get_observation", id=1)) == (
        '#1 [decision] Use "WAL"\nReaders go on.\nSession: manual-save-demo\nProject: demo\nScope: project\n'
        "Duplicates: 1\nRevisions: 1\nCreated: <TS>"
    )


def test_a_long_hit_is_marked_as_a_preview(ask_engram) -> None:
    ask_engram("mem_save", title="t", content=LONG, topic_key="a/b")
    found = told(ask_engram("mem_search", query="word"))

    assert f"    {LONG[:300]}... [preview]\n" in found
    assert found.endswith(
        "---\nResults above are previews (300 chars). To read the full content of a specific memory, "
        "call mem_get_observation(id: <ID>).\n"
    )
    assert "\nTopic: a/b\n" in ask_engram("mem_get_observation", id=1).text


def test_a_project_that_looks_like_another_is_warned_of(ask_engram) -> None:
    ask_engram("mem_save", title="a", content="b", project="engram", topic_key="x")

    assert ask_engram("mem_save", title="c", content="d", project="engam", topic_key="y").text == (
        'Memory saved: "c" (manual)\n⚠️ Project "engam" has no memories. Similar project found: "engram" '
        "(1 memories). Consider using that name instead."
    )


def test_the_context_ends_with_how_much_there_is(ask_engram) -> None:
    assert ask_engram("mem_context").text == "No previous session memories found."
    ask_engram("mem_save", title="a", content="b")
    assert told(ask_engram("mem_context")) == (
        "## Memory from Previous Sessions\n\n### Recent Sessions\n- **shop** (<TS>) [1 observations]\n\n"
        "### Recent Observations\n- [manual] **a**: b\n\n\n---\n"
        "Memory stats: 1 sessions, 1 observations across projects: shop"
    )


def test_a_timeline_shows_what_is_around(ask_engram) -> None:
    ask_engram("mem_session_start", id="s", project="shop", directory="/x")
    for name in "abc":
        ask_engram("mem_save", title=name, content=LONG, session_id="s", topic_key=name)
    ask_engram("mem_session_end", id="s", summary="Done.")

    assert told(ask_engram("mem_timeline", observation_id=2)) == (
        "Session: shop (<TS>) — Done.\nTotal observations in session: 3\n\n"
        f"─── Before ───\n  #1 [manual] a — {LONG[:150]}...\n\n"
        f">>> #2 [manual] b <<<\n    {LONG.strip()}\n    <TS>\n\n"
        f"─── After ───\n  #3 [manual] c — {LONG[:150]}...\n"
    )


def test_a_note_alone_has_no_neighbours_to_head(ask_engram) -> None:
    ask_engram("mem_save", title="a", content="b", session_id="s")

    assert "───" not in ask_engram("mem_timeline", observation_id=1).text


def test_no_neighbours_and_fewer_are_five(ask_engram, context) -> None:
    context.store.save_all([NoteDraft(f"n{i}", f"c{i}", session_id="s") for i in range(13)])

    shown = ask_engram("mem_timeline", observation_id=7, before=0, after=-1).text
    assert re.findall(r"^  #(\d+)", shown, re.MULTILINE) == [*map(str, (*range(2, 7), *range(8, 13)))]


def test_a_session_that_is_named_is_that_of_the_note(ask_engram) -> None:
    ask_engram("mem_save", title="a", content="b", session_id="mine")

    assert "\nSession: mine\n" in ask_engram("mem_get_observation", id=1).text


def test_a_topic_is_suggested_where_none_is_given(ask_engram) -> None:
    note = {"title": "Auth architecture", "content": "x", "type": "architecture"}

    assert "Suggested topic_key: architecture/auth-architecture" in ask_engram("mem_save", **note).text
    assert "Suggested" not in ask_engram("mem_save", **note, topic_key="architecture/auth").text


@pytest.mark.parametrize(("source", "tool"), [({}, "mcp-passive"), ({"source": "task"}, "task")])
def test_learnings_say_where_they_come_from(ask_engram, source, tool: str) -> None:
    ask_engram("mem_capture_passive", content="## Learnings\n- a thing that is worth keeping", **source)

    assert f"\nTool: {tool}\n" in ask_engram("mem_get_observation", id=1).text


READS, ADDS, CHANGES, DESTROYS = "R I", "", "I", "D"
HINTS = {
    "mem_capture_passive": CHANGES, "mem_context": READS, "mem_delete": DESTROYS, "mem_get_observation": READS,
    "mem_merge_projects": "D I", "mem_save": ADDS, "mem_save_prompt": ADDS, "mem_search": READS,
    "mem_session_end": CHANGES, "mem_session_start": CHANGES, "mem_session_summary": ADDS, "mem_stats": READS,
    "mem_suggest_topic_key": READS, "mem_timeline": READS, "mem_update": ADDS,
}  # fmt: skip


def test_every_tool_has_a_title_and_its_hints_and_none_is_put_off() -> None:
    told = {tool.name: tool.described() for tool in choose_tools(["engram"]).tools.values()}

    assert [*told] == sorted(HINTS)
    for name, hints in HINTS.items():
        notes = told[name]["annotations"]
        assert notes["title"]
        assert (notes["readOnlyHint"], notes["openWorldHint"]) == ("R" in hints, False)
        # A tool that only reads destroys nothing, and may be called again: that goes without saying.
        assert notes.get("destructiveHint", False) == ("D" in hints)
        assert notes.get("idempotentHint", True) == ("I" in hints)
        assert "defer_loading" not in told[name]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("engram", 15), ("engram,all", 15), ("engram,agent,all", 15), ("engram,,,", 15), (" engram , agent ", 11),
        ("engram,admin", 4), ("engram,agent,admin", 15), ("engram,,mem_save", 1), ("engram,admin,mem_save", 5),
    ],
)  # fmt: skip
def test_profiles_and_single_tools_can_be_chosen(words: str, number: int) -> None:
    assert len(choose_tools([words]).tools) == number


def test_what_is_no_tool_of_engrams_is_told() -> None:
    with pytest.raises(ModicumError) as error:
        choose_tools(["engram,agents"])

    assert error.value.remedy == "use --tools engram alone, or with: all, agent, admin, names of its tools"


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("mem_session_start", {"id": "s", "project": "Shop"}, 'Session "s" started for project "shop"'),
        ("mem_session_end", {"id": "s"}, 'Session "s" completed'),
        ("mem_session_summary", {"content": "x", "project": "p"}, 'Session summary saved for project "p"'),
        ("mem_save_prompt", {"content": "x" * 90}, f'Prompt saved: "{"x" * 80}..."'),
        ("mem_suggest_topic_key", {"title": "Auth", "type": "bugfix"}, "Suggested topic_key: bug/auth"),
        ("mem_capture_passive", {"content": "none"}, "Passive capture complete: extracted=0 saved=0 duplicates=0"),
        ("mem_delete", {"id": 9}, "Memory #9 soft-deleted"),
        ("mem_delete", {"id": 9, "hard_delete": True}, "Memory #9 permanently deleted"),
        ("mem_stats", {}, "Memory System Stats:\n- Sessions: 0\n- Observations: 0\n- Prompts: 0\n- Projects: none yet"),
        ("mem_search", {"query": "x"}, 'No memories found for: "x"'),
        (
            "mem_merge_projects",
            {"from": "a, b", "to": "C"},
            'Merged 2 source(s) into "c":\n  Observations moved: 0\n  Sessions moved:     0\n  Prompts moved:      0\n',
        ),
    ],
)  # fmt: skip
def test_writes_and_counts_answer_in_its_words(ask_engram, name: str, arguments, text: str) -> None:
    assert ask_engram(name, **arguments) == (text, {}, False)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("mem_get_observation", {}, "id is required"),
        ("mem_get_observation", {"id": 9}, "Observation #9 not found"),
        ("mem_timeline", {}, "observation_id is required"),
        ("mem_timeline", {"observation_id": 9}, "Timeline error: timeline: observation #9 not found: sql: no rows in result set"),
        ("mem_update", {}, "id is required"),
        ("mem_update", {"id": 9}, "provide at least one field to update"),
        ("mem_update", {"id": 9, "title": "x"}, "Failed to update memory: sql: no rows in result set"),
        ("mem_delete", {}, "id is required"),
        ("mem_suggest_topic_key", {}, "provide title or content to suggest a topic_key"),
        ("mem_capture_passive", {}, "content is required — include text with a '## Key Learnings:' section"),
        ("mem_merge_projects", {"from": "a"}, "both 'from' and 'to' are required"),
        ("mem_merge_projects", {"from": ",", "to": "a"}, "at least one source project name is required in 'from'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_its_words(ask_engram, name: str, arguments, text: str) -> None:
    assert ask_engram(name, **arguments) == (text, {}, True)


def test_a_change_is_told_with_type_and_scope(ask_engram) -> None:
    ask_engram("mem_save", title="a", content="b")

    assert ask_engram("mem_update", id=1, title="A", scope="personal").text == (
        'Memory updated: #1 "A" (manual, scope=personal)'
    )


def test_texts_are_quoted_as_go_does() -> None:
    assert quoted('a"b\\c\n\té中\x00\x7f\u200b\U000e0001') == r'"a\"b\\c\n\té中\x00\x7f\u200b\U000e0001"'
