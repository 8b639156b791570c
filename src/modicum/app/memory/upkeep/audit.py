"""The audit of notes for the doors: looks at all notes of a project, and applies the plan that came of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from modicum.app.session.handed_log_reader import notes_handed
from modicum.memory.gate.audit import AuditFinding, audit
from modicum.memory.model import Note, Query
from modicum.memory.spec_topics import is_spec_note
from modicum.memory.store import Store
from modicum.memory.times import stamp

UNTOUCHED_DAYS = 180
BATCH = 500
_DAY_SECONDS = 86_400


def audit_notes(store: Store, project: str = "", data: Path | None = None) -> tuple[AuditFinding, ...]:
    """Audits the notes of a project, or of all, for a door; returns the findings, the plan for `apply_audit`.

    What specs keep in memory is no finding: it says what their files say, and goes with them. In the folder `data` is the log that tells which notes agents were handed.
    """
    notes = tuple(_every_note(store, project))
    since = stamp(store.clock() - UNTOUCHED_DAYS * _DAY_SECONDS)
    read = notes_handed(data) if data else ()
    of_specs = {note.id for note in notes if is_spec_note(note)}
    return audit(notes, store.every_relation(), untouched_since=since, read=read, left_out=of_specs)


def apply_audit(store: Store, findings: Sequence[AuditFinding]) -> tuple[Note, ...]:
    """Deletes for a door the notes that the plan of an audit deletes, all in one change, and returns them."""
    return store.delete_all([finding.number for finding in findings if finding.delete])


def _every_note(store: Store, project: str) -> Iterator[Note]:
    query = Query(project=project, limit=BATCH)
    while True:
        page = store.recent(query)
        yield from page.items
        if not page.next:
            return
        query = query._replace(cursor=page.next)
