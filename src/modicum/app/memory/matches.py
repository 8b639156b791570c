"""Finds the words of a text that a question asked for, to be highlighted: by stem, as the search compares them. Pure."""

import re
from collections.abc import Iterator

from modicum.search.terms import stems
from modicum.search.word_lists import STOP_WORDS

_WORD = re.compile(r"\w+")


def matched_spans(text: str, question: str) -> list[tuple[int, int]]:
    """Returns where a text has words of a question, as starts and ends in order that do not overlap."""
    asked = set(stems(question)) - STOP_WORDS
    if not asked:
        return []
    found: list[tuple[int, int]] = []
    for start, end in sorted({*_words(text, asked), *_pairs(text, asked)}):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _words(text: str, asked: set[str]) -> Iterator[tuple[int, int]]:
    return (word.span() for word in _WORD.finditer(text) if _is_plain(word[0]) and asked & {*stems(word[0])})


def _pairs(text: str, asked: set[str]) -> Iterator[tuple[int, int]]:
    """Where the pairs of signs are that languages without blanks are searched by."""
    for pair in asked:
        if not _is_plain(pair):
            yield from (found.span() for found in re.finditer(re.escape(pair), text))


def _is_plain(word: str) -> bool:
    return all(ord(letter) < 0x2E80 for letter in word)
