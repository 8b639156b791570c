"""Finds rules that say nothing an agent could act on: every word of them is of the kind that fits any project. Pure."""

import re
from collections.abc import Iterator, Sequence

from modicum.search.terms import stem
from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.rules import Rule
from modicum.text.rules.words import word_stems

WHY = "it fits every project, so that it tells nobody what to do"
REMEDY = "say what to do here, or delete it"


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


# One of these makes a rule vague, if nothing else in it is said.
_PRAISE = _stems("""
    adequate adequately appropriate appropriately bad best better beautiful careful carefully clean cleanly clear clearly common concise
    consistent consistently correct correctly descriptive easy efficient efficiently effective elegant elegantly excellent fast good great
    high-quality highquality idiomatic intelligent intuitive maintain maintainable maintainability meaningful mindful modern modular nice optimal optimise optimize
    optimised optimized ordinary performant proper properly pragmatic professional quality readable readability reasonable reasonably reliable robust safe
    scalable scalability secure security self-documenting selfdocumenting sensible simple simplicity smart solid state-of-the-art stateoftheart sensibly
    thorough thoroughly thoughtful understandable understand useful well world-class worldclass wise wisely diligent responsible responsibly attention sloppy ugly messy careless
    complexity complicated consistency deep deeply dry enough excellence kiss needed necessary unnecessary relevant self-explanatory selfexplanatory sound step sufficient suitable user-friendly userfriendly yagni works working cautious expert senior production-ready productionready high-standard helpful accurate precise precisely sense
    """)
# What any rule may be about.
_ANYTHING = _stems("""
    act action activity addition aim always anything application approach architecture area aspect attempt avoid avoided base basis bug build case
    change choice code codebase coding comment complete component concept consider convention create deal decision deliver design detail
    develop developer development do document documentation edge effort engineer engineering ensure error ever every everything
    everyone exception expect experience feature file follow function future general get go goal guideline handle handled handling
    high ideal implement implementation important improve industry issue keep kind know latest leave level like look make maintainer
    manner matter method mind module name naming need new object output own package pattern pay people performance piece place
    please possible practice prefer principle problem process produce program programming project provide purpose reader
    reason remember resource result rule see shape software solution solve solid sort standard stay step strive structure style sure system
    take task team technique technology test testing thing think time tool top try type unit up use user value variable way whole work
    write writing written yourself world class always never must should shall best-in-class logging validation security accessibility
    apply aware stick respect adhere commonly accepted established widely recommended usual usually
    """)
_GRAMMAR = _stems("""
    a about all also an and any are as at away be because been before being both but by can could do does doing don't done each either else even
    for from give has have if in into is it its itself just let more most much no not of on one only or other our out over
    so some such than that the their them then there these they this those through to together too very was we what when where
    whenever wherever whatever t which while who will with without would you your before after
    """)
_ACRONYMS = re.compile(r"\b(?:DRY|SOLID|KISS|YAGNI)\b")
_SPECIFIC = re.compile(r"[`\d\"“/@#<>{}]|\w[A-Z]")
_MOST = 160  # characters: whoever writes more has something to say


def vague(rules: Sequence[Rule]) -> Iterator[LintFinding]:
    """Yields each rule that is so vague that an agent cannot act on it."""
    for rule in rules:
        if is_vague(rule.text) and (rule.is_directive or any(not each.guessed for each in rule.statements)):
            yield LintFinding(LintKind.VAGUE, (PlacedText(rule.place, rule.text),), WHY, REMEDY)


def is_vague(sentence: str) -> bool:
    """Returns True if a rule is vague: every word of it fits any project, and one of them only praises."""
    sentence = _ACRONYMS.sub(lambda found: found[0].lower(), sentence)
    if len(sentence) > _MOST or _SPECIFIC.search(sentence) or _names(sentence):
        return False
    words = frozenset(word_stems(sentence))
    return bool(words & _PRAISE) and words <= _PRAISE | _ANYTHING | _GRAMMAR


def _names(sentence: str) -> bool:
    """Whether a word within the sentence is a name, which something specific has."""
    return bool(re.search(r"(?<=[a-z,] )[A-Z][a-z]+", sentence))
