"""Finds in a text the sentence that answers a question: the one with most of its words. Pure."""

import re
from collections.abc import Set

from modicum.search.terms import distinct_stems

MOST_READ = 20_000  # characters in which sentences are looked for
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")


def best_sentence(text: str, asked: Set[str]) -> str:
    """Returns the sentence that best answers a question: the first with most of its stems; "…" stands for what is left out."""
    head = text[:MOST_READ]
    ends = [found.end() for found in _END.finditer(head)]
    found = [head[start:end].strip() for start, end in zip([0, *ends], [*ends, len(head)], strict=True)]
    best = max(found, key=lambda each: len(asked & set(distinct_stems(each))))
    return f"{'… ' * (best != found[0])}{best}{' …' * (best != found[-1])}"
