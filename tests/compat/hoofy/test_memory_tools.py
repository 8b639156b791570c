"""Hoofy's tools of memory, in its bytes. A recording of it is replayed by bench/hoofy_replay.py."""

import re

import pytest

from modicum.compat.hoofy.memory_tools import TOOLS
from modicum.memory.model import NoteDraft

TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
LONG = "word " * 100
NAMES = """
    mem_save mem_session mem_search mem_context mem_timeline mem_get mem_progress mem_delete mem_update
    mem_suggest_topic_key mem_relate mem_compact mem_stats
""".split()  # noqa: SIM905


def told(answer) -> str:
    return TIME.sub("<TS>", answer.text)


@pytest.fixture
def filled(ask_hoofy):
    ask_hoofy("mem_session", action="start", id="s", project="app")
    for name in "abc":
        ask_hoofy("mem_save", title=name, content=LONG, project="app", session_id="s", type="decision")
    return ask_hoofy


def test_the_names_that_it_has_are_there_and_one_that_nothing_else_does() -> None:
    assert {tool.name for tool in TOOLS} == {*NAMES, "mem_session_summary"}


def test_saving_answers_with_the_topic_and_the_id(ask_hoofy) -> None:
    assert ask_hoofy("mem_save", title="Use WAL", content="x", type="decision").text == (
        'Memory saved: "Use WAL" (decision)\nSuggested topic_key: decision/use-wal\nID: 1'
    )
    related = ask_hoofy("mem_save", title="b", content="y", topic_key="K", relate_to="[1, 9]")
    assert related.text.startswith(
        'Memory saved: "b" (manual)\nTopic key: K\nID: 2\nRelations created: 1/2\nRelation warnings: '
    )
    assert (
        "\nWarning: relate_to ignored (" in ask_hoofy("mem_save", title="c", content="z", relate_to="x").text
    )
    assert ask_hoofy("mem_get", id=3).text.startswith("# Observation #3\n")  # saved all the same
    listed = ask_hoofy("mem_save", title="d", content="w", topic_key="L", relate_to=[1])
    assert listed.text.endswith("\nRelations created: 1/1")
    assert ask_hoofy("mem_save", save_type="prompt", content="why?").text == "Prompt saved (ID: 1)"
    assert ask_hoofy("mem_save", save_type="passive", content="x").text == (
        "Passive capture complete: 0 extracted, 0 saved, 0 duplicates"
    )


def test_a_summary_of_the_context_has_titles_and_footers(filled) -> None:
    assert told(filled("mem_context", project="app", limit=2, detail_level="summary")) == (
        "## Memory Context (summary)\n\n### Sessions\n- app (<TS>) [3 obs]\n\n### Observations\n"
        "- #3 [decision] c\n- #2 [decision] b\n\n"
        "\n---\n💡 Use detail_level: standard or full for more detail."
        "\n📊 Showing 2 of 3. Use mem_search to find specific memories.\n📏 ~64 tokens"
    )


def test_the_context_leaves_out_notes_for_a_budget(filled) -> None:
    assert told(filled("mem_context", project="app", max_tokens=50)) == (
        "## Memory from Previous Sessions\n\n### Recent Sessions\n- **app** (<TS>) [3 observations]\n\n"
        "### Recent Observations\n\n⚡ Budget: ~32/50 tokens used. 0 of 3 items shown. "
        "Increase max_tokens or use detail_level=summary for more.\n📏 ~59 tokens"
    )


def test_a_search_shows_hits_by_level(filled) -> None:
    assert told(filled("mem_search", query="b word", limit=1)) == (
        f"Found 1 memories:\n\n[1] #2 (decision) - b\n    {LONG[:300]}...\n    app | scope: project\n\n"
        "\n📊 Showing 1 of 3. Use mem_get #ID for full content.\n📏 ~107 tokens"
    )
    assert filled("mem_search", query="zzz").text == "No memories found matching your query."


def test_a_timeline_is_cut_to_its_budget(filled) -> None:
    assert told(filled("mem_timeline", observation_id=2, detail_level="summary")) == (
        "Session: app (<TS>)\nTotal observations in session: 3\n\n--- Before ---\n#1 [decision] a\n\n"
        ">>> #2 [decision] b <<<\n\n--- After ---\n#3 [decision] c\n"
        "\n---\n💡 Use detail_level: standard or full for more detail.\n📏 ~54 tokens"
    )
    assert (
        "⚡ Budget: ~50/50 tokens used. 3 of 3 items shown."
        in filled("mem_timeline", observation_id=2, max_tokens=50).text
    )


def test_no_neighbours_are_five_and_no_search_shows_more_than_twenty(ask_hoofy, context) -> None:
    context.store.save_all([NoteDraft(f"n{i}", f"walrus {i}", session_id="s") for i in range(25)])

    shown = ask_hoofy("mem_timeline", observation_id=12, before=0, after=-1, detail_level="summary").text
    assert re.findall(r"^#(\d+)", shown, re.MULTILINE) == [*map(str, (*range(7, 12), *range(13, 18)))]
    assert "Found 20 memories:" in ask_hoofy("mem_search", query="walrus", limit=100).text


def test_an_observation_is_got_with_its_graph(filled) -> None:
    filled("mem_relate", from_id=1, to_id=2, relation_type="implements", note="n")
    filled("mem_relate", from_id=2, to_id=3)

    got = told(filled("mem_get", id=1, depth=2))
    assert got == (
        "# Observation #1\n\n**Title:** a\n**Type:** decision\n**Scope:** project\n**Project:** app\n**Session:** s\n"
        f"**Created:** <TS>\n**Updated:** <TS>\n**Revisions:** 1\n**Duplicates:** 1\n\n## Content\n\n{LONG.strip()}\n"
        "\n## Relations\n\n**Outgoing:**\n- → #2 (implements) — n\n\n"
        '\n## Graph Context\n\n- depth 1 → #2 (implements) "b"\n- depth 2 → #3 (relates_to) "c"\n'
    )
    assert "**Incoming:**\n- ← #1 (implements) — n\n" in filled("mem_get", id=2).text


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("mem_session", {"action": "start", "id": "x", "project": "P"}, 'Session "x" started for project "P"'),
        ("mem_session", {"action": "end", "id": "s"}, 'Session "s" completed'),
        ("mem_session", {"action": "end", "id": "nope"}, 'Session "nope" completed'),
        ("mem_session_summary", {"content": "x", "project": "p", "session_id": "s"}, 'Session summary saved for project "p" (ID: 4)'),
        ("mem_progress", {"project": "p"}, 'No progress document found for project "p". Call mem_progress with content to create one.'),
        ("mem_progress", {"project": "p", "content": "5"}, 'Progress updated for "p" (ID: 1)'),
        ("mem_delete", {"id": 1}, "Observation 1 soft-deleted"),
        ("mem_delete", {"id": 1, "hard_delete": True}, "Observation 1 permanently deleted"),
        ("mem_update", {"id": 1, "title": "A"}, 'Observation 1 updated: "A" (rev 2)'),
        ("mem_suggest_topic_key", {"title": "Docker setup", "type": "config"}, "Suggested topic_key: config/docker-setup"),
        ("mem_relate", {"from_id": 1, "to_id": 2}, "Relation created: #1 → #2 (relates_to)\nRelation ID: 1"),
        ("mem_relate", {"from_id": 1, "to_id": 2, "bidirectional": True}, "Bidirectional relation created: #1 ↔ #2 (relates_to)\nRelation IDs: 1, 2"),
        ("mem_compact", {"older_than_days": 30}, "No stale observations found older than 30 days."),
        ("mem_stats", {}, "Sessions: 1\nObservations: 3\nUser Prompts: 0\nProjects: app"),
        ("mem_context", {"project": "none"}, "No memory context available yet. Start saving observations with mem_save."),
    ],
)  # fmt: skip
def test_what_it_says_of_writes(filled, name: str, arguments, text: str) -> None:
    assert filled(name, **arguments) == (text, {}, False)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("mem_save", {"title": "x"}, "'content' is required"),
        ("mem_save", {"content": "x"}, "'title' is required for save_type=observation"),
        ("mem_save", {"save_type": "x"}, "'save_type' must be one of: observation, prompt, passive"),
        ("mem_search", {"query": ""}, "'query' is required"),
        ("mem_timeline", {}, "'observation_id' is required"),
        ("mem_timeline", {"observation_id": 99}, "timeline failed: timeline: observation #99 not found: sql: no rows in result set"),
        ("mem_get", {"id": 99}, "observation #99 not found"),
        ("mem_get", {"id": 1, "depth": -1}, "'depth' must be >= 0"),
        ("mem_session", {"action": "pause", "id": "x"}, "'action' must be one of: start, end"),
        ("mem_session", {"id": "x"}, "'action' must be one of: start, end"),
        ("mem_session", {"action": "start", "project": "p"}, "'id' is required"),
        ("mem_session", {"action": "end"}, "'id' is required"),
        ("mem_session", {"action": "start", "id": "x"}, "'project' is required for action=start"),
        ("mem_delete", {"id": 99}, "observation #99 not found"),
        ("mem_update", {"id": 1}, "at least one field to update is required"),
        ("mem_update", {"id": 99, "title": "x"}, "failed to update observation: sql: no rows in result set"),
        ("mem_relate", {"action": "x"}, "'action' must be one of: add, remove"),
        ("mem_relate", {"action": "remove", "id": 9}, "relation 9 not found"),
        ("mem_compact", {}, "'older_than_days' is required and must be > 0"),
        ("mem_compact", {"older_than_days": 1, "compact_ids": "[1]", "summary_content": "x"}, "'summary_content' requires 'summary_title'"),
    ],
)  # fmt: skip
def test_what_it_says_of_mistakes(filled, name: str, arguments, text: str) -> None:
    assert filled(name, **arguments) == (text, {}, True)


def test_progress_is_read_back_with_its_date(ask_hoofy) -> None:
    ask_hoofy("mem_progress", project="p", content='{"a": 1}')

    assert told(ask_hoofy("mem_progress", project="p")) == (
        '# Progress: p\n\n{"a": 1}\n\n---\n_Last updated: <TS> | ID: 1 | Revisions: 1_'
    )
    assert ask_hoofy("mem_progress", project="p", content="no").text.startswith(
        "'content' must be valid JSON. "
    )


def test_old_notes_are_listed_and_compacted(filled, context) -> None:
    now = context.store.clock()
    context.store.clock = lambda: now + 40 * 24 * 60 * 60

    listed = told(filled("mem_compact", older_than_days=30))
    assert listed.startswith(
        "# Stale Observations (older than 30 days)\n\n- **ID 1** | a | decision | `app` | created: <TS>\n"
    )
    assert listed.endswith("`compact_ids`: `[1,2,3]`")
    done = filled(
        "mem_compact", older_than_days=30, compact_ids="[1,2,9]", summary_title="S", summary_content="x"
    )
    assert done.text == (
        "# Compaction Complete\n\n**Deleted:** 2\n**Before:** 3\n**After:** 2\n**Summary ID:** 4\n\n⚠️ 1 ID(s) were skipped"
    )
