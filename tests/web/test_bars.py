"""Where the pieces of a bar stand."""

import pytest

from modicum.app.reading.tool_amounts import FilledLimit, ReadPart, ToolAmounts
from modicum.web.bars import WIDTH, bars

YOURS = ReadPart("yours", "AGENTS.md", 4000, 1000)
GIT = ReadPart("pack:git", "git", 400, 100)


def tool(name: str, *parts: ReadPart, lost: tuple[ReadPart, ...] = (), limit: int = 0) -> ToolAmounts:
    used = sum(part.bytes for part in (*parts, *lost))
    limits = (FilledLimit("files", used, limit, "bytes"),) if limit else ()
    return ToolAmounts(name, name, parts=parts, lost=lost, limits=limits)


def test_pieces_follow_each_other_and_all_tools_have_one_scale() -> None:
    one, other = bars([tool("a", YOURS, GIT), tool("b", YOURS)])

    assert [each.kind for each in one.segments] == ["yours", "pack0"]
    assert one.segments[1].x == pytest.approx(one.segments[0].width)
    assert other.segments[0].width == one.segments[0].width
    assert sum(each.width for each in one.segments) <= WIDTH
    assert (one.cut_off, other.cut_off) == (None, None)


def test_the_cut_off_stands_between_what_arrives_and_what_is_lost() -> None:
    (bar,) = bars([tool("a", YOURS, lost=(GIT,), limit=4000)])

    assert [each.kind for each in bar.segments] == ["yours", "lost"]
    assert bar.cut_off == bar.segments[1].x == bar.segments[0].width
    assert bar.in_words == "a in tokens: AGENTS.md 1,000, lost of git 100"


def test_free_room_ends_at_the_cut_off_or_at_the_edge() -> None:
    near, far, empty = bars(
        [tool("a", YOURS, limit=4100), tool("b", YOURS, limit=10**6), tool("c", limit=100)]
    )

    assert (near.segments[1].kind, near.segments[1].tokens) == ("free", 25)
    assert near.cut_off == pytest.approx(near.segments[0].width + near.segments[1].width)
    assert far.cut_off is None
    assert far.segments[1].x + far.segments[1].width == pytest.approx(WIDTH)
    assert empty.segments[0].tokens == 25


def test_nothing_at_all_is_an_empty_bar() -> None:
    assert bars([]) == ()
    assert bars([tool("a")])[0].segments == ()
    assert bars([tool("a")])[0].in_words == "a in tokens: nothing"
