"""What is left of an instruction file when a tool has dropped its front matter and comments. Pure."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modicum.targets.loaders.comments import comment_spans
from modicum.targets.loaders.front_matter import front_matter_end


@lru_cache(maxsize=64)
def dropped_spans(text: str, drops: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Returns the spans of an instruction file that a tool drops: its front matter, and comments."""
    head = front_matter_end(text) if "front-matter" in drops else 0
    spans = [(0, head)] if head else []
    if "<!--" in text and ("comments" in drops or "all-comments" in drops):
        spans += comment_spans(text, head, everywhere="all-comments" in drops)
    return tuple(spans)


def kept_spans(text: str, start: int, end: int, drops: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Returns the spans of a part of an instruction file that are left when a tool has dropped the rest."""
    for first, last in dropped_spans(text, drops):
        if first < end and last > start:
            if start < first:
                yield start, first
            start = last
    if start < end:
        yield start, end
