"""Finds grapheme clusters, what a reader sees as single characters, so that a text is cut between them. Pure."""

from collections.abc import Iterator
from itertools import pairwise

# Compiled when they are first needed: they take longer than most programs have at their start.
_FLAG = "[\U0001f1e6-\U0001f1ff]"
_GLUED = (
    "(?s).[\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
    "|[\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]."
    "|[\u1100-\u115f\ua960-\ua97c][\u1100-\u115f\ua960-\ua97c\uac00-\ud7a3]"
    "|[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb][\u1160-\u11ff\ud7b0-\ud7fb]"
)


def cluster_ends(text: str) -> Iterator[int]:
    """Yields each index between two graphemes of a text: emoji, flags, letters with accents (about as UAX 29)."""
    import re
    import unicodedata

    flags = 0
    for at, (left, right) in enumerate(pairwise(text), 1):
        flags = flags + 1 if re.match(_FLAG, left) else 0
        in_flag = flags % 2 and re.match(_FLAG, right)
        marked = unicodedata.category(right)[0] == "M" or unicodedata.combining(left) == 9  # a virama
        if not (in_flag or marked or re.match(_GLUED, left + right)):
            yield at


def cut(text: str, most: int) -> str:
    """Returns the beginning of a text, of at most so many characters, cut between whole graphemes."""
    if len(text) <= most or text.isascii():
        return text[: max(0, most)]
    return text[: max((at for at in cluster_ends(text[: most + 1]) if at <= most), default=0)]
