"""Spec notes: saves changes, stages, documents and decisions as notes in memory, for searches."""

from modicum.base.errors import Caution, ModicumError
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store
from modicum.specs.model import Change, Decision

PART_OF, SUPERSEDES = "part_of", "supersedes"


def change_topic(project: str, change: str, stage: str = "") -> str:
    return f"change/{project}/{change}" + (f"/{stage}" if stage else "")


def adr_topic(project: str, number: str) -> str:
    return f"adr/{project}/{number}"


def remember_change(store: Store | None, project: str, change: Change) -> tuple[Caution, ...]:
    """Saves a change as a spec note in memory, to which its stages and decisions are linked."""
    text = f"{change.description}\n\nA {change.size} {change.type}, {change.status}."
    text += f" {change.reason}" if change.reason else ""
    return _kept(
        store, NoteDraft(change.id, text, "change", project, topic_key=change_topic(project, change.id))
    )


def remember_stage(
    store: Store | None, project: str, change: Change, stage: str, text: str
) -> tuple[Caution, ...]:
    """Saves the text of a finished stage of a change as a spec note in memory."""
    topic = change_topic(project, change.id, stage)
    draft = NoteDraft(f"{change.id}: {stage}", text, "change", project, topic_key=topic)
    return _kept(store, draft, change_topic(project, change.id))


def remember_artifact(store: Store | None, project: str, file: str, text: str) -> tuple[Caution, ...]:
    """Saves the text of a finished project document as a spec note in memory."""
    return _kept(
        store, NoteDraft(f"{project}: {file}", text, "spec", project, topic_key=f"spec/{project}/{file}")
    )


def remember_decision(
    store: Store | None, project: str, decision: Decision, supersedes: str = ""
) -> tuple[Caution, ...]:
    """Saves a decision as a spec note in memory, linked to its change and to the superseded one."""
    topic = adr_topic(project, decision.number)
    draft = NoteDraft(
        f"ADR {decision.number}: {decision.title}", decision.text, "decision", project, topic_key=topic
    )
    change = change_topic(project, decision.change) if decision.change else ""
    remarks = _kept(store, draft, change)
    if store and supersedes:
        _link(store, project, topic, adr_topic(project, supersedes), SUPERSEDES)
    return remarks


def _kept(store: Store | None, draft: NoteDraft, whole: str = "") -> tuple[Caution, ...]:
    """Saves a note; returns a caution if memory could not take it, since the files are written all the same."""
    if store is None:
        return ()
    try:
        store.save(draft)
        if whole:
            _link(store, draft.project, draft.topic_key, whole, PART_OF)
    except ModicumError as error:
        return (Caution(f"not remembered: {error.message}", error.remedy),)
    return ()


def _link(store: Store, project: str, one: str, other: str, kind: str) -> None:
    first, second = _number(store, project, one), _number(store, project, other)
    if first and second:
        present = {(each.from_id, each.to_id, each.type) for each in store.relations(first)}
        if (first, second, kind) not in present:
            store.relate(first, second, kind)


def _number(store: Store, project: str, topic: str) -> int:
    """Returns the number of the note with this topic, or 0."""
    found = store.search(topic, Query(project=project, limit=5)).items
    return next((hit.note.id for hit in found if hit.note.topic_key == topic), 0)
