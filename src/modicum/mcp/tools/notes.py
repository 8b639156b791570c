"""The MCP tools that change single notes: update, delete, pin, relate, compact."""

from modicum.app.counted import counted
from modicum.app.memory import notes
from modicum.app.memory.notes import note_numbers, suggest_topic_key, with_title
from modicum.app.memory.query import older_than
from modicum.app.memory.whole_texts import list_old_notes
from modicum.base.errors import ModicumError, Remedy
from modicum.mcp import schema
from modicum.mcp.args import Arguments
from modicum.mcp.pages import whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import CHANGES, DESTROYS, READS, Tool, ToolContext
from modicum.mcp.tools.memory import done, note_of, told
from modicum.memory.model import RELATION_TYPES, SCOPES, Changes, NotFound

CHANGEABLE = ("title", "content", "type", "project", "topic_key")


def update(context: ToolContext, arguments: Arguments) -> ToolReply:
    given = {name: arguments.text(name) for name in CHANGEABLE if name in arguments.arguments}
    if "scope" in arguments.arguments:
        given["scope"] = arguments.choice("scope", SCOPES)
    if not given:
        raise ModicumError(
            "there is nothing to change", remedy=f"give one of: {', '.join(CHANGEABLE)}, scope"
        )
    note = context.store.update(note_of(context, arguments).id, Changes(**given))
    return told(arguments, note, f"updated, revision {note.revision_count}.")


def delete(context: ToolContext, arguments: Arguments) -> ToolReply:
    hard, restore = arguments.flag("hard"), arguments.flag("restore")
    note = note_of(context, arguments, deleted=restore)
    if restore:
        return told(arguments, context.store.restore(note.id), "is back.")
    if not context.store.delete(note.id, hard=hard):
        raise NotFound(f"there is no note {note.public_id}", remedy=Remedy("note.find"))
    return told(arguments, note, f"deleted{' for good' if hard else '; restore=true brings it back'}.")


def pin(context: ToolContext, arguments: Arguments) -> ToolReply:
    note, off = note_of(context, arguments), arguments.flag("off")
    context.store.pin(note.id, pinned=not off)
    return told(arguments, note, f"is {'no longer ' if off else ''}pinned.")


def relate(context: ToolContext, arguments: Arguments) -> ToolReply:
    if "remove" in arguments.arguments:
        number = arguments.number("remove") or 0
        context.store.unrelate(number)
        return done(arguments, f"Relation {number} removed.", id=number)
    one, other = (note_of(context, arguments, name) for name in ("from_id", "to_id"))
    kind, why = arguments.text("type"), arguments.text("note")
    (edge,) = notes.relate(context.store, one.id, other.id, kind, note=why)
    sentence = f"{with_title(one)} {edge.type} {with_title(other)} (relation {edge.id})."
    return done(arguments, sentence, id=edge.id)


def compact(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs the MCP tool that lists old notes; with ids, replaces those notes by a summary."""
    query = older_than(
        arguments.needed("before"),
        project=schema.project_of(context, arguments),
        kind=arguments.text("type"),
    )
    numbers = note_numbers(context.store, arguments.keys("ids"))
    if not numbers:
        rows = list_old_notes(context.store, query)
        return whole_reply(rows, arguments)
    title, text = arguments.text("summary_title"), arguments.text("summary")
    made = context.store.compact(numbers, query, title=title, content=text)
    names = context.store.names((*made.deleted, *filter(None, (made.summary_id,))))
    into = f" into {names[made.summary_id]}" if made.summary_id else ""
    skipped = f" {len(made.skipped)} left alone: gone, pinned or too young." if made.skipped else ""
    sentence = f"{counted(len(made.deleted), 'note')} compacted{into}.{skipped}"
    gone = [names[number] for number in made.deleted]
    return done(arguments, sentence, id=names.get(made.summary_id), compacted=gone)


def suggest(context: ToolContext, arguments: Arguments) -> ToolReply:
    title, content = arguments.text("title"), arguments.text("content")
    if not (title.strip() or content.strip()):
        raise ModicumError("title and content are missing", remedy="give one of them")
    key = suggest_topic_key(arguments.text("type"), title, content)
    return done(arguments, key, topic_key=key)


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
            "from_id": schema.text(),
            "to_id": schema.text(),
            "type": schema.text(", ".join(RELATION_TYPES)),
            "note": schema.text(),
            "remove": schema.whole("id of a relation"),
        },
        CHANGES,
        relate,
    ),
    Tool(
        "mem_compact",
        "Compact old notes",
        "List notes older than a day; with ids, put one summary in their place (they can be restored).",
        {
            "before*": schema.text("2026-06-01"),
            "ids": {"type": "array", "items": {"type": "string"}},
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
)
