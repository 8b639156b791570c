"""The review of a proposal: a text with one line for each block, in which the user turns choices. Pure."""

from collections.abc import Iterator, Mapping

from modicum.app.adopt.propose import ChosenFate, Proposal
from modicum.app.adopt.unit import DROP, FATES, KEEP, SAME
from modicum.base.errors import ModicumError
from modicum.base.near_words import nearest
from modicum.text.markdown import TIERS
from modicum.text.snippets import snippet

HEAD = f"""\
# One line for each block of your instruction files. Change the first word of a line; leave the rest as it is.
#   {TIERS[0]:<9} shown to every tool          {TIERS[1]:<9} left out where room is short
#   {TIERS[2]:<9} left out first               {SAME:<9} said by another block, so it is not said again
#   {KEEP:<9} stays in its file            {DROP:<9} goes nowhere
# A line that you delete stays as it was proposed. Then run: modicum adopt
"""
_WIDE = 72


def review_text(proposal: Proposal) -> str:
    """Returns the review of a proposal: a line for each block with its fate, its key, its place, its beginning and the reason."""
    return HEAD + "".join(f"{line}\n" for line in _lines(proposal))


def _lines(proposal: Proposal) -> Iterator[str]:
    path = ""
    for block in proposal.blocks():
        unit = proposal.units[block.units[0]]
        if unit.path != path:
            path = unit.path
            where = f" (applies to {', '.join(unit.globs)})" if unit.globs else ""
            yield f"\n# {path}{where}"
        more = f" (+{len(block.units) - 1})" if len(block.units) > 1 else ""
        yield f"{unit.fate:<9} {block.key:<10} {unit.place}{more}  {snippet(unit.text, _WIDE)}  # {unit.reason}"


def parse_review(text: str, proposal: Proposal) -> tuple[dict[int, ChosenFate], tuple[str, ...]]:
    """Returns the fates that a review wants otherwise than the proposal, by unit, and the places of blocks that are gone."""
    blocks = {block.key: block for block in proposal.blocks()}
    wanted, gone = dict[int, ChosenFate](), list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split(None, 3)
        if not words or words[0].startswith("#"):
            continue
        fate, key = _checked(words, number), words[1]
        if key not in blocks:
            gone.append(words[2] if len(words) > 2 else key)
        elif fate != proposal.units[blocks[key].units[0]].fate:
            wanted |= _turned(proposal, fate, blocks[key].units, number)
    return wanted, tuple(gone)


def _checked(words: list[str], number: int) -> str:
    fate = words[0].lower()
    if fate not in FATES or len(words) < 2:
        near = nearest(fate, FATES)
        remedy = f'did you mean "{near}"?' if near else f"use one of: {', '.join(FATES)}"
        raise ModicumError(f'line {number} of the review: "{words[0]}" is no choice', remedy=remedy)
    return fate


def _turned(proposal: Proposal, fate: str, units: tuple[int, ...], number: int) -> Mapping[int, ChosenFate]:
    first = proposal.units[units[0]]
    importers = {source.path: source.importer for source in proposal.sources}
    if fate == SAME:
        raise ModicumError(
            f"line {number} of the review: {first.place} is said by no other block",
            remedy=f"choose {DROP} to leave it out",
        )
    if fate == KEEP and importers.get(first.path):
        raise ModicumError(
            f"line {number} of the review: {first.path} is only imported, so it stays in any case",
            remedy=f"keep the line of {importers[first.path]} that imports it",
        )
    return dict.fromkeys(units, ChosenFate(fate))
