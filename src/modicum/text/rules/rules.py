"""Reads the rules of a text: each sentence with its place, the headings above it, what it is bound to, and what it says. Pure."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from modicum.base.value import Value
from modicum.text.directives import Sentence, is_directive, split_sentences
from modicum.text.prose import markdown_parser
from modicum.text.rules.scopes import folders_in, scope_of
from modicum.text.rules.statements import Statement, statements
from modicum.text.rules.words import content_words, is_english

if TYPE_CHECKING:
    from markdown_it.token import Token

_SHELLS = ("bash", "sh", "shell", "zsh", "console", "shell-session")
_COMMENT = re.compile(r"<!--(?>(?:[^<-]++|-(?!->)|<(?!!--))*)-->")
_LONGEST = 1_000  # characters: what is longer is no rule


class RulePlace(NamedTuple):
    """Where a rule stands: a file, a pack, a note, and the line in it, from 1 on; 0 where there are no lines."""

    source: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.source}:{self.line}" if self.line else self.source


class RuleSource(NamedTuple):
    """A text that holds rules: its name, and the globs or the folder that bound all of it."""

    name: str
    text: str
    bound: frozenset[str] = frozenset()  # `glob:**/*.ts`, `folder:web`
    first_line: int = 1
    local: bool = True  # it speaks of this repository, and not of any


class Rule(Value):
    """A rule: a sentence of an instruction file, with what it is bound to; its statements are read when they are asked for."""

    text: str
    place: RulePlace
    heading: str = ""
    bound: frozenset[str] = frozenset()

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Returns what this rule of a text demands and forbids."""
        return statements(self.text, under=self.heading)

    @cached_property
    def scope(self) -> frozenset[str]:
        """Returns what this rule of a text is bound to, by its file, its heading and its own words."""
        return self.bound | scope_of(f"{self.heading}. {self.text}") | folders_in(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Returns the words that say what this rule of a text is about."""
        return content_words(self.text)

    @cached_property
    def is_directive(self) -> bool:
        """Returns True if this rule of a text tells a reader to do or not to do something."""
        return is_directive(self.text)


class CodeLine(NamedTuple):
    """A line of shell code that stands beside rules in an instruction file."""

    text: str
    place: RulePlace


def rules_in(source: RuleSource) -> tuple[Rule, ...]:
    """Returns the rules of a source in order: its English sentences outside headings, code and comments; a table row is one."""
    return tuple(_rules(source))


def _rules(source: RuleSource) -> Iterator[Rule]:
    for words, line, heading in _passages(source):
        for sentence in _joined(split_sentences(words, line)):
            if len(sentence.text) <= _LONGEST and is_english(sentence.text):
                yield Rule(sentence.text, RulePlace(source.name, sentence.line), heading, source.bound)


def _joined(parts: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences of a passage; what follows a semicolon belongs to the sentence before, with its condition."""
    whole: Sentence | None = None
    for part in parts:
        if whole and not whole.text.endswith(";"):
            yield whole
            whole = None
        whole = Sentence(f"{whole.text} {part.text}", whole.line) if whole else part
    if whole:
        yield whole


class _Passage(NamedTuple):
    text: str
    line: int
    heading: str


class _Reader:
    """Reads the tokens of a Markdown text, and knows the headings above each one and the table row that is open."""

    def __init__(self, first_line: int) -> None:
        self.first_line, self.heads = first_line, dict[int, str]()
        self.level = 0
        self.in_head = False
        self.line = first_line
        self.cells: list[str] | None = None

    def read(self, token: "Token") -> Iterator[_Passage]:
        if token.type == "heading_open":
            self.level = int(token.tag[1:])
        elif token.type == "tr_open":
            self.cells = []
        elif token.type in ("thead_open", "thead_close"):
            self.in_head = token.type == "thead_open"
        elif token.type == "tr_close":
            yield from self._row()
        elif token.type == "inline":
            yield from self._inline(token)

    def _inline(self, token: "Token") -> Iterator[_Passage]:
        self.line = (token.map[0] if token.map else 0) + self.first_line
        if self.level:
            kept = {level: text for level, text in self.heads.items() if level < self.level}
            self.heads, self.level = kept | {self.level: token.content}, 0
        elif self.cells is not None:
            self.cells.append(token.content)
        else:
            yield _Passage(token.content, self.line, self._heading())

    def _row(self) -> Iterator[_Passage]:
        """A row of a table as one sentence; the head, which names the columns, says nothing."""
        name, *values = [cell for cell in self.cells or () if cell] or [""]
        self.cells = None
        if not self.in_head:
            yield _Passage(f"{name}: {' | '.join(values)}" if values else name, self.line, self._heading())

    def _heading(self) -> str:
        """The headings above, but for the title of the file, which says what the project is and not what a rule is about."""
        return ". ".join(text for level, text in sorted(self.heads.items()) if level > 1)


def _passages(source: RuleSource) -> Iterator[_Passage]:
    reader = _Reader(source.first_line)
    for token in markdown_parser().parse(_COMMENT.sub(_blanked, source.text)):
        yield from reader.read(token)


def _blanked(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def shell_lines(source: RuleSource) -> Iterator[CodeLine]:
    """Yields the lines of shell code that stand beside the rules of an instruction file, without prompts and comments."""
    for token in markdown_parser().parse(source.text):
        if token.type == "fence" and token.map and token.info.split(" ")[0].lower() in _SHELLS:
            for at, line in enumerate(token.content.splitlines(), token.map[0] + 1 + source.first_line):
                text = line.strip().removeprefix("$ ").partition(" #")[0].strip()
                if text and not text.startswith("#"):
                    yield CodeLine(text, RulePlace(source.name, at))
