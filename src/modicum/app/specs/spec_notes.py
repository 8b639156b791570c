"""Spec notes: saves changes, documents and decisions as notes in memory, for searches."""

import hashlib

from modicum.app.specs.open_specs import OpenedSpecs
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


def remember_change(
    store: Store | None, specs: OpenedSpecs, change: Change, text: str
) -> tuple[Caution, ...]:
    """Saves a change as one spec note in memory, which is updated with each stage; decisions are linked to it."""
    topic = spec_topic("change", specs.project, change.id)
    return _kept(store, specs, NoteDraft(change.id, text, "change", topic_key=topic))


def remember_artifact(store: Store | None, specs: OpenedSpecs, file: str, text: str) -> tuple[Caution, ...]:
    """Saves the text of a finished project document as a spec note in memory."""
    topic = spec_topic("spec", specs.project, file)
    return _kept(store, specs, NoteDraft(f"{specs.project}: {file}", text, "spec", topic_key=topic))


def remember_decision(
    store: Store | None, specs: OpenedSpecs, decision: Decision, supersedes: str = ""
) -> tuple[Caution, ...]:
    """Saves a decision as a spec note in memory, linked to its change and to the superseded one."""
    topic = spec_topic("adr", specs.project, decision.number)
    title = f"ADR {decision.number}: {decision.title}"
    change = spec_topic("change", specs.project, decision.change) if decision.change else ""
    remarks = _kept(store, specs, NoteDraft(title, decision.text, "decision", topic_key=topic), change)
    if store and supersedes:
        earlier = spec_topic("adr", specs.project, supersedes)
        _link(store, specs.project_in(store), topic, earlier, SUPERSEDES)
    return remarks


def _kept(store: Store | None, specs: OpenedSpecs, draft: NoteDraft, whole: str = "") -> tuple[Caution, ...]:
    """Saves a note; returns a caution if memory could not take it, since the files are written all the same."""
    if store is None:
        return ()
    try:
        project = specs.project_in(store, writing=True)
        store.save(draft._replace(project=project))
        if whole:
            _link(store, project, draft.topic_key, whole, PART_OF)
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
