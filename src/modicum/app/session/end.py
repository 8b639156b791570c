"""The end of a session or of a sub-agent in it: the summary and the learnings are kept, and nothing is told."""

from modicum.app.session import seen_notes
from modicum.app.session.events import SessionAgent, SessionEvent, SessionPlace
from modicum.app.session.start_text import ComposedText
from modicum.app.session.transcript import last_message


def session_end(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Ends a session and keeps its summary; what was saved until now is no news to it if it is resumed."""
    if event.session:
        place.memory.finish_session(place.keys, event.session)
    if seen_notes.is_known(place.data, event.session):
        # Most of the newest notes are the session's own.
        newest = place.memory.recalled(place.keys, 1)
        ids = tuple(noted.id for noted in (*newest.pinned, *newest.notes))
        seen_notes.remember_seen(place.data, event.session, ids, anew=False)
    return ComposedText()


def subagent_stop(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Ends the session of a sub-agent: saves the learnings that its last message lists."""
    text = event.message or (last_message(event.transcript) if event.transcript else "")
    if text:
        place.memory.capture(place.keys, event.session, text)
    return ComposedText()
