"""Shortens a text to one line of a given width, at the end of a word. Pure."""

import re

from modicum.text.graphemes import cluster_ends

# It takes long to compile, so it waits until it is needed.
_UNSPACED = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"


def snippet(text: str, width: int) -> str:
    """Returns a snippet of a Markdown text: its beginning as one line of at most `width` characters, ending in "…" if cut."""
    if width <= 0:
        return ""
    folded = _fold(text, width + 1, 4 * width)
    if len(folded) <= width:
        return folded
    if folded.isascii():
        return folded[: folded.rfind(" ", 1, width) if " " in folded[1:width] else width - 1].rstrip() + "…"
    word_end = cluster_end = 0
    for at in cluster_ends(folded[:width]):
        cluster_end = at
        if folded[at] == " " or re.match(_UNSPACED, folded[at - 1]) or re.match(_UNSPACED, folded[at]):
            word_end = at
    return folded[: word_end or cluster_end].rstrip() + "…"


def _fold(text: str, size: int, window: int) -> str:
    folded = " ".join(text[:window].split())
    return folded if len(folded) >= size or window >= len(text) else _fold(text, size, 4 * window)
