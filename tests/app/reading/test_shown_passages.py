"""The passages of a reading, whole and in order."""

import pytest

from modicum.app.reading.pack_lines import split_by_pack
from modicum.app.reading.shown_passages import ShownPassage, page_passages, passages_of, split_with
from modicum.app.reading.tool_reading import ToolReading
from modicum.engine.page import Block, Budget, Detail, Section, View, fit
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.reading import Reading, ReadPassage
from modicum.targets.loaders.walk import Unread
from modicum.targets.model import Adapter

REGION = "<!-- modicum:start:modicum -->\n## Git\n\n- Small commits.\n\n- Odd line.\n<!-- modicum:end:modicum -->\n"


def seen(texts: dict[str, str], **fields: object) -> ToolReading:
    return ToolReading(Adapter("x", "X", "file-inject"), Reading(**fields), ProjectFiles(texts=texts))  # type: ignore[arg-type]


def short(passages: tuple[ShownPassage, ...]) -> list[tuple[str, str, str]]:
    return [(each.text.strip(), each.source, each.state) for each in passages]


def test_what_is_ours_is_told_from_what_is_yours_and_has_its_pack() -> None:
    text = f"Mine.\n{REGION}Also mine.\n"
    found = passages_of(
        seen({"A.md": text}, passages=(ReadPassage("A.md", 0, len(text)),)),
        split_with({"- Small commits.": "git"}),
    )

    assert short(found) == [
        ("Mine.", "yours", "read"),
        ("<!-- modicum:start:modicum -->", "modicum", "read"),
        ("## Git\n\n- Small commits.", "pack:git", "read"),
        ("- Odd line.\n<!-- modicum:end:modicum -->", "modicum", "read"),
        ("Also mine.", "yours", "read"),
    ]
    assert "".join(each.text for each in found) == text


def test_what_does_not_arrive_stands_in_its_place_with_the_reason() -> None:
    text = "<!-- note -->Read this. And not this."
    found = passages_of(
        seen(
            {"A.md": text, "B.md": "Hidden."},
            passages=(ReadPassage("A.md", 13, 24),),
            unread=(Unread("A.md", 24, 37, "too long", "cut"), Unread("B.md", 0, 7, "A.md is there")),
            dropped=(Unread("A.md", 0, 13, "a comment", "dropped"),),
        ),
        split_with({}),
    )

    assert [(each.text, each.state, each.why) for each in found] == [
        ("<!-- note -->", "dropped", "a comment"),
        ("Read this. ", "read", ""),
        ("And not this.", "cut", "too long"),
        ("Hidden.", "hidden", "A.md is there"),
    ]


def test_an_imported_file_stands_where_it_is_read() -> None:
    found = passages_of(
        seen(
            {"A.md": "one @B.md two", "B.md": "inner"},
            passages=(
                ReadPassage("A.md", 0, 4),
                ReadPassage("B.md", 0, 5, "A.md"),
                ReadPassage("A.md", 9, 13),
            ),
            dropped=(Unread("A.md", 4, 9, "replaced", "dropped"),),
        ),
        split_with({}),
    )

    assert [(each.text, each.importer, each.state) for each in found] == [
        ("one ", "", "read"),
        ("inner", "A.md", "read"),
        ("@B.md", "", "dropped"),
        (" two", "", "read"),
    ]


@pytest.mark.parametrize("limit", range(0, 90, 7))
def test_the_passages_of_a_page_hold_all_of_it_in_order(limit: int) -> None:
    blocks = tuple(
        Block(f"pack:p/{n}", {Detail.SUMMARY: f"short {n}", Detail.FULL: f"a longer form of {n}"}, rank=n)
        for n in range(4)
    )
    page = fit([Section(blocks, ("## Head",))], View(Detail.FULL, budget=Budget(limit)))

    found = page_passages(page, blocks, "A.md")

    arriving = [each.text.strip() for each in found if each.arrives]
    assert "\n\n".join(arriving) == page.text
    assert len([each for each in found if each.source == "pack:p"]) == 4
    assert all(each.why for each in found if not each.arrives)


def test_a_text_without_packs_is_all_frame() -> None:
    assert [*split_by_pack("a\n\nb\n", {})] == [("a\n\nb\n", "")]
    assert [*split_by_pack("", {"a": "p"})] == []
