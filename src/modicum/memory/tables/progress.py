"""Progress documents in the database: one JSON document for each project and namespace."""

import json

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Progress, Refused
from modicum.memory.names import project_name, public_name, storable
from modicum.memory.redact import REDACTED, redact
from modicum.memory.tables.sql import first, insert, select
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
    """Returns a document as a row for the table of progress: redacted, and refused without a project's name."""
    name = project_name(project)
    if not name:
        raise Refused("progress needs a project", remedy="name the project")
    return Progress(
        0, name, public_name(namespace).strip(), redacted(content), created_at=now, updated_at=now
    )


def redacted(content: str) -> str:
    """Returns a progress document as its table keeps it: without secrets, still valid JSON; a private part ends with its string."""
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
    """Redacts a value that is a secret by its own look, or by its name."""
    if isinstance(value, str) and redact_secrets(f"{name}: {value}") != f"{name}: {redact_secrets(value)}":
        return REDACTED
    return _public(value)
