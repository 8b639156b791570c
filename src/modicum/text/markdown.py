"""Cuts Markdown text into parts: tiers and headings. Pure; a warning is a value."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby

from modicum.base.named_tuple import NamedTuple

CORE = "core"
TIERS = (CORE, "detail", "extended")
BOM = "\ufeff"
BLANKS = " \t\r\n"

# Quantifiers give nothing back (*+, ++, and (?>…) for groups, whose *+ the first releases of Python 3.11 get wrong):
# no text, however odd, may take more than linear time.
_EOL = r"(?:\r\n|\r|\n)"
LINE_END = re.compile(_EOL)
_LINE = rf"[^\r\n]*+(?:{_EOL}|\Z)"
_LINES = re.compile(rf"(?>(?:[ \t]*+{_EOL})+)|{_LINE}")
_TWO_LINES = re.compile(f"(?:{_LINE}){{2}}")
_PROSE_LINES = re.compile(rf"(?>(?:[^\W\d_][^\r\n<]*+{_EOL})+)|{_LINES.pattern}")
_CODE_LINES = re.compile(rf"(?>(?:[^\r\n`~]*+{_EOL})+)|{_LINE}")
_MARKER_HEAD = r"<!--\s*+(?i:verbosity)\s*+:\s*+((?>(?:[^\r\n<>-]|-(?!->))*))\s*+"
_MARKER = re.compile(rf"(?a){_MARKER_HEAD}(?>(-->)?)")
_MARKED_LINE = re.compile(rf"(?a)(?>(?:[^\r\n<]++|{_MARKER_HEAD}-->|<)*)(?:{_EOL}|\Z)")
_BAR = r"---[ \t]*+"
_FRONT_MATTER = re.compile(rf"{_BAR}{_EOL}(?>(?:(?!{_BAR}(?:[\r\n]|\Z))[^\r\n]*+{_EOL})*){_BAR}(?:{_EOL}|\Z)")
_SPECIAL = re.compile(r" {0,3}[-+*_=>#`~<|:\d]")  # how all of the following begin
_RULE = re.compile(r" {0,3}([-*_])(?: *+\1){2,}+ *+\Z")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r"( {0,3}(?:[-+*]|\d{1,9}[.)]))( {1,4}(?=[^ ])| |\Z)")
_INTERRUPTING_ITEM = re.compile(r" {0,3}(?:[-+*]|0{0,8}1[.)]) ++[^ ]")
_UNDERLINE = re.compile(r" {0,3}(?:=++|-++) *+\Z")
_FENCE = re.compile(r" {0,3}(?:(`{3,}+)[^`]*+\Z|(~{3,}+))")
_HEADING = re.compile(r" {0,3}#{1,6}+(?: |\Z)")
_COMMENT = re.compile(r" {0,3}<!--")
_TABLE_EDGE = re.compile(r" {0,3}(?=[^|]*+\|)[-|:][-|: ]*+\Z")
_BLANK_LINES = re.compile(rf"\A(?>(?:[ \t]*+{_EOL})+)")
_STARTS = (_FENCE, _COMMENT, _HEADING, _RULE)
# Nobody nests deeper; a bound keeps the cost of a line independent of the lines above it.
_DEEPEST = 32


class Remark(NamedTuple):
    """A remark on one line of a Markdown text: a warning, with its remedy."""

    line: int
    message: str


class Run(NamedTuple):
    """A run of Markdown text between two verbosity markers, all of one tier, as authored."""

    tier: str
    text: str


class Tiers(NamedTuple):
    """A Markdown text cut at its verbosity markers, in authored order."""

    runs: tuple[Run, ...]
    remarks: tuple[Remark, ...]


class Passage(NamedTuple):
    """A passage of Markdown between two headings or markers, and the headings above it, outermost first."""

    text: str
    tier: str
    leads: tuple[str, ...]
    line: int


class Outline(NamedTuple):
    """A Markdown text cut at its verbosity markers and headings, in authored order."""

    passages: tuple[Passage, ...]
    remarks: tuple[Remark, ...]


def split_tiers(text: str) -> Tiers:
    """Cuts a Markdown text at its verbosity markers; the runs joined are the text without marker lines."""
    reader = _Reader(text)
    by_tier = groupby(reader.pieces(), lambda piece: piece.tier)
    runs = tuple(Run(tier, "".join(piece.text for piece in pieces)) for tier, pieces in by_tier)
    return Tiers(runs, tuple(reader.remarks))


def split_outline(text: str) -> Outline:
    """Cuts a Markdown text at its verbosity markers and its headings."""
    reader, draft = _Reader(text), _Draft()
    for piece in reader.pieces():
        draft.add(piece)
    draft.finish_passage()
    return Outline(tuple(draft.passages), tuple(reader.remarks))


def markdown_start(text: str) -> int:
    """Returns the index where the Markdown of a text begins: after a byte order mark and YAML front matter."""
    start = len(BOM) if text.startswith(BOM) else 0
    found = _FRONT_MATTER.match(text, start)
    return found.end() if found else start


# What a line is to the outline: a paragraph is one at the top level, which the underline makes a heading.
Kind = Enum("Kind", "HEADING PARAGRAPH UNDERLINE OTHER")
_Leaf = Enum("_Leaf", "NONE PARAGRAPH TABLE COMMENT FENCE")
# Bound to names because they are compared for every line.
_NONE, _PARAGRAPH, _TABLE, _IN_COMMENT, _IN_FENCE = _Leaf


class Scanner:
    """A scanner of Markdown, line by line as CommonMark does, but without HTML except comments."""

    def __init__(self) -> None:
        self.leaf, self.fence = _NONE, ""
        self.containers: list[int] = []  # columns that a list item takes; 0: a block quote

    @property
    def is_idle(self) -> bool:
        """Returns True if the Markdown scanner has nothing open, as at the start."""
        return self.leaf is _NONE and not self.fence and not self.containers

    @property
    def swallows(self) -> bool:
        """Returns True if a Markdown line that starts at column 0 would be inside a fence or a comment."""
        return self.leaf in (_IN_FENCE, _IN_COMMENT) and not self.containers

    def quotes(self, line: str) -> bool:
        """Returns True if this Markdown line, coming next, would be inside the open fence."""
        return self.leaf is _IN_FENCE and self._descend(_columns(line))[0] == len(self.containers)

    def is_code(self, line: str) -> bool:
        """Returns True if this Markdown line, coming next, would be code: inside the open fence, or indented."""
        if self.leaf is _IN_FENCE:
            return self.quotes(line)
        line = _columns(line)
        return self.leaf not in (_PARAGRAPH, _IN_COMMENT) and line.startswith("    ", self._descend(line)[1])

    def keeps_table(self, line: str) -> bool:
        """Returns True if this Markdown line, coming next, would go on with the table that is open."""
        line = _columns(line)
        if self.leaf is _PARAGRAPH:
            return bool(_TABLE_EDGE.match(line, self._descend(line)[1]))
        return self.leaf is _TABLE and "|" in line

    def ahead(self, text: str, start: int, end: int) -> str:
        """Returns the Markdown line at `start`, or several prose, code or blank lines that can be read as one."""
        swallowed = _CODE_LINES if self.leaf is _IN_FENCE else _LINES
        return _taken(swallowed if self.swallows else _PROSE_LINES, text, start, end)

    def read(self, line: str) -> Kind:
        """Reads what is ahead in the Markdown text and moves on; returns its kind."""
        if line[:1].isalpha() and not self.containers and self.leaf in (_PARAGRAPH, _NONE):
            self.leaf = _PARAGRAPH  # the bulk of every text, decided fast
            return Kind.PARAGRAPH
        line = _columns(line)
        depth, at = self._descend(line)
        if self.leaf in (_IN_FENCE, _IN_COMMENT) and depth == len(self.containers):
            return self._stay(line[at:])
        if not line[at:].strip(" "):
            del self.containers[depth:]
            self.leaf = _NONE
            return Kind.OTHER
        return self._begin(line, depth, at)

    def _descend(self, line: str) -> tuple[int, int]:
        at = 0
        for depth, columns in enumerate(self.containers):
            if quote := None if columns else _QUOTE.match(line, at):
                at = quote.end()
            elif columns and (line.startswith(" " * columns, at) or not line[at:].strip(" ")):
                at += columns
            else:
                return depth, at
        return len(self.containers), at

    def _stay(self, line: str) -> Kind:
        run = "" if line.startswith("    ") else line.strip(" ")
        closes_fence = run.startswith(self.fence) and not run.strip(self.fence[:1])
        if "-->" in line if self.leaf is _IN_COMMENT else closes_fence:
            self.leaf = _NONE
        return Kind.OTHER

    def _begin(self, line: str, depth: int, at: int) -> Kind:
        paragraph, inner = self.leaf is _PARAGRAPH, depth == len(self.containers)
        if paragraph and inner and _UNDERLINE.match(line, at):
            self.leaf = _NONE
            return Kind.OTHER if self.containers else Kind.UNDERLINE
        opened, at = _opened(line, at, room=_DEEPEST - depth, interrupting=paragraph and inner)
        if paragraph and not inner and not opened and not any(start.match(line, at) for start in _STARTS):
            return Kind.OTHER  # a lazy line goes on with the paragraph of the item or quote above
        self.containers[depth:] = opened
        if opened or not inner:
            self.leaf = _NONE
        return self._begin_leaf(line, at)

    def _begin_leaf(self, line: str, at: int) -> Kind:
        before, self.leaf = self.leaf, _NONE
        kind = Kind.OTHER
        if fence := _FENCE.match(line, at):
            self.leaf, self.fence = _IN_FENCE, fence[1] or fence[2]
        elif _COMMENT.match(line, at):
            self.leaf = _NONE if line.find("-->", at) >= 0 else _IN_COMMENT
        elif _HEADING.match(line, at):
            kind = Kind.HEADING
        elif before is _TABLE or (before is _PARAGRAPH and _TABLE_EDGE.match(line, at)):
            self.leaf = _NONE if _RULE.match(line, at) or line.startswith("    ", at) else _TABLE
        elif not _RULE.match(line, at) and (before is _PARAGRAPH or not line.startswith("    ", at)):
            self.leaf, kind = _PARAGRAPH, Kind.PARAGRAPH
        return Kind.OTHER if self.containers else kind


def _taken(pattern: re.Pattern[str], text: str, start: int, end: int) -> str:
    found = pattern.match(text, start, end)
    return found[0] if found else ""


def _columns(line: str) -> str:
    return line.rstrip(BLANKS).expandtabs(4)


def _opened(line: str, at: int, *, room: int, interrupting: bool) -> tuple[list[int], int]:
    """The quotes and list items that begin here, and where their content does."""
    opened: list[int] = []
    while len(opened) < room and _SPECIAL.match(line, at) and not _RULE.match(line, at):
        if quote := _QUOTE.match(line, at):
            opened.append(0)
            at = quote.end()
        elif (item := _ITEM.match(line, at)) and (not interrupting or _INTERRUPTING_ITEM.match(line, at)):
            opened.append(len(item[1]) + max(1, len(item[2])))
            at = item.end()
        else:
            break
        interrupting = False
    return opened, at


class _Piece(NamedTuple):
    tier: str
    text: str
    line: int
    kind: Kind


class _Reader:
    """Reads a text into its lines without the markers; a marker amid a line cuts it in pieces."""

    def __init__(self, text: str) -> None:
        self.text, self.tier, self.line = text, CORE, 1
        self.tier_after_table = ""
        self.remarks: list[Remark] = []
        self.scanner = Scanner()

    def pieces(self) -> Iterator[_Piece]:
        at = markdown_start(self.text)
        if front_matter := self.text[:at].removeprefix(BOM):
            yield _Piece(CORE, front_matter, 1, Kind.OTHER)
            self.line += len(LINE_END.findall(front_matter))
        while at < len(self.text):
            line = self.scanner.ahead(self.text, at, len(self.text))
            if "<!--" in line and not self.scanner.is_code(line):
                line = _taken(_MARKED_LINE, self.text, at, len(self.text))
                yield from self._marked(line, _taken(_TWO_LINES, self.text, at + len(line), len(self.text)))
            else:
                yield self._unmarked(line)
            self.line += len(LINE_END.findall(line))
            at += len(line)

    def _unmarked(self, line: str) -> _Piece:
        kind = self.scanner.read(line)
        if self.tier_after_table and self.scanner.leaf is not _TABLE:
            self.tier, self.tier_after_table = self.tier_after_table, ""
        return _Piece(self.tier, line, self.line, kind)

    def _marked(self, line: str, below: str) -> Iterator[_Piece]:
        code = code_span_edges(line)
        markers = [found for found in _MARKER.finditer(line) if bisect_right(code, found.start()) % 2 == 0]
        closed = [marker for marker in markers if marker[2]]
        complaints = filter(None, map(_complaint, markers))
        self.remarks.extend(Remark(self.line, complaint) for complaint in complaints)
        edges = [0, *(edge for marker in closed for edge in marker.span()), len(line)]
        texts = [line[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
        kind = self._kind_of(texts, below, unclosed=len(closed) < len(markers))
        levels = [marker[1].strip(BLANKS).lower() for marker in closed]
        for tier, text in _assigned(
            self._tiers([level if level in TIERS else CORE for level in levels]), texts, kind
        ):
            yield _Piece(tier, text, self.line, kind)

    def _tiers(self, levels: list[str]) -> list[str]:
        """The tier of each piece of a line that has been read. A table is not cut: its markers hold below it."""
        if self.scanner.leaf is _TABLE:
            if levels:
                self.tier_after_table = levels[-1]
                self.remarks.append(Remark(self.line, _IN_TABLE))
            return [self.tier] * (len(levels) + 1)
        tiers = [self.tier_after_table or self.tier, *levels]
        self.tier, self.tier_after_table = tiers[-1], ""
        return tiers

    def _kind_of(self, texts: list[str], below: str, *, unclosed: bool) -> Kind:
        line = "".join(texts)
        if not line.strip(BLANKS):
            if self._is_amid_a_table(below):
                self.scanner.leaf = _TABLE
                return Kind.OTHER
            line = texts[0] + "<!-- -->"  # gone from the text, yet it ends a paragraph or a list
        elif unclosed:
            line = line.replace("<!--", "text")  # a slip must not hide the headings and fences that follow
        kind = self.scanner.read(line)
        return kind if kind is Kind.HEADING or len(texts) == 1 else Kind.OTHER

    def _is_amid_a_table(self, below: str) -> bool:
        row, *more = LINE_END.split(below, 2)
        return self.scanner.keeps_table(row) and not (more and _TABLE_EDGE.match(_columns(more[0])))


_IN_TABLE = "a verbosity marker inside a table: it holds from the end of the table on (move it there)"


def _complaint(marker: re.Match[str]) -> str:
    level = marker[1].strip(BLANKS)
    if not marker[2]:
        return 'unclosed verbosity marker: it counts as text (end it with "-->")'
    if level.lower() in TIERS:
        return ""
    return f'unknown verbosity level "{level}": its text counts as core (use core, detail or extended)'


def _assigned(tiers: list[str], texts: list[str], kind: Kind) -> Iterable[tuple[str, str]]:
    filled = [tier for tier, text in zip(tiers, texts, strict=True) if text.strip(BLANKS)]
    if not filled:
        return ()
    if kind is Kind.HEADING:
        return ((filled[0], "".join(texts)),)
    if not texts[-1].strip(BLANKS):
        tiers = [*tiers[:-1], filled[-1]]  # the line end stays with its line
    return ((tier, text) for tier, text in zip(tiers, texts, strict=True) if text)


def code_span_edges(line: str) -> list[int]:
    """Returns where the code spans of a Markdown line begin and end, in turn, after two zeros."""
    runs = [run.span() for run in re.finditer("`++", line)]
    ends: dict[int, list[int]] = {}
    for start, end in runs:
        ends.setdefault(end - start, []).append(end)
    edges = [0, 0]
    for start, end in runs:
        escaped = start > 0 and line[start - 1] == "\\"
        same = ends.get(end - start - escaped, [])
        closing = bisect_right(same, end)
        if start >= edges[-1] and closing < len(same):
            edges += [start + escaped, same[closing]]
    return edges


class _Draft:
    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self.headings: list[tuple[int, str]] = []
        self.pieces: list[_Piece] = []
        self.paragraph = 0  # how many of the last pieces are one paragraph

    def add(self, piece: _Piece) -> None:
        if piece.kind is Kind.HEADING:
            self._head([piece], len(piece.text.split(None, 1)[0]))
        elif piece.kind is Kind.UNDERLINE and self.paragraph:
            title = self.pieces[-self.paragraph :]
            del self.pieces[-self.paragraph :]
            self._head([*title, piece], 1 if "=" in piece.text else 2)
        else:
            if self.pieces and self.pieces[-1].tier != piece.tier:
                self.finish_passage()
            self.pieces.append(piece)
            self.paragraph = self.paragraph + 1 if piece.kind is Kind.PARAGRAPH else 0

    def _head(self, title: list[_Piece], level: int) -> None:
        self.finish_passage()
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        lead = "".join(piece.text for piece in title).strip(BLANKS)
        leads = (*self._leads(), lead)
        if self.passages and self.passages[-1].leads[: len(leads)] == leads:
            self.pieces = title  # as a lead it would pass for its namesake above; as text it is seen
        else:
            self.headings.append((level, lead))

    def _leads(self) -> tuple[str, ...]:
        return tuple(lead for _, lead in self.headings)

    def finish_passage(self) -> None:
        text = "".join(piece.text for piece in self.pieces).rstrip(BLANKS)
        if text:
            first = next(piece for piece in self.pieces if piece.text.strip(BLANKS))
            body = _BLANK_LINES.sub("", text, 1)
            self.passages.append(Passage(body, first.tier, self._leads(), first.line))
        self.pieces, self.paragraph = [], 0
