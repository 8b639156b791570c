"""Likeness of notes to a question in meaning: how a search asks for it, and what of a text counts. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from modicum.base.typing_names import Protocol
from modicum.memory.engines.database import Transaction
from modicum.memory.model import Query
from modicum.search.features import Candidate
from modicum.search.speakers import without_date, without_label

SCALE = 400  # what a number of a unit vector is multiplied by, to be a whole number from -127 to 127
NEAREST = 50  # notes that are compared with the question by meaning
FAR = 0.1  # cosine of two texts that have nothing in common
LEAST = 0.2  # cosine from which on one of them may answer the other
SPREAD = 0.3  # from far to near, at least: where nothing is near, the nearest is no answer
_DIGITS = 9

Likeness = Mapping[int, float]  # ids of notes, and how like the question each is, from 0 to 1
NOTHING_ALIKE: Likeness = {}


class Near(Protocol):
    """The interface of what tells the likeness of notes to a text, as far as the person of the transaction may see them."""

    def __call__(
        self, tx: Transaction, text: str, query: Query, names: Collection[str], upto: int
    ) -> Likeness:
        """Returns the notes up to an id that are most like a text, without the names of these speakers."""


def NO_MODEL(tx: Transaction, text: str, query: Query, names: Collection[str], upto: int) -> Likeness:  # noqa: N802 - a default
    """Returns no likeness of any note: there is no sentence model, and notes are found by their words."""
    return NOTHING_ALIKE


def likeness(found: Sequence[tuple[int, int]]) -> Likeness:
    """Returns the likeness of notes by the products of their vectors with the question's, which come best first.

    It is their place between what is far off and the nearest, so that it means the same for every question.
    """
    cosines = [(number, product / SCALE**2) for number, product in found]
    if not cosines:
        return NOTHING_ALIKE
    (_, best), (_, last) = cosines[0], cosines[-1]
    low = max(FAR, last) if len(cosines) == NEAREST else FAR
    spread = max(SPREAD, best - low)
    return {
        number: round((cosine - low) / spread, _DIGITS)
        for number, cosine in cosines
        if cosine >= LEAST and cosine > low
    }


def with_likeness(candidate: Candidate, alike: Likeness) -> Candidate:
    """Returns a candidate of a search with its likeness to the question, if it has any."""
    share = alike.get(candidate.id)
    return candidate._replace(alike=share) if share else candidate


def text_of(title: str, content: str, names: Collection[str] = ()) -> str:
    """Returns the text of a note whose likeness counts: without label, date in the title, names of speakers."""
    said = without_label(content)
    named, _ = without_date(title)
    head = " ".join(named.split()).rstrip("…")
    starts = any(" ".join(text[: 4 * len(head) + 4].split()).startswith(head) for text in (content, said))
    whole = said if starts else f"{named}\n{said}"
    return without_names(whole, names) or whole


def without_names(text: str, names: Collection[str]) -> str:
    """Returns a text for finding by meaning without the names of speakers: two texts are not alike because both name somebody."""
    parts = {part for name in names for part in name.split() if len(part) > 1}
    if not parts:
        return text.strip()
    unnamed = re.sub(pattern_of_names(parts), "", text)
    return re.sub(r"[^\S\n]{2,}", " ", unnamed).strip()


def pattern_of_names(parts: Collection[str]) -> str:
    """Returns a pattern for parts of names, in any case, which do not count when notes are found by likeness in meaning."""
    either = "|".join(map(re.escape, sorted(parts, key=len, reverse=True)))
    return rf"(?i)\b(?:{either})(?:['’]s)?\b,?"
