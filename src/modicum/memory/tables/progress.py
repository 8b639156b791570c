"""Progress documents, and old notes made into one."""

import json
from collections.abc import Sequence

from modicum.memory.engines.database import Transaction
from modicum.memory.model import (
    COMPACTED_FROM,
    MOST_COMPACTED,
    Compacted,
    Note,
    NoteDraft,
    Progress,
    Query,
    Refused,
    Relation,
)
from modicum.memory.names import project_name, public_name, storable
from modicum.memory.redact import REDACTED, redact
from modicum.memory.tables import lists, notes
from modicum.memory.tables.relations import ADD as ADD_RELATION
from modicum.memory.tables.sql import condition, first, insert, normal, select
from modicum.text.secrets import redact_secrets

FIELDS = Progress._fields
GET_PROGRESS = select(FIELDS, "progress", "WHERE project = :project AND namespace = :namespace")
PUT_PROGRESS = insert(
    "progress",
    FIELDS[1:],
    """
    ON CONFLICT (project, namespace) DO UPDATE SET
      content = excluded.content, updated_at = excluded.updated_at, revision_count = progress.revision_count + 1
    """,
    f"RETURNING {', '.join(FIELDS)}",
)


def get_progress(tx: Transaction, project: str, namespace: str) -> Progress | None:
    values = {"project": project_name(project), "namespace": public_name(namespace).strip()}
    return first(tx.rows(GET_PROGRESS, values), Progress)


def put_progress(tx: Transaction, document: Progress) -> Progress:
    return Progress(*tx.rows(PUT_PROGRESS, document._asdict())[0])


def progress_of(project: str, namespace: str, content: str, *, now: str) -> Progress:
    """A document as it may be written."""
    name = project_name(project)
    if not name:
        raise Refused("progress needs a project", remedy="name the project")
    return Progress(
        0, name, public_name(namespace).strip(), redacted(content), created_at=now, updated_at=now
    )


def redacted(content: str) -> str:
    """The document without secrets, and still JSON: what is private ends with its string."""
    content = storable(content)
    try:
        document = json.loads(content)
        clean = _public(document)
    except (ValueError, RecursionError):
        raise Refused("progress must be valid JSON", remedy="send one JSON value") from None
    return content if clean == document else json.dumps(clean, ensure_ascii=False, indent=2)


def _public(value: object) -> object:
    match value:
        case str():
            return redact(value) if redact(value) != value.strip() else value
        case list():
            return [_public(item) for item in value]
        case dict():
            return {str(_public(key)): _public_field(key, item) for key, item in value.items()}
    return value


def _public_field(name: str, value: object) -> object:
    """A value may be a secret only by its name."""
    if isinstance(value, str) and redact_secrets(f"{name}: {value}") != f"{name}: {redact_secrets(value)}":
        return REDACTED
    return _public(value)


def stale(tx: Transaction, query: Query) -> tuple[Note, ...]:
    """The oldest notes before `query.until`, which a compaction may take; pinned ones are none of them."""
    query = normal(query)
    asked = condition(query, always=(notes.LIVE, "pinned = 0"))
    rest = ("WHERE", asked.text, "ORDER BY created_at, id LIMIT :limit")
    values = {**asked.values, "limit": min(query.limit, MOST_COMPACTED)}
    return tuple(Note(*row) for row in tx.rows(select(notes.FIELDS, "notes", *rest), values))


def check_compaction(numbers: Sequence[int], title: str, content: str) -> None:
    if not numbers:
        raise Refused("there is nothing to compact", remedy="give the ids of the notes")
    if len(numbers) > MOST_COMPACTED:
        remedy = f"give at most {MOST_COMPACTED} ids at a time"
        raise Refused(f"{len(numbers)} notes are too many for one compaction", remedy=remedy)
    if content and not title:
        raise Refused("a summary needs a title", remedy="give one")


def compact(
    tx: Transaction, numbers: Sequence[int], query: Query, summary: notes.NoteRow | None, *, now: str
) -> Compacted:
    """Delete those that the query admits, and put a summary in their place that points back at them."""
    query, before = normal(query), lists.count(tx, Query())
    found = {number: lists.get(tx, number, deleted=False) for number in numbers}
    taken = [number for number, each in found.items() if each and not each.pinned and query.admits(each)]
    for number in taken:
        notes.delete(tx, number, hard=False, now=now)
    summary_id = _summarize(tx, summary, taken, now=now) if summary and taken else 0
    skipped = tuple(number for number in found if number not in set(taken))
    return Compacted(tuple(taken), skipped, before, lists.count(tx, Query()), summary_id)


def _summarize(tx: Transaction, summary: notes.NoteRow, taken: Sequence[int], *, now: str) -> int:
    saved = notes.save(tx, summary, now=now, window=now)
    for number in taken:
        relation = Relation(0, saved.id, number, COMPACTED_FROM, created_at=now)
        tx.rows(ADD_RELATION, relation._asdict())
    return saved.id


def summary_of(title: str, content: str, query: Query, session_id: str, kind: str) -> notes.NoteRow | None:
    """The summary of a compaction, in the place of what it stands for."""
    if not content:
        return None
    return notes.prepare(
        NoteDraft(title, content, kind, query.project, session_id, query.scope, namespace=query.namespace)
    )
