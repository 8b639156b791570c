"""Turns rows of other programs (engram, Hoofy, claude-mem, server-memory) into records to import. Pure."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from modicum.memory.exchange.imports.import_contents import Document, Row, as_text, key_of
from modicum.memory.foreign_json import WrongShape, shaped
from modicum.memory.model import RELATES_TO, SESSION_SUMMARY

Tables = Mapping[str, Sequence[Row]]

_TEXTS = (
    "type",
    "title",
    "content",
    "tool_name",
    "project",
    "scope",
    "topic_key",
    "namespace",
    "author",
    "session_id",
)
_REFUSED = ("rejected", "dismissed")


def _plain(row: Row) -> dict[str, Any]:
    """The row with every text column as text."""
    return {
        name: as_text(value) if name in _TEXTS and value is not None else value for name, value in row.items()
    }


def modicum(tables: Tables) -> Document:
    """Turns the rows of a modicum database into records for an import."""
    names = ("sessions", "notes", "prompts", "relations", "revisions", "progress")
    return {name: [dict(row) for row in tables.get(name, ())] for name in names}


def engram(tables: Tables) -> Document:
    """Turns the rows of engram's database, of any version, into records for an import."""
    notes = [_plain(row) for row in tables["observations"]]
    return {
        "sessions": [_plain(row) for row in tables.get("sessions", ())],
        "observations": notes,
        "prompts": [_plain(row) for row in tables.get("user_prompts", ())],
        "relations": _judged(tables.get("memory_relations", ()), notes),
        "revisions": [_revision(row) for row in tables.get("observation_versions", ())],
    }


def _judged(rows: Sequence[Row], notes: Sequence[Row]) -> list[dict[str, Any]]:
    """The records of engram's relations, which name notes by either of their ids."""
    numbers = {
        as_text(note.get(name)): note.get("id", 0)
        for name in ("id", "sync_id")
        for note in notes
        if note.get(name)
    }
    return [
        {
            "id": number,
            "from_id": numbers.get(as_text(row.get("source_id")), 0),
            "to_id": numbers.get(as_text(row.get("target_id")), 0),
            "type": as_text(row.get("relation")) or RELATES_TO,
            "note": as_text(row.get("reason")),
            "created_at": as_text(row.get("created_at")),
        }
        for number, row in enumerate(rows, 1)
        if row.get("judgment_status") not in _REFUSED
    ]


def _revision(row: Row) -> dict[str, Any]:
    numbers = (row.get(name) for name in ("number", "version", "revision", "revision_count", "id"))
    times = (row.get(name) for name in ("saved_at", "created_at", "updated_at"))
    return {
        "observation_id": row.get("observation_id"),
        "number": next((each for each in numbers if each is not None), None),
        "type": as_text(row.get("type")) or "manual",
        **{name: as_text(row.get(name)) for name in ("title", "content", "tool_name")},
        "saved_at": as_text(next((each for each in times if each), "")),
    }


def hoofy(tables: Tables) -> Document:
    """Turns the rows of Hoofy's database into records for an import, with ids that hold elsewhere."""
    return {
        "sessions": [_plain(row) for row in tables.get("sessions", ())],
        "observations": [
            {**_plain(row), "sync_id": key_of("obs", "hoofy", row.get("id"), row.get("session_id"), row.get("created_at"))}
            for row in tables["observations"]
        ],
        "prompts": [
            {**_plain(row), "sync_id": key_of("prompt", "hoofy", row.get("id"), row.get("session_id"), row.get("created_at"))}
            for row in tables.get("user_prompts", ())
        ],
        "relations": [_plain(row) for row in tables.get("relations", ())],
    }  # fmt: skip


# claude-mem


_PARTS = {
    "request": "Request", "investigated": "Investigated", "learned": "Learned", "completed": "Completed",
    "next_steps": "Next steps", "notes": "Notes", "files_read": "Files read", "files_edited": "Files edited",
}  # fmt: skip


def claude_mem(tables: Tables) -> Document:
    """Turns the rows of claude-mem's database into records: notes, session summaries as notes, prompts."""
    outer = {as_text(row.get("content_session_id")): row for row in reversed(tables["sdk_sessions"])}
    return {
        "sessions": [_claude_session(row) for row in tables["sdk_sessions"]],
        "observations": [
            *(_claude_note(row) for row in tables.get("observations", ())),
            *(_claude_summary(row) for row in tables.get("session_summaries", ())),
        ],
        "prompts": [_claude_prompt(row, outer) for row in tables.get("user_prompts", ())],
    }


def _claude_session(row: Row) -> dict[str, Any]:
    return {
        "id": as_text(row.get("memory_session_id")) or as_text(row.get("content_session_id")),
        "project": as_text(row.get("project")),
        "started_at": as_text(row.get("started_at")),
        "ended_at": as_text(row.get("completed_at")),
        "summary": as_text(row.get("custom_title")),
    }


def _claude_note(row: Row) -> dict[str, Any]:
    body = [as_text(row.get(name)) for name in ("subtitle", "narrative", "text")]
    lists = (
        ("facts", "Facts"),
        ("concepts", "Concepts"),
        ("files_read", "Files read"),
        ("files_modified", "Files changed"),
    )
    body += [_listed(title, row.get(name)) for name, title in lists]
    return {**_claude_common(row, "observation"), "id": row.get("id"), "type": as_text(row.get("type")) or "discovery",
            "title": as_text(row.get("title")) or _first_line(body), "content": _joined(body)}  # fmt: skip


def _claude_summary(row: Row) -> dict[str, Any]:
    body = [
        f"**{title}**: {as_text(row.get(name))}" for name, title in _PARTS.items() if as_text(row.get(name))
    ]
    title = as_text(row.get("request")) or "Session summary"
    return {
        **_claude_common(row, "summary"),
        "type": SESSION_SUMMARY,
        "title": title,
        "content": _joined(body),
    }


def _claude_common(row: Row, kind: str) -> dict[str, Any]:
    session, created = as_text(row.get("memory_session_id")), as_text(row.get("created_at"))
    key = key_of("obs", "claude-mem", kind, row.get("id"), session, created)
    names = {"project": as_text(row.get("project")), "created_at": created, "tool_name": "claude-mem"}
    return {"sync_id": key, "session_id": session, **names}


def _claude_prompt(row: Row, sessions: Mapping[str, Row]) -> dict[str, Any]:
    outer = as_text(row.get("content_session_id"))
    session = sessions.get(outer, {})
    inner = as_text(session.get("memory_session_id")) or outer
    created = as_text(row.get("created_at"))
    return {
        "sync_id": key_of("prompt", "claude-mem", row.get("id"), outer, created),
        "session_id": inner,
        "content": as_text(row.get("prompt_text")),
        "project": as_text(session.get("project")),
        "created_at": created,
    }


def _listed(title: str, value: object) -> str:
    """A column that holds a JSON list, as a Markdown list under a title."""
    text = as_text(value)
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        items = [text] if text else []
    rows = [f"- {as_text(item)}" for item in items] if isinstance(items, list) else [f"- {text}"]
    return "\n".join((f"**{title}**:", *rows)) if rows else ""


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _first_line(parts: Sequence[str]) -> str:
    return _joined(parts).partition("\n")[0][:80]


READERS: Mapping[str, Callable[[Tables], Document]] = {
    "modicum's database": modicum,
    "claude-mem's database": claude_mem,
    "Hoofy's database": hoofy,
    "engram's database": engram,
}


def database_kind(columns: Mapping[str, set[str]]) -> str:
    """Returns the name of the program whose database rows have such columns; empty if none is known."""
    if {"vocabulary", "revisions"} <= columns.keys() and "sync_id" in columns.get("notes", set()):
        return "modicum's database"
    if "sdk_sessions" in columns:
        return "claude-mem's database"
    if not {"title", "content"} <= columns.get("observations", set()) or "user_prompts" not in columns:
        return ""
    return "Hoofy's database" if "from_id" in columns.get("relations", set()) else "engram's database"


class Entity(msgspec.Struct):
    """An entity of server-memory's graph, and the facts about it, for an import."""

    name: str
    entityType: str | None = None  # noqa: N815 - as it is in the file
    observations: list[str] | str | None = None

    @property
    def facts(self) -> list[str]:
        listed = self.observations if isinstance(self.observations, list) else [self.observations]
        return [fact for fact in listed if fact]


class GraphRelation(msgspec.Struct, rename={"source": "from", "target": "to"}):
    """An edge of server-memory's graph between two entities, by their names, for an import."""

    source: str
    target: str
    relationType: str | None = None  # noqa: N815 - as it is in the file


def graph_entry(record: Row) -> Entity | GraphRelation:
    """Reads a row of server-memory's graph as an entity or relation; raises WrongShape if it is neither."""
    if record.get("type") == "entity":
        return shaped(record, Entity)
    if record.get("type") == "relation":
        return shaped(record, GraphRelation)
    raise WrongShape("it is neither an entity nor a relation")


def graph(
    entities: Sequence[Entity], relations: Sequence[GraphRelation], *, project: str, at: str
) -> Document:
    """Turns server-memory's entities and relations into records for an import, with ids by their names."""
    named = _by_name(entities)
    numbers = {name: -number for number, name in enumerate(named, 1)}
    return {
        "observations": [
            _entity(each, facts, numbers[each.name], project, at) for each, facts in named.values()
        ],
        "relations": [
            {
                "id": number,
                "from_id": numbers.get(each.source, 0),
                "to_id": numbers.get(each.target, 0),
                "type": each.relationType or RELATES_TO,
                "created_at": at,
            }
            for number, each in enumerate(relations, 1)
        ],
    }


def _by_name(entities: Iterable[Entity]) -> dict[str, tuple[Entity, dict[str, None]]]:
    """Entities by their names with all their facts; what is said of one in several places is said of it once."""
    found: dict[str, tuple[Entity, dict[str, None]]] = {}
    for each in entities:
        _, facts = found.setdefault(each.name, (each, {}))
        facts.update(dict.fromkeys(each.facts))
    return found


def _entity(entity: Entity, facts: Iterable[str], number: int, project: str, at: str) -> dict[str, Any]:
    return {
        "id": number,
        "sync_id": key_of("obs", "server-memory", entity.name),
        "session_id": "server-memory",
        "type": entity.entityType or "entity",
        "title": entity.name,
        "content": "\n".join(f"- {fact}" for fact in facts) or entity.name,
        "project": project,
        "created_at": at,
    }
