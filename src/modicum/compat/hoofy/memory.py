"""Hoofy's tools of memory: the names it has, and those it had."""

import json

from modicum.app.answer.reply import ToolReply
from modicum.app.memory.notes import look
from modicum.base.errors import ModicumError
from modicum.compat.engram.context_text import plain_time
from modicum.compat.hoofy import texts as texts
from modicum.engine.page import Detail
from modicum.mcp import schema
from modicum.mcp.args import LEAST_NUMBER, Arguments
from modicum.mcp.tool import ADDS, CHANGES, DESTROYS, READS, Tool, ToolContext
from modicum.memory.model import (
    DEEPEST_GRAPH,
    DEFAULT_TYPE,
    RELATES_TO,
    SESSION_SUMMARY,
    Changes,
    NoteDraft,
    NotFound,
    Query,
)
from modicum.memory.times import DAY_SECONDS, stamp
from modicum.memory.topics import suggest_topic

CONTEXT_ITEMS, SEARCH_ITEMS, MOST_HITS, AROUND, DEPTH = 20, 10, 20, 5, 2
SAVE_TYPES = "'save_type' must be one of: observation, prompt, passive"


def _required(asked: Arguments, name: str, more: str = "") -> str:
    found = asked.text(name)
    if not found:
        raise ModicumError(f"'{name}' is required{more}")
    return found


def _id(asked: Arguments, name: str = "id") -> int:
    found = asked.number(name)
    if not found:
        raise ModicumError(f"'{name}' is required")
    return found


def _level(asked: Arguments) -> Detail:
    """As Hoofy reads it: whatever is no level is the standard one."""
    return texts.LEVELS.get(asked.text("detail_level"), Detail.STANDARD)


def _query(asked: Arguments, limit: int = 0) -> Query:
    return Query(
        asked.text("project"),
        asked.text("scope"),
        asked.text("type"),
        asked.text("namespace"),
        limit=limit,
    )


def save(desk: ToolContext, asked: Arguments) -> ToolReply:
    kind = asked.text("save_type") or "observation"
    if kind == "prompt":
        return save_prompt(desk, asked)
    if kind == "passive":
        return capture(desk, asked)
    if kind != "observation":
        raise ModicumError(SAVE_TYPES)
    content, title = _required(asked, "content"), _required(asked, "title", " for save_type=observation")
    note, topic = asked.text("type") or DEFAULT_TYPE, asked.text("topic_key")
    place = (asked.text("project"), asked.text("session_id"), asked.text("scope"))
    suggested = suggest_topic(note, title, content)
    key = topic or (suggested if asked.flag("upsert") else "")
    try:
        saved = desk.store.save(NoteDraft(title, content, note, *place, key, asked.text("namespace")))
    except ModicumError as error:
        raise ModicumError(f"failed to save observation: {error}") from None
    lines = [f'Memory saved: "{title}" ({note})']
    lines.append(f"Topic key: {key}" if key else f"Suggested topic_key: {suggested}")
    return ToolReply("\n".join((*lines, f"ID: {saved.id}", *_related(desk, asked, saved.id))))


def _related(desk: ToolContext, asked: Arguments, number: int) -> list[str]:
    if "relate_to" not in asked.arguments:
        return []
    try:
        others = asked.numbers("relate_to")
    except ModicumError as error:
        return [f"Warning: relate_to ignored ({error.message})"]
    warnings = []
    for other in others:
        try:
            desk.store.relate(number, other)
        except ModicumError as error:
            warnings.append(error.message)
    told = [f"Relations created: {len(others) - len(warnings)}/{len(others)}"]
    return told + ([f"Relation warnings: {'; '.join(warnings)}"] if warnings else [])


def save_prompt(desk: ToolContext, asked: Arguments) -> ToolReply:
    kept = desk.store.add_prompt(
        _required(asked, "content"),
        session_id=asked.text("session_id"),
        project=asked.text("project"),
        namespace=asked.text("namespace"),
    )
    return ToolReply(f"Prompt saved (ID: {kept.id})")


def capture(desk: ToolContext, asked: Arguments) -> ToolReply:
    found = desk.store.capture(
        _required(asked, "content"),
        project=asked.text("project"),
        session_id=asked.text("session_id"),
        source=asked.text("source"),
        namespace=asked.text("namespace"),
    )
    counts = f"{found.extracted} extracted, {len(found.saved)} saved, {found.duplicates} duplicates"
    return ToolReply(f"Passive capture complete: {counts}")


def context(desk: ToolContext, asked: Arguments) -> ToolReply:
    query = _query(asked, asked.amount("limit", CONTEXT_ITEMS))._replace(type="")
    found = desk.store.context(query)
    return ToolReply(
        texts.context(found, desk.store.count(query), _level(asked), asked.amount("max_tokens", 0))
    )


def search(desk: ToolContext, asked: Arguments) -> ToolReply:
    words, limit = _required(asked, "query"), min(asked.amount("limit", SEARCH_ITEMS), MOST_HITS)
    found = desk.store.search(words, _query(asked, limit))
    return ToolReply(texts.search(found.items, found.total, _level(asked), asked.amount("max_tokens", 0)))


def timeline(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = _id(asked, "observation_id")
    before, after = (asked.amount(name, AROUND) for name in ("before", "after"))
    try:
        found = desk.store.timeline(number, before=before, after=after)
    except NotFound:
        raise ModicumError(
            f"timeline failed: timeline: observation #{number} not found: sql: no rows in result set"
        ) from None
    return ToolReply(texts.timeline(found, _level(asked), asked.amount("max_tokens", 0)))


def get(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = _id(asked)
    depth = asked.number("depth", 0, least=LEAST_NUMBER) or 0
    if depth < 0:
        raise ModicumError("'depth' must be >= 0")
    try:
        return ToolReply(texts.observation(look(desk.store, number, depth=min(depth, DEEPEST_GRAPH))))
    except NotFound:
        raise ModicumError(f"observation #{number} not found") from None


def build_context(desk: ToolContext, asked: Arguments) -> ToolReply:
    number, depth = _id(asked, "observation_id"), asked.amount("depth", DEPTH)
    try:
        return ToolReply(texts.connected(look(desk.store, number, depth=min(depth, DEEPEST_GRAPH))))
    except NotFound:
        raise ModicumError(f"observation #{number} not found") from None


def session(desk: ToolContext, asked: Arguments) -> ToolReply:
    action = asked.text("action")
    if action == "start":
        return session_start(desk, asked)
    if action == "end":
        return session_end(desk, asked)
    raise ModicumError("'action' must be one of: start, end")


def session_start(desk: ToolContext, asked: Arguments) -> ToolReply:
    key, project = _required(asked, "id"), _required(asked, "project", " for action=start")
    desk.store.start_session(key, project=project, directory=asked.text("directory"))
    return ToolReply(f'Session "{key}" started for project "{project}"')


def session_end(desk: ToolContext, asked: Arguments) -> ToolReply:
    key = _required(asked, "id")
    desk.store.end_session(key, asked.text("summary"))
    return ToolReply(f'Session "{key}" completed')


def session_summary(desk: ToolContext, asked: Arguments) -> ToolReply:
    content, project = _required(asked, "content"), asked.text("project")
    key, title = asked.text("session_id"), f"Session summary: {project}"
    saved = desk.store.save(
        NoteDraft(title, content, SESSION_SUMMARY, project, key, namespace=asked.text("namespace"))
    )
    if key:
        desk.store.end_session(key, content)
    return ToolReply(f'Session summary saved for project "{project}" (ID: {saved.id})')


def progress(desk: ToolContext, asked: Arguments) -> ToolReply:
    project, content = _required(asked, "project"), asked.text("content")
    if not content:
        found = desk.store.progress(project, asked.text("namespace"))
        if found is None:
            return ToolReply(
                f'No progress document found for project "{project}". Call mem_progress with content to create one.'
            )
        about = f"_Last updated: {plain_time(found.updated_at)} | ID: {found.id} | Revisions: {found.revision_count}_"
        return ToolReply(f"# Progress: {project}\n\n{found.content}\n\n---\n{about}")
    try:
        json.loads(content)
    except ValueError as error:
        raise ModicumError(f"'content' must be valid JSON. {error}") from None
    kept = desk.store.put_progress(project, content, asked.text("namespace"))
    return ToolReply(f'Progress updated for "{project}" (ID: {kept.id})')


def delete(desk: ToolContext, asked: Arguments) -> ToolReply:
    number, hard = _id(asked), asked.flag("hard_delete")
    if not desk.store.delete(number, hard=hard):
        raise ModicumError(f"observation #{number} not found")
    return ToolReply(f"Observation {number} {'permanently deleted' if hard else 'soft-deleted'}")


def update(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = _id(asked)
    names = ("title", "content", "type", "project", "scope", "topic_key")
    given = {name: asked.text(name) for name in names if asked.text(name)}
    if not given:
        raise ModicumError("at least one field to update is required")
    try:
        note = desk.store.update(number, Changes(**given))
    except NotFound:
        raise ModicumError("failed to update observation: sql: no rows in result set") from None
    return ToolReply(f'Observation {number} updated: "{note.title}" (rev {note.revision_count})')


def suggest(desk: ToolContext, asked: Arguments) -> ToolReply:
    title, content = asked.text("title"), asked.text("content")
    if not title and not content:
        raise ModicumError("at least 'title' or 'content' is required")
    return ToolReply(f"Suggested topic_key: {suggest_topic(asked.text('type'), title, content)}")


def relate(desk: ToolContext, asked: Arguments) -> ToolReply:
    action = asked.text("action") or "add"
    if action == "remove":
        return unrelate(desk, asked)
    if action != "add":
        raise ModicumError("'action' must be one of: add, remove")
    one, other = _id(asked, "from_id"), _id(asked, "to_id")
    kind, both = asked.text("relation_type") or RELATES_TO, asked.flag("bidirectional")
    try:
        edges = desk.store.relate(one, other, kind, note=asked.text("note"), both=both)
    except ModicumError as error:
        raise ModicumError(f"failed to create relation: {error.message}") from None
    if both:
        ids = ", ".join(str(edge.id) for edge in edges)
        return ToolReply(f"Bidirectional relation created: #{one} ↔ #{other} ({kind})\nRelation IDs: {ids}")
    return ToolReply(f"Relation created: #{one} → #{other} ({kind})\nRelation ID: {edges[0].id}")


def unrelate(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = _id(asked)
    try:
        desk.store.unrelate(number)
    except NotFound:
        raise ModicumError(f"relation {number} not found") from None
    return ToolReply(f"Relation {number} removed")


def compact(desk: ToolContext, asked: Arguments) -> ToolReply:
    days = asked.number("older_than_days")
    if not days:
        raise ModicumError("'older_than_days' is required and must be > 0")
    until = stamp(max(0.0, desk.store.clock() - days * DAY_SECONDS))
    query = _query(asked, 200)._replace(until=until)
    if "compact_ids" not in asked.arguments:
        return ToolReply(_stale(desk, query, days))
    title, content = asked.text("summary_title"), asked.text("summary_content")
    if content and not title:
        raise ModicumError("'summary_content' requires 'summary_title'")
    numbers = asked.numbers("compact_ids")
    done = desk.store.compact(
        numbers, query, title=title, content=content, session_id=asked.text("session_id")
    )
    lines = [
        "# Compaction Complete\n",
        f"**Deleted:** {len(done.deleted)}",
        f"**Before:** {done.before}",
        f"**After:** {done.after}",
    ]
    lines += [f"**Summary ID:** {done.summary_id}"] if done.summary_id else []
    lines += [f"\n⚠️ {len(done.skipped)} ID(s) were skipped"] if done.skipped else []
    return ToolReply("\n".join(lines))


def _stale(desk: ToolContext, query: Query, days: int) -> str:
    found = desk.store.stale(query)
    if not found:
        return f"No stale observations found older than {days} days."
    rows = "".join(
        f"- **ID {note.id}** | {texts.shorten(note.title, 50)} | {note.type} | `{note.project}` | "
        f"created: {plain_time(note.created_at)}\n"
        for note in found
    )
    ids = json.dumps([note.id for note in found], separators=(",", ":"))
    return f"# Stale Observations (older than {days} days)\n\n{rows}\n`compact_ids`: `{ids}`"


def stats(desk: ToolContext, asked: Arguments) -> ToolReply:
    found = desk.store.stats()
    return ToolReply(
        f"Sessions: {found.sessions}\nObservations: {found.notes}\nUser Prompts: {found.prompts}\n"
        f"Projects: {', '.join(found.projects)}"
    )


_TEXT, _NUMBER = schema.text(), schema.whole()
_WHERE = {"project": _TEXT, "scope": _TEXT, "namespace": _TEXT}
_AMOUNT = {
    "limit": _NUMBER,
    "detail_level": schema.one_of("summary", "standard", "full"),
    "max_tokens": _NUMBER,
}
_NOTE = {"title": _TEXT, "content": _TEXT, "type": _TEXT}
_SESSION = {"session_id": _TEXT, "project": _TEXT, "namespace": _TEXT}
_FLAG = {"type": "boolean"}

# fmt: off
TOOLS = (
    Tool("mem_save", "Save", "Save an observation, a prompt, or the learnings that a text lists.",
         {"content*": _TEXT, "title": _TEXT, "save_type": schema.one_of("observation", "prompt", "passive"), "type": _TEXT,
          "session_id": _TEXT, **_WHERE, "topic_key": _TEXT, "upsert": _FLAG, "relate_to": _TEXT, "source": _TEXT},
         ADDS, save),
    Tool("mem_session", "Session", "Start or end a session.",
         {"action*": schema.one_of("start", "end"), "id*": _TEXT, "project": _TEXT, "directory": _TEXT, "summary": _TEXT},
         CHANGES, session),
    Tool("mem_search", "Search", "Search memory.", {"query*": _TEXT, "type": _TEXT, **_WHERE, **_AMOUNT}, READS, search),
    Tool("mem_context", "Context", "Recent sessions, prompts and observations.", {**_WHERE, **_AMOUNT}, READS, context),
    Tool("mem_timeline", "Timeline", "What was observed around an observation.",
         {"observation_id*": _NUMBER, "before": _NUMBER, "after": _NUMBER, **_AMOUNT}, READS, timeline),
    Tool("mem_get", "Get", "An observation, whole.", {"id*": _NUMBER, "depth": _NUMBER}, READS, get),
    Tool("mem_progress", "Progress", "Read or write a project's progress document (JSON).",
         {"project*": _TEXT, "content": _TEXT, "session_id": _TEXT, "namespace": _TEXT}, CHANGES, progress),
    Tool("mem_delete", "Delete", "Delete an observation.", {"id*": _NUMBER, "hard_delete": _FLAG}, DESTROYS, delete),
    Tool("mem_update", "Update", "Change an observation.",
         {"id*": _NUMBER, **_NOTE, "project": _TEXT, "scope": _TEXT, "topic_key": _TEXT}, CHANGES, update),
    Tool("mem_suggest_topic_key", "Topic key", "A key for a topic that evolves.", _NOTE, READS, suggest),
    Tool("mem_relate", "Relate", "Add or remove a relation.",
         {"action": schema.one_of("add", "remove"), "from_id": _NUMBER, "to_id": _NUMBER, "relation_type": _TEXT,
          "note": _TEXT, "bidirectional": _FLAG, "id": _NUMBER}, CHANGES, relate),
    Tool("mem_compact", "Compact", "List old observations, or put a summary in their place.",
         {"older_than_days*": _NUMBER, **_WHERE, "compact_ids": _TEXT, "summary_title": _TEXT, "summary_content": _TEXT,
          "session_id": _TEXT}, DESTROYS, compact),
    Tool("mem_stats", "Stats", "How much there is in memory.", {}, READS, stats),
    # The names that it had before.
    Tool("mem_save_prompt", "Save prompt", "Now mem_save with save_type=prompt.", {"content*": _TEXT, **_SESSION}, ADDS,
         save_prompt),
    Tool("mem_capture_passive", "Capture", "Now mem_save with save_type=passive.",
         {"content*": _TEXT, **_SESSION, "source": _TEXT}, CHANGES, capture),
    Tool("mem_get_observation", "Get", "Now mem_get.", {"id*": _NUMBER}, READS, get),
    Tool("mem_build_context", "Graph", "Now mem_get with a depth.", {"observation_id*": _NUMBER, "depth": _NUMBER}, READS,
         build_context),
    Tool("mem_unrelate", "Unrelate", "Now mem_relate with action=remove.", {"id*": _NUMBER}, CHANGES, unrelate),
    Tool("mem_session_start", "Start", "Now mem_session.", {"id*": _TEXT, "project*": _TEXT, "directory": _TEXT}, CHANGES,
         session_start),
    Tool("mem_session_end", "End", "Now mem_session.", {"id*": _TEXT, "summary": _TEXT}, CHANGES, session_end),
    Tool("mem_session_summary", "Summary", "Save a session's summary as an observation.",
         {"content*": _TEXT, **_SESSION}, ADDS, session_summary),
)
# fmt: on
