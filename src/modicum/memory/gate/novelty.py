"""Tells whether a draft says something that is not said in other texts already. Pure."""

import re
from collections.abc import Iterable, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.search.terms import fold, stems
from modicum.search.word_lists import LIGHT_WORDS, STOP_WORDS

TOGETHER = 3  # sentences of the other text that one sentence may sum up
MOST_SENTENCES = 400  # of each text; what is longer is no note
LOOKED_AT = 20_000  # characters of each text

_SENTENCES = re.compile(r"[;\n•。;!?！？]|(?<=[.!?])\s")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SPACED = re.compile(r"(?<=\d)[ \u00a0\u202f'](?=\d{3}\b)")  # 50 000
_NAME = re.compile(
    r"[\w@][\w@:-]{0,80}[_/\\.][\w.*/\\-]{0,200}\w|\b[a-z]\w{0,80}[A-Z]\w{0,80}|\b[A-Z]{2,80}[\w-]{0,80}"
)
_LIGHT = frozenset(
    """
    note convention found learn learned thing alwai work us good what where why two one file repo project code want agent
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


class Facts(NamedTuple):
    """What a sentence says, to judge its novelty: stems of its words, numbers, and names from code."""

    stems: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]

    @property
    def size(self) -> int:
        """Returns how many things the facts are."""
        return sum(map(len, self))

    def shared(self, other: "Facts") -> int:
        """Returns how many of these facts are no novelty, as another text has them; it has a name if it has its parts."""
        names = sum(name in other.names or set(stems(name)) <= other.stems for name in self.names)
        return len(self.stems & other.stems) + len(self.numbers & other.numbers) + names


def facts_of(text: str) -> Facts:
    """Returns the facts of a text, by which the novelty of another one is judged."""
    plain = _SPACED.sub("", text[:LOOKED_AT])
    numbers = frozenset(each.replace(",", ".") for each in _NUMBER.findall(plain))
    names = frozenset(fold(each).strip("./\\:-_*") for each in _NAME.findall(plain))
    words = (each for each in stems(plain) if each not in STOP_WORDS and each not in LIGHT_WORDS)
    heavy = (each for each in words if each not in _LIGHT and not each.isdigit() and len(each) > 1)
    return Facts(frozenset(heavy), numbers, names)


def share_said(draft: str, others: Iterable[str]) -> float:
    """Returns the share of a draft that is no novelty, as other texts say it; 0 if it has a number that they lack."""
    wanted = [facts for part in _parts(draft) if (facts := facts_of(part)).size]
    said = [facts_of("\n".join(some)) for text in others for some in _windows(_parts(text))]
    if not wanted or not said or _numbers(wanted) - _numbers(said):
        return 0.0
    found = sum(max(each.shared(other) for other in said) for each in wanted)
    return found / sum(each.size for each in wanted)


def _numbers(some: Sequence[Facts]) -> frozenset[str]:
    return frozenset().union(*(each.numbers for each in some))


def _parts(text: str) -> list[str]:
    return [part for part in _SENTENCES.split(text[:LOOKED_AT], MOST_SENTENCES) if part.strip()][
        :MOST_SENTENCES
    ]


def _windows(parts: Sequence[str]) -> Iterable[Sequence[str]]:
    """Yields each few neighbouring sentences: a long text has most words somewhere, which means nothing."""
    for at in range(max(1, len(parts) - TOGETHER + 1)):
        yield parts[at : at + TOGETHER]
