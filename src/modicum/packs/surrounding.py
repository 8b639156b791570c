"""The sections of a page around its packs: above what hardly ever changes, below what changes often. Pure."""

import re
from collections.abc import Iterator, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import Value
from modicum.engine.page import Block, Detail, Section
from modicum.packs.sections import FORMATS, PARTS
from modicum.text.snippets import snippet

LONGEST_NOTICE = 500
HEADER = "# Context\n\nCurated knowledge, kept up to date by modicum. Edit the packs, not this text."
NEWS, NOTICES = "## What's New", "## Current Context"
_MADE = "Made by modicum"
_MADE_FROM = rf"(?m)^{_MADE} [^ \n]{{1,40}} from the packs ([a-z0-9, -]+)\.\r?$"


class News(Value):
    """A changelog entry of a pack, which stands among the sections that surround the packs of a page."""

    pack: str
    text: str


class PageFacts(Value):
    """The facts for the sections that surround packs: profile and a line about modicum above, notices and news below."""

    profile: str = ""
    news: tuple[News, ...] = ()
    notices: tuple[tuple[int, str], ...] = ()  # by number
    runtime: tuple[str, ...] = ()
    version: str = ""  # of modicum


class Surrounding(NamedTuple):
    """What surrounds the packs on a page: the sections above and below them."""

    above: tuple[Section, ...]
    below: tuple[Section, ...]


def surrounding(packs: Sequence[str], facts: PageFacts, format: str) -> Surrounding:
    """Returns the sections around these packs: header, profile, runtime; facts, notices, which rank first, and news."""
    say, last = FORMATS[format], (len(packs) + 1) * len(PARTS)
    profile = facts.profile and f"**Developer Profile:** {facts.profile}"
    texts = {"header": HEADER, "profile": profile, "runtime": "\n".join(facts.runtime)}
    ranks = {"header": last, "profile": last + 1, "runtime": last + 3}
    above = (_block(key, say(text.strip()), ranks[key]) for key, text in texts.items() if text.strip())
    notices = [(f"notice:{number}", snippet(text, LONGEST_NOTICE)) for number, text in facts.notices]
    news = [(f"news:{entry.pack}", entry.text) for entry in facts.news]
    lists = (
        (NOTICES, notices, 0),
        (NEWS, news, last + 2),
    )  # news go with the next change of a page, whatever it is
    below = [
        Section(tuple(_bullets(rows, rank, format)), (say(lead),), "\n") for lead, rows, rank in lists if rows
    ]
    if packs and facts.version:
        # A project has no name that is the same in every clone, so it is not told.
        made = f"{_MADE} {facts.version} from the packs {', '.join(packs)}."
        below.insert(0, Section((_block("made", say(made), last + 4),)))
    return Surrounding(tuple(Section((block,)) for block in above), tuple(below))


def packs_told(text: str) -> tuple[str, ...]:
    """Returns the ids of the packs from which a page was made, as the line below its sections tells; none if there is no such line."""
    found = re.findall(_MADE_FROM, text) if _MADE in text else []
    return tuple(found[-1].split(", ")) if found else ()


def _bullets(rows: Sequence[tuple[str, str]], rank: int, format: str) -> Iterator[Block]:
    met: dict[str, int] = {}
    for key, text in rows:
        met[key] = met.get(key, 0) + 1
        unique = key if met[key] == 1 else f"{key}.{met[key]}"
        yield _block(unique, f"- {FORMATS[format](' '.join(text.split()))}", rank)


def _block(key: str, text: str, rank: int) -> Block:
    return Block(key, {Detail.SUMMARY: text}, rank)
