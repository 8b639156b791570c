"""Finds opposites: one rule forbids what another demands, of the same object. Pure, for English only.

This is the one comparison of what is forbidden with what is wanted. `lint` asks it for certainty: whatever the one forbids is
in the other. `check` asks whether a rule may stand against a planned change, and is content with less.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.index import WordIndex
from modicum.text.rules.rules import Rule
from modicum.text.rules.scopes import are_apart
from modicum.text.rules.statements import Statement

WHY = "one says to do what the other forbids"
REMEDY = "delete one, or say in each where it holds"
MOST_OF_ONE = 5  # demands that are told of one rule: what stands against more is found anyway

Rare = Callable[[str], bool]


def opposites(rules: Sequence[Rule]) -> Iterator[LintFinding]:
    """Yields each pair of rules that are opposites: one forbids what the other demands."""
    wanted = WordIndex(
        (each.words, (rule, each)) for rule in rules for each in rule.statements if not each.forbids
    )
    for rule in rules:
        against = (
            other
            for statement in rule.statements
            if statement.forbids
            for other, demand in wanted.having(statement.words)
            if _contradict(rule, statement, other, demand)
        )
        yield from (_finding(rule, other) for other in islice(_once(against), MOST_OF_ONE))


def _once(rules: Iterable[Rule]) -> Iterator[Rule]:
    return iter({rule.place: rule for rule in rules}.values())


def _contradict(rule: Rule, statement: Statement, other: Rule, demand: Statement) -> bool:
    if rule.place == other.place or rule.bound != other.bound or are_apart(rule.scope, other.scope):
        return False
    return forbids_all(statement, demand)


def forbids_all(statement: Statement, demand: Statement) -> bool:
    """Returns True if two statements are opposites for certain: all that one demands is forbidden by the other, without exception."""
    if statement.excepted or demand.excepted or not statement.words <= demand.words:
        return False
    if statement.mild and statement.words != demand.words:
        return False  # where something else is preferred, there may be cases for it
    if demand.guessed:
        return statement.verb == demand.verb
    return not demand.verb or demand.verb in statement.words


def may_forbid(statement: Statement, wanted: frozenset[str], rare: Rare) -> bool:
    """Returns True if a rule's statement may be the opposite of a change with these words: two are shared, or a rare one if it is strict."""
    shared = statement.words & wanted
    return len(shared) > 1 or (statement.strict and any(map(rare, shared)))


def _finding(one: Rule, other: Rule) -> LintFinding:
    first, second = sorted((one, other), key=lambda rule: rule.place)
    told = PlacedText(first.place, first.text), PlacedText(second.place, second.text)
    return LintFinding(LintKind.CONTRADICTION, told, WHY, REMEDY)
