"""modicum inject as a person reads it: tables, warnings, mistakes in files."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("starters")


def test_a_changed_limit_is_told_by_explain_and_not_at_every_command(world) -> None:
    world.adapter("codex", "max_chars: 5000\n")

    sentence = "project sets max_chars of codex to 5000"
    explained = world.modicum("explain", "--tool", "codex")
    assert explained.err.count(sentence) == 1
    assert sentence in world.modicum("explain", "--tool", "codex", "--json").json["warnings"]
    assert world.modicum("inject", "--tool", "codex").err == ""
    assert world.modicum("status", "--tool", "codex").err == ""


@pytest.mark.parametrize(
    "text", ["profil: all\n", "scope: everywhere\n", "profile: [a]\n", "- a\n", "a: b: c\n", "\x00"]
)
def test_a_broken_config_is_one_line(world, text: str) -> None:
    world.write(".modicum/config.yaml", text)
    said = world.modicum("status")

    assert said.code == 4
    assert "config.yaml" in said.err
    assert said.err.count("\n") == 1


def test_no_table_has_trailing_blanks_or_colours_where_nobody_looks(world) -> None:
    said = world.modicum("inject", "--all-tools", "--stats", "--dry-run").out

    assert "\x1b" not in said
    assert not re.search(r" +$", said, re.MULTILINE)
    assert re.search(r"/[\d,]+ (bytes|chars) \d+%", said)


def test_a_table_wraps_to_the_columns_there_are(world) -> None:
    world.patch.setenv("COLUMNS", "80")
    said = world.modicum("inject", "--tool", "copilot", "--stats", "--dry-run").out

    table = said[said.index("Tool  ") :].split("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 80


def test_stats_have_a_row_for_every_tool(world) -> None:
    said = world.modicum("inject", "--all-tools", "--stats", "--dry-run")
    names = [row["name"] for row in world.modicum("tool", "list", "--json").json["tools"]]

    assert all(re.search(rf"^{re.escape(name)} ", said.out, re.MULTILINE) for name in names)


def test_a_terminal_is_not_sent_what_it_would_obey(world) -> None:
    world.pack("mine", "red \x1b[31mtext\x07")
    said = world.modicum("inject", "--tool", "codex", "--dry-run", "--include", "mine")

    assert "\x1b" not in said.out
    assert "red \\x1b[31mtext\\x07" in said.out
