"""Marks the words of a question in a text: those with the same stem, and longer ones that begin with what was typed. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from modicum.search.question import parse_question
from modicum.search.terms import fold, stems

_WORD = re.compile(r"[^\W_]+")
_SHORTEST = 3  # letters from which a part of a word is marked; fewer are in too many words


class MarkedPiece(NamedTuple):
    """A piece of a text, and whether it is marked as a word of the question."""

    text: str
    is_marked: bool = False


class AskedWords(NamedTuple):
    """The words of a question that are to be marked: their stems, and as they were typed, without accents and capitals."""

    stems: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


def asked_words(question: str) -> AskedWords:
    """Returns the words of a question, to mark them in texts."""
    terms = parse_question(question).terms
    words = {fold(term.word) for term in terms}
    return AskedWords(
        frozenset(term.stem for term in terms), tuple(sorted(words, key=lambda word: -len(word)))
    )


def marked(text: str, asked: AskedWords) -> tuple[MarkedPiece, ...]:
    """Returns a text in pieces, of which those that the question asks for are marked."""
    pieces, at = list[MarkedPiece](), 0
    for start, end in _spans(text, asked):
        if start > at:
            pieces.append(MarkedPiece(text[at:start]))
        pieces.append(MarkedPiece(text[start:end], is_marked=True))
        at = end
    return (*pieces, MarkedPiece(text[at:])) if at < len(text) else tuple(pieces)


def _spans(text: str, asked: AskedWords) -> Iterator[tuple[int, int]]:
    for found in _WORD.finditer(text) if asked.stems else ():
        at = found.start()
        for start, end in _parts(found[0], asked):
            yield at + start, at + end


def _parts(word: str, asked: AskedWords) -> Iterator[tuple[int, int]]:
    """What to mark of a word: all of it, the beginning that was typed, or in Chinese and Japanese what was asked for."""
    folded = fold(word)
    if not (word.isascii() or word.upper() != word.lower()):
        yield from _signs(folded, asked)
    elif not asked.stems.isdisjoint(stems(word)):
        yield 0, len(word)
    elif typed := [each for each in asked.words if len(each) >= _SHORTEST and folded.startswith(each)]:
        yield 0, len(typed[0])


def _signs(run: str, asked: AskedWords) -> Iterator[tuple[int, int]]:
    wanted = [each for each in asked.words if not each.isascii()]
    marked_at = {at for each in wanted for at in _places(run, each)}
    for at in sorted(marked_at):
        if at - 1 not in marked_at:
            yield at, next(end for end in range(at + 1, len(run) + 1) if end not in marked_at)


def _places(run: str, each: str) -> Iterator[int]:
    at = run.find(each)
    while at >= 0:
        yield from range(at, at + len(each))
        at = run.find(each, at + 1)
