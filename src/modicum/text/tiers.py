"""Chooses the tier of a paragraph by rules that a person can read, each choice with its reason. Pure.

Prohibitions, what must always hold, and commands to run are core; advice and how-to are detail; long examples, tables and
history are extended.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from modicum.text.directives import directives, forbids
from modicum.text.markdown import TIERS
from modicum.text.paragraphs import CODE, COMMENT, STEPS, TABLE, Paragraph

CORE, DETAIL, EXTENDED = TIERS
LONG_CODE, LONG_PROSE = 8, 60  # lines; words

_SHELLS = (
    "sh",
    "bash",
    "shell",
    "zsh",
    "console",
    "shell-session",
    "powershell",
    "ps1",
    "bat",
    "cmd",
    "fish",
)
_OBLIGES = re.compile(
    r"(?i)\b(?:must|shall|always|required|mandatory|only|(?:need|needs|have|has) to|make sure|be sure|ensure"
    r"|under no circumstances)\b"
)
_RATHER = re.compile(r"(?i)\b(?:not|instead of|rather than)\b|\bprefer\b[^.]{1,80}\bover\b")
_NAMED = re.compile(r"`[^`\n]+`|\b[\w.-]+/[\w./*-]+|\b\d")
_PAST = re.compile(
    r"(?i)\b(?:history|changelog|change log|background|rationale|motivation|why|decisions? log|roadmap|milestones?|about"
    r"|credits|references?|resources|links|further reading|glossary|appendix|faq|acknowledge?ments|releases|release notes|timeline)\b"
)
_HOW = re.compile(r"(?i)\W*how (?:to|we|do)\b")
_FORBIDDING = re.compile(
    r"(?i)\b(?:never|don['’]?ts?|do not|avoid|not allowed|forbidden|prohibited|anti-?patterns?|off[- ]limits|no-?gos?)\b"
)
_DOS = re.compile(r"(?i)\bdo(?:['’]?s)?\s*(?:and|&|/|,)\s*don")


class TierChoice(NamedTuple):
    """The tier that the rules choose for a paragraph, and the reason as a plain clause."""

    tier: str
    reason: str


def choose_tiers(paragraphs: Sequence[Paragraph], headings: Sequence[str]) -> list[TierChoice]:
    """Returns the tier of each paragraph of one passage; one that introduces others is shown as often as any of them."""
    chosen = [_choose(each, headings) for each in paragraphs]
    for at in range(len(paragraphs) - 2, -1, -1):
        if paragraphs[at].is_lead:
            # Of a list, all items are introduced.
            last = at + 1
            while (
                last + 1 < len(paragraphs) and paragraphs[last + 1].kind == paragraphs[at + 1].kind == "item"
            ):
                last += 1
            best = min((*chosen[at + 1 : last + 1], chosen[at]), key=lambda each: TIERS.index(each.tier))
            if best.tier != chosen[at].tier:
                chosen[at] = TierChoice(best.tier, "it introduces what follows")
    return chosen


def is_forbidding(heading: str) -> bool:
    """Returns True if a heading forbids what stands under it, as "Never do this" does; that chooses a tier."""
    return bool(_FORBIDDING.search(heading)) and not _DOS.search(heading)


def _choose(paragraph: Paragraph, headings: Sequence[str]) -> TierChoice:
    if paragraph.kind == CODE:
        return _code(paragraph, headings)
    found = directives(paragraph.text)
    if any(forbids(each.text) for each in found):
        return TierChoice(CORE, "it forbids something")
    if headings and any(map(is_forbidding, headings[-2:])) and paragraph.kind not in (TABLE, COMMENT):
        return TierChoice(CORE, f'it is forbidden by its heading "{_bare(headings)}"')
    if any(_OBLIGES.search(each.text) for each in found):
        return TierChoice(CORE, "it says what must always hold")
    if paragraph.kind == TABLE:
        return TierChoice(EXTENDED, f"a table of {_counted(_lines(paragraph), 'line')}")
    if paragraph.kind == COMMENT:
        return TierChoice(EXTENDED, "a comment")
    if headings and _PAST.search(headings[-1]) and not _HOW.match(headings[-1]):
        return TierChoice(EXTENDED, f'background, by its heading "{_bare(headings)}"')
    if paragraph.kind == STEPS:
        return TierChoice(DETAIL, "steps of how something is done")
    return _prose(paragraph, [each.text for each in found])


def _prose(paragraph: Paragraph, instructions: Sequence[str]) -> TierChoice:
    words = len(paragraph.text.split())
    if any(_RATHER.search(text) for text in instructions):
        return TierChoice(CORE, "it chooses one thing over another")
    if instructions and words <= LONG_PROSE and any(_NAMED.search(text) for text in instructions):
        return TierChoice(CORE, "a short instruction that names something of this project")
    if instructions:
        return TierChoice(DETAIL, "advice or how-to, without a must")
    if words > LONG_PROSE:
        return TierChoice(EXTENDED, f"{words} words of description without an instruction")
    return TierChoice(DETAIL, "a description")


def _code(paragraph: Paragraph, headings: Sequence[str]) -> TierChoice:
    lines = _lines(paragraph)
    if paragraph.language in _SHELLS and lines <= LONG_CODE + 2:
        return TierChoice(CORE, "commands to run")
    if lines > LONG_CODE:
        return TierChoice(EXTENDED, f"a code example of {lines} lines")
    return TierChoice(DETAIL, "a short code example")


def _lines(paragraph: Paragraph) -> int:
    fences = 2 if paragraph.text.lstrip().startswith(("```", "~~~")) else 0
    return max(1, paragraph.text.count("\n") + 1 - fences)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _bare(headings: Sequence[str]) -> str:
    return headings[-1].split("\n")[0].strip("# ")
