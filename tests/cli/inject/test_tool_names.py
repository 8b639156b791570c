"""Other names of AI tools, at every command that takes a tool."""

import pytest

from modicum.app.inject.load import load_knowledge, tool_ids
from modicum.base.config import load_config


def test_every_other_name_stands_for_one_tool_and_is_none_itself(world) -> None:
    adapters = load_knowledge(load_config(), tools_only=True).adapters.values()
    names = [word for adapter in adapters for word in adapter.also]

    assert {"claude", "droid", "vscode"} <= set(names)
    assert len(names) == len(set(names))
    assert all(word == word.lower() for word in names)
    assert not set(names) & {adapter.id for adapter in adapters}


def test_a_tool_that_the_user_describes_has_other_names_too(world) -> None:
    target = "targets:\n  - {scope: project, path: MINE.md, mode: replace-section}\n"
    world.adapter("our-agent", "type: file-inject\nalso: [agent]\n", target)

    assert tool_ids(load_config(), ["agent", "Agent", "codex", "claude", "nobody"]) == (
        "our-agent", "our-agent", "codex", "claude-code", "nobody",
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ("inject", "--tool", "claude", "--dry-run"),
        ("status", "--tool", "claude"),
        ("explain", "--tool", "Claude"),
        ("uninstall", "--tool", "claude"),
        ("setup", "claude", "--dry-run"),
        ("see", "claude"),
        ("lint", "--tool", "claude"),
        ("lint", "--tool", "codex,claude"),
        ("inject", "--tool", "codex, claude", "--dry-run"),
        ("tool", "show", "claude"),
    ],
    ids=" ".join,
)
def test_claude_is_claude_code(world, arguments: tuple[str, ...]) -> None:
    assert world.modicum(*arguments).code in (0, 1)


def test_a_project_that_is_given_other_names_of_tools_names_their_ids(world) -> None:
    world.modicum("config", "set", "tools", "claude,Droid,claude-code", "--here")

    assert world.modicum("config", "get", "tools").out == "claude-code, factory\n"
    assert world.modicum("inject").code == 0


@pytest.mark.parametrize(
    ("word", "remedy"),
    [("claude-cod", 'did you mean "claude-code"?'), ("mine", "modicum tool list shows them")],
)
def test_a_project_names_no_tool_that_nobody_else_knows(world, word: str, remedy: str) -> None:
    world.adapter("mine", "type: file-inject\n", layer="~/.config/modicum")  # stays out of a shared project
    said = world.modicum("config", "set", "tools", word, "--here")

    assert (said.code, said.err) == (2, f'modicum: there is no tool "{word}" ({remedy})\n')
    assert not world.path(".modicum/config.yaml").exists()


def test_another_name_in_a_config_file_is_refused_with_the_id(world) -> None:
    world.write(".modicum/config.yaml", "tools: [claude]\n")

    assert 'there is no tool "claude" (did you mean "claude-code"?)' in world.modicum("inject").err


@pytest.mark.parametrize("command", ["inject", "status", "explain", "uninstall", "lint"])
def test_a_tool_that_is_given_as_an_argument_is_told_its_option(world, command: str) -> None:
    said = world.modicum(command, "claude", "cursor")

    assert (said.code, said.out) == (2, "")
    assert f"(a tool is named as in: modicum {command} --tool claude,cursor)" in said.err


def test_no_tool_stands_between_two_commas(world) -> None:
    assert 'there is no tool ""' in world.modicum("inject", "--tool", "codex,").err


def test_a_tool_that_the_project_defines_keeps_its_name(world) -> None:
    world.adapter(
        "claude",
        "type: file-inject\n",
        "targets:\n  - {scope: project, path: MINE.md, mode: replace-section}\n",
    )
    world.pack("mine", "words")
    world.modicum("inject", "--tool", "claude")

    assert world.path("MINE.md").exists()
    assert not world.path("CLAUDE.md").exists()


def test_inject_that_leaves_the_only_named_tool_alone_is_not_done(world) -> None:
    world.pack("mine", "words")

    assert world.modicum("inject", "--tool", "cursor", "--global").code == 1
    assert world.modicum("inject", "--tool", "cursor", "--tool", "codex", "--global").code == 0


@pytest.mark.parametrize(
    ("word", "named"), [("codex", "codex"), ("AGENTS.md", "claude-code"), ("", "claude-code")]
)
def test_an_argument_that_is_no_name_is_no_example(world, word: str, named: str) -> None:
    assert world.modicum("lint", word).err.endswith(f"(a tool is named as in: modicum lint --tool {named})\n")
