"""Observations, prompts, sessions and hits as blocks: a title, a title with a snippet, or the whole. Pure."""

from collections.abc import Iterable, Sequence

from modicum.memory.model import DEFAULT_TYPE, Context, Found, Observation, Prompt, Session, Timeline
from modicum.page import Block, Detail, Section
from modicum.text import snippet
from modicum.value import replace

LINE = "\n"
BLANK_LINE = "\n\n"

# Characters: what is still read at a glance.
TITLE, PROMPT, SNIPPET = 120, 80, 240

PINNED, OBSERVATIONS, SESSIONS, PROMPTS = "### Pinned", "### Observations", "### Sessions", "### Prompts"
EVERYWHERE = "### For every project"
BEFORE, FOCUS, AFTER = "### Before", "### This one", "### After"


def observation_key(number: int) -> str:
    return f"observation:{number}"


def session_key(session: Session) -> str:
    return f"session:{session.id}"


def prompt_key(prompt: Prompt) -> str:
    return f"prompt:{prompt.id}"


def recall_sections(found: Context) -> tuple[Section, ...]:
    """What a new session should know. The last to go are pinned observations, the first are prompts."""
    pinned = {observation.id for observation in found.pinned}
    recent = [observation for observation in found.observations if observation.id not in pinned]
    sections = (
        Section(tuple(_noted(each, pinned=True) for each in found.pinned), (PINNED,), LINE),
        Section(tuple(_noted(each, rank=1) for each in recent), (OBSERVATIONS,), LINE),
        Section(tuple(_noted(each, rank=1) for each in found.everywhere), (EVERYWHERE,), LINE),
        Section(tuple(_worked(each, rank=2) for each in found.sessions), (SESSIONS,), LINE),
        Section(tuple(_typed(each, rank=3) for each in found.prompts), (PROMPTS,), LINE),
    )
    return tuple(section for section in sections if section.blocks)


def search_sections(hits: Sequence[Found]) -> tuple[Section, ...]:
    """Hits, best first, with nothing beside their text but the number to ask for them by."""
    blocks = tuple(_hit(hit.observation, rank) for rank, hit in enumerate(hits))
    return (Section(blocks, gap=BLANK_LINE),) if blocks else ()


def timeline_sections(found: Timeline, shown: Iterable[str] = ()) -> tuple[Section, ...]:
    """An observation among its neighbours, oldest first, without those `shown` already; the nearest matter most."""
    past = frozenset(shown)
    above = ((len(found.before) - at, each) for at, each in enumerate(found.before))
    parts = ((BEFORE, above), (FOCUS, [(0, found.focus)]), (AFTER, enumerate(found.after, 1)))
    sections = [
        Section(
            tuple(_passed(each, far) for far, each in part if observation_key(each.id) not in past),
            (lead,),
            LINE,
        )
        for lead, part in parts
    ]
    return tuple(section for section in sections if section.blocks)


def title_of(observation: Observation) -> str:
    """The title on one line."""
    return snippet(observation.title, TITLE)


def day(stamp: str) -> str:
    return stamp[:10]


def minute(stamp: str) -> str:
    """A time of ours as `2026-11-15 17:43`."""
    return stamp[:16].replace("T", " ")


def _noted(observation: Observation, rank: int = 0, *, pinned: bool = False) -> Block:
    return _told(observation, day(observation.created_at), rank, pinned=pinned)


def _passed(observation: Observation, far: int) -> Block:
    """A note of a timeline: when it was made, to the minute; the one that is asked about is told whole at once."""
    block = _told(observation, minute(observation.created_at), far)
    return block if far else replace(block, forms={**block.forms, Detail.STANDARD: block.forms[Detail.FULL]})


def _told(observation: Observation, when: str, rank: int, *, pinned: bool = False) -> Block:
    line = f"- #{observation.id} {when}{_kind(observation)} {_by(observation)}{title_of(observation)}"
    brief = "" if _says_it_all(observation) else f": {snippet(observation.content, SNIPPET)}"
    forms = {
        Detail.SUMMARY: line,
        Detail.STANDARD: line + brief,
        Detail.FULL: line
        if observation.content == title_of(observation)
        else f"{line}\n{observation.content}",
    }
    return Block(observation_key(observation.id), forms, rank, pinned)


def _hit(observation: Observation, rank: int) -> Block:
    line = f"#{observation.id} {_by(observation)}"
    title, made = title_of(observation), f"{day(observation.created_at)}{_kind(observation)}"
    # A title that only repeats how the text begins is not worth its tokens.
    head = line if _begins(observation) else f"{line}{title}\n"
    forms = {
        Detail.SUMMARY: f"#{observation.id} {made} {_by(observation)}{title}",
        Detail.STANDARD: head + snippet(observation.content, SNIPPET),
        Detail.FULL: head + observation.content,
    }
    return Block(observation_key(observation.id), forms, rank)


def _kind(observation: Observation) -> str:
    return "" if observation.type in ("", DEFAULT_TYPE) else f" [{observation.type}]"


def _by(observation: Observation) -> str:
    return f"{observation.author}: " if observation.author else ""


def _begins(observation: Observation) -> bool:
    """Whether the title is how the content begins."""
    title = title_of(observation).rstrip("…")
    return " ".join(observation.content[: 4 * TITLE].split()).startswith(title)


def _says_it_all(observation: Observation) -> bool:
    # Contents may be huge, and one that is much longer than its title is not the same.
    title, content = observation.title, observation.content
    return len(content) <= 2 * len(title) and title.split() == content.split()


def _worked(session: Session, rank: int) -> Block:
    made = (
        f"{day(session.started_at)} ({session.observations} observation{'s' * (session.observations != 1)})"
    )
    line = " ".join(filter(None, ("-", session_key(session), session.project, made)))
    forms = {Detail.SUMMARY: line}
    if session.summary:
        forms[Detail.STANDARD] = f"{line}: {snippet(session.summary, SNIPPET)}"
        forms[Detail.FULL] = f"{line}: {session.summary}"
    return Block(session_key(session), forms, rank)


def _typed(prompt: Prompt, rank: int) -> Block:
    start = f"- {prompt_key(prompt)} {day(prompt.created_at)}: "
    widths = {Detail.SUMMARY: PROMPT, Detail.STANDARD: SNIPPET}
    forms = {detail: start + snippet(prompt.content, width) for detail, width in widths.items()}
    return Block(prompt_key(prompt), forms | {Detail.FULL: start + prompt.content}, rank)
