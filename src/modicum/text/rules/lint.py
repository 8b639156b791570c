"""Lints rules that are read together: everything that is wrong with them or between two of them, by place. Pure."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from modicum.text.rules.findings import LintFinding, LintKind
from modicum.text.rules.opposites import opposites
from modicum.text.rules.repeats import repeats
from modicum.text.rules.repository.mentions import Mention, mentions
from modicum.text.rules.rivals import rivals
from modicum.text.rules.rules import Rule, RuleSource, rules_in, shell_lines
from modicum.text.rules.vague import vague

_ORDER = list(LintKind)


class LintMaterial(NamedTuple):
    """The rules that a lint compares, from all sources in order, and the paths and commands that those of this project speak of."""

    rules: tuple[Rule, ...]
    mentions: tuple[Mention, ...]


def material_of(sources: Iterable[RuleSource]) -> LintMaterial:
    """Returns the material of the rules' lint: statements of some sources, and what they speak of in the repository."""
    rules: list[Rule] = []
    found: list[Mention] = []
    for source in sources:
        own = rules_in(source)
        rules += own
        if source.local:
            found += mentions(own, shell_lines(source))
    return LintMaterial(tuple(rules), tuple(found))


def lint(rules: Sequence[Rule]) -> Iterator[LintFinding]:
    """Lints rules: yields what is wrong with them and between any two, opposites, rivals, repeats, and what says nothing.

    A pair of sentences is told once, as the first of these that it is.
    """
    told = set[tuple[str, ...]]()
    for find in (opposites, rivals, repeats, vague):
        finder: Callable[[Sequence[Rule]], Iterator[LintFinding]] = find
        for finding in finder(rules):
            key = tuple(str(each.place) for each in finding.sentences)
            if key not in told:
                told.add(key)
                yield finding


def in_order(findings: Iterable[LintFinding]) -> tuple[LintFinding, ...]:
    """Returns what a lint found in the order in which it is read: by kind, then by place."""
    return tuple(sorted(findings, key=lambda each: (_ORDER.index(each.kind), each.sentences, each.why)))
