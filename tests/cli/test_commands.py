"""Every command: its help, its JSON, and what it says."""

import json
import re

import click
import pytest

from modicum.cli.commands import ALIASES, COMMANDS
from modicum.cli.main import _command


def every_command() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name in COMMANDS.keys() - ALIASES.keys():
        command = _command(name)
        inner = command.commands if isinstance(command, click.Group) else {}
        found += [(name, verb) for verb in inner] or [(name,)]
    return found


ALL = sorted(every_command())


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_has_an_example_and_fits_a_terminal(world, words: tuple[str, ...]) -> None:
    world.patch.setenv("COLUMNS", "80")
    said = world.modicum(*words, "--help")

    assert said.code == 0
    assert re.search(r"Examples?:\n +modicum " + " ".join(words), said.out)
    assert "--json" in said.out or words == ("serve",)
    assert max(map(len, said.out.splitlines())) <= 80


def test_the_overview_names_every_command(world) -> None:
    assert all(f"\n  {name}" in world.modicum("--help").out for name in COMMANDS.keys() - ALIASES.keys())


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("init",), {"config", "created", "tools", "packs"}),
        (("inject", "--tool", "codex"), {"pages", "idle", "warnings"}),
        (("status", "--tool", "codex"), {"files", "warnings"}),
        (("inject", "--tool", "codex", "--wire"), {"pages", "idle", "warnings", "wired"}),
        (("uninstall",), {"files", "warnings", "wired"}),
        (("explain", "--tool", "codex"), {"pages", "idle", "warnings"}),
        (("show", "pack:git"), {"key", "text"}),
        (("packs", "list"), {"packs", "warnings"}),
        (("packs", "validate"), {"packs", "findings"}),
        (("packs", "new", "shop"), {"folder"}),
        (("profile", "list"), {"profiles", "warnings"}),
        (("profile", "show"), {"profile", "packs", "warnings"}),
        (("profile", "set", "minimal"), {"profile", "file"}),
        (("adapters", "list"), {"adapters", "warnings"}),
        (("note", "add", "words"), {"id", "text"}),
        (("note", "list"), {"notes"}),
        (("note", "clear"), {"cleared"}),
        (("sources", "list"), {"sources"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_is_one_object_with_known_keys(world, arguments: tuple[str, ...], keys: set[str]) -> None:
    said = world.modicum(*arguments, "--json")

    assert set(json.loads(said.out)) == keys
    assert said.err == ""


def test_notes_come_and_go(world) -> None:
    assert world.modicum("note", "list").out == "There are no notes.\n"
    assert "Note 1 is kept" in world.modicum("note", "add", "  two\n", "words ").out
    world.modicum("note", "add", "second")
    assert world.modicum("note", "list").out == "  1  two words\n  2  second\n"
    assert "Note 1 is gone: two words" in world.modicum("note", "rm", "1").out
    assert world.modicum("note", "add", "third", "--json").json["id"] == 3
    assert (
        world.modicum("note", "rm", "9").err == "modicum: there is no note 9 (modicum note list shows them)\n"
    )
    assert world.modicum("note", "clear").out == "2 notes are gone.\n"
    assert world.modicum("note", "clear").out == "0 notes are gone.\n"


@pytest.mark.parametrize("words", ["", "  \n"])
def test_a_note_needs_words(world, words: str) -> None:
    said = world.modicum("note", "add", words)

    assert said.code == 1
    assert said.err.startswith("modicum: a note needs some words")


def test_a_profile_is_kept_for_the_user_or_the_project(world) -> None:
    world.modicum("profile", "set", "minimal")
    mine = world.path("~/.config/modicum/config.yaml")
    world.write(".modicum/config.yaml", "# mine\nlanguage: de\n")
    world.modicum("profile", "set", "all", "--project")

    assert mine.read_text() == "profile: minimal\n"
    assert world.read(".modicum/config.yaml") == "# mine\nlanguage: de\nprofile: all\n"
    assert re.search(r"\* +all", world.modicum("profile", "list").out)


def test_packs_are_listed_in_order_with_their_tiers(world) -> None:
    world.pack(
        "heavy", "core\n<!-- verbosity:detail -->\nmore", header="weight: 500\nname: 'A [bold]name[/bold]'\n"
    )
    rows = world.modicum("packs", "list", "--json").json["packs"]

    assert rows[0]["id"] == "heavy"
    assert rows[0]["bytes"] == {"core": 5, "detail": 4, "extended": 0}
    assert "A [bold]name[/bold]" in world.modicum("packs", "list").out


def test_a_new_pack_is_valid_and_in_force(world) -> None:
    assert world.modicum("packs", "new", "billing").code == 0
    assert (
        world.modicum("packs", "validate", ".modicum/packs/billing").out
        == "1 pack: nothing wrong, nothing odd.\n"
    )
    assert "billing" in world.modicum("packs", "list").out
    assert "is there already" in world.modicum("packs", "new", "billing").err
    assert world.modicum("packs", "new", "../x").code == 1


def test_validate_finds_what_is_wrong_and_what_is_odd(world) -> None:
    world.pack("bad", "hid\u200bden\n<!-- verbosity:often -->\nx", header="overlaps: [light]\nweight: 5\n")
    world.pack("light", header="weight: 1\n")
    world.pack("worse", "x", header="weight: heavy\n")
    said = world.modicum("packs", "validate")

    assert said.code == 1
    assert "packs/worse/pack.yaml:2:" in said.out
    assert "context.md:1: hidden character" in said.out
    assert 'unknown verbosity level "often"' in said.out
    assert "bad: overlaps light, which weighs no more" in said.out
    assert "light: has neither context.md nor constraints.md" in said.out


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_validate_says_where_packs_would_be(world, path: str) -> None:
    said = world.modicum("packs", "validate", path)

    assert said.code == 1
    assert said.err.count("\n") == 1


def test_an_adapter_is_shown_with_its_source(world) -> None:
    said = world.modicum("adapters", "show", "codex")

    assert "source: https://" in said.out
    assert "32,768 bytes" in said.out
    assert world.modicum("adapters", "show", "codx").err == (
        'modicum: there is no tool "codx" (did you mean "codex"?)\n'
    )


def test_init_shows_tools_and_packs_and_is_harmless_twice(world) -> None:
    (world.home / ".claude").mkdir()
    first = world.modicum("init")
    config = world.read(".modicum/config.yaml")
    second = world.modicum("init")

    assert "Claude Code  CLAUDE.md" in first.out
    assert "testing, git, reviews, modicum" in first.out
    assert "There is already" in second.out
    assert world.read(".modicum/config.yaml") == config


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

    assert said.code == 1
    assert "config.yaml" in said.err
    assert said.err.count("\n") == 1


def test_no_table_has_trailing_blanks_or_colours_where_nobody_looks(world) -> None:
    said = world.modicum("inject", "--all-tools", "--stats", "--dry-run").out

    assert "\x1b" not in said
    assert not re.search(r" +$", said, re.MULTILINE)
    assert re.search(r"3,\d{3}/4,000 chars █+░*", said)


def test_a_table_wraps_to_the_columns_there_are(world) -> None:
    world.patch.setenv("COLUMNS", "80")
    said = world.modicum("inject", "--tool", "copilot", "--stats", "--dry-run").out

    table = said.split("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 80


def test_stats_have_a_row_for_every_tool(world) -> None:
    said = world.modicum("inject", "--all-tools", "--stats", "--dry-run")
    names = [row["name"] for row in world.modicum("adapters", "list", "--json").json["adapters"]]

    assert all(re.search(rf"^{re.escape(name)} ", said.out, re.MULTILINE) for name in names)


def test_a_terminal_is_not_sent_what_it_would_obey(world) -> None:
    world.pack("mine", "red \x1b[31mtext\x07")
    said = world.modicum("inject", "--tool", "codex", "--dry-run", "--include", "mine")

    assert "\x1b" not in said.out
    assert "red \\x1b[31mtext\\x07" in said.out


def test_a_source_comes_and_goes(world) -> None:
    world.write("~/team/packs/shop/pack.yaml", "id: shop\n")
    world.write("~/team/packs/shop/context.md", "Prices are in cents.\n")
    assert world.modicum("sources", "list").out.startswith(
        "No source is installed, so the starter packs are in force."
    )
    added = world.modicum("sources", "add", str(world.home / "team"))
    listed = world.modicum("sources", "list")
    packs = world.modicum("packs", "list").out

    assert added.out == "team: 1 packs, 0 profiles, 0 adapters\n"
    assert "team" in listed.out
    assert "shop" in packs
    assert "testing" not in packs
    assert world.modicum("sources", "update").code == 0
    assert world.modicum("sources", "remove", "team").out.startswith("team is no longer a source.")
    assert world.path("~/team/packs/shop/pack.yaml").exists()


def test_a_profile_shows_its_packs_and_names_that_nobody_knows(world) -> None:
    world.write(
        ".modicum/profiles/web.yaml",
        "id: web\nname: Web\ndescription: pages\npacks: [{id: gti, weight: 9}]\n",
    )
    said = world.modicum("profile", "show", "web")

    assert said.out.startswith("Web: pages\n")
    assert 'the profile "web" names the pack "gti", which no layer has (did you mean "git"?)' in said.err


def test_tools_are_listed_with_their_files(world) -> None:
    (world.home / ".claude").mkdir()

    assert re.search(
        r"claude-code +Claude Code +CLAUDE.md +none +found", world.modicum("adapters", "list").out
    )


def test_notes_that_cannot_be_read_can_be_cleared(world) -> None:
    world.write(".modicum/notes.yaml", "notes: oops\n")

    assert "start anew with: modicum note clear" in world.modicum("note", "list").err
    assert world.modicum("note", "clear").code == 0
    assert world.modicum("note", "list").out == "There are no notes.\n"
