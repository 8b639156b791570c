"""Every command: its name, its help, its JSON, and what a wrong name gets."""

import json
import re
import shlex

import click
import pytest

from modicum.cli.commands import COMMANDS, FIRST, OLD_NAMES
from modicum.cli.main import find_command


def below(command: click.Command, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    """The commands that can be run, by the words that are typed for them."""
    if not isinstance(command, click.Group):
        return [(path, command)]
    return [found for name, each in command.commands.items() for found in below(each, (*path, name))]


def groups(command: click.Command, path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The groups of commands, by the words that are typed for them."""
    if not isinstance(command, click.Group):
        return []
    return [
        path,
        *(found for name, each in command.commands.items() for found in groups(each, (*path, name))),
    ]


GROUPS = [found for name in COMMANDS for found in groups(find_command(name), (name,))]
ALL = dict(sorted(found for name in COMMANDS for found in below(find_command(name), (name,))))
WITHOUT_JSON = {
    ("serve",),
    ("open",),
    ("help",),
    ("completion",),
}  # run on and on, is for reading, is for a shell
PAGES = {
    ("search",), ("recall",), ("show",), ("check",), ("memory", "sessions", "list"), ("memory", "projects", "list"), ("memory", "inbox", "list"),
    *(("spec", name) for name in ("context", "suggest", "review", "audit", "scan")),
}  # fmt: skip


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_has_an_example_and_fits_a_terminal(world, words: tuple[str, ...]) -> None:
    world.patch.setenv("COLUMNS", "80")
    said = world.modicum(*words, "--help")

    assert said.code == 0
    assert re.search(r"Examples?:\n +modicum " + " ".join(words), said.out)
    assert "--json" in said.out or words in WITHOUT_JSON
    assert max(map(len, said.out.splitlines())) <= 80
    assert world.modicum("help", *words).out == said.out


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_the_help_of_a_group_has_examples_and_cuts_no_sentence(world, words: tuple[str, ...]) -> None:
    world.patch.setenv("COLUMNS", "80")
    said = world.modicum("help", *words).out

    assert re.search(r"Examples:\n +modicum " + " ".join(words), said)
    assert not re.search(r"(…|\.\.\.)$", said.partition("Commands:")[2], re.MULTILINE)
    assert max(map(len, said.splitlines())) <= 80


def test_only_commands_that_print_a_page_are_asked_how_much(world) -> None:
    asked = {
        words
        for words, command in ALL.items()
        if any("--max-tokens" in option.opts for option in command.params)
    }

    assert asked == PAGES


def test_the_first_page_is_short_and_says_how_to_see_all(world) -> None:
    said = world.modicum().out
    shown = re.findall(r"^  ([a-z]+) ", said, re.MULTILINE)

    assert tuple(shown) == FIRST
    assert "modicum help " in said
    assert world.modicum("--help").out == said


def test_help_names_every_command_by_group(world) -> None:
    said = world.modicum("help").out

    assert re.findall(r"^  ([a-z]+) ", said, re.MULTILINE) == list(COMMANDS)
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("old", OLD_NAMES)
def test_an_old_name_is_no_command_and_gets_the_new_one_as_a_suggestion(world, old: str) -> None:
    said = world.modicum(*old.split(), "1")

    assert (said.code, said.out) == (2, "")
    assert said.err == f'modicum: there is no command "{old}" (did you mean "{OLD_NAMES[old]}"?)\n'


@pytest.mark.parametrize("new", sorted(set(OLD_NAMES.values())))
def test_a_suggestion_can_be_run(new: str) -> None:
    words = tuple(word for word in new.split() if word.islower() and not word.startswith("-"))
    paths = {path[:at] for path in ALL for at in range(1, len(path))}
    options = {name for option in (ALL[words].params if words in ALL else ()) for name in option.opts}

    assert words in ALL or words in paths
    assert {word for word in new.split() if word.startswith("--")} <= options


@pytest.mark.parametrize(
    ("typed", "remedy"),
    [
        ("injct", 'did you mean "inject"?'),
        ("inj", 'did you mean "inject"?'),
        ("mem", 'did you mean "memory"?'),
        ("memory proj", 'did you mean "memory projects"?'),
        ("serach", 'did you mean "search"?'),
        ("adaptrs", 'did you mean "tool"?'),
        ("xyzzy", "see: modicum help"),
        ("memory sesions", 'did you mean "memory sessions"?'),
        ("memory sessions strat", 'did you mean "memory sessions start"?'),
        ("memory xyzzy", "see: modicum help memory"),
        ("help injct", 'did you mean "inject"?'),
        ("nope", "see: modicum help"),  # a slip away from "note", which is "save" now
    ],
)
def test_a_wrong_name_gets_the_nearest_one(world, typed: str, remedy: str) -> None:
    said = world.modicum(*typed.split())

    assert said.code == 2
    assert said.err == f'modicum: there is no command "{typed.removeprefix("help ")}" ({remedy})\n'


@pytest.mark.parametrize(
    ("typed", "remedy"), [("--verison", 'did you mean "--version"?'), ("-x", "see: modicum help")]
)
def test_a_wrong_option_gets_the_nearest_one(world, typed: str, remedy: str) -> None:
    said = world.modicum(typed)

    assert (said.code, said.err) == (2, f'modicum: there is no option "{typed}" ({remedy})\n')


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("init",), {"config", "created", "tools", "packs", "starters", "not_agreed"}),
        (("inject", "--tool", "codex"), {"pages", "settings", "idle", "warnings"}),
        (("status", "--tool", "codex"), {"files", "exports", "not_agreed", "warnings"}),
        (("inject", "--tool", "codex", "--wire"), {"pages", "settings", "idle", "warnings", "wired"}),
        (("uninstall",), {"files", "exports", "warnings", "wired"}),
        (("explain", "--tool", "codex"), {"pages", "settings", "idle", "warnings", "totals"}),
        (("show", "pack:git"), {"key", "text"}),
        (("pack", "list"), {"packs", "off", "warnings"}),
        (("pack", "use", "git"), {"file", "changed", "unchanged"}),
        (("pack", "skip", "git"), {"file", "changed", "unchanged"}),
        (("pack", "validate"), {"packs", "findings"}),
        (("pack", "new", "shop"), {"folder", "replaces"}),
        (("profile", "list"), {"profiles", "warnings"}),
        (("profile", "show"), {"profile", "packs", "warnings"}),
        (("profile", "set", "minimal"), {"profile", "file"}),
        (("tool", "list"), {"tools", "warnings"}),
        (("notice", "add", "words"), {"id", "text", "folder"}),
        (("notice", "list"), {"notices"}),
        (("notice", "remove", "--all"), {"removed"}),
        (("source", "list"), {"sources"}),
        (("config", "list"), {"settings"}),
        (("config", "set", "language", "de"), {"key", "value", "file"}),
        (("config", "get", "language"), {"key", "value", "origin"}),
        (("config", "unset", "language"), {"key", "file", "removed"}),
        (("config", "path"), {"file", "exists"}),
        (("tool", "backups"), {"backups"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_is_one_object_with_known_keys(world, arguments: tuple[str, ...], keys: set[str]) -> None:
    said = world.modicum(*arguments, "--json")

    assert set(json.loads(said.out)) == keys
    assert said.err == ""


@pytest.mark.parametrize(
    "line",
    [
        "delete",
        "import",
        "check",
        "change new --type nonsense Login fails",
        "change new --type fix --size nonsense Login fails",
        "search x --since yesterdayish",
        "search x --origin nobody",
        "search x --limit -5",
        "search x --limit 0",
        "delete --query x --limit 0 --yes",
        "memory sessions list --limit -1",
        "team log --limit 0",
        "team log --limit 99999999999999999999",
        "memory log --limit 99999999999999999999",
        "memory sessions list --limit 99999999999999999999",
        "undo 99999999999999999999",
        "undo latest",
        "memory relate 1 2 --type relatesto",
        "save Title ''",
        "save ' ' Text",
        "memory prompt ''",
        "import ''",
        "export ''",
        "export --format markdown --to ''",
        "backup ''",
        "pack validate ''",
        "source add ''",
        "source agree ''",
        "serve --token-file ''",
        "team migrate --from '' --to new.db",
        "team migrate --from old.db --to ''",
    ],
)
def test_what_was_typed_wrongly_exits_with_two_and_a_remedy(world, line: str) -> None:
    for title in "ab":
        world.modicum("save", title, "text")
    files = sorted(world.project.iterdir())

    heard = world.modicum(*shlex.split(line), "--json")

    assert sorted(world.project.iterdir()) == files
    assert (heard.code, heard.json["error"]["exit_code"]) == (2, 2)
    assert heard.json["error"]["remedy"]


def test_an_error_about_a_choice_is_one_line(world) -> None:
    assert world.modicum("completion").err == (
        "modicum: Missing argument '{bash|fish|zsh}'. Choose from: bash, fish, zsh (see: modicum completion --help)\n"
    )
