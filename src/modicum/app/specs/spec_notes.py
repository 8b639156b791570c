"""Spec notes: saves changes, documents and decisions as notes in memory, for searches."""

import hashlib

from modicum.base.errors import Caution, ModicumError
from modicum.memory.model import NoteDraft, Query
from modicum.memory.names import LONGEST_TOPIC, topic_name
from modicum.memory.store import Store
from modicum.specs.model import Change, Decision

SHOWN = 20  # letters of a name, in a topic that is too long
PART_OF, SUPERSEDES = "part_of", "supersedes"


def spec_topic(kind: str, project: str, name: str) -> str:
    """Returns the topic of a spec note. Memory cuts long topics, so a long one ends with a hash of all of it."""
    topic = f"{kind}/{project}/{name}".lower()
    whole = topic.encode("utf-8", "surrogatepass")
    if len(whole) <= LONGEST_TOPIC:
        return topic_name(topic)
    return topic_name(f"{kind}/{name[:SHOWN]}/{hashlib.sha256(whole).hexdigest()[:16]}")


def remember_change(store: Store | None, project: str, change: Change, text: str) -> tuple[Caution, ...]:
    """Saves a change as one spec note in memory, which is updated with each stage; decisions are linked to it."""
    return _kept(
        store,
        NoteDraft(change.id, text, "change", project, topic_key=spec_topic("change", project, change.id)),
    )


def remember_artifact(store: Store | None, project: str, file: str, text: str) -> tuple[Caution, ...]:
    """Saves the text of a finished project document as a spec note in memory."""
    return _kept(
        store,
        NoteDraft(f"{project}: {file}", text, "spec", project, topic_key=spec_topic("spec", project, file)),
    )


def remember_decision(
    store: Store | None, project: str, decision: Decision, supersedes: str = ""
) -> tuple[Caution, ...]:
    """Saves a decision as a spec note in memory, linked to its change and to the superseded one."""
    topic = spec_topic("adr", project, decision.number)
    draft = NoteDraft(
        f"ADR {decision.number}: {decision.title}", decision.text, "decision", project, topic_key=topic
    )
    change = spec_topic("change", project, decision.change) if decision.change else ""
    remarks = _kept(store, draft, change)
    if store and supersedes:
        _link(store, project, topic, spec_topic("adr", project, supersedes), SUPERSEDES)
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
