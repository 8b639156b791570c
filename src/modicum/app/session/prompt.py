"""A prompt in a session: it is kept, and the session is told notes for it and what else it is due."""

from modicum.app.session import seen_notes
from modicum.app.session.events import UNKNOWN, SessionAgent, SessionEvent, SessionPlace, TypedPrompt
from modicum.app.session.sizes import choices_in, fits, limit_of, measure_of, prompt_size
from modicum.app.session.start_text import FOR_PROMPT, ComposedText, notes_text

SHORTEST_PROMPT = 12  # characters: "yes" and "go on" are not worth keeping


def prompt_submit(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Saves a prompt; returns what the session is due, and notes for the prompt that are new to the session."""
    due = _due(event, agent, place) if agent.listens else ComposedText()
    words = event.prompt.strip()
    if len(words) < SHORTEST_PROMPT or words.startswith("/"):
        return due
    size = prompt_size(place.environment, choices_in(place.configs()))
    prompt = TypedPrompt(place.keys, event.session or UNKNOWN, place.root, event.prompt)
    seen = seen_notes.seen_in(place.data, event.session)
    notes = place.memory.submit(prompt, seen, size.lines if agent.listens else 0)
    limit = limit_of(size, agent)
    found = notes_text(notes, place.project, FOR_PROMPT, size, measure_of(agent, limit), limit)
    both = "\n\n".join(filter(None, (due.text, found.text)))
    if due.text and not fits(both, agent):
        return due
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return ComposedText(both, (*due.shown, *found.shown))


def _due(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """The session-start text or the news that come with a prompt, because no earlier event could tell them."""
    word = seen_notes.due(place.data, event.session)
    known = not event.session or seen_notes.is_known(place.data, event.session)
    is_first = agent.starts_at_prompt and not known
    if not (word or is_first):
        return ComposedText()
    from modicum.app.session.start import tell_everything, tell_news

    if is_first or word == seen_notes.AGAIN:
        return tell_everything(event, agent, place)
    seen_notes.settle(place.data, event.session)
    return tell_news(event, agent, place)
