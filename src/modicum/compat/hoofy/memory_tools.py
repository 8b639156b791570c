"""Hoofy's memory tools for MCP: their rows, and the functions that answer as Hoofy does."""

import json

from modicum.app.memory.notes import look
from modicum.base.errors import ModicumError
from modicum.compat.engram.context_text import plain_time
from modicum.compat.hoofy import memory_texts as texts
from modicum.engine.page import Detail
from modicum.mcp import schema
from modicum.mcp.arguments import LEAST_NUMBER, Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ADDS, CHANGES, DESTROYS, READS, Domain, Tool, ToolContext
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

CONTEXT_ITEMS, SEARCH_ITEMS, MOST_HITS, AROUND = 20, 10, 20, 5
SAVE_TYPES = "'save_type' must be one of: observation, prompt, passive"


def _required(arguments: Arguments, name: str, more: str = "") -> str:
    found = arguments.text(name)
    if not found:
        raise ModicumError(f"'{name}' is required{more}")
    return found


def _id(arguments: Arguments, name: str = "id") -> int:
    found = arguments.number(name)
    if not found:
        raise ModicumError(f"'{name}' is required")
    return found


def _level(arguments: Arguments) -> Detail:
    """Returns the level as Hoofy reads it: what is no level is the standard one."""
    return texts.LEVELS.get(arguments.text("detail_level"), Detail.STANDARD)


def _query(arguments: Arguments, limit: int = 0) -> Query:
    return Query(
        arguments.text("project"),
        arguments.text("scope"),
        arguments.text("type"),
        arguments.text("namespace"),
        limit=limit,
    )


def save(context: ToolContext, arguments: Arguments) -> ToolReply:
    kind = arguments.text("save_type") or "observation"
    if kind == "prompt":
        return save_prompt(context, arguments)
    if kind == "passive":
        return capture(context, arguments)
    if kind != "observation":
        raise ModicumError(SAVE_TYPES)
    content, title = (
        _required(arguments, "content"),
        _required(arguments, "title", " for save_type=observation"),
    )
    note, topic = arguments.text("type") or DEFAULT_TYPE, arguments.text("topic_key")
    place = (arguments.text("project"), arguments.text("session_id"), arguments.text("scope"))
    suggested = suggest_topic(note, title, content)
    key = topic or (suggested if arguments.flag("upsert") else "")
    try:
        draft = NoteDraft(title, content, note, *place, key, arguments.text("namespace"))
        saved = context.store.save(draft)
    except ModicumError as error:
        raise ModicumError(f"failed to save observation: {error}") from None
    lines = [f'Memory saved: "{title}" ({note})']
    lines.append(f"Topic key: {key}" if key else f"Suggested topic_key: {suggested}")
    return ToolReply("\n".join((*lines, f"ID: {saved.id}", *_related(context, arguments, saved.id))))


def _related(context: ToolContext, arguments: Arguments, number: int) -> list[str]:
    if "relate_to" not in arguments.arguments:
        return []
    try:
        others = arguments.numbers("relate_to")
    except ModicumError as error:
        return [f"Warning: relate_to ignored ({error.message})"]
    warnings = []
    for other in others:
        try:
            context.store.relate(number, other)
        except ModicumError as error:
            warnings.append(error.message)
    lines = [f"Relations created: {len(others) - len(warnings)}/{len(others)}"]
    return lines + ([f"Relation warnings: {'; '.join(warnings)}"] if warnings else [])


def save_prompt(context: ToolContext, arguments: Arguments) -> ToolReply:
    kept = context.store.add_prompt(
        _required(arguments, "content"),
        session_id=arguments.text("session_id"),
        project=arguments.text("project"),
        namespace=arguments.text("namespace"),
    )
    return ToolReply(f"Prompt saved (ID: {kept.id})")


def capture(context: ToolContext, arguments: Arguments) -> ToolReply:
    found = context.store.capture(
        _required(arguments, "content"),
        project=arguments.text("project"),
        session_id=arguments.text("session_id"),
        source=arguments.text("source"),
        namespace=arguments.text("namespace"),
    )
    counts = f"{found.extracted} extracted, {len(found.saved)} saved, {found.duplicates} duplicates"
    return ToolReply(f"Passive capture complete: {counts}")


def read_context(context: ToolContext, arguments: Arguments) -> ToolReply:
    query = _query(arguments, arguments.amount("limit", CONTEXT_ITEMS))._replace(type="")
    found = context.store.context(query, beside=query._replace(scope=""))
    return ToolReply(
        texts.context(found, context.store.count(query), _level(arguments), arguments.amount("max_tokens", 0))
    )


def search(context: ToolContext, arguments: Arguments) -> ToolReply:
    words, limit = _required(arguments, "query"), min(arguments.amount("limit", SEARCH_ITEMS), MOST_HITS)
    found = context.store.search(words, _query(arguments, limit))
    return ToolReply(
        texts.search(found.items, found.total, _level(arguments), arguments.amount("max_tokens", 0))
    )


def timeline(context: ToolContext, arguments: Arguments) -> ToolReply:
    number = _id(arguments, "observation_id")
    before, after = (arguments.amount(name, AROUND) for name in ("before", "after"))
    try:
        found = context.store.timeline(number, before=before, after=after)
    except NotFound:
        raise ModicumError(
            f"timeline failed: timeline: observation #{number} not found: sql: no rows in result set"
        ) from None
    return ToolReply(texts.timeline(found, _level(arguments), arguments.amount("max_tokens", 0)))


def get(context: ToolContext, arguments: Arguments) -> ToolReply:
    number = _id(arguments)
    depth = arguments.number("depth", 0, least=LEAST_NUMBER) or 0
    if depth < 0:
        raise ModicumError("'depth' must be >= 0")
    try:
        return ToolReply(texts.observation(look(context.store, number, depth=min(depth, DEEPEST_GRAPH))))
    except NotFound:
        raise ModicumError(f"observation #{number} not found") from None


def session(context: ToolContext, arguments: Arguments) -> ToolReply:
    action = arguments.text("action")
    if action == "start":
        return session_start(context, arguments)
    if action == "end":
        return session_end(context, arguments)
    raise ModicumError("'action' must be one of: start, end")


def session_start(context: ToolContext, arguments: Arguments) -> ToolReply:
    key, project = _required(arguments, "id"), _required(arguments, "project", " for action=start")
    context.store.start_session(key, project=project, directory=arguments.text("directory"))
    return ToolReply(f'Session "{key}" started for project "{project}"')


def session_end(context: ToolContext, arguments: Arguments) -> ToolReply:
    key = _required(arguments, "id")
    context.store.end_session(key, arguments.text("summary"))
    return ToolReply(f'Session "{key}" completed')


def session_summary(context: ToolContext, arguments: Arguments) -> ToolReply:
    content, project = _required(arguments, "content"), arguments.text("project")
    key, title = arguments.text("session_id"), f"Session summary: {project}"
    saved = context.store.save(
        NoteDraft(title, content, SESSION_SUMMARY, project, key, namespace=arguments.text("namespace"))
    )
    if key:
        context.store.end_session(key, content)
    return ToolReply(f'Session summary saved for project "{project}" (ID: {saved.id})')


def progress(context: ToolContext, arguments: Arguments) -> ToolReply:
    project, content = _required(arguments, "project"), arguments.text("content")
    if not content:
        found = context.store.progress(project, arguments.text("namespace"))
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
    kept = context.store.put_progress(project, content, arguments.text("namespace"))
    return ToolReply(f'Progress updated for "{project}" (ID: {kept.id})')


def delete(context: ToolContext, arguments: Arguments) -> ToolReply:
    number, hard = _id(arguments), arguments.flag("hard_delete")
    if not context.store.delete(number, hard=hard):
        raise ModicumError(f"observation #{number} not found")
    return ToolReply(f"Observation {number} {'permanently deleted' if hard else 'soft-deleted'}")


def update(context: ToolContext, arguments: Arguments) -> ToolReply:
    number = _id(arguments)
    names = ("title", "content", "type", "project", "scope", "topic_key")
    given = {name: arguments.text(name) for name in names if arguments.text(name)}
    if not given:
        raise ModicumError("at least one field to update is required")
    try:
        note = context.store.update(number, Changes(**given))
    except NotFound:
        raise ModicumError("failed to update observation: sql: no rows in result set") from None
    return ToolReply(f'Observation {number} updated: "{note.title}" (rev {note.revision_count})')


def suggest(context: ToolContext, arguments: Arguments) -> ToolReply:
    title, content = arguments.text("title"), arguments.text("content")
    if not title and not content:
        raise ModicumError("at least 'title' or 'content' is required")
    return ToolReply(f"Suggested topic_key: {suggest_topic(arguments.text('type'), title, content)}")


def relate(context: ToolContext, arguments: Arguments) -> ToolReply:
    action = arguments.text("action") or "add"
    if action == "remove":
        return unrelate(context, arguments)
    if action != "add":
        raise ModicumError("'action' must be one of: add, remove")
    one, other = _id(arguments, "from_id"), _id(arguments, "to_id")
    kind, both = arguments.text("relation_type") or RELATES_TO, arguments.flag("bidirectional")
    try:
        edges = context.store.relate(one, other, kind, note=arguments.text("note"), both=both)
    except ModicumError as error:
        raise ModicumError(f"failed to create relation: {error.message}") from None
    if both:
        ids = ", ".join(str(edge.id) for edge in edges)
        return ToolReply(f"Bidirectional relation created: #{one} ↔ #{other} ({kind})\nRelation IDs: {ids}")
    return ToolReply(f"Relation created: #{one} → #{other} ({kind})\nRelation ID: {edges[0].id}")


def unrelate(context: ToolContext, arguments: Arguments) -> ToolReply:
    number = _id(arguments)
    try:
        context.store.unrelate(number)
    except NotFound:
        raise ModicumError(f"relation {number} not found") from None
    return ToolReply(f"Relation {number} removed")


def compact(context: ToolContext, arguments: Arguments) -> ToolReply:
    days = arguments.number("older_than_days")
    if not days:
        raise ModicumError("'older_than_days' is required and must be > 0")
    until = stamp(max(0.0, context.store.clock() - days * DAY_SECONDS))
    query = _query(arguments, 200)._replace(until=until)
    if "compact_ids" not in arguments.arguments:
        return ToolReply(_stale(context, query, days))
    title, content = arguments.text("summary_title"), arguments.text("summary_content")
    if content and not title:
        raise ModicumError("'summary_content' requires 'summary_title'")
    numbers = arguments.numbers("compact_ids")
    done = context.store.compact(
        numbers, query, title=title, content=content, session_id=arguments.text("session_id")
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


def _stale(context: ToolContext, query: Query, days: int) -> str:
    found = context.store.stale(query)
    if not found:
        return f"No stale observations found older than {days} days."
    rows = "".join(
        f"- **ID {note.id}** | {texts.shorten(note.title, 50)} | {note.type} | `{note.project}` | "
        f"created: {plain_time(note.created_at)}\n"
        for note in found
    )
    ids = json.dumps([note.id for note in found], separators=(",", ":"))
    return f"# Stale Observations (older than {days} days)\n\n{rows}\n`compact_ids`: `{ids}`"


def stats(context: ToolContext, arguments: Arguments) -> ToolReply:
    found = context.store.stats()
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
         ADDS, save, Domain.MEMORY),
    Tool("mem_session", "Session", "Start or end a session.",
         {"action*": schema.one_of("start", "end"), "id*": _TEXT, "project": _TEXT, "directory": _TEXT, "summary": _TEXT},
         CHANGES, session, Domain.MEMORY),
    Tool("mem_search", "Search", "Search memory.", {"query*": _TEXT, "type": _TEXT, **_WHERE, **_AMOUNT}, READS, search, Domain.MEMORY),
    Tool("mem_context", "Context", "Recent sessions, prompts and observations.", {**_WHERE, **_AMOUNT}, READS, read_context, Domain.MEMORY),
    Tool("mem_timeline", "Timeline", "What was observed around an observation.",
         {"observation_id*": _NUMBER, "before": _NUMBER, "after": _NUMBER, **_AMOUNT}, READS, timeline, Domain.MEMORY),
    Tool("mem_get", "Get", "An observation, whole.", {"id*": _NUMBER, "depth": _NUMBER}, READS, get, Domain.MEMORY),
    Tool("mem_progress", "Progress", "Read or write a project's progress document (JSON).",
         {"project*": _TEXT, "content": _TEXT, "session_id": _TEXT, "namespace": _TEXT}, CHANGES, progress, Domain.MEMORY),
    Tool("mem_delete", "Delete", "Delete an observation.", {"id*": _NUMBER, "hard_delete": _FLAG}, DESTROYS, delete, Domain.MEMORY),
    Tool("mem_update", "Update", "Change an observation.",
         {"id*": _NUMBER, **_NOTE, "project": _TEXT, "scope": _TEXT, "topic_key": _TEXT}, CHANGES, update, Domain.MEMORY),
    Tool("mem_suggest_topic_key", "Topic key", "A key for a topic that evolves.", _NOTE, READS, suggest, Domain.MEMORY),
    Tool("mem_relate", "Relate", "Add or remove a relation.",
         {"action": schema.one_of("add", "remove"), "from_id": _NUMBER, "to_id": _NUMBER, "relation_type": _TEXT,
          "note": _TEXT, "bidirectional": _FLAG, "id": _NUMBER}, CHANGES, relate, Domain.MEMORY),
    Tool("mem_compact", "Compact", "List old observations, or put a summary in their place.",
         {"older_than_days*": _NUMBER, **_WHERE, "compact_ids": _TEXT, "summary_title": _TEXT, "summary_content": _TEXT,
          "session_id": _TEXT}, DESTROYS, compact, Domain.MEMORY),
    Tool("mem_stats", "Stats", "How much there is in memory.", {}, READS, stats, Domain.MEMORY),
    Tool("mem_session_summary", "Summary", "Save a session's summary as an observation.",
         {"content*": _TEXT, **_SESSION}, ADDS, session_summary, Domain.MEMORY),
)
# fmt: on
