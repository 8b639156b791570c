"""Numbers with their nouns, in the singular or the plural."""


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun: 1 note, 1,400 notes."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
