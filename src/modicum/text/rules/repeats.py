"""Finds rules that say the same or nearly the same in two places. Pure."""

import re
from collections.abc import Iterator, Sequence

from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.index import WordIndex
from modicum.text.rules.rules import Rule
from modicum.text.rules.scopes import are_apart

ALIKE = 0.75  # of all words of the two, how many both must have
FEWEST = 2  # words: with fewer, nothing can be said
SURE = 4  # words from which on one that differs may be another way to say it
WHY = "both say the same"
REMEDY = "keep the better one"
_DIGITS = re.compile(r"\d")


def repeats(rules: Sequence[Rule]) -> Iterator[LintFinding]:
    """Yields each rule that repeats an earlier one, with the first such."""
    telling = [rule for rule in rules if len(rule.words) >= FEWEST and (rule.is_directive or rule.statements)]
    index = WordIndex((rule.words, at) for at, rule in enumerate(telling))
    for at, rule in enumerate(telling):
        least = max(FEWEST, int(ALIKE * len(rule.words)))
        earlier = (other for other in sorted(set(index.sharing(rule.words, least))) if other < at)
        first = next((other for other in earlier if is_repeated(telling[other], rule)), None)
        if first is not None:
            yield _finding(telling[first], rule)


def is_repeated(one: Rule, other: Rule) -> bool:
    """Returns True if two rules repeat each other: they say the same or nearly the same."""
    if one.place == other.place or are_apart(one.bound, other.bound) or are_apart(one.scope, other.scope):
        return False
    both, either = one.words & other.words, one.words | other.words
    differing = either - both
    if len(both) < ALIKE * len(either) or (len(either) < SURE and differing):
        return False
    if any(map(_DIGITS.search, differing)) or differing & (_verbs(one) | _verbs(other)):
        return False  # another number, or something else to do
    return _forbidding(one) == _forbidding(other)


def _verbs(rule: Rule) -> set[str]:
    return {each.verb for each in rule.statements if not each.guessed}


def _forbidding(rule: Rule) -> bool:
    said = (each for each in rule.statements if not each.derived and not (each.mild and each.excepted))
    return any(each.forbids for each in said)


def _finding(first: Rule, second: Rule) -> LintFinding:
    told = PlacedText(first.place, first.text), PlacedText(second.place, second.text)
    return LintFinding(LintKind.DUPLICATE, told, WHY, REMEDY)
