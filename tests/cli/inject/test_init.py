"""modicum init"""

import io

import pytest


class Terminal(io.StringIO):
    """What somebody types, on a terminal."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(world, *typed: str) -> None:
    world.patch.setattr("sys.stdin", Terminal("".join(f"{line}\n" for line in typed)))
    for name in ("can_ask", "can_choose"):
        world.patch.setattr(f"modicum.cli.inject.init.{name}", lambda: True)


def test_init_shows_tools_and_starters_and_is_harmless_twice(world) -> None:
    (world.home / ".claude").mkdir()
    first = world.modicum("init")
    config = world.read(".modicum/config.yaml")
    second = world.modicum("init")

    assert "Claude Code  CLAUDE.md" in first.out
    assert "Starter packs, off until you choose them (modicum pack use NAME):\n  git " in first.out
    assert "Packs in force: none\n" in first.out
    assert "There is already" in second.out
    assert world.read(".modicum/config.yaml") == config


def test_each_starter_is_one_line_with_its_size(world) -> None:
    said = world.modicum("init")
    rows = world.modicum("init", "--json").json["starters"]

    assert [row["id"] for row in rows] == ["git", "modicum", "reviews", "testing"]
    for row in rows:
        (line,) = [
            line for line in said.out.splitlines() if line.startswith(f"  {row['id']} ") and "tokens" in line
        ]
        assert f" {row['tokens']:,} tokens  {row['description']}" in line
        assert 500 < row["tokens"] < 2_000


def test_a_starter_that_is_chosen_or_skipped_is_not_offered_again(world) -> None:
    world.modicum("pack", "use", "git")
    world.write(".modicum/config.yaml", "use: [git]\nskip: [testing]\n")

    assert [row["id"] for row in world.modicum("init", "--json").json["starters"]] == ["modicum", "reviews"]


def test_a_terminal_is_asked_and_told(world) -> None:
    on_a_terminal(world, "git, testing")
    said = world.modicum("init")

    assert said.code == 0
    assert "(modicum pack use NAME)" not in said.out
    assert "Turned on: git, testing (" in said.out
    assert "Packs in force: testing, git\n" in said.out
    assert world.read(".modicum/config.yaml").endswith("\nuse:\n  - git\n  - testing\n")


def test_a_name_that_is_not_in_the_list_is_asked_for_again(world) -> None:
    on_a_terminal(world, "gti", "git")
    said = world.modicum("init")

    assert 'there is no "gti" in the list: did you mean "git"?' in said.out + said.err
    assert "Turned on: git (" in said.out


@pytest.mark.parametrize("typed", [("",), ()])
def test_enter_alone_and_the_end_of_input_choose_nothing(world, typed: tuple[str, ...]) -> None:
    on_a_terminal(world, *typed)
    world.modicum("init")

    assert "\nuse:" not in world.read(".modicum/config.yaml")


def test_the_end_of_input_is_no_and_ends_the_line_of_the_question(world) -> None:
    on_a_terminal(world)
    chosen = world.modicum("init")
    world.patch.chdir(world.home)
    on_a_terminal(world)
    refused = world.modicum("init")

    assert chosen.code == 0
    assert "Which ones? Names, or Enter for none: \n\nPacks in force: none\n" in chosen.out
    assert refused.code == 4
    assert "all the same? [y/N] \nmodicum: no project was made (" in refused.err


def test_json_is_never_a_question(world) -> None:
    on_a_terminal(world)

    assert world.modicum("init", "--json").json["packs"] == []


def test_init_names_the_folder_that_it_chose(world) -> None:
    (world.project / "deep").mkdir()
    world.patch.chdir(world.project / "deep")

    assert world.modicum("init").out.startswith(
        f"The project is {world.project}\nCreated {world.project}/.modicum"
    )


def test_init_in_the_home_folder_is_refused_where_nobody_can_answer(world) -> None:
    world.patch.chdir(world.home)
    said = world.modicum("init")

    assert (said.code, said.out) == (2, "")
    assert (
        "is your home folder, not a project (go to the folder of a project first, or add --yes)" in said.err
    )
    assert not (world.home / ".modicum").exists()
    assert world.modicum("init", "--yes").code == 0
    assert world.modicum("init").code == 0  # it is one now


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 4), ("", 4)])
def test_init_in_the_home_folder_asks_on_a_terminal(world, answer: str, code: int) -> None:
    world.patch.chdir(world.home)
    on_a_terminal(world, answer, "")
    said = world.modicum("init")

    assert said.code == code
    assert "Make it a project all the same?" in said.err
    assert ("modicum: no project was made (" in said.err) is (code == 4)
    assert (world.home / ".modicum").exists() is (code == 0)


def test_init_on_a_whole_disk_is_refused(world) -> None:
    world.patch.chdir("/")

    assert "is a whole disk, not a project" in world.modicum("init").err


@pytest.mark.parametrize(
    "line",
    [
        "pack use git",
        "pack skip git",
        "pack new shop",
        "profile set minimal --here",
        "config set language de --here",
        "notice add hello",
        "sync",
    ],
)
def test_no_command_makes_a_project_of_the_home_folder_unasked(world, line: str) -> None:
    world.patch.chdir(world.home)

    refused = world.modicum(*line.split())

    assert (refused.code, refused.out) == (2, "")
    assert "is your home folder, not a project" in refused.err
    assert not (world.home / ".modicum").exists()
    assert world.modicum("init", "--yes").code == 0
    assert world.modicum(*line.split()).code == 0


def test_own_settings_beside_the_data_of_a_home_folder_are_no_project(world) -> None:
    world.patch.chdir(world.home)
    world.patch.setenv("MODICUM_HOME", str(world.home / ".modicum"))

    assert world.modicum("config", "set", "language", "de").code == 0
    assert world.modicum("pack", "use", "git", "--user").code == 0
