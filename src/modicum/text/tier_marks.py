"""Puts verbosity markers into a Markdown text that has none, by the rules for tiers; nothing else of it changes. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from modicum.text.markdown import LINE_END, TIERS, split_outline
from modicum.text.paragraphs import COMMENT, HEADING, RULE, split_paragraphs, whole_lines
from modicum.text.tiers import choose_tiers


class ChosenTier(NamedTuple):
    """A tier to be marked at a line, from 1 on, which the rules choose for the paragraphs from there on, with the reason."""

    line: int
    tier: str
    reason: str


def tiered(text: str) -> tuple[str, tuple[ChosenTier, ...]]:
    """Returns a Markdown text with tier marks in it, and the choices; a text that has such marks comes back as it is."""
    plain = LINE_END.sub("\n", text)
    if any(passage.tier != TIERS[0] for passage in split_outline(plain).passages):
        return text, ()
    choices = tuple(_choices(plain))
    marks = dict(_marks(plain, choices))
    if not marks:
        return text, ()
    found = LINE_END.search(text)
    end = found[0] if found else "\n"
    made = (
        f"<!-- verbosity:{marks[at]} -->{end}{line}" if at in marks else line
        for at, line in enumerate(whole_lines(text), 1)
    )
    return "".join(made), choices


def _choices(text: str) -> Iterator[ChosenTier]:
    for passage in split_outline(text).passages:
        cut = [each for each in split_paragraphs(passage.text) if each.kind not in (RULE, HEADING)]
        for paragraph, choice in zip(cut, choose_tiers(cut, passage.leads), strict=True):
            # A comment may say for which files the passage is, and goes with what follows it.
            if paragraph.kind != COMMENT:
                yield ChosenTier(passage.line + paragraph.line, *choice)


def _marks(text: str, choices: tuple[ChosenTier, ...]) -> Iterator[tuple[int, str]]:
    """The lines above which a marker goes, where the tier changes."""
    tier = TIERS[0]
    for each in choices:
        if each.tier != tier:
            tier = each.tier
            yield each.line, tier
