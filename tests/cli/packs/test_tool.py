"""modicum tool"""

import re


def test_a_tool_is_shown_with_its_source(world) -> None:
    said = world.modicum("tool", "show", "codex")

    assert "source: https://" in said.out
    assert "32,768 bytes" in said.out
    assert world.modicum("tool", "show", "codx").err == (
        'modicum: there is no tool "codx" (did you mean "codex"?)\n'
    )


def test_tools_are_listed_with_their_files(world) -> None:
    (world.home / ".claude").mkdir()

    assert re.search(r"claude-code +Claude Code +CLAUDE.md +none +found", world.modicum("tool", "list").out)
