"""A request in any of four protocols is taken apart, and the lines of known files are found in it."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.targets.live.model import AgentRequest, ArrivedPassage, Disagreement, RequestPart, UnseenLines
from modicum.targets.live.request import attributed, disagreements, taken_apart

CHAT = {
    "messages": [{"role": "system", "content": "be good"}, {"role": "user", "content": [{"text": "go"}]}],
    "tools": [{"type": "function", "function": {"name": "read"}}],
}
ANTHROPIC = {
    "system": [{"type": "text", "text": "be good"}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": "go"}, {"type": "image", "id": 1}]}],
    "tools": [{"name": "Read", "input_schema": {}}, "nonsense"],
}
RESPONSES = {
    "instructions": "be good",
    "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}, "odd"],
    "tools": [{"type": "web_search"}],
}
GEMINI = {
    "systemInstruction": {"role": "user", "parts": [{"text": "be good"}]},
    "contents": [{"role": "user", "parts": [{"text": "go"}]}],
    "tools": [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}],
}


@pytest.mark.parametrize(
    ("body", "places", "tools"),
    [
        (CHAT, ("0 system", "1 user"), ("read",)),
        (ANTHROPIC, ("system", "0 user", "0 user"), ("Read",)),
        (RESPONSES, ("system", "0 user"), ("web_search",)),
        (GEMINI, ("system", "0 user"), ("a", "b")),
        ({}, (), ()),
    ],
)
def test_every_protocol_is_taken_apart(
    body: dict[str, object], places: tuple[str, ...], tools: tuple[str, ...]
) -> None:
    request = taken_apart(body)

    assert tuple(part.place for part in request.parts) == places
    assert tuple(name for name, _ in request.tools) == tools
    assert [part.text for part in request.parts][:2] == ["be good", "go"][: len(places)]


def test_the_folder_of_the_copy_is_taken_out_of_the_text() -> None:
    request = taken_apart({"system": "Contents of /copy/home/u/AGENTS.md:"}, without="/copy")

    assert request == AgentRequest((RequestPart("system", "Contents of /home/u/AGENTS.md:"),))


RULES = "# Rules of the shop\n\nUse tabs in every file.\n\nNever log a password.\n"


def found(text: str, **files: str) -> tuple[list[tuple[str, int, int, int]], list[tuple[str, int, int, str]]]:
    result = attributed((RequestPart("system", text),), files)
    return (
        [(each.path, each.first, each.last, each.line) for each in result.arrived],
        [(each.path, each.first, each.last, each.twin) for each in result.unseen],
    )


def test_a_whole_file_arrives_in_one_passage() -> None:
    assert found(f"Hello.\n\n{RULES}\nBye.", a=RULES) == ([("a", 1, 5, 3)], [])


def test_a_file_that_is_there_twice_arrives_twice() -> None:
    result = attributed((RequestPart("system", RULES), RequestPart("0 user", RULES)), {"a": RULES})

    assert [(each.place, each.part) for each in result.arrived] == [("system", 0), ("0 user", 1)]
    assert result.copies("a", 3) == 2
    assert result.copies("b", 3) == 0


def test_what_was_dropped_is_unseen() -> None:
    text = RULES.replace("Use tabs in every file.", "<!-- a comment that is dropped -->")

    assert found(RULES, a=text) == ([("a", 1, 1, 1), ("a", 5, 5, 5)], [("a", 3, 3, "")])


def test_a_text_that_is_cut_in_a_line_is_marked() -> None:
    result = attributed((RequestPart("0 user", RULES[:58] + "\ufffd"),), {"a": RULES})

    assert result.arrived == (ArrivedPassage("a", 1, 5, "0 user", 1, 0, cut=True),)
    assert result.unseen == ()


def test_an_import_in_the_middle_belongs_to_its_own_file() -> None:
    text = "Before the import here.\n<!-- Imported from: b -->\nThe imported text itself.\n<!-- End -->\nAfter the import here.\n"

    arrived, unseen = found(
        text, a="Before the import here.\n@b\nAfter the import here.\n", b="The imported text itself.\n"
    )

    assert arrived == [("a", 1, 1, 1), ("b", 1, 1, 3), ("a", 3, 3, 5)]
    assert unseen == [("a", 2, 2, "")]


def test_of_two_equal_files_the_named_one_is_meant() -> None:
    text = f"Contents of /p/CLAUDE.md:\n\n{RULES}"
    result = attributed((RequestPart("system", text),), {"/p/AGENTS.md": RULES, "/p/CLAUDE.md": RULES})

    assert [each.path for each in result.arrived] == ["/p/CLAUDE.md"]
    assert result.unseen == (UnseenLines("/p/AGENTS.md", 1, 5, "/p/CLAUDE.md"),)


def test_two_copies_of_two_equal_files_are_one_of_each() -> None:
    arrived, unseen = found(f"{RULES}\n---\n{RULES}", one_md=RULES, two_md=RULES)

    assert [path for path, *_ in arrived] == ["one_md", "two_md"]
    assert unseen == []


def test_a_line_belongs_to_the_longer_run() -> None:
    longer = f"A heading of its own.\n{RULES}"

    arrived, unseen = found(longer, a=RULES, b=longer)

    assert [path for path, *_ in arrived] == ["b"]
    assert unseen == [("a", 1, 5, "b")]


def test_what_is_left_of_a_run_is_still_found() -> None:
    arrived, _ = found(
        "one line here\ntwo lines here\nthree lines here",
        a="one line here\ntwo lines here",
        b="two lines here\nthree lines here",
    )

    assert arrived == [("a", 1, 2, 1), ("b", 2, 2, 3)]


def test_lines_that_repeat_all_over_tell_nothing() -> None:
    text = "the same line again\n" * 50

    arrived, _ = found(text + RULES, a=text + RULES)

    assert arrived == [("a", 1, 55, 1)]


def test_short_lines_alone_tell_nothing() -> None:
    assert found("---\n```\n- a\n", a="```\n---\n") == ([], [])


def test_windows_lines_and_a_mark_are_the_same_text() -> None:
    assert found(RULES, a="\ufeff" + RULES.replace("\n", "\r\n")) == ([("a", 1, 5, 1)], [])


def test_where_told_and_sent_agree_nothing_is_said() -> None:
    files = {"a": RULES, "b": "Another file, not read.\n"}
    result = attributed((RequestPart("system", RULES),), files)

    assert disagreements(result, files, [RULES]) == ()


def test_lines_that_were_told_and_not_sent_are_named_and_the_other_way_round() -> None:
    files = {"a": RULES, "b": "Another file that is read.\n"}
    result = attributed((RequestPart("system", RULES),), files)

    assert disagreements(result, files, [files["b"], *RULES.split("\n")[2:]]) == (
        Disagreement("a", 1, "# Rules of the shop", 0, 1),
        Disagreement("b", 1, "Another file that is read.", 1, 0),
    )


def test_a_line_that_was_cut_is_not_compared() -> None:
    files = {"a": RULES}
    result = attributed((RequestPart("system", RULES[:58]),), files)

    assert disagreements(result, files, [RULES[:58]]) == ()


def test_a_long_file_with_every_second_line_dropped_takes_no_time() -> None:
    lines = [f"line number {number} of a long file" for number in range(3_000)]
    kept = RequestPart("system", "\n".join(lines[::2]))
    started = process_time()

    result = attributed((kept, kept), {"a": "\n".join(lines), "b": "\n".join(lines)})

    assert len(result.arrived) == 3_000
    assert process_time() - started < 5


@given(st.lists(st.sampled_from(["alpha rule", "beta rules", "", "---", "gamma rule"]), max_size=12))
def test_no_line_of_a_request_is_given_away_twice(lines: list[str]) -> None:
    text = "\n".join(lines)
    files = {"a": text, "b": "\n".join(reversed(lines))}
    result = attributed((RequestPart("system", text),), files)
    given_away = [
        (each.part, each.line + step) for each in result.arrived for step in range(each.last - each.first + 1)
    ]

    assert len(given_away) == len(set(given_away))
    for each in result.arrived:
        there = text.split("\n")[each.line - 1 : each.line + each.last - each.first]
        assert there == files[each.path].split("\n")[each.first - 1 : each.last]
