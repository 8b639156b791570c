"""Tables: as wide as they need to be, and wrapped where a terminal is narrower."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.cli.output import diff_lines, say_wrapped
from modicum.cli.table import GAP, laid_out, width


def drawn(rows: list[tuple[str, ...]], **more) -> list[str]:
    return [
        GAP.join(cell.text for cell in line.cells).rstrip()
        for lines in laid_out(rows, **more)
        for line in lines
    ]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert drawn([("a", "bb"), ("ccc", "d")]) == ["a    bb", "ccc  d"]


def test_numbers_stand_to_the_right() -> None:
    assert drawn([("n", "x"), ("1,400", "y")], right=[0]) == ["    n  x", "1,400  y"]


def test_the_widest_column_wraps_between_words() -> None:
    assert drawn([("id", "some words here")], room=14) == ["id  some words", "    here"]


def test_a_word_is_cut_only_if_there_is_no_other_way() -> None:
    assert drawn([("id", "abcdefghij")], room=9) == ["id  abcde", "    fghij"]


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("中文", 4), ("e\u0301", 1), ("", 0)])
def test_signs_take_one_column_or_two(text: str, columns: int) -> None:
    assert width(text) == columns


@given(
    st.lists(st.tuples(*[st.text("ab 中\u0301", max_size=30)] * 3), min_size=1, max_size=4),
    st.integers(20, 100),
)
def test_a_table_fits_and_loses_nothing(rows: list[tuple[str, ...]], room: int) -> None:
    lines = laid_out(rows, room=room)

    assert all(width(GAP.join(c.text for c in line.cells)) <= room for row in lines for line in row)
    for row, told in zip(rows, lines, strict=True):
        for at, cell in enumerate(row):
            shown = "".join(line.cells[at].text for line in told)
            assert shown.replace(" ", "") == cell.replace(" ", "")


def test_a_diff_has_the_numbers_of_the_whole_file() -> None:
    before = [f"line {n}" for n in range(1, 101)]
    after = [*before[:49], "other", *before[50:]]

    assert diff_lines("\n".join(before), "\n".join(after), "x") == [
        "--- x\tbefore",
        "+++ x\tafter",
        "@@ -47,7 +47,7 @@",
        *(f" line {n}" for n in (47, 48, 49)),
        "-line 50",
        "+other",
        *(f" line {n}" for n in (51, 52, 53)),
    ]


def test_a_diff_of_line_ends_says_so() -> None:
    assert diff_lines("a\r\n", "a\n", "x")[-1] == "(only line ends differ)"


LINES = st.lists(st.sampled_from("abc"), max_size=12)


@given(LINES, LINES)
def test_a_diff_turns_one_text_into_the_other(old: list[str], new: list[str]) -> None:
    from difflib import unified_diff

    wanted = list(unified_diff(old, new, "x", "x", "before", "after", lineterm=""))
    found = diff_lines("\n".join(old), "\n".join(new), "x") if old != new else []
    kept = [line[1:] for line in found[2:] if line[0] in " -"]

    assert [line for line in kept if line] == kept
    assert bool(found) == bool(wanted)
    assert sum(line.startswith("+") for line in found[2:]) - sum(
        line.startswith("-") for line in found[2:]
    ) == len(new) - len(old)


@pytest.mark.parametrize("columns", ["0", "10", "20", "40", "-5", "٣", "x"])
def test_a_narrow_or_odd_terminal_breaks_no_table(world, columns: str) -> None:
    world.patch.setenv("COLUMNS", columns)
    said = world.modicum("tool", "list")

    assert said.code == 0
    assert "codex" in said.out
    if columns in ("10", "20"):  # a list, because five columns have no room
        assert "Tool codex\nName Codex (AGENTS.md)\nFile AGENTS.md\n" in said.out
    for command in ("inject", "memory"):
        assert world.modicum(command, "--help").code == 0


def test_a_sentence_is_broken_between_words_where_a_terminal_is_narrow(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    say_wrapped("Nobody from other machines.")

    assert capsys.readouterr().out == "Nobody from other\nmachines.\n"
