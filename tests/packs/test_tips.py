"""A tips file is cut at its second-level headings."""

from modicum.packs.model import Tip
from modicum.packs.tips import parse_tips


def test_each_second_level_heading_starts_a_tip() -> None:
    text = "# Tips\nNobody reads this.\n\n## One\nTags: a, b\nBody one.\n\n### Deeper\n\nMore.\n\n## Two\nBody two.\n"

    assert parse_tips(text) == (
        Tip("One", ("a", "b"), "Body one.\n\n### Deeper\n\nMore."),
        Tip("Two", (), "Body two."),
    )


def test_headings_in_code_do_not_start_a_tip() -> None:
    text = "## One\n```sh\n## a comment\n```\n~~~\n```\n## still code\n~~~\n"

    assert [tip.title for tip in parse_tips(text)] == ["One"]


def test_windows_line_ends_are_no_part_of_titles_and_tags() -> None:
    assert parse_tips("## One\r\nTags: a, b\r\nBody.\r\n") == (Tip("One", ("a", "b"), "Body."),)


def test_a_blank_line_may_stand_above_the_tags() -> None:
    assert parse_tips("## One\n\ntags : a\n\nBody.\n") == (Tip("One", ("a",), "Body."),)


def test_empty_tags_are_none() -> None:
    assert parse_tips("## One\nTags:\nBody.") == (Tip("One", (), "Body."),)
    assert parse_tips("## One\nTags: , a,,\nBody.") == (Tip("One", ("a",), "Body."),)


def test_a_heading_without_a_title_takes_no_other_line_for_it() -> None:
    assert parse_tips("##\nBody.\n## Closed ##\n##No heading\n## C#\n## ##\n") == (
        Tip("", (), "Body."),
        Tip("Closed", (), "##No heading"),
        Tip("C#"),
        Tip(""),
    )


def test_a_tip_may_be_empty_and_so_may_the_file() -> None:
    assert parse_tips("## One") == (Tip("One", (), ""),)
    assert parse_tips("") == ()
    assert parse_tips("text only") == ()
