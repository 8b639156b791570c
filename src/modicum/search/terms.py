"""Turns text into the terms of the full-text index: words folded, split and stemmed (Porter); finds misspellings."""

import re
import sys
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator
from enum import IntFlag
from functools import cache, lru_cache
from itertools import chain, pairwise
from operator import add

from modicum.base.near_words import slips_between
from modicum.search.word_lists import SPELLINGS, STOP_WORDS, listed


class Trait(IntFlag):
    """A trait of an indexed text that ranking looks at: a question, a number, a time, a name, a title of its own, a low standing."""

    QUESTION = 1
    NUMBER = 2
    TIME = 4
    NAME = 8
    TITLED = 16
    LOW = 32  # nobody is likely to need it: whatever its words, it comes last


NO_TRAITS = Trait(0)

_NUMBERS = listed(
    "one two three four five six seven eight nine ten couple several once twice dozen hundred both"
)
_TIMES = listed(
    """
    yesterday today tonight tomorrow last next ago since week weeks weekend month months year years morning monday
    tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december spring summer winter
    """
)
_RUN_OF_LETTERS = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NAME_INSIDE = re.compile(r" (?<=[^\W\d_] |[,;] )[A-Z][a-z]")

_WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"[^\W_]+(?:[_\-./\\:]+[^\W_]+)*")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"


_UNITS = f"utf-16-{sys.byteorder[0]}e"  # a CJK letter is one unit of two bytes, and a pair a number of four


@cache
def _cjk_run() -> re.Pattern[str]:
    return re.compile(f"[{_CJK}]+")


@cache
def _runs() -> re.Pattern[str]:  # so many letters take 3 ms to compile
    return re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+")


def _folded(letter: str) -> str:
    folded = letter.casefold()
    return folded if len(folded) == 1 else letter.lower()


def fold(text: str) -> str:
    """Returns a text folded for index terms: lower case and without accents, as FTS5 `unicode61` compares it."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFD", "".join(map(_folded, text)))
    return unicodedata.normalize("NFC", "".join(c for c in plain if not "\u0300" <= c < "\u0370"))


def _pairs(run: str) -> Iterable[str]:
    return map(add, run, run[1:]) if len(run) > 1 else (run,)


def _word_tokens(word: str) -> Iterator[str]:
    if word.isascii() and (word.islower() or word.isdigit()):
        yield word
        return
    for run in (word,) if word.isascii() else _runs().findall(word):
        if not run.isascii() and re.match(f"[{_CJK}]", run):
            yield from _pairs(run)  # has no letter that folding would change
            continue
        yield fold(run)
        humps = _HUMP.findall(run) if run.isascii() else ()
        if len(humps) > 1:
            yield from map(fold, humps)


def compounds(text: str) -> list[str]:
    """Returns the search terms of a text as written, each with what is joined to it: a path, an identifier, a key."""
    return _COMPOUND.findall(unicodedata.normalize("NFC", text))


def tokens(text: str) -> Iterator[str]:
    """Yields the folded words of a text as index terms; identifiers also in parts, CJK in pairs."""
    return chain.from_iterable(map(_compound_tokens, compounds(text)))


def _compound_tokens(compound: str) -> Iterator[str]:
    words = _WORD.findall(compound)
    for word in words:
        yield from (SPELLINGS.get(token, token) for token in _word_tokens(word))
    if len(words) > 1:
        yield fold("".join(words))


_SHORTEST_HALF = 3
_SHORTEST_JOINED, _LONGEST_JOINED = 5, 24


def halves(word: str) -> list[tuple[str, str]]:
    """Returns all ways to write a word as two search terms: "timezone" as "time zone", and others that mean nothing."""
    if not word.isalpha() or not word.isascii() or len(word) > _LONGEST_JOINED:
        return []
    cuts = range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1)
    return [(stem(word[:cut]), stem(word[cut:])) for cut in cuts]


def joined(text: str) -> dict[str, tuple[str, str]]:
    """Returns what neighbouring words of a text make as one index term, each with the two: "timezone" of "time zone"."""
    words = [word for word in tokens(text) if word.isalpha() and word.isascii()]
    pairs = ((one, other) for one, other in pairwise(words) if one not in STOP_WORDS and len(one) > 1)
    made = {one + other: (one, other) for one, other in pairs}
    return {word: pair for word, pair in made.items() if _SHORTEST_JOINED <= len(word) <= _LONGEST_JOINED}


LABEL = 2


def _is_title(title: Iterable[str]) -> bool:
    """A word or two, or a number, are a label: such a note is as much in need of its neighbours as one without."""
    return sum(word.isalpha() and (len(word) > 2 or not word.isascii()) for word in title) > LABEL


def traits(text: str, title: Iterable[str] = ()) -> Trait:
    """Returns the traits of a text, and of the stems of its title, to be kept beside its index terms."""
    words = set(_RUN_OF_LETTERS.findall(text.lower()))
    has_digit = _DIGIT.search(text) is not None
    present = {
        Trait.TITLED: _is_title(title),
        Trait.QUESTION: "?" in text or "？" in text,
        Trait.NUMBER: has_digit or not _NUMBERS.isdisjoint(words),
        Trait.TIME: not _TIMES.isdisjoint(words) or (has_digit and _YEAR.search(text) is not None),
        Trait.NAME: _NAME_INSIDE.search(text) is not None,
    }
    return Trait(sum(trait for trait, is_present in present.items() if is_present))


def stems(text: str) -> tuple[str, ...]:
    """Returns the stems of a text in order, as terms for the index and for ranking."""
    words = compounds(text)
    # A long text says most of its words many times: each is taken apart once.
    known = {word: _compound_stems(word) for word in set(words)}
    return tuple(chain.from_iterable(map(known.__getitem__, words)))


def distinct_stems(text: str) -> list[str]:
    """Returns each stem of a text once, as terms for the index: those of words, then the pairs of CJK runs."""
    runs: list[str] = []
    words: list[str] = []
    is_run = _cjk_run().fullmatch
    for compound in dict.fromkeys(compounds(text)):
        (runs if is_run(compound) else words).append(compound)
    found = dict.fromkeys(chain.from_iterable(map(_iter_stems, words)))
    found |= dict.fromkeys(run for run in runs if len(run) == 1)
    edges = {f"\n{run[0]}" for run in runs} | {f"{run[-1]}\n" for run in runs}
    return [*found, *(pair for pair in _distinct_pairs(runs) if pair not in found and pair not in edges)]


def _distinct_pairs(runs: Iterable[str]) -> Iterable[str]:
    """Returns each pair of neighbouring letters in lines of CJK runs once, in order, which an index takes in twice as fast.

    They are compared as numbers: a giant has millions.
    """
    units = "\n".join(runs).encode(_UNITS)
    numbers = sorted({*_in_fours(units), *_in_fours(units[2:])})
    letters = array("I", numbers).tobytes().decode(_UNITS)
    return map(add, letters[::2], letters[1::2])


def _in_fours(units: bytes) -> memoryview:
    return memoryview(units)[: len(units) // 4 * 4].cast("I")


def _compound_stems(compound: str) -> tuple[str, ...]:
    return _usual_stems(compound) if len(compound) <= _LONGEST_STEMMED else _stems_of(compound)


def _iter_stems(compound: str) -> Iterable[str]:
    is_cjk = not compound.isascii() and _cjk_run().fullmatch(compound)
    return _pairs(compound) if is_cjk else map(stem, _compound_tokens(compound))


def _stems_of(compound: str) -> tuple[str, ...]:
    return tuple(_iter_stems(compound))


_usual_stems = lru_cache(maxsize=16384)(_stems_of)


def spelt(wanted: str) -> tuple[str, ...]:
    """Returns the irregular forms that are indexed under this stem, such as "went" under "go"."""
    return tuple(word for word, meant in SPELLINGS.items() if stem(meant) == wanted)


# Porter's stemmer in the variant that FTS5 has, so that a stem here is a term of the index.

_Check = Callable[[str], bool]
_VOWELS = frozenset("aeiou")
_ENDINGS = frozenset("cdegilmnrstuy")  # the last letters of all that a rule takes away
_SHORTEST_STEMMED = 3
_LONGEST_STEMMED = 64


def _shape(word: str) -> str:
    shape = ""
    for letter in word:
        vowel = letter in _VOWELS or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _some(word: str) -> bool:
    return _measure(word) > 0


def _long(word: str) -> bool:
    return _measure(word) > 1


def _long_before_ion(word: str) -> bool:
    return word[-1] in "st" and _long(word)


def _vowel(word: str) -> bool:
    return any(letter in _VOWELS for letter in word) or "y" in word[1:]


def _closed(word: str) -> bool:
    return word[-1] not in "wxy" and _shape(word).endswith("cvc")


_Rules = dict[str, list[tuple[str, str, _Check]]]


def _rules(table: str, check: _Check) -> _Rules:
    found: _Rules = {}
    for suffix, _, into in (entry.partition(">") for entry in table.split()):
        rule = (suffix, into, _long_before_ion if suffix == "ion" else check)
        found.setdefault(suffix[-2:], []).append(rule)
    return found


# In each step the first suffix that fits is the only one tried; they are kept by their last two letters.
_SUFFIXES = (
    _rules(
        "ational>ate tional>tion enci>ence anci>ance izer>ize logi>log bli>ble alli>al entli>ent eli>e ousli>ous "
        "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble",
        _some,
    ),
    _rules("ical>ic ness> icate>ic iciti>ic ful> ative> alize>al", _some),
    _rules(
        "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>",
        _long,
    ),
)


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if (word.endswith("sses") and len(word) > 4) or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1]


def _tidied(word: str) -> str:
    if word.endswith(("at", "bl", "iz")) and len(word) > 2:
        return word + "e"
    if word[-1:] == word[-2:-1] and word[-1] not in "aeioulsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _closed(word) else word


def _without_tense(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _some(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _tidied(rest) if _vowel(rest) else word
    return word


def _suffixed(word: str, rules: _Rules) -> str:
    for suffix, into, check in rules.get(word[-2:], ()):
        if word.endswith(suffix) and len(word) > len(suffix):
            rest = word[: -len(suffix)]
            return rest + into if check(rest) else word
    return word


def _without_final_e(word: str) -> str:
    rest = word[:-1]
    if word.endswith("e") and rest and (_long(rest) or (_measure(rest) == 1 and not _closed(rest))):
        word = rest
    return word[:-1] if word.endswith("ll") and _long(word[:-1]) else word


def stem(word: str) -> str:
    """Returns the stem of a folded word, as FTS5 `porter unicode61` has it."""
    return _stem(word) if word[-1:] in _ENDINGS else word


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    coded = word.encode(errors="ignore")
    if not _SHORTEST_STEMMED <= len(coded) <= _LONGEST_STEMMED:
        return word
    # FTS5 counts bytes, and so do we: "ß" is two consonants.
    return _stemmed(coded.decode("latin-1")).encode("latin-1").decode(errors="ignore")


def _stemmed(word: str) -> str:
    word = _without_tense(_without_plural(word))
    if word.endswith("y") and _vowel(word[:-1]):
        word = word[:-1] + "i"
    for rules in _SUFFIXES:
        word = _suffixed(word, rules)
    return _without_final_e(word)


# A letter too many, missing or swapped is one slip; a changed one is two, for it makes another word more often than
# a misspelt one ("card" is not "cart").
_SLIPS = ((8, 2), (5, 1), (0, 0))
_CHANGED = 2
LONGEST_RESPELT = (
    40  # letters: what is longer is no word that somebody mistyped, and its variants would be millions
)


def slips_allowed(word: str) -> int:
    """Returns how many slips a misspelt search term may be away from the one that was meant: more, the longer it is."""
    return next(allowed for length, allowed in _SLIPS if len(word) >= length)


def near(word: str, vocabulary: Iterable[str]) -> tuple[str, ...]:
    """Returns the search terms of a vocabulary that a misspelt word may have meant, nearest first.

    A word of more than 40 letters is none of them.
    """
    if len(word) > LONGEST_RESPELT:
        return ()
    slips = slips_allowed(word)
    likely = (other for other in vocabulary if abs(len(other) - len(word)) <= slips and other != word)
    ranked = sorted((slips_between(word, other, _CHANGED), other) for other in likely)
    return tuple(other for distance, other in ranked if distance <= slips)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def one_slip_from(word: str) -> set[str]:
    """Returns all search terms that are one typing slip from a term: letters swapped, added, missing, or changed.

    A word of more than 40 letters has none.
    """
    if len(word) > LONGEST_RESPELT:
        return set()
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    exchanged = {a + b[1] + b[0] + b[2:] for a, b in parts if len(b) > 1}
    removed = {a + b[1:] for a, b in parts if b}
    added = {a + letter + b for a, b in parts for letter in _LETTERS}
    is_long = len(word) >= _SLIPS[0][0]
    changed = {a + letter + b[1:] for a, b in parts if b and is_long for letter in _LETTERS}
    return (exchanged | removed | added | changed) - {word}
