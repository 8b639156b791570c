"""Spans of values in the text of a settings file, and edits between brackets, for JSON and YAML. Pure."""

import re
from collections.abc import Callable, Iterable
from enum import Enum

from modicum.base.errors import ModicumError
from modicum.base.value import Value

# Deeper than any settings file, and shallow enough for every function that follows the nesting.
MAX_DEPTH = 100
# The value where the text alone does not say it; equal to no other.
UNKNOWN = object()


class DocumentError(ModicumError):
    """A settings file that cannot be read or edited: where, why, and what to fix."""


class ValueKind(Enum):
    """The kind of a value that a span in a settings file holds: object, list, scalar, nothing."""

    MAPPING = "an object"
    LIST = "a list"
    SCALAR = "a plain value"
    VACANT = "nothing"  # a blank document, or a YAML key with nothing behind it
    OPAQUE = "a value that is shared or written in pieces"


class ValueNode(Value):
    """A value in a settings file and the span of its text."""

    kind: ValueKind
    start: int
    end: int
    members: tuple["Member", ...] = ()
    bracketed: bool = False
    note: object = None  # what only the format itself needs to know


class Member(Value):
    """A member of an object or list in a settings file, with the span that includes its key."""

    key: str | None
    start: int
    key_end: int
    node: ValueNode
    end: int


class Document(Value):
    """The text of a settings file and the tree of spans of its values."""

    text: str
    root: ValueNode
    newline: str
    note: object = None  # what only the format itself needs to know


class InsertedText(Value):
    """The text around a member inserted into a settings file, and what it replaced; in TOML, `lead` is all of it."""

    lead: str = ""
    tail: str = ""
    gap: str = ""
    alone: bool = False  # its container was empty


class Splice(Value):
    """A span in a settings file and the text that takes its place."""

    start: int
    end: int
    text: str = ""


class Insertion(Value):
    """The splices that insert a member into a settings file, and the text that is around it afterwards."""

    splices: tuple[Splice, ...]
    glue: InsertedText


class Brackets(Value):
    """How text between brackets is written in a settings file of one format: comments, indent, line breaks."""

    skip: re.Pattern[str]  # white space and comments
    comment: re.Pattern[str]  # one comment that starts here
    unit: str
    opens: bool  # an empty container is opened over several lines


# Writes a member; over several lines with this indentation, or on one line for None.
Write = Callable[[str | None], str]


def failure(text: str, index: int, problem: str, *, remedy: str) -> DocumentError:
    """Returns the error for a span of a settings file: what is wrong at this index of its text."""
    line_start = text.rfind("\n", 0, index) + 1
    line = text.count("\n", 0, index) + 1
    return DocumentError(f"line {line}, column {index - line_start + 1}: {problem}", remedy=remedy)


def splice(text: str, splices: Iterable[Splice]) -> str:
    """Returns the text of a settings file with all splices done; their spans do not overlap."""
    pieces: list[str] = []
    position = 0
    for change in sorted(splices, key=lambda change: (change.start, change.end)):
        pieces += (text[position : change.start], change.text)
        position = change.end
    return "".join((*pieces, text[position:]))


def newline_of(text: str) -> str:
    """Returns the line end of the first line of a settings file's text."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def indent_of(text: str, index: int) -> str:
    """Returns the white space at the start of the line in a settings file where a span begins."""
    line = text[text.rfind("\n", 0, index) + 1 : index]
    return line[: len(line) - len(line.lstrip(" \t"))]


def starts_line(text: str, index: int) -> bool:
    """Returns True if only white space stands before this index on its line of a settings file."""
    return not text[text.rfind("\n", 0, index) + 1 : index].strip(" \t")


def line_end(text: str, index: int) -> int:
    """Returns the index in a settings file where the line of a span ends, before its line end characters."""
    end = text.find("\n", index)
    if end < 0:
        return len(text)
    return end - 1 if end > index and text[end - 1] == "\r" else end


def line_before(text: str, index: int) -> int:
    """Returns the index in a settings file where the line before a span ends, before its end characters; 0 on the first line."""
    end = text.rfind("\n", 0, index)
    return max(0, end - 1 if end > 0 and text[end - 1] == "\r" else end)


def surrounds(text: str, start: int, end: int, glue: InsertedText) -> bool:
    """Returns True if the text that was inserted around a span in a settings file is still there."""
    return text.endswith(glue.lead, 0, start) and text.startswith(glue.tail, end)


def insert_between(document: Document, node: ValueNode, write: Write, style: Brackets) -> Insertion:
    """Inserts a member last into a bracketed object or list of a settings file, as splices."""
    if node.members:
        return _insert_after_last(document, node, write, style)
    inner = document.text[node.start + 1 : node.end - 1]
    if inner.strip():
        return _insert_after_comments(document, node, write, style)
    own = indent_of(document.text, node.start)
    glue, indent = InsertedText("", "", inner, alone=True), None
    if style.opens:
        indent = own + style.unit
        glue = InsertedText(document.newline + indent, document.newline + own, inner, alone=True)
    text = glue.lead + write(indent) + glue.tail
    return Insertion((Splice(node.start + 1, node.end - 1, text),), glue)


def _insert_after_last(document: Document, node: ValueNode, write: Write, style: Brackets) -> Insertion:
    text, last = document.text, node.members[-1]
    mark = _skip(text, last.end, style)
    trailing = text[mark] == ","
    place = anchor = mark + 1 if trailing else last.end
    lead, indent = _lead_in_line(text, node), None
    if starts_line(text, last.start):
        indent = indent_of(text, last.start)
        lead = document.newline + indent
        place = _after_line_comments(text, anchor, style)
    glue = InsertedText(lead, "," if trailing else "")
    comma = () if trailing else (Splice(anchor, anchor, ","),)
    return Insertion((*comma, Splice(place, place, lead + write(indent) + glue.tail)), glue)


def _insert_after_comments(document: Document, node: ValueNode, write: Write, style: Brackets) -> Insertion:
    text, newline = document.text, document.newline
    inner = text[node.start + 1 : node.end - 1]
    place = node.start + 1 + len(inner.rstrip())
    if "\n" not in inner:
        glue = InsertedText(" ", alone=True)
        return Insertion((Splice(place, place, " " + write(None)),), glue)
    own = indent_of(text, node.start)
    indent = own + style.unit
    tail = "" if "\n" in text[place : node.end] else newline + own
    glue = InsertedText(newline + indent, tail, alone=True)
    return Insertion((Splice(place, place, glue.lead + write(indent) + tail),), glue)


def _lead_in_line(text: str, node: ValueNode) -> str:
    if len(node.members) > 1:
        return " " if text[node.members[-1].start - 1] in " \t" else ""
    last = node.members[-1]
    is_minified = last.key is not None and text[last.node.start - 1] not in " \t\r\n"
    return "" if is_minified else " "


def _after_line_comments(text: str, index: int, style: Brackets) -> int:
    place = index
    while True:
        while text[index] in " \t":
            index += 1
        comment = style.comment.match(text, index)
        if not comment:
            return place
        place = index = comment.end()
        if "\n" in comment.group():
            return place


def _skip(text: str, index: int, style: Brackets) -> int:
    space = style.skip.match(text, index)
    return space.end() if space else index


def remove_between(
    document: Document, node: ValueNode, index: int, glue: InsertedText | None, style: Brackets
) -> tuple[Splice, ...]:
    """Removes a member and its comma from a bracketed object or list of a settings file; comments stay."""
    text, member = document.text, node.members[index]
    mark = _skip(text, member.end, style)
    followed = text[mark] == ","
    after_comma = mark + 1 if followed else None
    cut = _glued_cut(text, node, index, glue, style) or _plain_cut(text, node, index, after_comma, style)
    if followed:
        return (cut,) if cut.end > mark else (cut, Splice(mark, mark + 1))
    if index == 0:
        return (cut,)
    comma = _skip(text, node.members[index - 1].end, style)
    return (cut, Splice(comma, comma + 1))


def _glued_cut(
    text: str, node: ValueNode, index: int, glue: InsertedText | None, style: Brackets
) -> Splice | None:
    member = node.members[index]
    if glue is None or glue.alone != (len(node.members) == 1):
        return None
    if not surrounds(text, member.start, member.end, glue):
        return None
    cut = Splice(member.start - len(glue.lead), member.end + len(glue.tail), glue.gap)
    return None if _would_join_a_comment(text, node, index, cut, style) else cut


def _plain_cut(text: str, node: ValueNode, index: int, after_comma: int | None, style: Brackets) -> Splice:
    member = node.members[index]
    blank = text[node.start + 1 : member.start] + text[member.end : node.end - 1]
    if len(node.members) == 1 and not blank.strip(" \t\r\n,"):
        return Splice(node.start + 1, node.end - 1)
    start, end = member.start, member.end
    if after_comma and not text[end : after_comma - 1].strip():
        end = after_comma
    whole_line = Splice(line_before(text, start), end)
    if (
        starts_line(text, start)
        and _closes_line(text, end)
        and not _would_join_a_comment(text, node, index, whole_line, style)
    ):
        return whole_line
    if after_comma:
        return Splice(start, end + len(text[end:]) - len(text[end:].lstrip(" \t")))
    return Splice(len(text[:start].rstrip(" \t")), end)


def _closes_line(text: str, index: int) -> bool:
    rest = text[index : line_end(text, index)].lstrip(" \t")
    return not rest or rest[0] in "]}"


def _would_join_a_comment(text: str, node: ValueNode, index: int, cut: Splice, style: Brackets) -> bool:
    start = node.members[index - 1].end if index else node.start + 1
    comments = [*style.comment.finditer(text, start, max(cut.start, start))]
    if not comments or comments[-1].group().startswith("/*") or comments[-1].end() < cut.start:
        return False
    return bool(text[cut.end : line_end(text, cut.end)].strip())
