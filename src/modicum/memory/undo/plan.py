"""Decides what an undo takes back: which rows go back together, and which have changed since. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from modicum.memory.undo.model import WAITING, BatchRow, RowName


def things_of(rows: Iterable[BatchRow]) -> tuple[RowName, ...]:
    """Returns what an undo of rows changes, each once: what leaves the inbox, or comes back into it, is a note."""
    return tuple(dict.fromkeys(row.unit if row.kind == WAITING else row.name for row in rows))


def changed_since(
    rows: Iterable[BatchRow], later: Mapping[RowName, Sequence[int]], undoes: Mapping[int, int]
) -> set[RowName]:
    """Returns the units of a batch that an undo must leave, because later batches changed them.

    `later` has the later batches of each row. One that was taken back by another one of them changed nothing.
    """
    return {row.unit for row in rows if _remaining(later.get(row.name, ()), undoes)}


def _remaining(batches: Sequence[int], undoes: Mapping[int, int]) -> bool:
    left = sorted(batches)
    while left:
        number = left.pop()
        if undoes.get(number, 0) not in left:
            return True
        left.remove(undoes[number])
    return False
