"""The rest of what an agent does with memory: change, connect, sum up, tidy."""

from modicum.app.answer.whole import WholeText
from modicum.base.errors import ModicumError
from modicum.mcp import schema
from modicum.mcp.args import Arguments
from modicum.mcp.pages import whole_reply
from modicum.mcp.reply import Data, ToolReply
from modicum.mcp.tool import ADDS, CHANGES, DESTROYS, READS, Tool, ToolContext
from modicum.mcp.tools.memory import done
from modicum.memory.blocks import day, minute, title_of
from modicum.memory.model import RELATES_TO, SCOPES, SESSION_SUMMARY, Changes, NoteDraft, NotFound, Query
from modicum.memory.times import parse_time
from modicum.memory.topics import suggest_topic

CHANGEABLE = ("title", "content", "type", "project", "topic_key")


def update(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = asked.id()
    given = {name: asked.text(name) for name in CHANGEABLE if name in asked.arguments}
    if "scope" in asked.arguments:
        given["scope"] = asked.choice("scope", SCOPES)
    if not given:
        raise ModicumError(
            "there is nothing to change", remedy=f"give one of: {', '.join(CHANGEABLE)}, scope"
        )
    note = desk.store.update(number, Changes(**given))
    return done(asked, f"#{number} updated, revision {note.revision_count}.", id=number)


def delete(desk: ToolContext, asked: Arguments) -> ToolReply:
    number, hard = asked.id(), asked.flag("hard")
    if asked.flag("restore"):
        desk.store.restore(number)
        return done(asked, f"#{number} is back.", id=number)
    if not desk.store.delete(number, hard=hard):
        raise NotFound(f"there is no note #{number}", remedy="mem_search finds notes")
    return done(
        asked, f"#{number} deleted{' for good' if hard else '; restore=true brings it back'}.", id=number
    )


def pin(desk: ToolContext, asked: Arguments) -> ToolReply:
    number, off = asked.id(), asked.flag("off")
    desk.store.pin(number, pinned=not off)
    return done(asked, f"#{number} is {'no longer ' if off else ''}pinned.", id=number)


def relate(desk: ToolContext, asked: Arguments) -> ToolReply:
    if "remove" in asked.arguments:
        number = asked.id("remove")
        desk.store.unrelate(number)
        return done(asked, f"Relation {number} removed.", id=number)
    one, other = asked.id("from_id"), asked.id("to_id")
    kind = asked.text("type") or RELATES_TO
    (edge,) = desk.store.relate(one, other, kind, note=asked.text("note"))
    return done(asked, f"#{one} {edge.type} #{other} (relation {edge.id}).", id=edge.id)


def session(desk: ToolContext, asked: Arguments) -> ToolReply:
    key, action = asked.needed("id"), asked.choice("action", ("start", "end"))
    if action == "start":
        name = schema.project_of(desk, asked)
        desk.store.start_session(key, project=name, directory=asked.text("directory"))
        return done(asked, f"session:{key} started.", id=f"session:{key}")
    if action == "end":
        if desk.store.end_session(key, asked.text("summary")) is None:
            raise NotFound(f'there is no session "{key[:60]}"', remedy="start it with action=start")
        return done(asked, f"session:{key} ended.", id=f"session:{key}")
    raise ModicumError("action is missing", remedy="give one of: start, end")


def summary(desk: ToolContext, asked: Arguments) -> ToolReply:
    """Kept as a note, so that it is found, and with its session, so that it is told at the next start."""
    project, key = schema.project_of(desk, asked), asked.text("session_id")
    content = asked.needed("content")
    draft = NoteDraft(f"Session summary: {project}", content, SESSION_SUMMARY, project, key)
    saved = desk.store.save(draft)
    if key:
        desk.store.end_session(key, content)
    return done(asked, f"#{saved.id} {saved.outcome}.", id=saved.id)


def save_prompt(desk: ToolContext, asked: Arguments) -> ToolReply:
    project = schema.project_of(desk, asked)
    kept = desk.store.add_prompt(
        asked.needed("content"), session_id=asked.text("session_id"), project=project
    )
    return done(asked, f"prompt:{kept.id} saved.", id=f"prompt:{kept.id}")


def capture(desk: ToolContext, asked: Arguments) -> ToolReply:
    found = desk.store.capture(
        asked.needed("content"),
        project=schema.project_of(desk, asked),
        session_id=asked.text("session_id"),
        source=asked.text("source") or "mcp",
    )
    ids = ", ".join(f"#{number}" for number in found.saved)
    sentence = f"{found.extracted} learnings found, {len(found.saved)} new{f': {ids}' if ids else ''}."
    hint = "" if found.extracted else ' List them under a heading "## Key Learnings".'
    return done(asked, sentence + hint, ids=[*found.saved])


def progress(desk: ToolContext, asked: Arguments) -> ToolReply:
    project, namespace = schema.project_of(desk, asked), asked.text("namespace")
    if not project:
        raise ModicumError("progress is kept by project", remedy="call again with project")
    if "content" in asked.arguments:
        kept = desk.store.put_progress(project, asked.text("content"), namespace)
        return done(asked, f"Progress of {project} kept, revision {kept.revision_count}.", project=project)
    found = desk.store.progress(project, namespace)
    if found is None:
        return done(asked, f"No progress of {project} is written down yet.", project=project)
    head = f"Progress of {project}, {minute(found.updated_at)}, revision {found.revision_count}"
    fields_: Data = {"project": project, "updated_at": found.updated_at}
    return whole_reply(WholeText(head, found.content, fields_), asked)


def compact(desk: ToolContext, asked: Arguments) -> ToolReply:
    """Without ids it lists what is old enough; with ids it puts a summary in their place."""
    query = Query(
        project=schema.project_of(desk, asked),
        type=asked.text("type"),
        until=parse_time(asked.needed("before")),
        limit=200,
    )
    numbers = asked.numbers("ids")
    if not numbers:
        rows = [f"- #{note.id} {day(note.created_at)} {title_of(note)}" for note in desk.store.stale(query)]
        head = f"{len(rows)} notes are older. Call again with ids, summary_title and summary."
        return whole_reply(WholeText(head, "\n".join(rows), {}, "notes"), asked)
    title, text = asked.text("summary_title"), asked.text("summary")
    made = desk.store.compact(numbers, query, title=title, content=text)
    into = f" into #{made.summary_id}" if made.summary_id else ""
    skipped = f" {len(made.skipped)} left alone: gone, pinned or too young." if made.skipped else ""
    sentence = f"{len(made.deleted)} notes compacted{into}.{skipped}"
    return done(asked, sentence, id=made.summary_id or None, compacted=[*made.deleted])


def suggest(desk: ToolContext, asked: Arguments) -> ToolReply:
    title, content = asked.text("title"), asked.text("content")
    if not (title.strip() or content.strip()):
        raise ModicumError("title and content are missing", remedy="give one of them")
    key = suggest_topic(asked.text("type"), title, content)
    return done(asked, key, topic_key=key)


def stats(desk: ToolContext, asked: Arguments) -> ToolReply:
    found = desk.store.stats()
    sentence = f"{found.notes} notes, {found.sessions} sessions, {found.prompts} prompts."
    counts = {"notes": found.notes, "sessions": found.sessions, "prompts": found.prompts}
    return done(asked, sentence, **counts)


def projects(desk: ToolContext, asked: Arguments) -> ToolReply:
    rows = [
        f"- {each.name or '(none)'}: {each.notes} notes, {each.sessions} sessions, {each.prompts} prompts, "
        f"latest {day(each.latest_at)}"
        for each in desk.store.projects()
    ]
    head = f"{len(rows)} projects"
    return whole_reply(WholeText(head, "\n".join(rows), {}, "projects"), asked)


_SESSION = {"session_id": schema.text(), "project": schema.PROJECT}
_CURSOR = {"cursor": schema.text()}

TOOLS = (
    Tool(
        "mem_update",
        "Change a note",
        "Change fields of a note; what it said before stays in its history.",
        {"id*": schema.ID, **{name: schema.text() for name in CHANGEABLE}, "scope": schema.SCOPE},
        CHANGES,
        update,
    ),
    Tool(
        "mem_delete",
        "Delete a note",
        "Delete a note that is wrong or obsolete, or bring it back.",
        {"id*": schema.ID, "hard": schema.flag("for good"), "restore": schema.flag("bring it back")},
        DESTROYS,
        delete,
    ),
    Tool(
        "mem_pin",
        "Pin a note",
        "Tell a note first in every session.",
        {"id*": schema.ID, "off": schema.flag("unpin")},
        CHANGES,
        pin,
    ),
    Tool(
        "mem_relate",
        "Connect notes",
        "Connect two notes, or remove a relation by its id.",
        {
            "from_id": schema.whole(),
            "to_id": schema.whole(),
            "type": schema.text(
                "relates_to, supersedes, contradicts, depends_on, caused_by, implements, part_of"
            ),
            "note": schema.text(),
            "remove": schema.whole("id of a relation"),
        },
        CHANGES,
        relate,
    ),
    Tool(
        "mem_session",
        "Start or end a session",
        "Start a session, or end it with a summary.",
        {
            "action*": schema.one_of("start", "end"),
            "id*": schema.text(),
            "summary": schema.text(),
            "directory": schema.text(),
            "project": schema.PROJECT,
        },
        CHANGES,
        session,
    ),
    Tool(
        "mem_summary",
        "Save a session summary",
        "Before you finish, or after compaction: Goal, Discoveries, Accomplished, Next Steps, Relevant Files.",
        {"content*": schema.text(), **_SESSION},
        ADDS,
        summary,
    ),
    Tool(
        "mem_save_prompt",
        "Save a prompt",
        "Keep what the user typed.",
        {"content*": schema.text(), **_SESSION},
        ADDS,
        save_prompt,
    ),
    Tool(
        "mem_capture",
        "Capture learnings",
        'Keep the items that a text lists under "## Key Learnings".',
        {"content*": schema.text(), "source": schema.text(), **_SESSION},
        CHANGES,
        capture,
    ),
    Tool(
        "mem_progress",
        "Progress of a project",
        "Read the progress document of a project, or replace it with content.",
        {
            "content": schema.text("one JSON value"),
            "namespace": schema.text("an agent's own"),
            "project": schema.PROJECT,
            **_CURSOR,
        },
        CHANGES,
        progress,
    ),
    Tool(
        "mem_compact",
        "Compact old notes",
        "List notes older than a day; with ids, put one summary in their place (they can be restored).",
        {
            "before*": schema.text("2026-06-01"),
            "ids": {"type": "array", "items": {"type": "integer"}},
            "summary_title": schema.text(),
            "summary": schema.text(),
            "type": schema.text(),
            "project": schema.PROJECT,
            **_CURSOR,
        },
        DESTROYS,
        compact,
    ),
    Tool(
        "mem_suggest_topic_key",
        "Suggest a topic key",
        "A key under which later notes on the same matter become revisions.",
        {"title": schema.text(), "content": schema.text(), "type": schema.text()},
        READS,
        suggest,
    ),
    Tool("mem_stats", "Memory stats", "How much there is in memory.", {}, READS, stats),
    Tool("mem_projects", "Projects", "Every project in memory.", _CURSOR, READS, projects),
)
