"""The brief of memory for a hook on another machine: for a session that starts, or for a prompt."""

from modicum.memory.brief.lines import Brief
from modicum.memory.model import Query
from modicum.memory.store import Store

BRIEF_NOTES = 8
MOST_BRIEF_NOTES = 500


def brief_for(store: Store, project: str, prompt: str = "", limit: int = BRIEF_NOTES) -> Brief:
    """Returns the brief for a session that starts in a project; with a prompt, only the notes that it calls for."""
    most = min(limit, MOST_BRIEF_NOTES)
    if not prompt.strip():
        return store.recalled(project, most)
    notes = store.notes_for_prompt(prompt, Query(project=project))[:most]
    return Brief((), notes, "", len(notes))
