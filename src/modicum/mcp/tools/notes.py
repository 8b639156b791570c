"""The MCP tools that change single notes: update, delete, pin, relate, compact."""

from modicum.app.counted import counted
from modicum.app.memory import notes
from modicum.app.memory.lists import ReadItems
from modicum.app.memory.notes import suggest_topic_key, with_title
from modicum.app.memory.query import older_than
from modicum.app.memory.upkeep.compact import compact_notes, list_old_notes
from modicum.base.errors import ModicumError
from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import CHANGES, DESTROYS, READS, Domain, Tool, ToolContext
from modicum.mcp.tools.memory import done, note_of, told
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import RELATION_TYPES, SCOPES, Changes

CHANGEABLE = ("title", "content", "type", "project", "topic_key")


def update(context: ToolContext, arguments: Arguments) -> ToolReply:
    given = {name: arguments.text(name) for name in CHANGEABLE if name in arguments.arguments}
    if "scope" in arguments.arguments:
        given["scope"] = arguments.choice("scope", SCOPES)
    if not given:
        raise ModicumError(
            "there is nothing to change", remedy=f"give one of: {', '.join(CHANGEABLE)}, scope"
        )
    if given.get("project"):
        given["project"] = schema.project_of(context, arguments)
    note = context.store.update(note_of(context, arguments).id, Changes(**given))
    return told(arguments, note, f"updated, revision {note.revision_count}.")


def delete(context: ToolContext, arguments: Arguments) -> ToolReply:
    hard, restore = arguments.flag("hard"), arguments.flag("restore")
    note = note_of(context, arguments, deleted=restore)
    if restore:
        return told(arguments, context.store.restore(note.id), "is back.")
    notes.delete_notes(context.store, [note], hard=hard)
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
    query = older_than(arguments.needed("before"), schema.words_of(context, arguments, writing=True))
    ids = arguments.keys("ids")
    if not ids:
        return _old_notes(list_old_notes(context.store, query), arguments)
    title, text = arguments.text("summary_title"), arguments.text("summary")
    made = compact_notes(context.store, ids, query, title=title, content=text)
    into = f" into {made.summary}" if made.summary else ""
    skipped = f" {len(made.skipped)} left alone: gone, pinned or too young." if made.skipped else ""
    sentence = f"{counted(len(made.deleted), 'note')} compacted{into}.{skipped}"
    return done(arguments, sentence, id=made.summary or None, compacted=[*made.deleted])


def _old_notes(read: ReadItems, arguments: Arguments) -> ToolReply:
    amount = amount_of(arguments)
    found = read(amount)
    if found.total:
        arguments.remarks.append("to compact them, call again with ids, summary_title and summary")
    return page_reply(found, amount, arguments, "No note is older.")


def suggest(context: ToolContext, arguments: Arguments) -> ToolReply:
    title, content = arguments.text("title"), arguments.text("content")
    if not (title.strip() or content.strip()):
        raise ModicumError("title and content are missing", remedy="give one of them")
    key = suggest_topic_key(arguments.text("type"), title, content)
    return done(arguments, key, topic_key=key)


TOOLS = (
    Tool(
        "mem_update",
        "Change a note",
        "Change fields of a note; what it said before stays in its history.",
        {"id*": schema.ID, **{name: schema.text() for name in CHANGEABLE}, "scope": schema.SCOPE},
        CHANGES,
        update,
        Domain.MEMORY,
    ),
    Tool(
        "mem_delete",
        "Delete a note",
        "Delete a note that is wrong or obsolete, or bring it back.",
        {"id*": schema.ID, "hard": schema.flag("for good"), "restore": schema.flag("bring it back")},
        DESTROYS,
        delete,
        Domain.MEMORY,
    ),
    Tool(
        "mem_pin",
        "Pin a note",
        "Tell a note first in every session.",
        {"id*": schema.ID, "off": schema.flag("unpin")},
        CHANGES,
        pin,
        Domain.MEMORY,
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
        Domain.MEMORY,
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
            **schema.filters(ItemKind.NOTE, without=("until",)),
            **schema.READING,
        },
        DESTROYS,
        compact,
        Domain.MEMORY,
    ),
    Tool(
        "mem_suggest_topic_key",
        "Suggest a topic key",
        "A key under which later notes on the same matter become revisions.",
        {"title": schema.text(), "content": schema.text(), "type": schema.text()},
        READS,
        suggest,
        Domain.MEMORY,
    ),
)
