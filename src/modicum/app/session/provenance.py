"""Groups the notes that a session is told by whose words they are: a person's rules, a person's notes, and quotations."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.engine.page import Block, Detail, Section
from modicum.memory.brief.lines import BriefNote, line_of
from modicum.memory.origins import AGENT, HOOK, PERSON, kind_of

RULES = "Rules of the user, pinned in memory:"
BY_PERSON = "Saved by a person:"
BY_AGENTS = "Written by agents in earlier sessions, quoted:"
FROM_ELSEWHERE = "From elsewhere or of unknown origin, quoted:"
LEADS = (RULES, BY_PERSON, BY_AGENTS, FROM_ELSEWHERE)

# How wide a line is at each detail, as far as the reader's own width allows: all are mentioned before one is elaborated.
WIDTHS = {Detail.SUMMARY: 60, Detail.STANDARD: 96, Detail.FULL: 0}


class NoteWording(NamedTuple):
    """How notes of some provenance are worded: their widest line, their names, and what makes foreign words harmless."""

    width: int
    names: Mapping[int, str]
    harmless: Callable[[str, str], str]


def lead_of(noted: BriefNote, *, is_pinned: bool) -> str:
    """Returns the provenance of a note as the line above it: only what was proven here to be a person's is told as theirs."""
    kind = kind_of(noted.origin)
    if kind == PERSON and not noted.pinned_by:
        return RULES if is_pinned else BY_PERSON
    return BY_AGENTS if kind in (AGENT, HOOK) else FROM_ELSEWHERE


def sections_of_notes(
    notes: Sequence[BriefNote], pinned: Sequence[BriefNote], lead: str, wording: NoteWording, rank: int
) -> Iterator[Section]:
    """Yields the sections of notes by their provenance; the first note keeps the smallest rank, wherever it stands."""
    found: dict[str, list[Block]] = {each: [] for each in LEADS}
    for at, noted in enumerate(notes):
        above = lead_of(noted, is_pinned=noted in pinned)
        is_quoted = above in (BY_AGENTS, FROM_ELSEWHERE)
        found[above].append(_block(noted, wording, rank + at, is_quoted=is_quoted))
    for above, blocks in found.items():
        if blocks:
            yield Section(tuple(blocks), (lead, above), "\n")


def key_of(noted: BriefNote) -> str:
    """Returns the key of a note's block, which stays with it whatever its provenance."""
    return f"{noted.id}:{noted.kind}:{noted.title}"


def _block(noted: BriefNote, wording: NoteWording, rank: int, *, is_quoted: bool) -> Block:
    name = wording.names.get(noted.id, "")

    def form(narrow: int) -> str:
        width = least(wording.width, narrow)
        # Where there is little room, the words come before the day.
        line = line_of(noted, name, width, is_dated=narrow != WIDTHS[Detail.SUMMARY], is_quoted=is_quoted)
        return wording.harmless(line, noted.origin)

    return Block(key_of(noted), {detail: form(narrow) for detail, narrow in WIDTHS.items()}, rank)


def least(width: int, narrow: int) -> int:
    """Returns the narrower of two line widths of a session-start text; 0 does not count."""
    return min(width, narrow) if narrow else width
