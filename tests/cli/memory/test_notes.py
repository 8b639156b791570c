"""Memory on the command line: what is printed, as text and as JSON."""

import io
import json

import pytest

from modicum.engine.tokens import count


@pytest.fixture
def notes(world):
    """A world with five notes in two projects."""
    for number in range(4):
        world.modicum(
            "save", f"Note {number}", f"The {'quick brown fox ' * 20} number {number}.", "--type", "decision"
        )
    world.modicum("save", "Elsewhere", "A fox of another project.", "--project", "other")
    return world


@pytest.mark.parametrize("command", [("search", "fox"), ("recall",), ("timeline", "2")])
@pytest.mark.parametrize("most", [0, 5, 40, 200, 4000])
def test_an_answer_is_within_max_tokens_and_told_in_the_one_shape(
    notes, command: tuple[str, ...], most: int
) -> None:
    page = notes.modicum(*command, "--max-tokens", str(most), "--json").json

    assert list(page) == ["text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"]
    assert page["used"] == count(page["text"]) <= page["limit"] == most
    assert page["unit"] == "o200k_base"


SAYING = [
    ("get", "1"),
    ("history", "1"),
    ("session", "list"),
    ("progress", '{"goal": "ship"}'),
    ("projects", "list"),
    ("stats",),
    ("doctor",),
    ("compact", "--before", "2999-01-01"),
    ("save", "Another", "One more fox."),
    ("update", "1", "--title", "New"),
    ("pin", "1"),
    ("relate", "1", "2"),
    ("delete", "3"),
    ("prompt", "hello"),
]


@pytest.mark.parametrize("command", SAYING, ids=" ".join)
@pytest.mark.parametrize("most", [0, 12, 40, 4000])
def test_whatever_a_command_says_is_within_max_tokens(notes, command: tuple[str, ...], most: int) -> None:
    said = notes.modicum(*command, "--max-tokens", str(most))

    assert said.code == 0
    assert count(said.out.removesuffix("\n")) <= most
    assert said.out or "say a larger --max-tokens" in said.err


def test_what_is_left_out_says_how_to_get_it(notes) -> None:
    said = notes.modicum("get", "1", "--max-tokens", "60").out

    assert said.startswith("#1 Note 0\n")
    assert "… 1 left out of 2: say a larger --max-tokens" in said


def test_all_of_a_list_is_mentioned_before_any_of_it_is_told_at_length(notes) -> None:
    for number in range(3):
        notes.modicum("session", "start", f"day-{number}")
        notes.modicum("session", "end", f"day-{number}", "--summary", "much was done " * 5)

    page = notes.modicum("session", "list", "--max-tokens", "110", "--json").json

    fates = [item["fate"] for item in page["items"]]
    assert (len(fates), page["omitted"]) == (4, 0)
    assert fates[0] == "shown"
    assert "shortened" in fates


def test_detail_says_how_much_of_a_note_is_told(notes) -> None:
    title, short, whole = (
        notes.modicum("get", "1", "--detail", level).out for level in ("summary", "standard", "full")
    )

    assert "fox" not in title
    assert "…" in short
    assert whole.endswith("number 0.\n")
    assert notes.modicum("get", "1").out.replace("\n\n", "\n") == whole


def test_json_of_a_limited_answer_is_a_page_and_of_a_whole_one_is_the_value(notes) -> None:
    page = notes.modicum("history", "1", "--max-tokens", "30", "--json").json
    value = notes.modicum("history", "1", "--json").json

    assert (page["limit"], page["unit"]) == (30, "o200k_base")
    assert list(value) == ["revisions"]


def test_the_union_of_the_pages_is_everything_once(notes) -> None:
    seen: list[str] = []
    cursor: list[str] = []
    for _ in range(20):
        page = notes.modicum("search", "fox", "--max-tokens", "130", "--json", *cursor).json
        seen += [item["key"] for item in page["items"] if item["fate"] in ("shown", "shortened")]
        if page["next"] is None:
            break
        cursor = ["--cursor", page["next"]]

    assert sorted(seen) == [f"note:{number}" for number in range(1, 5)]


def test_notes_are_of_the_project_that_one_is_in_unless_told_otherwise(notes) -> None:
    here = notes.modicum("search", "fox", "--json").json["total"]
    there = notes.modicum("search", "fox", "--project", "other", "--json").json["total"]
    everywhere = notes.modicum("search", "fox", "--all-projects", "--json").json["total"]

    assert (here, there, everywhere) == (4, 1, 5)


def test_context_is_another_word_for_recall(notes) -> None:
    assert (
        notes.modicum("context", "--detail", "summary").out
        == notes.modicum("recall", "--detail", "summary").out
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("get", "99"), "note #99 not found"),
        (("update", "1"), "there is nothing to change"),
        (("delete", "99"), "there is no note #99"),
        (("recall", "--detail", "loud"), 'there is no detail "loud"'),
        (("recall", "--max-tokens", "many"), 'max_tokens is "many"'),
        (("recall", "--since", "someday"), "someday"),
        (("session", "end", "nobody"), 'there is no session "nobody"'),
        (("compact", "--before", "2026-01-01", "--ids", "x"), '"x" is no list of ids'),
        (("save", " ", " "), "nothing to save"),
    ],
)
def test_mistakes_are_one_line_with_a_remedy(notes, arguments: tuple[str, ...], sentence: str) -> None:
    said = notes.modicum(*arguments)

    assert said.code == 1
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert "(" in said.err


def test_every_command_tells_json(notes) -> None:
    commands = [
        ("save", "New", "text"),
        ("get", "1"),
        ("update", "1", "--title", "Newer"),
        ("history", "1"),
        ("pin", "1"),
        ("pin", "1", "--off"),
        ("relate", "1", "2"),
        ("delete", "2"),
        ("restore", "2"),
        ("session", "start", "monday"),
        ("session", "end", "monday", "--summary", "done"),
        ("session", "list"),
        ("prompt", "please"),
        ("progress", '{"goal": 1}'),
        ("progress",),
        ("compact", "--before", "2999-01-01"),
        ("compact", "--before", "2999-01-01", "--ids", "1,#2", "--title", "Both", "--summary", "in one"),
        ("projects", "list"),
        ("projects", "rename", "other", "another"),
        ("projects", "merge", "another", "--into", "project"),
        ("projects", "prune", "another"),
        ("stats",),
        ("doctor",),
    ]
    for command in commands:
        said = notes.modicum(*command, "--json")

        assert (said.code, said.err) == (0, ""), command
        assert isinstance(json.loads(said.out), dict), command
        assert notes.modicum(*command).code in (0, 1), command


def test_an_export_comes_back_without_loss_and_a_second_import_changes_nothing(notes) -> None:
    notes.modicum("relate", "1", "2")
    notes.modicum("export", "first.json")
    notes.patch.setenv("MODICUM_HOME", str(notes.home / "another"))
    counts = [notes.modicum("import", "first.json", "--json").json for _ in range(2)]
    notes.modicum("export", "second.json")
    first, second = (json.loads(notes.read(name)) for name in ("first.json", "second.json"))
    for archive in (first, second):
        archive.pop("exported_at")

    assert first == second
    assert counts[0]["came"]["notes"] == 5
    assert not any(counts[1]["came"].values())
    assert counts[1]["there"] == counts[0]["came"]


def test_what_is_no_export_is_refused(notes) -> None:
    notes.write("no.json", "{]")

    said = notes.modicum("import", "no.json")
    assert said.code == 1
    assert "no.json is not JSON that can be read: from line 1, column 2 on (see whether" in said.err


def test_a_note_can_be_piped_in(world) -> None:
    world.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    world.modicum("save", "Piped", "-")

    assert world.modicum("get", "1", "--json").json["content"] == "from a pipe"


def test_reasons_are_told_when_asked_for(notes) -> None:
    assert "matches 'fox'" in notes.modicum("search", "fox", "--why").out


def test_the_reasons_stand_in_columns_below_the_answer(notes) -> None:
    for number in range(5):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")
    said = notes.modicum("search", "fox", "--why", "--limit", "9", "--detail", "summary").out
    text, _, reasons = said.rpartition("\n\n")
    lines = reasons.splitlines()

    assert "matches 'fox'" not in text
    assert {line.index("matches") for line in lines} == {13}
    assert {line.split()[0] for line in lines} >= {"#4", "#10"}


def test_an_empty_answer_says_what_there_is_none_of(world) -> None:
    keep = 'yet. Keep one: modicum save "Title" "What and why"\n'

    assert world.modicum("recall", "--project", "docs").out == f'There are no notes of "docs" {keep}'
    assert world.modicum("recall", "--all-projects").out == f"There are no notes {keep}"
    assert world.modicum("recall", "--type", "decision").out == "There are no such notes.\n"
    assert world.modicum("projects", "list").out == "There are no projects.\n"
    assert world.modicum("audit").out.startswith("There are no entries.")
    assert world.modicum("compact", "--before", "2020-01-01").out == "No note is older than 2020-01-01.\n"


def test_what_there_is_one_of_is_told_in_the_singular(world) -> None:
    world.modicum("save", "Queue moved", "Redis needed a host.", "--project", "shop")

    assert world.modicum("stats").out.startswith("1 note, 1 session, 0 prompts in ")
    assert world.modicum("projects", "rename", "shop", "store").out == (
        "1 note, 1 session and 0 prompts are store's now.\n"
    )
    assert world.modicum("export", "all.json").out == "1 note, 1 session written to all.json.\n"
    assert "(1 note)" in world.modicum("recall", "--project", "store").out


def test_old_notes_stand_in_columns(notes) -> None:
    for number in range(6):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")
    lines = notes.modicum("compact", "--before", "2999-01-01").out.splitlines()

    assert lines[0].startswith("#1   2")
    assert lines[-1].startswith("#11  2")


def test_another_wording_can_be_piped_in(notes) -> None:
    notes.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    notes.modicum("update", "1", "--content", "-")

    assert notes.modicum("get", "1", "--json").json["content"] == "from a pipe"
