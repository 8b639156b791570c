"""What all commands of memory have in common: JSON, mistakes, counts."""

import json

import pytest


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", "99"), "there is no note #99"),
        (("update", "1"), "there is nothing to change"),
        (("delete", "99"), "there is no note #99"),
        (("recall", "--detail", "loud"), 'there is no detail "loud"'),
        (("recall", "--max-tokens", "many"), 'max_tokens is "many"'),
        (("recall", "--since", "someday"), "someday"),
        (("memory", "sessions", "end", "nobody"), 'there is no session "nobody"'),
        (("memory", "compact", "--before", "2026-01-01", "--ids", "x"), '"x" is no note'),
        (("save", " ", " "), "it is empty, as if a variable were not set"),
        (("show", "git", "--history"), '"git" is no note'),
        (("save", " ", "text"), "Invalid value for 'TITLE': it is empty"),
        (("save", "New", " "), "Invalid value for 'CONTENT': it is empty"),
        (("memory", "relate", "1", "2", "--type", "supersede"), 'did you mean "supersedes"?'),
        (("memory", "relate", "1", "2", "--type", "part_of", "--remove"), "have no such relation"),
        (("show", "1", "--history", "--around", "2"), "--history and --around are two pages"),
    ],
)
def test_mistakes_are_one_line_with_a_remedy(notes, arguments: tuple[str, ...], sentence: str) -> None:
    said = notes.modicum(*arguments)

    assert said.code in (2, 4)
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert "(" in said.err


def test_every_command_tells_json(notes) -> None:
    commands = [
        ("save", "New", "text"),
        ("show", "1"),
        ("update", "1", "--title", "Newer"),
        ("show", "1", "--history"),
        ("memory", "pin", "1"),
        ("memory", "pin", "1", "--remove"),
        ("memory", "relate", "1", "2"),
        ("memory", "relate", "1", "2", "--remove"),
        ("delete", "2"),
        ("memory", "restore", "2"),
        ("memory", "sessions", "start", "monday"),
        ("memory", "sessions", "end", "monday", "--summary", "done"),
        ("memory", "sessions", "list"),
        ("memory", "prompt", "please"),
        ("memory", "progress", '{"goal": 1}'),
        ("memory", "progress"),
        ("memory", "compact", "--before", "2999-01-01"),
        (
            "memory",
            "compact",
            "--before",
            "2999-01-01",
            "--ids",
            "1,#2",
            "--title",
            "Both",
            "--summary",
            "in one",
        ),
        ("memory", "projects", "list"),
        ("memory", "projects", "rename", "other", "another"),
        ("memory", "projects", "merge", "another", "--into", "project"),
        ("memory", "sessions", "start", "alone", "--project", "lonely"),
        ("memory", "projects", "remove", "lonely"),
        ("memory", "stats"),
        ("doctor",),
    ]
    for command in commands:
        said = notes.modicum(*command, "--json")

        assert (said.code, said.err) == (0, ""), command
        assert isinstance(json.loads(said.out), dict), command
        assert notes.modicum(*command).code in (0, 4), command


def test_an_empty_answer_says_what_there_is_none_of(world) -> None:
    keep = 'yet. Keep one: modicum save "Title" "What and why"\n'

    assert world.modicum("recall", "--project", "docs").out == f'There are no notes of "docs" {keep}'
    assert world.modicum("recall", "--all-projects").out == f"There are no notes {keep}"
    assert world.modicum("recall", "--type", "decision").out == "There are no such notes.\n"
    assert world.modicum("memory", "projects", "list").out == "There are no projects.\n"
    assert world.modicum("team", "log").out.startswith("There are no entries.")
    assert (
        world.modicum("memory", "compact", "--before", "2020-01-01").out
        == "No note is older than 2020-01-01.\n"
    )


def test_what_there_is_one_of_is_told_in_the_singular(world) -> None:
    world.modicum("save", "Queue moved", "Redis needed a host.", "--project", "shop")

    assert world.modicum("memory", "stats").out.startswith("1 note, 1 session, 0 prompts in ")
    assert world.modicum("memory", "projects", "rename", "shop", "store").out == (
        "1 note, 1 session and 0 prompts are store's now.\n"
    )
    assert world.modicum("export", "all.json").out == "1 note, 1 session written to all.json.\n"
    assert "(1 note)" in world.modicum("recall", "--project", "store").out
