"""Writes the context text of a project as engram does, byte for byte, so that its plugins read it. Pure."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from modicum.memory.model import Context, Note, Prompt, Session
from modicum.text.neutralise import neutralise

HEAD = "## Memory from Previous Sessions\n\n"
TRUNCATED = "[truncated]"

SESSIONS, PROMPTS, OBSERVATIONS = 5, 10, 20
MOST_ITEMS = 500
MOST_BYTES = 65_536

_SUMMARY, _PROMPT, _CONTENT = 200, 200, 300

Item = TypeVar("Item")


class ContextLimits(NamedTuple):
    """The limits of engram's context text by part; zero is the usual number, below zero is none."""

    observations: int = 0
    prompts: int = 0
    sessions: int = 0
    pinned: int = 0
    compact: bool = False
    max_bytes: int = 0

    @property
    def wanted(self) -> tuple[int, int, int, int]:
        """Returns how many observations, prompts, sessions and pins engram's context text needs."""
        usual = (OBSERVATIONS, PROMPTS, SESSIONS, 0)
        return tuple(max(0, given or number) for given, number in zip(self[:4], usual, strict=True))  # type: ignore[return-value]  # of four


USUAL = ContextLimits()


def context_text(context: Context, limits: ContextLimits = USUAL) -> str:
    """Returns engram's context text of a project, harmless for the agents that read it; empty if there are no items."""
    bullet = title_bullet if limits.compact else observation_bullet
    pinned = {observation.id for observation in context.pinned}
    recent = [observation for observation in context.notes if observation.id not in pinned]
    parts = (
        _part("Recent Sessions", session_bullet, context.sessions),
        _part("Recent User Prompts", prompt_bullet, context.prompts),
        _part("Pinned", bullet, context.pinned),
        _part("Recent Observations", bullet, recent),
    )
    text = neutralise("".join(parts))
    return capped(HEAD + text, limits.max_bytes) if text else ""


def _part(title: str, bullet: Callable[[Item], str], items: Iterable[Item]) -> str:
    lines = "".join(map(bullet, items))
    return f"### {title}\n{lines}\n" if lines else ""


def session_bullet(session: Session) -> str:
    summary = f": {shorten(session.summary, _SUMMARY)}" if session.summary else ""
    return f"- **{session.project}** ({plain_time(session.started_at)}){summary} [{session.notes} observations]\n"


def prompt_bullet(prompt: Prompt) -> str:
    return f"- {plain_time(prompt.created_at)}: {shorten(prompt.content, _PROMPT)}\n"


def observation_bullet(observation: Note) -> str:
    return f"- [{observation.type}] **{observation.title}**: {shorten(observation.content, _CONTENT)}\n"


def title_bullet(observation: Note) -> str:
    return f"- [{observation.type}] **{observation.title}**\n"


def shorten(text: str, width: int) -> str:
    """Returns the first `width` characters and three dots, as engram's context text does; or all."""
    return text if len(text) <= width else f"{text[:width]}..."


def plain_time(stamp: str) -> str:
    """Returns a time as engram's context text writes it, such as `2026-11-15 17:43:25`."""
    return stamp[:19].replace("T", " ")


def capped(text: str, max_bytes: int) -> str:
    """Cuts engram's context text to a number of bytes, with a mark at the end; zero or less is no limit."""
    most = min(max_bytes, MOST_BYTES)
    if max_bytes <= 0 or len(text.encode()) <= most:
        return text
    mark = TRUNCATED if most >= len(TRUNCATED) else ""
    return text.encode()[: most - len(mark)].decode(errors="ignore") + mark
