"""`modicum see --costs`, and what is lost for a tool or for one of its features."""

import pytest

from modicum.app.agents import costs, doctor
from modicum.app.agents.own_server import ServerAnswer
from modicum.engine.tokens import count

LONG = "A line of the user's that takes some room.\n" * 900
LINE = "Never force-push a branch that others use."


@pytest.fixture
def answering(world) -> None:
    tool = {"name": "mem_search", "description": "Find notes.", "inputSchema": {"type": "object"}}
    for module in (costs, doctor):
        world.patch.setattr(module, "ask_server", lambda _: ServerAnswer((tool,), "Search first.", 0.5))


def cost(world, tool: str) -> dict:
    (row,) = world.modicum("see", tool, "--costs", "--json").json["agents"]
    return row


def test_the_costs_of_a_session_are_told_by_where_they_come_from(world, answering: None) -> None:
    world.write("AGENTS.md", f"{LINE}\n")
    world.pack("ours", "## Ours\n\nDeploy on Tuesdays.\n")
    world.inject("--tool", "codex", "--include", "ours")
    world.modicum("setup", "codex")
    told = cost(world, "codex")

    assert told["program"] == 7936
    assert told["program_source"].startswith("run on 2026-11-16 with 0.166.0")
    assert told["tools"] > 300  # what Codex adds of its own, and the tool
    assert told["own_files"]["AGENTS.md"] == count(f"\n\n{LINE}\n")
    assert told["our_files"]["AGENTS.md"] > 20
    assert told["hook"] > 0
    parts = (told["program"], told["tools"], told["hook"])
    assert told["total"] == sum((*parts, *told["own_files"].values(), *told["our_files"].values()))


def test_the_doctor_shows_the_same_figures(world, answering: None) -> None:
    world.write("CLAUDE.md", f"{LINE}\n")
    world.modicum("setup", "claude-code")
    (agent,) = world.modicum("doctor", "--json").json["agents"]
    told = cost(world, "claude-code")

    assert {**agent, "hook_seconds": 0} == {**told, "hook_seconds": 0}


def test_an_agent_that_is_not_set_up_runs_nothing_of_ours(world) -> None:
    world.patch.setattr(costs, "ask_server", None)  # would fail
    world.patch.setattr(costs, "run_hook", None)
    told = cost(world, "kiro")

    assert (told["program"], told["tools"], told["hook"], told["hook_seconds"]) == (None, 0, 0, None)
    assert told["total"] == 0


def test_the_servers_of_others_are_named_and_not_counted(world) -> None:
    world.write(
        "~/.codex/config.toml",
        '[mcp_servers.github]\ncommand = "gh"\n[mcp_servers.off]\ncommand = "x"\nenabled = false\n',
    )
    world.write(
        ".mcp.json", '{"mcpServers": {"jira": {"command": "j"}, "modicum": {"command": "m"}, "odd": 5}}'
    )
    private = f'{{"projects": {{"{world.project}": {{"mcpServers": {{"mine": {{}}}}}}}}}}'
    world.write("~/.claude.json", private)
    heard = world.modicum("see", "codex", "--costs")

    assert cost(world, "codex")["other_servers"] == ["github"]
    assert cost(world, "claude-code")["other_servers"] == ["jira", "odd", "mine"]
    assert "other servers: github; their tools are not counted" in " ".join(heard.out.split())


@pytest.mark.parametrize("text", ["", "[", "[]", '{"mcpServers": 5}', '{"mcpServers": {"a": null}}'])
def test_settings_of_any_shape_are_no_trouble(world, text: str) -> None:
    world.write(".mcp.json", text)

    assert cost(world, "claude-code")["other_servers"] in ([], ["a"])


def test_a_file_that_repeats_another_could_be_saved(world) -> None:
    world.write(
        "AGENTS.md", f"# Rules of this project\n\n{LINE}\n\n| Name of it | What it does |\n|---|---|\n"
    )
    world.write("~/.codex/AGENTS.md", f"{LINE}\n\n| Name of it | What it does |\n| --- | --- |\n")
    (saving,) = cost(world, "codex")["savings"]

    assert saving == {
        "tokens": count(LINE),
        "how": "AGENTS.md repeats 1 line of ~/.codex/AGENTS.md: take what is repeated out of one of the two",
    }


def test_the_largest_file_could_be_shorter(world) -> None:
    world.write("AGENTS.md", LONG[:20_000])
    (saving,) = [each for each in cost(world, "codex")["savings"] if "largest" in each["how"]]

    assert saving["tokens"] == count(LONG[:20_000])
    assert saving["how"].startswith("AGENTS.md is your largest file")


def test_the_table_of_costs_fits_a_terminal(world) -> None:
    world.write("AGENTS.md", f"{LINE}\n")
    heard = world.modicum("see", "--costs", "--all-tools")

    assert heard.code == 0
    assert "Codex (AGENTS.md) reads AGENTS.md" in heard.out
    assert "Kiro: program: nobody has measured it" in heard.out
    assert max(map(len, heard.out.splitlines())) <= 80


def test_no_agent_here_is_said(world) -> None:
    assert world.modicum("see", "--costs").out.startswith("No AI tool was found here.")


def test_what_falls_off_without_us_is_told_everywhere(world, answering: None) -> None:
    world.write("AGENTS.md", f"# Top\n\n{LONG}")
    world.write("~/.codex/config.toml", "project_doc_max_bytes = 32768\n")
    world.modicum("setup", "codex")
    size = len(f"# Top\n\n{LONG}") - 32_768
    sentence = f'Codex (AGENTS.md) does not read the last {size:,} bytes of your AGENTS.md, in "# Top"'
    table = world.modicum("see", "codex", "--json").json["tools"][0]
    checked = world.modicum("doctor", "--json").json

    assert table["lost"] == size
    assert [each for each in checked["problems"] if each.startswith(sentence)]
    assert cost(world, "codex")["lost"][0].startswith(sentence)
    assert world.modicum("see", "codex").code == 1
    assert world.modicum("doctor").code == 1


def test_a_limit_of_one_feature_is_told_and_limits_nothing(world) -> None:
    world.write(".github/copilot-instructions.md", "Text that is the user's own.\n" * 200)
    seen = world.modicum("see", "copilot")
    explained = world.modicum("explain", "--tool", "copilot", "--json").json
    sentence = "GitHub Copilot: its code review reads the first 4,000 of the"

    assert f"{sentence} 5,800 characters of .github/copilot-instructions.md" in seen.err
    assert seen.code == 0
    assert world.modicum("see", "copilot", "--json").json["tools"][0]["features"][0].startswith(sentence)
    assert [each for each in explained["warnings"] if each.startswith(sentence)]
    assert sentence not in world.modicum("inject", "--tool", "copilot").err
    assert all(page["limit"] is None for page in explained["pages"])


@pytest.mark.parametrize("applies_to", ["**", "*."])
def test_instructions_for_some_files_have_the_limit_of_the_code_review_too(world, applies_to: str) -> None:
    path = ".github/instructions/style.instructions.md"
    world.write(path, f"---\napplyTo: '{applies_to}'\n---\n" + "Text that is the user's own.\n" * 200)
    world.write(".claude/rules/style.md", "Text that is the user's own.\n" * 200)
    said = world.modicum("see", "copilot").err

    assert f"its code review reads the first 4,000 of the 5,822 characters of {path}" in said
    assert said.count("code review") == 1


def test_a_short_file_is_within_the_limit_of_every_feature(world) -> None:
    world.write(".github/copilot-instructions.md", "世" * 4_000)

    assert "code review" not in world.modicum("see", "copilot").err
