"""modicum memory projects"""

import pytest


def test_projects_become_one(notes) -> None:
    said = notes.modicum("memory", "projects", "merge", "Other", "--into", "project")

    assert said.out == "1 note, 1 session and 0 prompts moved to project.\n"
    assert notes.modicum("memory", "projects", "list", "--json").json["items"][0]["notes"] == 5


@pytest.mark.parametrize(
    "words",
    [("merge", "othr", "--into", "project"), ("rename", "othr", "shop"), ("remove", "othr")],
    ids=lambda words: words[0],
)
def test_a_project_that_is_not_there_is_named_with_those_that_are_near(notes, words: tuple[str, ...]) -> None:
    before = notes.modicum("memory", "projects", "list", "--json").json
    said = notes.modicum("memory", "projects", *words)

    assert (said.code, said.out) == (4, "")
    assert said.err == 'modicum: there is no project "othr" (did you mean "other"?)\n'
    assert notes.modicum("memory", "projects", "list", "--json").json == before


def test_nothing_is_moved_if_one_of_the_projects_is_not_there(notes) -> None:
    said = notes.modicum("memory", "projects", "merge", "other", "xyzzy", "--into", "project")

    assert said.err == 'modicum: there is no project "xyzzy" (modicum memory projects list)\n'
    assert {row["id"] for row in notes.modicum("memory", "projects", "list", "--json").json["items"]} == {
        "project",
        "other",
    }


def test_a_project_that_has_only_its_progress_can_be_merged(world) -> None:
    world.modicum("memory", "progress", '{"goal": "ship"}', "--project", "old")
    said = world.modicum("memory", "projects", "merge", "old", "--into", "new")

    assert said.code == 0
    assert world.modicum("memory", "progress", "--project", "new").out.strip() == '{"goal": "ship"}'
