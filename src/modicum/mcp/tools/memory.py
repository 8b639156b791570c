"""The MCP tools that read memory, and the one that saves a note."""

from modicum.app.answer.harmless import harmless_json
from modicum.app.memory import recall
from modicum.app.memory.inbox import waits_instead
from modicum.app.memory.notes import find_note, with_title
from modicum.app.memory.notes import save as keep
from modicum.app.memory.whole_items import whole_item
from modicum.app.whose import meant_line, projects_meant
from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply, whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ADDS, READS, Domain, Tool, ToolContext
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import DEFAULT_TYPE, NOTE_TYPES_LISTED, SCOPES, Note, NoteDraft, Query

NOTHING_YET = "There are no notes here yet. mem_save keeps one."
NO_HITS = 'Nothing answers that. Try other words, or project="*".'
THE_USER = "the user can look at them"
AROUND = 5


def save(context: ToolContext, arguments: Arguments) -> ToolReply:
    draft = NoteDraft(
        arguments.needed("title"),
        arguments.needed("content"),
        arguments.text("type") or DEFAULT_TYPE,
        schema.project_of(context, arguments, writing=True),
        arguments.text("session_id"),
        arguments.choice("scope", SCOPES) or SCOPES[0],
        arguments.text("topic_key"),
        arguments.text("namespace"),
    )
    kept = keep(context.store, draft, context.config)
    outcome = str(kept.saved.outcome)
    hint = f" Later revisions: topic_key={kept.suggested_topic}" if kept.suggested_topic else ""
    return told(arguments, kept.note, f"{outcome}.{hint}", *kept.remarks, outcome=outcome)


def search(context: ToolContext, arguments: Arguments) -> ToolReply:
    words, query = arguments.needed("query"), schema.query_of(context, arguments)
    amount = amount_of(arguments, items=recall.SEARCH_ITEMS)
    found = recall.search(context.store, words, query, amount)
    empty = "" if found.total else _or_elsewhere(NO_HITS, query, context, arguments)
    return page_reply(found, amount, arguments, empty)


def _or_elsewhere(words: str, query: Query, context: ToolContext, arguments: Arguments) -> str:
    """Returns the words of an MCP tool for nothing found, with what waits, and the projects that the folder may mean instead."""
    word = arguments.text("project") or context.project
    waits = waits_instead(context.store, query, THE_USER)
    return f"{words}{waits} {meant_line(projects_meant(context.store, context.config, word))}".strip()


def recall_context(context: ToolContext, arguments: Arguments) -> ToolReply:
    query, amount = schema.query_of(context, arguments), amount_of(arguments, items=recall.RECENT_ITEMS)
    found = recall.recall(context.store, query, amount)
    empty = "" if found.total else _or_elsewhere(NOTHING_YET, query, context, arguments)
    return page_reply(found, amount, arguments, empty)


def timeline(context: ToolContext, arguments: Arguments) -> ToolReply:
    number = note_of(context, arguments).id
    beside = {name: arguments.number(name, AROUND) or 0 for name in ("before", "after")}
    amount = amount_of(arguments)._replace(most_items=0)  # there is no limit but these two
    return page_reply(recall.timeline(context.store, number, amount, **beside), amount, arguments, "")


def get(context: ToolContext, arguments: Arguments) -> ToolReply:
    return whole_reply(whole_item(context.store, arguments.key()), arguments)


def note_of(context: ToolContext, arguments: Arguments, name: str = "id", *, deleted: bool = False) -> Note:
    """Returns the note in memory that a tool call is about, by the public id or number in an argument."""
    return find_note(context.store, arguments.key(name), deleted=deleted)


def told(arguments: Arguments, note: Note, sentence: str, *remarks: str, **data: object) -> ToolReply:
    """Returns what an MCP tool for memory replies after it changed a note: one line with its id and title."""
    line = f"{with_title(note)} {sentence}"
    return done(arguments, line, *remarks, id=note.public_id, number=note.id, **data)


def done(arguments: Arguments, sentence: str, *remarks: str, **data: object) -> ToolReply:
    """Returns what an MCP tool for memory replies after it wrote something: one line with the id."""
    line = harmless_json(" ".join((sentence, *remarks, *(f"({remark})" for remark in arguments.remarks))))
    return ToolReply(line, {"text": line, **data})


SAVE = Tool(
    "mem_save",
    "Save a note",
    "Keep a decision, fix, discovery, pattern, preference or config that later sessions should know. "
    "Short verb-first title; content: What, Why, Where, Learned. Answers with the id.",
    {
        "title*": schema.text(),
        "content*": schema.text("any length; kept whole"),
        "type": schema.text(NOTE_TYPES_LISTED),
        "topic_key": schema.text("same key later: a new revision instead of a second note"),
        "scope": schema.SCOPE,
        "project": schema.PROJECT,
        "session_id": schema.text(),
    },
    ADDS,
    save,
    Domain.MEMORY,
)
SEARCH = Tool(
    "mem_search",
    "Search notes",
    "Find notes by a plain question or words, best first. Use before work that may have been done or decided before.",
    {
        "query*": schema.text('a question; "quoted" words to the letter; an id; a topic key'),
        **schema.filters(ItemKind.NOTE),
        **schema.READING,
    },
    READS,
    search,
    Domain.MEMORY,
)
CONTEXT = Tool(
    "mem_context",
    "Recall context",
    "What a session should know at its start: pinned and recent notes, last sessions. Also after compaction.",
    {**schema.filters(*ItemKind), **schema.READING},
    READS,
    recall_context,
    Domain.MEMORY,
)
TIMELINE = Tool(
    "mem_timeline",
    "Timeline of a note",
    "What was noted before and after a note in its session. Standard: the note whole, neighbours as snippets.",
    {
        "id*": schema.ID,
        "before": schema.whole("default 5"),
        "after": schema.whole("default 5"),
        **{name: each for name, each in schema.READING.items() if name != "limit"},
    },
    READS,
    timeline,
    Domain.MEMORY,
)
GET = Tool(
    "mem_get",
    "Get a note whole",
    "A note, always whole, with its relations. What exceeds 25000 tokens comes by pages.",
    {
        "id*": schema.text("n-7kq2m4 or 42; also session:ID or prompt:7"),
        "cursor": schema.AMOUNT["cursor"],
        "max_tokens": schema.whole("size of a page"),
    },
    READS,
    get,
    Domain.MEMORY,
    {"anthropic/maxResultSizeChars": 200_000},
)

TOOLS = (SAVE, SEARCH, CONTEXT, TIMELINE, GET)
