"""Sessions of memory as sections of a page: one line each, with as much of the summary as asked for."""

from collections.abc import Sequence

from modicum.app.counted import counted
from modicum.app.local_times import local_time
from modicum.engine.page import Block, Detail, Section
from modicum.memory.blocks import session_key
from modicum.memory.model import Session
from modicum.text.snippets import snippet

SUMMARY = 60  # characters of a summary on the line of its session


def session_sections(sessions: Sequence[Session]) -> tuple[Section, ...]:
    """Returns sessions as a section with one line for each session, in the given order."""
    blocks = tuple(map(_block, sessions))
    return (Section(blocks, gap="\n"),) if blocks else ()


def _block(session: Session) -> Block:
    made = counted(session.notes, "note")
    line = f"{local_time(session.active_at)}  {session.id}  {made}"
    forms = {Detail.SUMMARY: line}
    if session.summary:
        forms |= {
            Detail.STANDARD: f"{line}  {snippet(session.summary, SUMMARY)}",
            Detail.FULL: f"{line}  {session.summary}",
        }
    return Block(session_key(session), forms)
