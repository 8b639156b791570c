"""What of a reading is the user's own, what is ours, what is lost and what arrives twice."""

import pytest

from modicum.app.inject.load import load_knowledge
from modicum.app.reading.tool_reading import ToolReading, our_spans, see_tool, see_tools, tools_to_see
from modicum.base.config import load_config
from modicum.targets.plan import OURS

START, END = "<!-- modicum:start:modicum -->", "<!-- modicum:end:modicum -->"
REGION = f"{START}\nours of some length\n{END}"
LINE = "A rule of the user's that takes some room.\n"


def seen(tool: str, folder: str = "") -> ToolReading:
    config = load_config()
    found = see_tool(config, load_knowledge(config).adapters[tool], folder)
    assert found
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_own_and_ours_are_the_whole_text(world, end: str) -> None:
    region = REGION.replace("\n", end)
    world.write("AGENTS.md", f"above{end}{region}{end}below{end}")
    reading = seen("codex")

    assert reading.ours() == region
    assert reading.own() == f"above{end}{end}below{end}"
    assert reading.lost() == reading.doubled() == ""


def test_a_file_of_ours_is_ours_from_its_first_line_on(world) -> None:
    world.write(".claude/rules/modicum.md", f"all ours\n{OURS}\n")
    reading = seen("claude-code")

    assert "all ours" in reading.ours()
    assert reading.own() == ""


def test_a_quoted_marker_is_the_users(world) -> None:
    text = f"# Mine\n```\n{REGION}\n```\n"
    world.write("AGENTS.md", text)

    assert seen("codex").own() == text
    assert our_spans(text) == []


def test_a_marker_without_its_other_is_the_users(world) -> None:
    assert our_spans(f"mine\n{START}\nopen\n") == []


def test_what_is_behind_a_limit_is_lost(world) -> None:
    text = LINE * 1000
    world.write("AGENTS.md", text)
    reading = seen("codex")

    assert reading.lost() == text[32_768:]
    assert [(path, size) for path, size, _ in reading.losses()] == [("AGENTS.md", len(text) - 32_768)]


def test_our_page_behind_a_limit_is_lost_and_not_ours(world) -> None:
    world.write("AGENTS.md", LINE * 1000 + REGION)
    reading = seen("codex")

    assert reading.ours() == ""
    assert reading.lost().endswith(REGION)


def test_a_file_that_another_one_hides_is_told_but_not_behind_a_limit(world) -> None:
    world.write("AGENTS.md", "agents\n")
    world.write("AGENTS.override.md", "override\n")
    reading = seen("codex")

    assert [(path, size) for path, size, _ in reading.losses()] == [("AGENTS.md", 7)]
    assert reading.lost() == ""


def test_lines_that_come_again_are_doubled_and_short_ones_are_not(world) -> None:
    world.write("AGENTS.md", f"{LINE}short\n```\n")
    world.write("CLAUDE.md", f"{LINE}short\n```\nother\n")

    assert seen("copilot").doubled() == LINE.strip()
    assert seen("codex").doubled() == ""


def test_our_page_is_read_once_by_every_tool_that_has_one(world, starters: None) -> None:
    world.write("AGENTS.md", "mine\n")
    tools = ("claude-code", "codex", "copilot", "gemini-cli", "opencode", "qwen", "amp", "factory", "kilo")
    world.modicum("inject", *(word for tool in tools for word in ("--tool", tool)))
    config = load_config()
    found = see_tools(config, tools_to_see(config, load_knowledge(config), tools, every=False))

    assert [reading.adapter.id for reading in found] == [*tools]
    assert [reading.adapter.id for reading in found if len(reading.ours()) < 1_000 or reading.doubled()] == []


def test_tools_that_have_a_page_here_are_seen_although_they_are_not_installed(world) -> None:
    world.rule()
    config = load_config()
    knowledge = load_knowledge(config)
    assert tools_to_see(config, knowledge, (), every=False) == []
    world.modicum("inject", "--tool", "codex")

    assert [adapter.id for adapter in tools_to_see(config, knowledge, (), every=False)] == ["codex"]
    assert len(tools_to_see(config, knowledge, (), every=True)) > 20


def test_of_a_tool_that_nobody_knows_nothing_is_seen(world) -> None:
    world.adapter(
        "odd", "type: file-inject\n", "targets: [{scope: project, path: ODD.md, mode: replace-file}]\n"
    )
    config = load_config()

    assert see_tool(config, load_knowledge(config).adapters["odd"]) is None
