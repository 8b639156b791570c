"""Explores an idea before it is a change: keeps thoughts as a note in memory that grows part by part."""

from collections.abc import Mapping
from typing import NamedTuple

from modicum.app.memory.notes import find_note
from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.memory.model import Note, NoteDraft, Query, Saved
from modicum.memory.names import topic_name
from modicum.memory.store import Store
from modicum.specs.explore import PARTS, merged, suggest
from modicum.specs.file_names import slug


class ExploreResult(NamedTuple):
    """The result of exploring an idea: the note with thoughts, and a suggested type and size of change."""

    note: Note
    saved: Saved
    topic: str
    content: str
    type: str
    size: str


def explore(
    config: Config, store: Store, title: str, parts: Mapping[str, str], project: str = ""
) -> ExploreResult:
    """Explores an idea for a change: saves thoughts as a note; the same title again replaces single parts."""
    if not title.strip():
        raise ModicumError("thoughts need a title", remedy="say in a few words what they are about")
    given = {name: parts[name] for name in PARTS if parts.get(name, "").strip()}
    if not given:
        raise ModicumError(
            "there are no thoughts to keep", remedy=f"give at least one of: {', '.join(PARTS)}"
        )
    owner = project or project_of(store, config, writing=True)
    topic = topic_name(f"explore/{slug(title)}")
    hits = store.search(topic, Query(project=owner, limit=5)).items
    before = next((hit.note.content for hit in hits if hit.note.topic_key == topic), "")
    content = merged(before, given)
    saved = store.save(NoteDraft(title.strip(), content, "explore", owner, topic_key=topic))
    kind, size = suggest(f"{title} {content}")
    return ExploreResult(find_note(store, saved.id), saved, topic, content, kind, size)
