"""modicum search and recall: pages of notes."""

import pytest

from modicum.engine.tokens import count


@pytest.mark.parametrize("command", [("search", "fox"), ("recall",), ("show", "2", "--around", "5")])
@pytest.mark.parametrize("most", [0, 5, 40, 200, 4000])
def test_an_answer_is_within_max_tokens_and_told_in_the_one_shape(
    notes, command: tuple[str, ...], most: int
) -> None:
    page = notes.modicum(*command, "--max-tokens", str(most), "--json").json

    assert list(page) == ["text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"]
    assert page["used"] == count(page["text"]) <= page["limit"] == most
    assert page["unit"] == "o200k_base"


def test_the_union_of_the_pages_is_everything_once(notes) -> None:
    seen: list[str] = []
    cursor: list[str] = []
    for _ in range(20):
        page = notes.modicum("search", "fox", "--max-tokens", "130", "--json", *cursor).json
        seen += [item["key"] for item in page["items"] if item["fate"] in ("shown", "shortened")]
        if page["next"] is None:
            break
        cursor = ["--cursor", page["next"]]

    ids = [notes.modicum("show", str(number), "--json").json["key"] for number in range(1, 5)]
    assert sorted(seen) == sorted(ids)


def test_notes_are_of_the_project_that_one_is_in_unless_told_otherwise(notes) -> None:
    here = notes.modicum("search", "fox", "--json").json["total"]
    there = notes.modicum("search", "fox", "--project", "other", "--json").json["total"]
    everywhere = notes.modicum("search", "fox", "--all-projects", "--json").json["total"]

    assert (here, there, everywhere) == (4, 1, 5)


def test_reasons_are_told_when_asked_for(notes) -> None:
    assert "matches 'fox'" in notes.modicum("search", "fox", "--why").out


def test_the_reasons_stand_in_columns_below_the_answer(notes) -> None:
    for number in range(5):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")
    said = notes.modicum("search", "fox", "--why", "--limit", "9", "--detail", "summary").out
    text, _, reasons = said.rpartition("\n\n")
    lines = reasons.splitlines()

    assert "matches 'fox'" not in text
    assert {line.index("matches") for line in lines} == {18}
    assert all(line.split()[0].startswith("n-") for line in lines)


def test_a_page_without_room_for_its_closing_line_says_beside_it_what_is_left(world) -> None:
    for number in range(5):
        world.modicum("save", f"Note {number} about the queue", "It moved.")
    said = world.modicum("recall", "--detail", "summary", "--max-tokens", "32")

    assert said.out.count("- n-") == 1
    assert "more of 6: add --cursor" in said.err
