"""Rows of other systems' databases as records of ours. Pure."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from modicum.memory.exchange.imports.contents import Document, Row, key_of, words
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
    """A row whose columns are named as ours are; texts that are none are made some."""
    return {
        name: words(value) if name in _TEXTS and value is not None else value for name, value in row.items()
    }


def modicum(tables: Tables) -> Document:
    """Our own database."""
    names = ("sessions", "notes", "prompts", "relations", "revisions", "progress")
    return {name: [dict(row) for row in tables.get(name, ())] for name in names}


def engram(tables: Tables) -> Document:
    """engram's database, of whatever age."""
    notes = [_plain(row) for row in tables["observations"]]
    return {
        "sessions": [_plain(row) for row in tables.get("sessions", ())],
        "observations": notes,
        "prompts": [_plain(row) for row in tables.get("user_prompts", ())],
        "relations": _judged(tables.get("memory_relations", ()), notes),
        "revisions": [_revision(row) for row in tables.get("observation_versions", ())],
    }


def _judged(rows: Sequence[Row], notes: Sequence[Row]) -> list[dict[str, Any]]:
    """engram's relations, which name notes by either of their ids."""
    numbers = {
        words(note.get(name)): note.get("id", 0)
        for name in ("id", "sync_id")
        for note in notes
        if note.get(name)
    }
    return [
        {
            "id": number,
            "from_id": numbers.get(words(row.get("source_id")), 0),
            "to_id": numbers.get(words(row.get("target_id")), 0),
            "type": words(row.get("relation")) or RELATES_TO,
            "note": words(row.get("reason")),
            "created_at": words(row.get("created_at")),
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
        "type": words(row.get("type")) or "manual",
        **{name: words(row.get(name)) for name in ("title", "content", "tool_name")},
        "saved_at": words(next((each for each in times if each), "")),
    }


def hoofy(tables: Tables) -> Document:
    """Hoofy's database. Its notes have no ids that hold elsewhere, so that they get some."""
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
    """claude-mem's database: its observations, summaries of sessions as notes, and prompts."""
    outer = {words(row.get("content_session_id")): row for row in reversed(tables["sdk_sessions"])}
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
        "id": words(row.get("memory_session_id")) or words(row.get("content_session_id")),
        "project": words(row.get("project")),
        "started_at": words(row.get("started_at")),
        "ended_at": words(row.get("completed_at")),
        "summary": words(row.get("custom_title")),
    }


def _claude_note(row: Row) -> dict[str, Any]:
    body = [words(row.get(name)) for name in ("subtitle", "narrative", "text")]
    lists = (
        ("facts", "Facts"),
        ("concepts", "Concepts"),
        ("files_read", "Files read"),
        ("files_modified", "Files changed"),
    )
    body += [_listed(title, row.get(name)) for name, title in lists]
    return {**_claude_common(row, "observation"), "id": row.get("id"), "type": words(row.get("type")) or "discovery",
            "title": words(row.get("title")) or _first_line(body), "content": _joined(body)}  # fmt: skip


def _claude_summary(row: Row) -> dict[str, Any]:
    body = [f"**{title}**: {words(row.get(name))}" for name, title in _PARTS.items() if words(row.get(name))]
    title = words(row.get("request")) or "Session summary"
    return {
        **_claude_common(row, "summary"),
        "type": SESSION_SUMMARY,
        "title": title,
        "content": _joined(body),
    }


def _claude_common(row: Row, kind: str) -> dict[str, Any]:
    session, created = words(row.get("memory_session_id")), words(row.get("created_at"))
    key = key_of("obs", "claude-mem", kind, row.get("id"), session, created)
    names = {"project": words(row.get("project")), "created_at": created, "tool_name": "claude-mem"}
    return {"sync_id": key, "session_id": session, **names}


def _claude_prompt(row: Row, sessions: Mapping[str, Row]) -> dict[str, Any]:
    outer = words(row.get("content_session_id"))
    session = sessions.get(outer, {})
    inner = words(session.get("memory_session_id")) or outer
    created = words(row.get("created_at"))
    return {
        "sync_id": key_of("prompt", "claude-mem", row.get("id"), outer, created),
        "session_id": inner,
        "content": words(row.get("prompt_text")),
        "project": words(session.get("project")),
        "created_at": created,
    }


def _listed(title: str, value: object) -> str:
    """A list that is kept as JSON, as Markdown."""
    text = words(value)
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        items = [text] if text else []
    rows = [f"- {words(item)}" for item in items] if isinstance(items, list) else [f"- {text}"]
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
    """Whose database has such tables, or nobody's that is known."""
    if {"passages", "revisions"} <= columns.keys() and "sync_id" in columns.get("notes", set()):
        return "modicum's database"
    if "sdk_sessions" in columns:
        return "claude-mem's database"
    if not {"title", "content"} <= columns.get("observations", set()) or "user_prompts" not in columns:
        return ""
    return "Hoofy's database" if "from_id" in columns.get("relations", set()) else "engram's database"


def graph(lines: Sequence[Row], *, project: str, at: str) -> Document:
    """server-memory's entities as notes, with an id by their names, and the relations between them."""
    entities = _named(line for line in lines if line.get("type") == "entity")
    numbers = {name: -number for number, name in enumerate(entities, 1)}
    return {
        "observations": [_entity(each, numbers[name], project, at) for name, each in entities.items()],
        "relations": [
            {"id": number, "from_id": numbers.get(words(each.get("from")), 0), "to_id": numbers.get(words(each.get("to")), 0),
             "type": words(each.get("relationType")) or RELATES_TO, "created_at": at}
            for number, each in enumerate((line for line in lines if line.get("type") == "relation"), 1)
        ],
    }  # fmt: skip


def _named(entities: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Entities by their names; what is said of one in several places is said of it once."""
    found: dict[str, dict[str, Any]] = {}
    for each in entities:
        facts = each.get("observations")
        listed = facts if isinstance(facts, list) else [facts]
        known = found.setdefault(words(each.get("name")), {**each, "observations": []})
        known["observations"] += [fact for fact in listed if fact and fact not in known["observations"]]
    return found


def _entity(entity: Row, number: int, project: str, at: str) -> dict[str, Any]:
    name, kind = words(entity.get("name")), words(entity.get("entityType"))
    return {
        "id": number,
        "sync_id": key_of("obs", "server-memory", name),
        "session_id": "server-memory",
        "type": kind or "entity",
        "title": name,
        "content": "\n".join(f"- {words(fact)}" for fact in entity["observations"]) or name,
        "project": project,
        "created_at": at,
    }
