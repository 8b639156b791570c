"""Finds the few rules that are worth comparing with one, by their rarest words, so that many rules take linear time. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

MOST_SHARING = 60  # of the items that share a word: what more of them have says nothing
T = TypeVar("T")


class WordIndex(Generic[T]):
    """An index of items by their words, each of which is found by its rarest ones."""

    def __init__(self, items: Iterable[tuple[frozenset[str], T]]) -> None:
        self.items = [*items]
        self.counts = Counter(word for words, _ in self.items for word in words)
        self.by_word: dict[str, list[T]] = {}
        for words, item in self.items:
            for word in words:
                row = self.by_word.setdefault(word, [])
                if len(row) < MOST_SHARING:
                    row.append(item)

    def rarest(self, words: Iterable[str]) -> Sequence[str]:
        """Returns words in order by how many rules in the index have them, the rarest first."""
        return sorted(words, key=lambda word: (self.counts[word], word))

    def having(self, words: frozenset[str]) -> Iterator[T]:
        """Yields the items of the index that have the rarest of these words, and so perhaps all of them."""
        yield from self.by_word.get(self.rarest(words)[0], ()) if words else ()

    def sharing(self, words: frozenset[str], least: int) -> Iterator[T]:
        """Yields the items of the index that may share so many of these words, each once or more."""
        for word in self.rarest(words)[: len(words) - least + 1]:
            yield from self.by_word.get(word, ())
