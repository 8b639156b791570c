"""Turns the HTML of a web page into text: paragraphs, headings, lists and code, without scripts and menus."""

import re
from collections import Counter
from html.parser import HTMLParser

_SILENT = frozenset(
    ("script", "style", "noscript", "template", "svg", "nav", "footer", "head", "iframe", "form")
)
_VOID = frozenset(
    ("br", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "area", "base", "col", "embed")
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "header",
        "main",
        "ol",
        "p",
        "section",
        "table",
        "tr",
        "ul",
    ]
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_MANY_LINES = re.compile(r"\n{3,}")
# The parser tries every "<" again that begins nothing whole, each time to the end of the page. It is shown only those
# that begin a tag or a comment with an end.
_LONE_SIGN = re.compile(
    r"""<(?!/?+[a-zA-Z](?>(?:[^<>"']{1,2000}+|"[^"]{0,2000}+"|'[^']{0,2000}+'){0,200})>|!--(?>(?:[^<-]++|-(?!->)|<(?!!--))*)-->|[!?][^<>]{0,2000}+>)"""
)


def page_text(page: str, *, selector: str = "", plain: bool = False) -> str:
    """Returns the text of an HTML page, or of a `tag`, `#id` or `.class`; `plain`: no Markdown signs."""
    reader = _Reader(selector.strip(), plain=plain)
    reader.feed(_LONE_SIGN.sub("&lt;", page))
    reader.close()
    lines = "".join(reader.parts).split("\n")
    return _MANY_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip("\n")


class _Reader(HTMLParser):
    def __init__(self, selector: str, *, plain: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.selector, self.plain = selector, plain
        self.parts: list[str] = []
        self.open: list[tuple[str, bool, bool]] = []  # tag, whether it is selected, whether it is silent
        self.names: Counter[str] = Counter()  # of the open tags
        self.selected = self.silent = self.in_code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open(tag, selected=self._selects(tag, dict(attrs)), silent=tag in _SILENT)
        if self._heard:
            self._begin(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.names[tag]:
            return
        if self._heard:
            self._end(tag)
        while self._close() != tag:
            pass

    def _open(self, tag: str, *, selected: bool, silent: bool) -> None:
        self.open.append((tag, selected, silent))
        self.names[tag] += 1
        self.selected += selected
        self.silent += silent

    def _close(self) -> str:
        tag, selected, silent = self.open.pop()
        self.names[tag] -= 1
        self.selected -= selected
        self.silent -= silent
        return tag

    def handle_data(self, data: str) -> None:
        if self._heard:
            text = data if self.in_code else _SPACES.sub(" ", data)
            at_line_start = not self.parts or self.parts[-1].endswith("\n")
            self.parts.append(text.lstrip(" ") if at_line_start and not self.in_code else text)

    @property
    def _heard(self) -> bool:
        return bool(self.selected or not self.selector) and not self.silent

    def _selects(self, tag: str, attributes: dict[str, str | None]) -> bool:
        sign, name = self.selector[:1], self.selector[1:]
        if sign == "#":
            return attributes.get("id") == name
        if sign == ".":
            return name in (attributes.get("class") or "").split()
        return tag == self.selector.lower()

    def _begin(self, tag: str) -> None:
        sign = ""
        if tag in _HEADINGS:
            sign = "#" * _HEADINGS[tag] + " "
        elif tag == "pre":
            self.in_code += 1
            sign = "```\n"
        if tag in ("br", "li"):
            self.parts.append("\n")
            sign = "- " if tag == "li" else ""
        elif sign or tag in _BLOCKS:
            self.parts.append("\n\n")
        if sign and not self.plain:
            self.parts.append(sign)

    def _end(self, tag: str) -> None:
        if tag == "pre":
            self.in_code = max(0, self.in_code - 1)
            self.parts.append("\n\n" if self.plain else "\n```\n\n")
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in ("td", "th"):
            self.parts.append(" ")
