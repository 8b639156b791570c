"""The comments that Claude Code drops, as seen in its first request, and those that it keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.targets.loaders.comments import comment_spans
from modicum.targets.loaders.dropped_text import kept_spans


def kept(text: str, *drops: str) -> str:
    return "".join(text[start:end] for start, end in kept_spans(text, 0, len(text), drops or ("comments",)))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<!-- x -->", ""),
        ("a\n<!-- x -->\nb", "a\nb"),
        ("a\n\n<!-- x -->\n\n\nb", "a\n\nb"),
        ("a\r\n<!-- x -->\r\n\r\nb", "a\r\nb"),
        ("<!-- x -->\n<!-- y -->\nb", "b"),
        ("<!-- a\n b -->tail\nc", "tail\nc"),
        ("<!-- a --> <!-- b --> rest\n", "  rest\n"),
        ("- item\n <!-- x -->\nb", "- item\nb"),
        ("1. item\n\n  <!-- x -->\nb", "1. item\n\nb"),
        ("> quote\n<!-- x -->\nb", "> quote\nb"),
        ("# head\n<!-- x -->\n", "# head\n"),
        ("<b>x</b>\n<!-- x -->\nb", "<b>x</b>\nb"),
        ("text\n<custom>\n<!-- x -->\nb", "text\n<custom>\nb"),
        ("```x```\n<!-- x -->\nb", "```x```\nb"),
        ("```\ncode\n```\n<!-- x -->\nb", "```\ncode\n```\nb"),
        ("<div>\n\n<!-- x -->\n</div>", "<div>\n\n</div>"),
        ("<pre>\n</PRE> y\n<!-- x -->\nb", "<pre>\n</PRE> y\nb"),
    ],
)
def test_a_comment_that_stands_alone_is_dropped_with_the_empty_lines_behind_it(text: str, left: str) -> None:
    assert kept(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "a <!-- x --> b",
        "- item\n  <!-- x -->\n",
        "- item\n\n  <!-- x -->\n",
        "> <!-- x -->\n",
        "```\n<!-- x -->\n```\n",
        "~~~\n```\n<!-- x -->\n",
        "    <!-- x -->\n",
        "\t<!-- x -->\n",
        "<!-- open\nno end",
        "<div>\n<!-- x -->\n</div>\n",
        "<pre>\n\n<!-- x -->\n",
        "<custom a=b>\n<!-- x -->\n</custom>\n",
        "</custom>\n<!-- x -->",
    ],
)
def test_other_comments_are_kept(text: str) -> None:
    assert kept(text) == text


def test_all_comments_can_be_dropped() -> None:
    assert kept("a <!-- x --> b\n```\n<!-- y\n-->\n<!-- open", "all-comments") == "a  b\n```\n\n<!-- open"


def test_comments_in_front_matter_go_with_it() -> None:
    text = "---\na: b\n<!-- x -->\n---\n<!-- y -->\nc <!-- z -->"

    assert kept(text, "front-matter", "comments") == "c <!-- z -->"
    assert [*kept_spans(text, 10, 12, ("front-matter",))] == []


pieces = st.lists(
    st.sampled_from(
        ("<!--", "-->", "\n", "\n\n", "a", "- ", "> ", "```\n", "<div>", "<pre>\n", "</pre>", "    ")
    ),
    max_size=20,
)


@given(pieces.map("".join), st.booleans())
def test_spans_are_comments_in_order(text: str, everywhere: bool) -> None:
    at = 0
    for start, end in comment_spans(text, everywhere=everywhere):
        assert at <= start < end <= len(text)
        assert text[start:end].strip().startswith("<!--")
        assert "-->" in text[start:end]
        at = end


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    for piece in ("<!-- x", "<pre>\n", "<div>\n", "<!--\n", "-->\n", "- <!--\n", "<custom>\n\n"):
        assert len(kept(piece * 20_000)) >= 0
