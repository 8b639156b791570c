"""Finds the word that somebody meant who typed another one: by its beginning, or by the fewest slips. Pure."""

from collections.abc import Iterable

LONGEST = 60  # letters of a word that are looked at
_SHORTEST = 2  # letters that a beginning must have


def nearest(word: str, words: Iterable[str]) -> str:
    """Returns the known word that was probably meant: the shortest that begins so, else the nearest; "" if none is near."""
    small, known = word.lower()[:LONGEST], list(words)
    begun = [name for name in known if len(small) >= _SHORTEST and name.lower().startswith(small)]
    if begun:
        return min(begun, key=len)
    most = max(1, (len(small) + 1) // 3)
    slips = {
        name: slips_between(small, name.lower()) for name in known if abs(len(name) - len(small)) <= most
    }
    best = min(slips, key=slips.__getitem__, default="")
    return best if best and slips[best] <= most and slips[best] < len(small) else ""


def slips_between(one: str, other: str, changed: int = 1) -> int:
    """Returns how near two words are: letters left out, put in or swapped with their neighbour; a changed one counts `changed`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        further = [at]
        for to, wanted in enumerate(other, 1):
            cost = min(row[to] + 1, further[-1] + 1, row[to - 1] + changed * (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, before[to - 2] + 1)
            further.append(cost)
        before, row = row, further
    return row[-1]
