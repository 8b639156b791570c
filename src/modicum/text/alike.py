"""Tells whether two paragraphs say the same, word for word or nearly. Pure.

Nearly the same are two paragraphs with the same polarity, of which one has all words, names and numbers of the other and
not many more. What names another command, path or thing is not the same, however similar it looks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from modicum.search.terms import fold, stems
from modicum.search.word_lists import STOP_WORDS
from modicum.text.directives import forbids

SAME, NEARLY = "the same", "nearly the same"
_COMMON = 1_000  # a word that is in so many paragraphs tells nothing
_LEAST = 3  # words that two paragraphs must have, to be nearly the same

_SPAN_OR_WORD = re.compile(r"(?<!`)`++([^`\n]++)`|[\w@~.*/\\:-]++")
_IS_NAME = re.compile(r"[/\\_\d]|\.(?=\w)|::|[a-z][A-Z]|--")
# Words that turn what a sentence says: two paragraphs that differ in one of them are not the same.
_TURNING = re.compile(r"(?i)\b(?:before|after|until|unless|except|without|than|outside|inside)\b")
_LIST_MARK = re.compile(r"\A\s*+(?:[-*+]|\d{1,9}[.)])\s++(?:\[[ xX]\]\s++)?")
_MARKS = re.compile(r"[^\w\s]+")
# Words that say how strictly or of how many, not what: they do not tell two paragraphs apart.
_LIGHT = frozenset(
    """
    never not no dont don do does must shall should always ensur avoid cannot can t please ever sure make need keep stai remain per mai
    everi each ani whatsoev even includ allow directli appear put strictli absolut also too both simpli alwai
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


class Wording(NamedTuple):
    """What tells whether two paragraphs are alike: their words in order, stems, the names in them, and whether they forbid."""

    plain: str
    stems: frozenset[str]
    names: tuple[str, ...]
    turns: frozenset[str]
    forbids: bool
    is_code: bool = False


def wording_of(text: str, *, forbidden: bool = False, is_code: bool = False) -> Wording:
    """Returns the wording of a paragraph, to tell what is alike; `forbidden` tells that its heading forbids what it says."""
    if is_code:
        lines = "\n".join(filter(None, map(str.strip, text.split("\n"))))
        return Wording(lines, frozenset(), (), frozenset(), forbids=False, is_code=True)
    text = _LIST_MARK.sub("", text)
    plain = " ".join(_MARKS.sub(" ", fold(text)).split())
    words = (word.strip("._-:/*\\").lower() for word in _named(text))
    names = tuple(dict.fromkeys(word for word in words if word))
    turns = frozenset(word.lower() for word in _TURNING.findall(text))
    content = frozenset(
        _single(each) for each in stems(text) if each not in STOP_WORDS and each not in _LIGHT
    )
    return Wording(plain, content, names, turns, forbids(text) or forbidden)


def _single(stem: str) -> str:
    """A stem with one last letter where it has two of a kind: "add" and "adding" are one word."""
    return stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem


def _named(text: str) -> Iterator[str]:
    for found in _SPAN_OR_WORD.finditer(text):
        if found[1] or _IS_NAME.search(found[0]):
            yield from (found[1] or found[0]).split()


def alike(one: Wording, other: Wording) -> str:
    """Returns how alike two paragraphs are: `SAME`, `NEARLY`, or nothing if they say different things."""
    if one.is_code is not other.is_code or one.forbids is not other.forbids or not one.plain:
        return ""
    if one.plain == other.plain:
        return SAME
    if one.is_code or one.turns != other.turns or (one.turns and one.names != other.names):
        return ""
    short, long = sorted((one, other), key=lambda each: len(each.stems))
    return NEARLY if len(short.stems) >= _LEAST and _says_no_less(long, short) else ""


def _says_no_less(long: Wording, short: Wording) -> bool:
    """Whether the longer wording has all names and words of the shorter one, and not many more.

    If each had a word that the other lacks, it might be the one that matters: the shop of two sentences, or the service.
    """
    return (
        short.stems <= long.stems
        and set(short.names) <= set(long.names)
        and 2 * len(short.stems) >= len(long.stems)
    )


def find_alike(wordings: Sequence[Wording]) -> Iterator[tuple[int, int, str]]:
    """Yields each pair of paragraphs that say the same, by their places in order, with how alike they are."""
    by_plain: dict[tuple[str, bool, bool], int] = {}
    by_stem: dict[str, list[int]] = {}
    for at, wording in enumerate(wordings):
        same = by_plain.get(_key(wording))
        earlier = _sharing(wording.stems, by_stem) | ({same} if same is not None else set())
        for other in sorted(earlier):
            if how := alike(wordings[other], wording):
                yield other, at, how
        if (
            _key(wording) not in by_plain
        ):  # what is repeated word for word is compared with the first of its kind
            by_plain[_key(wording)] = at
            for each in wording.stems:
                by_stem.setdefault(each, []).append(at)


def _key(wording: Wording) -> tuple[str, bool, bool]:
    return wording.plain, wording.forbids, wording.is_code


def _sharing(wanted: Iterable[str], by_stem: dict[str, list[int]]) -> set[int]:
    """The paragraphs that share half of the stems at least."""
    wanted = [*wanted]
    counts: dict[int, int] = {}
    for stem in wanted:
        spots = by_stem.get(stem, ())
        for at in spots if len(spots) < _COMMON else ():
            counts[at] = counts.get(at, 0) + 1
    return {at for at, count in counts.items() if 2 * count >= len(wanted) * 0.9}
