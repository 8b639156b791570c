"""A web page becomes readable text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.packs.web.html_text import page_text

PAGE = """<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
<nav><a href=x>Menu</a></nav>
<main id=content class="page wide"><h1>News</h1>
<p>All   is <b>well</b>&amp;fine.<br>Next line.</p><ul><li>one<li>two</ul>
<pre><code>a  = 1
  b</code></pre><table><tr><th>k</th><td>v</td></tr></table><script>evil()</script><hr></main>
<footer>(c)</footer></body></html>"""


def test_a_page_is_its_headings_paragraphs_lists_and_code() -> None:
    assert page_text(PAGE) == (
        "# News\n\nAll is well&fine.\nNext line.\n\n- one\n- two\n\n```\na  = 1\n  b\n```\n\nk v"
    )


def test_plain_text_has_no_markdown_signs() -> None:
    assert page_text(PAGE, plain=True) == (
        "News\n\nAll is well&fine.\nNext line.\n\none\ntwo\n\na  = 1\n  b\n\nk v"
    )


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("h1", "# News"),
        ("#content", None),
        (".wide", None),
        ("MAIN", None),
        ("#none", ""),
        (".none", ""),
        (" b ", "well"),
    ],
)
def test_a_selector_chooses_by_tag_id_or_class(selector: str, expected: str | None) -> None:
    assert page_text(PAGE, selector=selector) == (page_text(PAGE) if expected is None else expected)


def test_stray_and_missing_end_tags_do_no_harm() -> None:
    assert page_text("</div><p>a</b><div><b>c</div>d</pre>") == "a\n\nc\n\nd"


@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<pre>", "</pre>", "<li>", "<script>", "</script>", "a", " ", "\n", "<", "&"]
        )
    )
)
def test_no_page_raises_an_error(parts: list[str]) -> None:
    assert "<p>" not in page_text("".join(parts))
