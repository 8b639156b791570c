"""Cuts a text into word pieces, as the sentence model was trained with (BERT, uncased): returns their numbers. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from modicum.base.value import Value

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
MOST_PIECES = 256
LONGEST_WORD = 100  # characters; a longer one is unknown as a whole
# A piece has at least one character, and this many are enough for any text but one full of blanks.
MOST_READ = 20 * MOST_PIECES

_ASCII_SIGNS = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# The characters that stand for a word each: those that Chinese, Japanese and Korean share.
_IDEOGRAPH = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
)
_ASCII_PARTS = re.compile(rf"[{_ASCII_SIGNS}]|[^\s{_ASCII_SIGNS}]+")
_ALONE = re.compile(f"[{_IDEOGRAPH}]")


class WordPieces(Value):
    """A vocabulary of word pieces: each piece with its number."""

    numbers: Mapping[str, int]

    def cut(self, text: str, most: int = MOST_PIECES) -> list[int]:
        """Returns the numbers of the word pieces of a text, between a start and an end, `most` in all."""
        pieces = (piece for word in words(text[:MOST_READ]) for piece in self._pieces(word))
        inside = islice((self.numbers[piece] for piece in pieces), most - 2)
        return [self.numbers[START], *inside, self.numbers[END]]

    def _pieces(self, word: str) -> Sequence[str]:
        """The longest piece that begins the word, then the longest that goes on; all or nothing."""
        if word in self.numbers:
            return (word,)
        found, start = list[str](), 0
        while start < len(word) <= LONGEST_WORD:
            lead = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if lead + word[start:end] in self.numbers), 0)
            if not end:
                return (UNKNOWN,)
            found.append(lead + word[start:end])
            start = end
        return found or (UNKNOWN,)


def words(text: str) -> Iterator[str]:
    """Yields the words and signs of a text as the word pieces know them: small letters, without accents."""
    if text.isascii():
        yield from _ASCII_PARTS.findall(_clean_ascii(text).lower())
        return
    spaced = _ALONE.sub(" \\g<0> ", "".join(filter(None, map(_clean, text))))
    for word in spaced.split():
        # Letter by letter: a sigma at the end of a word is no other letter here.
        yield from _split("".join(map(str.lower, _without_accents(word))))


def _clean_ascii(text: str) -> str:
    return "".join(filter(None, map(_clean, text))) if not text.isprintable() else text


def _clean(sign: str) -> str:
    """A blank for any blank, and nothing for what cannot be seen."""
    if sign in "\t\n\r" or unicodedata.category(sign) == "Zs":
        return " "
    return "" if sign == "\ufffd" or unicodedata.category(sign).startswith("C") else sign


def _without_accents(word: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", word) if unicodedata.category(each) != "Mn")


def _split(word: str) -> Iterator[str]:
    """Yields the parts of a word between signs, and each sign."""
    start = 0
    for at, each in enumerate(word):
        if _is_sign(each):
            yield from (part for part in (word[start:at], each) if part)
            start = at + 1
    if start < len(word):
        yield word[start:]


def _is_sign(each: str) -> bool:
    return (each.isascii() and not each.isalnum()) or unicodedata.category(each).startswith("P")
