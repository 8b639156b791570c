"""Whole texts about memory: the list of projects, old notes, the progress document of a project."""

from modicum.app.answer.whole import WholeText
from modicum.app.counted import counted
from modicum.memory.blocks import day, minute, note_names, title_of
from modicum.memory.model import Query
from modicum.memory.store import Store


def list_old_notes(store: Store, query: Query) -> WholeText:
    """Returns the list of old notes that a query by age finds, as one whole text."""
    found = store.stale(query)
    names = note_names(found)
    rows = [f"- {names[note.id]} {day(note.created_at)} {title_of(note)}" for note in found]
    head = f"{counted(len(rows), 'note')} {'is' if len(rows) == 1 else 'are'} older. Call again with ids, summary_title and summary."
    return WholeText(head, "\n".join(rows), {}, "notes")


def list_projects(store: Store) -> WholeText:
    """Returns the list of all projects in memory with their counts, as one whole text."""
    rows = [
        f"- {each.name or '(none)'}: {counted(each.notes, 'note')}, {counted(each.sessions, 'session')}, {counted(each.prompts, 'prompt')}, "
        f"latest {day(each.latest_at)}"
        for each in store.projects()
    ]
    return WholeText(counted(len(rows), "project"), "\n".join(rows), {}, "projects")


def progress_text(store: Store, project: str, namespace: str) -> WholeText | None:
    """Returns the progress document of a project as one whole text; None if there is none."""
    found = store.progress(project, namespace)
    if found is None:
        return None
    head = f"Progress of {project}, {minute(found.updated_at)}, revision {found.revision_count}"
    return WholeText(head, found.content, {"project": project, "updated_at": found.updated_at})
