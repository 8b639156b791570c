"""Settings: list with origin, get, set, unset, edit, path."""

import json

import pytest


def test_what_is_set_is_listed_with_its_origin(world) -> None:
    world.patch.setenv("MODICUM_PERSON", "mia")
    world.patch.delenv("MODICUM_GATE", raising=False)
    world.modicum("config", "set", "language", "de")
    world.modicum("config", "set", "hook.lines", "12")
    world.modicum("config", "set", "tools", "codex, claude-code", "--here")
    listed = json.loads(world.modicum("config", "list", "--json").out)["settings"]

    yours, ours = str(world.home / ".config/modicum/config.yaml"), str(world.path(".modicum/config.yaml"))
    assert [(each["key"], each["value"], each["origin"]) for each in listed] == [
        ("person", "mia", "MODICUM_PERSON"),
        ("tools", "codex, claude-code", ours),
        ("hook.lines", "12", yours),  # the language is the project's own matter: it is the same for everybody
    ]


def test_get_prints_the_value_in_force_and_tells_by_its_code_that_there_is_none(world) -> None:
    assert (world.modicum("config", "get", "profile").code, world.modicum("config", "list").code) == (1, 0)
    world.modicum("config", "set", "profile", "all")
    world.modicum("config", "set", "profile", "minimal", "--here")

    assert world.modicum("config", "get", "profile").out == "minimal\n"


def test_comments_and_line_ends_stay_when_a_key_comes_and_goes(world) -> None:
    file = world.write("~/.config/modicum/config.yaml", b"# mine\r\nlanguage: de\r\n")
    world.modicum("config", "set", "scope", "global")
    world.modicum("config", "unset", "scope")

    assert file.read_bytes() == b"# mine\r\nlanguage: de\r\n"
    assert world.modicum("config", "unset", "scope").code == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("langage", "de"), 'there is no setting "langage" (did you mean "language"?)'),
        (("xyzzy", "de"), "there are: profile, language"),
        (("scope", "everywhere"), "nothing was changed"),
        (("hook.lines", "many"), '"hook.lines" must be a whole number, not "many" (nothing was changed)'),
        (("docs", "../out"), "must be a folder below the project"),
        (("tools", "codex"), '"tools" is for a single project (add --here)'),
        (("database", "x.db", "--here"), '"database" is for you alone (leave out --here)'),
        (("sources", "x", "--here"), "modicum source add LOCATION --here"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_may_not_be_set_is_refused_and_nothing_is_written(world, arguments, complaint: str) -> None:
    before = world.files()
    said = world.modicum("config", "set", *arguments)

    assert (said.code, said.out) == (2, "")
    assert complaint in said.err
    assert world.files() == before


def test_a_password_is_not_printed(world) -> None:
    world.modicum("config", "set", "database", "postgresql://mia:geheim@db/team")

    assert world.modicum("config", "get", "database").out == "postgresql://mia:***@db/team\n"
    assert "geheim" not in world.modicum("config", "list", "--json").out


def test_path_and_edit_name_the_file(world) -> None:
    file = world.home / ".config/modicum/config.yaml"
    editor = world.write("editor", '#!/bin/sh\necho "language: fr" > "$1"\n')
    editor.chmod(0o755)
    world.patch.setenv("PATH", "/usr/bin:/bin")
    world.patch.setenv("EDITOR", str(editor))

    assert world.modicum("config", "path").out == f"{file}\n"
    assert world.modicum("config", "path", "--here").out == f"{world.path('.modicum/config.yaml')}\n"
    assert world.modicum("config", "edit").out == f"{file} is in order.\n"
    assert world.modicum("config", "get", "language").out == "fr\n"


def test_an_edit_that_breaks_the_file_is_told(world) -> None:
    editor = world.write("editor", '#!/bin/sh\necho "langage: fr" > "$1"\n')
    editor.chmod(0o755)
    world.patch.setenv("PATH", "/usr/bin:/bin")
    world.patch.setenv("EDITOR", str(editor))
    said = world.modicum("config", "edit")

    assert said.code == 4
    assert 'did you mean "language"?' in said.err


def test_without_an_editor_the_file_is_named(world) -> None:
    world.patch.setenv("EDITOR", "/nonexistent/editor")
    said = world.modicum("config", "edit")

    assert said.code == 4
    assert "set EDITOR to your editor, or open " in said.err


def test_the_gate_of_memory_is_a_setting_of_the_users_own(world) -> None:
    world.patch.delenv("MODICUM_GATE", raising=False)
    assert world.modicum("config", "set", "memory.gate", "inbox").code == 0
    assert world.modicum("config", "get", "memory.gate").out == "inbox\n"
    assert world.modicum("config", "set", "memory.gate", "never").code == 2
    assert "you alone" in world.modicum("config", "set", "memory.gate", "inbox", "--here").err
    assert world.modicum("config", "unset", "memory.gate").code == 0
