"""What every command takes: --quiet, --verbose, --no-color, --no-pager; and errors as JSON."""

import json

import pytest

from modicum.cli.global_options import GLOBAL_OPTIONS, is_given, take_global_options


def test_global_options_are_taken_wherever_they_stand() -> None:
    assert take_global_options(["--quiet", "save", "a", "--no-color", "b"]) == ["save", "a", "b"]
    assert (is_given("--quiet"), is_given("--no-color"), is_given("--verbose")) == (True, True, False)


def test_what_stands_behind_two_dashes_is_not_taken_and_nothing_is_remembered() -> None:
    take_global_options(["--quiet"])

    assert take_global_options(["save", "--", "--quiet", "x"]) == ["save", "--", "--quiet", "x"]
    assert not any(map(is_given, GLOBAL_OPTIONS))


def test_quiet_prints_nothing_but_warnings_errors_and_json(world) -> None:
    assert (world.modicum("save", "a", "b", "--quiet").out, world.modicum("--quiet", "show", "1").out) == (
        "",
        "",
    )
    assert json.loads(world.modicum("--quiet", "show", "1", "--json").out)["title"] == "a"
    assert "there is no note #9" in world.modicum("--quiet", "show", "9").err
    assert world.modicum("show", "1").out != ""


def test_verbose_says_where_things_are_and_how_long_it_took_on_stderr(world) -> None:
    world.patch.setenv("MODICUM_DATABASE_URL", "postgresql://mia:geheim@127.0.0.1:1/x")
    said = world.modicum("--verbose", "tool", "list")

    assert (said.code, f"modicum: project {world.project}" in said.err) == (0, True)
    assert "mia:***@" in said.err
    assert "geheim" not in said.err
    assert "modicum: took 0." in said.err or "modicum: took 1." in said.err


def test_verbose_goes_on_where_the_settings_are_broken(world) -> None:
    world.write(".modicum/config.yaml", "oops: [")
    said = world.modicum("--verbose", "tool", "list")

    assert said.code == 4
    assert "took" in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("show", "99", "--json"), 4, "there is no note #99"),
        (("injct", "--json"), 2, "there is no command"),
        (("inject", "--tool", "codx", "--json"), 2, "there is no tool"),
        (("inject", "--json", "--frob"), 2, "No such option"),
        (("memory", "sesions", "--json"), 2, "there is no command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_error_under_json_is_one_object_on_stdout(
    world, arguments: tuple[str, ...], code: int, word: str
) -> None:
    said = world.modicum(*arguments)
    error = json.loads(said.out)["error"]

    assert (said.code, said.err, set(error)) == (code, "", {"message", "remedy", "exit_code"})
    assert error["exit_code"] == code
    assert word in error["message"]


def test_a_word_of_a_note_is_not_the_option_json(world) -> None:
    assert world.modicum("show", "--", "--json").out == ""


@pytest.mark.parametrize(
    ("arguments", "new"),
    [
        (("inject", "--verbosity", "full"), "--detail"),
        (("inject", "--project"), "--here"),
        (("memory", "pin", "1", "--off"), "--remove"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_old_option_gets_the_new_one_as_a_suggestion(world, arguments: tuple[str, ...], new: str) -> None:
    said = world.modicum(*arguments)

    assert said.code == 2
    assert f"it is {new} now" in said.err
