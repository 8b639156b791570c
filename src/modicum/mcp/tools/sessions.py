"""The MCP tools for sessions: start, end, summary, prompts, learnings and the progress document."""

from modicum.app.memory.notes import find_note
from modicum.app.memory.whole_items import progress_text
from modicum.app.session.events import end_session
from modicum.base.errors import ModicumError
from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ADDS, CHANGES, Domain, Tool, ToolContext
from modicum.mcp.tools.memory import done, told
from modicum.memory.model import SESSION_SUMMARY, NoteDraft, NotFound


def session(context: ToolContext, arguments: Arguments) -> ToolReply:
    key, action = arguments.needed("id"), arguments.choice("action", ("start", "end"))
    if action == "start":
        name = schema.project_of(context, arguments, writing=True)
        context.store.start_session(key, project=name, directory=arguments.text("directory"))
        return done(arguments, f"session:{key} started.", id=f"session:{key}")
    if action == "end":
        if end_session(context.store, key, arguments.text("summary")) is None:
            raise NotFound(f'there is no session "{key[:60]}"', remedy="start it with action=start")
        return done(arguments, f"session:{key} ended.", id=f"session:{key}")
    raise ModicumError("action is missing", remedy="give one of: start, end")


def summary(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs the MCP tool that saves a session's summary, both as a note and with the session."""
    project, key = schema.project_of(context, arguments, writing=True), arguments.text("session_id")
    content = arguments.needed("content")
    draft = NoteDraft(f"Session summary: {project}", content, SESSION_SUMMARY, project, key)
    saved = context.store.save(draft)
    if key:
        context.store.end_session(key, content)
    return told(arguments, find_note(context.store, saved.id), f"{saved.outcome}.")


def save_prompt(context: ToolContext, arguments: Arguments) -> ToolReply:
    project = schema.project_of(context, arguments, writing=True)
    kept = context.store.add_prompt(
        arguments.needed("content"), session_id=arguments.text("session_id"), project=project
    )
    return done(arguments, f"prompt:{kept.id} saved.", id=f"prompt:{kept.id}")


def capture(context: ToolContext, arguments: Arguments) -> ToolReply:
    found = context.store.capture(
        arguments.needed("content"),
        project=schema.project_of(context, arguments, writing=True),
        session_id=arguments.text("session_id"),
        source=arguments.text("source") or "mcp",
    )
    ids = [*context.store.names(found.saved).values()]
    new = ": ".join(filter(None, (f"{len(ids)} new", ", ".join(ids))))
    sentence = f"{found.extracted} learnings found, {new}."
    hint = "" if found.extracted else ' List them under a heading "## Key Learnings".'
    return done(arguments, sentence + hint, ids=ids)


def progress(context: ToolContext, arguments: Arguments) -> ToolReply:
    writing = "content" in arguments.arguments
    project = schema.project_of(context, arguments, writing=writing)
    namespace = arguments.text("namespace")
    if not project:
        raise ModicumError("progress is kept by project", remedy="call again with project")
    if writing:
        kept = context.store.put_progress(project, arguments.text("content"), namespace)
        return done(
            arguments, f"Progress of {project} kept, revision {kept.revision_count}.", project=project
        )
    text = progress_text(context.store, project, namespace)
    if text is None:
        return done(arguments, f"No progress of {project} is written down yet.", project=project)
    return whole_reply(text, arguments)


_SESSION = {"session_id": schema.text(), "project": schema.PROJECT}

TOOLS = (
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
        Domain.MEMORY,
    ),
    Tool(
        "mem_summary",
        "Save a session summary",
        "Before you finish, or after compaction: Goal, Discoveries, Accomplished, Next Steps, Relevant Files.",
        {"content*": schema.text(), **_SESSION},
        ADDS,
        summary,
        Domain.MEMORY,
    ),
    Tool(
        "mem_save_prompt",
        "Save a prompt",
        "Keep what the user typed.",
        {"content*": schema.text(), **_SESSION},
        ADDS,
        save_prompt,
        Domain.MEMORY,
    ),
    Tool(
        "mem_capture",
        "Capture learnings",
        'Keep the items that a text lists under "## Key Learnings".',
        {"content*": schema.text(), "source": schema.text(), **_SESSION},
        CHANGES,
        capture,
        Domain.MEMORY,
    ),
    Tool(
        "mem_progress",
        "Progress of a project",
        "Read the progress document of a project, or replace it with content.",
        {
            "content": schema.text("one JSON value"),
            "namespace": schema.text("an agent's own"),
            "project": schema.PROJECT,
            "cursor": schema.text(),
        },
        CHANGES,
        progress,
        Domain.MEMORY,
    ),
)
