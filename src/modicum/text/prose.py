"""Turns Markdown into plain prose that a person would paste into a chat box, by a real Markdown parser."""

from __future__ import annotations

import re
from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# The parser drops what is nested deeper, and it recurses: a list takes two levels, a level three frames of Python's 1,000.
MAX_NESTING = 100
MOST_BRACKETS = 300  # in one paragraph; with more, its links stay as they are written


def plain(markdown: str) -> str:
    """Returns a Markdown text as plain prose: code is kept, links become `text (url)`, comments vanish."""
    writer = _Writer()
    for token in markdown_parser().parse(markdown):
        write = _BLOCKS.get(token.type)
        if write is not None:
            write(writer, token)
    return "".join(writer.parts).strip("\n")


@cache
def markdown_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import image, link
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    # People are shown the address as its author wrote it, not percent-encoded for a browser.
    setattr(parser, "normalizeLink", str)  # noqa: B010 (a method, which may not be assigned)
    # Nothing is clicked here, so no address needs to be refused, which would leave its markup in the text.
    setattr(parser, "validateLink", lambda _: True)  # noqa: B010 (as above)
    for name, rule in (("link", link), ("image", image)):
        parser.inline.ruler.at(name, _if_few_brackets(rule))
    return parser.use(front_matter_plugin)


def _if_few_brackets(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """The rule, but for paragraphs that nobody writes: it looks for the end of each bracket again, which takes minutes there."""

    def limited(state: StateInline, silent: bool) -> bool:
        return not _has_many_brackets(state.src) and rule(state, silent)

    return limited


@lru_cache(maxsize=1)
def _has_many_brackets(paragraph: str) -> bool:
    return paragraph.count("[") > MOST_BRACKETS


@cache
def _html_parser() -> MarkdownIt:
    """Knows tags, comments and entities, and takes everything else as words."""
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": True}).enable(["html_inline", "entity"])


class _Item:
    """An open list item; its marker is written before the first text in it, and is blank from then on."""

    def __init__(self, marker: str) -> None:
        self.marker, self.used = marker, False

    def take(self) -> str:
        margin = " " * len(self.marker) if self.used else self.marker
        self.used = True
        return margin


class _Writer:
    """The text so far, and where in lists and tables the reading is."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.numbers: list[int | None] = []
        self.items: list[_Item] = []
        self.cells: list[str] = []
        self.rows: list[str] = []
        self.in_table = self.tight = self.in_same_list = False

    def write(self, text: str) -> None:
        if self.parts:
            self.parts.append("\n" if self.tight and self.items and self.in_same_list else "\n\n")
        self.parts.append(self._with_margin(text))
        self.in_same_list = bool(self.items)

    def _with_margin(self, text: str) -> str:
        if not self.items:
            return text
        first = "".join([item.take() for item in self.items])
        margin = " " * len(first)
        head, *rest = text.split("\n")
        return "\n".join(
            [first + head if head else first.rstrip(), *(line and margin + line for line in rest)]
        )


def _open_paragraph(writer: _Writer, token: Token) -> None:
    # The parser hides the paragraphs of a list that has no blank lines between its items.
    writer.tight = token.hidden


def _inline(writer: _Writer, token: Token) -> None:
    text = "\n".join(map(str.strip, _prose(token.children or []).split("\n")))
    if writer.in_table:
        writer.cells.append(" ".join(text.split()))
    elif text:
        writer.write(text)


def _code(writer: _Writer, token: Token) -> None:
    body = token.content.removesuffix("\n")
    if body:
        writer.write(body)


def _html(writer: _Writer, token: Token) -> None:
    text = _html_prose(token.content)
    if text:
        writer.write(text)


def _open_list(writer: _Writer, token: Token) -> None:
    if not writer.numbers:
        writer.in_same_list, writer.tight = False, True
    is_ordered = token.type == "ordered_list_open"
    writer.numbers.append(int(token.attrs.get("start", 1)) if is_ordered else None)


def _close_list(writer: _Writer, _: Token) -> None:
    writer.numbers.pop()


def _open_item(writer: _Writer, _: Token) -> None:
    number = writer.numbers[-1]
    if number is None:
        writer.items.append(_Item("- "))
        return
    writer.items.append(_Item(f"{number}. "))
    writer.numbers[-1] = number + 1


def _close_item(writer: _Writer, _: Token) -> None:
    if not writer.items[-1].used:
        writer.write("")
    writer.items.pop()


def _open_table(writer: _Writer, _: Token) -> None:
    writer.in_table = True


def _close_row(writer: _Writer, _: Token) -> None:
    writer.rows.append(" | ".join(writer.cells).strip())
    writer.cells.clear()


def _close_table(writer: _Writer, _: Token) -> None:
    writer.in_table = False
    writer.write("\n".join(writer.rows))
    writer.rows.clear()


# What is not named here has no words of its own: quotes, rules, front matter and every other open and close.
_BLOCKS: Mapping[str, Callable[[_Writer, Token], None]] = {
    "paragraph_open": _open_paragraph,
    "inline": _inline,
    "fence": _code,
    "code_block": _code,
    "html_block": _html,
    "bullet_list_open": _open_list,
    "ordered_list_open": _open_list,
    "bullet_list_close": _close_list,
    "ordered_list_close": _close_list,
    "list_item_open": _open_item,
    "list_item_close": _close_item,
    "table_open": _open_table,
    "tr_close": _close_row,
    "table_close": _close_table,
}


def _prose(children: Sequence[Token]) -> str:
    parts: list[str] = []
    links: list[tuple[int, str]] = []
    for token in children:
        if token.type == "link_open":
            links.append((len(parts), str(token.attrs["href"])))
        elif token.type == "link_close":
            start, url = links.pop()
            parts[start:] = [_reference("".join(parts[start:]), url)]
        else:
            parts.append(_words(token))
    return _trimmed("".join(parts))


def _words(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "html_inline":
        return _space_for(token.content)
    if token.type == "image":
        return _reference(_prose(token.children or []), str(token.attrs["src"]))
    return token.content


def _reference(text: str, url: str) -> str:
    # An address within the page, or a picture spelt out in it, is of no use anywhere else.
    if not url or url.startswith(("#", "data:")):
        return text
    if url in (text, f"mailto:{text}"):
        return text
    return f"{text} ({url})" if text else url


def _html_prose(html: str) -> str:
    start = html.lstrip().lower()
    if start.startswith("<!--") and "-->" not in start:
        return ""
    text = _prose(_html_parser().parseInline(re.sub(_SPEECHLESS, "", html))[0].children or [])
    # Indentation and empty lines mean something in <pre> only.
    return text if "<pre" in start else "\n".join(filter(None, map(str.strip, text.split("\n"))))


def _space_for(tag: str) -> str:
    name = "".join(tag.strip("</>").lower().split()[:1])
    if name in _LINE_TAGS:
        return "\n"
    return " " if name in ("td", "th") else ""


# A script has no words for people; one that is not closed goes on to the end of its block, as in a browser.
_SPEECHLESS = r"(?is)<(script|style)(?=[\s/>])(?>(?:(?!</\1).)*)(?:</\1[^>]*+>|\Z)"

_LINE_TAGS = frozenset(
    """
    address article aside blockquote br dd details div dl dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p
    pre section summary table tr ul
    """.split()  # noqa: SIM905 (a list would be one word a line)
)


def _trimmed(text: str) -> str:
    """No space at the end of a line, and no empty line at either end or next to another."""
    return "\n".join(_without_double_blanks(line.rstrip() for line in text.split("\n"))).strip("\n")


def _without_double_blanks(lines: Iterable[str]) -> Iterator[str]:
    was_blank = False
    for line in lines:
        if line or not was_blank:
            yield line
        was_blank = not line
