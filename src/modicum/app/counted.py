"""Numbers with their nouns, in the singular or the plural."""

from collections.abc import Mapping


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun: 1 note, 1,400 notes."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def enumerated(amounts: Mapping[str, int]) -> str:
    """Returns several numbers with their nouns, without those that are zero: 1 note, 1,400 sessions."""
    nouns = {name: "progress document" if name == "progress" else name.removesuffix("s") for name in amounts}
    words = (counted(number, nouns[name]) for name, number in amounts.items() if number)
    return ", ".join(words) or "Nothing"
