"""Observations, prompts, sessions and hits as blocks: a title, a title with a snippet, or the whole. Pure."""

from collections.abc import Iterable, Sequence

from modicum.memory.model import DEFAULT_TYPE, Context, Found, Observation, Prompt, Session, Timeline
from modicum.page import Block, Detail, Section
from modicum.text import snippet

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
            tuple(_noted(each, rank=far) for far, each in part if observation_key(each.id) not in past),
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


def _noted(observation: Observation, rank: int = 0, *, pinned: bool = False) -> Block:
    kind = "" if observation.type in ("", DEFAULT_TYPE) else f" [{observation.type}]"
    line = (
        f"- #{observation.id} {day(observation.created_at)}{kind} {_by(observation)}{title_of(observation)}"
    )
    brief = "" if _says_it_all(observation) else f": {snippet(observation.content, SNIPPET)}"
    forms = {
        Detail.SUMMARY: line,
        Detail.STANDARD: line + brief,
        Detail.FULL: f"{line}\n{observation.content}" if brief else line,
    }
    return Block(observation_key(observation.id), forms, rank, pinned)


def _hit(observation: Observation, rank: int) -> Block:
    line = f"#{observation.id} {_by(observation)}"
    title = title_of(observation)
    # A title that only repeats how the text begins is not worth its tokens.
    head = line if _begins(observation) else f"{line}{title}\n"
    forms = {
        Detail.SUMMARY: line + title,
        Detail.STANDARD: head + snippet(observation.content, SNIPPET),
        Detail.FULL: head + observation.content,
    }
    return Block(observation_key(observation.id), forms, rank)


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
    line = (
        f"- {session.project or session.id} {day(session.started_at)} ({session.observations} observations)"
    )
    forms = {Detail.SUMMARY: line}
    if session.summary:
        forms[Detail.STANDARD] = f"{line}: {snippet(session.summary, SNIPPET)}"
        forms[Detail.FULL] = f"{line}: {session.summary}"
    return Block(session_key(session), forms, rank)


def _typed(prompt: Prompt, rank: int) -> Block:
    start = f"- {day(prompt.created_at)}: "
    widths = {Detail.SUMMARY: PROMPT, Detail.STANDARD: SNIPPET}
    forms = {detail: start + snippet(prompt.content, width) for detail, width in widths.items()}
    return Block(prompt_key(prompt), forms | {Detail.FULL: start + prompt.content}, rank)
