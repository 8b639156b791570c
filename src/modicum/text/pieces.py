"""Cuts a long text into pieces that together are the text again, each as large as there is room for. Pure."""

from collections.abc import Callable

PARAGRAPH, LINE, WORD = "\n\n", "\n", " "
# Hardly any token is longer, so that not more of a huge text need be measured.
LONGEST_TOKEN = 8


def cut(text: str, start: int, room: int, measure: Callable[[str], int]) -> int:
    """Returns the index where a piece of a long text that starts at `start` ends, so that it fits `room`.

    It ends after a paragraph, a line or a word if one ends in its second half, and at `start` if nothing fits.
    """
    end = min(len(text), start + max(0, room) * LONGEST_TOKEN)
    if end == len(text) and measure(text[start:]) <= room:
        return end
    fits = start
    while end - fits > 1:
        middle = (fits + end) // 2
        fits, end = (middle, end) if measure(text[start:middle]) <= room else (fits, middle)
    # What ends at a better place is shorter, though tokens being what they are it may count more.
    better = _good_end(text, start, fits)
    return better if measure(text[start:better]) <= room else fits


def _good_end(text: str, start: int, end: int) -> int:
    half = (start + end + 1) // 2
    for mark in (PARAGRAPH, LINE, WORD):
        if (found := text.rfind(mark, half, end)) >= 0:
            return found + len(mark)
    # A line end of two characters stays whole.
    return end - 1 if end - start > 1 and text[end - 1 : end + 1] == "\r\n" else end
