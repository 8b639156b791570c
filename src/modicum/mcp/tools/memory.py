"""The tools that read memory, and the one that every agent writes with."""

from modicum.app.answer.whole import WholeText
from modicum.app.memory import recall
from modicum.app.memory.notes import look
from modicum.app.memory.notes import save as keep
from modicum.base.errors import ModicumError
from modicum.mcp import schema
from modicum.mcp.args import Arguments
from modicum.mcp.pages import amount_of, page_reply, whole_reply
from modicum.mcp.reply import Data, ToolReply
from modicum.mcp.tool import ADDS, READS, Tool, ToolContext
from modicum.memory.blocks import minute, prompt_key, session_key, title_of
from modicum.memory.model import (
    DEFAULT_TYPE,
    PROJECT,
    SCOPES,
    Note,
    NoteDraft,
    NotFound,
    Prompt,
    Relation,
    Session,
)

NOTHING_YET = "There are no notes here yet. mem_save keeps one."
NO_HITS = 'Nothing answers that. Try other words, or project="*".'
NAMED_RELATIONS = 20
AROUND = 5


def save(desk: ToolContext, asked: Arguments) -> ToolReply:
    draft = NoteDraft(
        asked.needed("title"),
        asked.needed("content"),
        asked.text("type") or DEFAULT_TYPE,
        schema.project_of(desk, asked),
        asked.text("session_id"),
        asked.choice("scope", SCOPES) or SCOPES[0],
        asked.text("topic_key"),
        asked.text("namespace"),
    )
    kept = keep(desk.store, draft)
    number, outcome = kept.saved.id, str(kept.saved.outcome)
    hint = f" Later revisions: topic_key={kept.suggested_topic}" if kept.suggested_topic else ""
    return done(asked, f"#{number} {outcome}.{hint}", *kept.remarks, id=number, outcome=outcome)


def search(desk: ToolContext, asked: Arguments) -> ToolReply:
    words, query = asked.needed("query"), schema.query_of(desk, asked)
    amount = amount_of(asked, items=recall.SEARCH_ITEMS)
    return page_reply(recall.search(desk.store, words, query, amount), amount, asked, NO_HITS)


def context(desk: ToolContext, asked: Arguments) -> ToolReply:
    query, amount = schema.query_of(desk, asked), amount_of(asked)
    # Of one session, only what is its own is told.
    counts = recall.RecallCounts(0, 0, 0) if query.session else None
    return page_reply(recall.recall(desk.store, query, amount, counts), amount, asked, NOTHING_YET)


def timeline(desk: ToolContext, asked: Arguments) -> ToolReply:
    number = asked.id("id", "note_id")
    beside = {name: asked.number(name, asked.number("limit", AROUND)) or 0 for name in ("before", "after")}
    amount = amount_of(asked)._replace(most_items=0)  # `limit` is how many before and after
    try:
        notes = recall.timeline(desk.store, number, amount, **beside)
    except NotFound:
        raise _missing(number) from None
    return page_reply(notes, amount, asked, "")


def get(desk: ToolContext, asked: Arguments) -> ToolReply:
    return whole_reply(whole_of(desk, asked.key("id", "note_id")), asked)


def whole_of(desk: ToolContext, key: int | str) -> WholeText:
    """What a handle stands for."""
    if isinstance(key, int):
        return _whole_note(desk, key)
    kind, _, name = key.partition(":")
    if kind == "session" and (session := desk.store.session(name)):
        return _whole_session(session)
    if (
        kind == "prompt"
        and name.isascii()
        and name.isdigit()
        and (prompt := desk.store.prompt(int(name[:18])))
    ):
        return _whole_prompt(prompt)
    raise ModicumError(
        f'there is nothing behind "{key[:60]}"',
        remedy="give the number of a note, such as 42; mem_search finds notes",
    )


def _whole_note(desk: ToolContext, number: int) -> WholeText:
    try:
        found = look(desk.store, number)
    except NotFound:
        raise _missing(number) from None
    note = found.note
    scope = "" if note.scope == PROJECT else note.scope
    about = (
        note.type,
        note.project,
        scope,
        minute(note.updated_at),
        note.topic_key,
        f"session {note.session_id}",
    )
    marks = (
        "pinned" if note.pinned else "",
        f"revision {note.revision_count}" if note.revision_count > 1 else "",
    )
    links = [_link(note, relation) for relation in found.relations]
    head = [f"#{note.id} {title_of(note)}", " · ".join(filter(None, (*about, *marks)))]
    if links:
        more = f" and {len(links) - NAMED_RELATIONS} more" if len(links) > NAMED_RELATIONS else ""
        head.append(f"Relations: {'; '.join(links[:NAMED_RELATIONS])}{more}")
    long_title = f"{note.title}\n\n" if " ".join(note.title.split()) != title_of(note) else ""
    return WholeText("\n".join(head), long_title + note.content, _note_fields(note, links))


def _note_fields(note: Note, links: list[str]) -> Data:
    names = ("type", "project", "scope", "topic_key", "session_id", "created_at", "updated_at")
    told: Data = {"id": note.id, "title": title_of(note)}
    told |= {name: value for name in names if (value := getattr(note, name))}
    return told | ({"relations": links[:NAMED_RELATIONS]} if links else {})


def _link(note: Note, relation: Relation) -> str:
    arrow, other = ("→", relation.to_id) if relation.from_id == note.id else ("←", relation.from_id)
    about = f": {relation.note}" if relation.note else ""
    return f"{arrow} #{other} {relation.type} (relation {relation.id}){about[:200]}"


def _whole_session(session: Session) -> WholeText:
    times = f"{minute(session.started_at)} to {minute(session.ended_at) or 'now'}"
    head = (
        f"{session_key(session)} {session.project} {times}\n"
        f"{session.notes} notes: mem_context session_id={session.id}"
    )
    told: Data = {
        "id": session_key(session),
        "project": session.project,
        "notes": session.notes,
    }
    return WholeText(head, session.summary or "(no summary)", told)


def _whole_prompt(prompt: Prompt) -> WholeText:
    head = f"{prompt_key(prompt)} {prompt.project} {minute(prompt.created_at)}"
    return WholeText(head, prompt.content, {"id": prompt_key(prompt), "project": prompt.project})


def _missing(number: int) -> ModicumError:
    return ModicumError(
        f"there is no note #{number}", remedy="mem_search finds notes; ids are the numbers after #"
    )


def done(asked: Arguments, sentence: str, *remarks: str, **data: object) -> ToolReply:
    """What a write answers: one line, with the id."""
    line = " ".join((sentence, *remarks, *(f"({remark})" for remark in asked.remarks)))
    return ToolReply(line, {"text": line, **data})


SAVE = Tool(
    "mem_save",
    "Save a note",
    "Keep a decision, fix, discovery, pattern, preference or config that later sessions should know. "
    "Short verb-first title; content: What, Why, Where, Learned. Answers with the id.",
    {
        "title*": schema.text(),
        "content*": schema.text("any length; kept whole"),
        "type": schema.text("decision, bugfix, discovery, pattern, config, preference, architecture"),
        "topic_key": schema.text("same key later: a new revision instead of a second note"),
        "scope": schema.SCOPE,
        "project": schema.PROJECT,
        "session_id": schema.text(),
    },
    ADDS,
    save,
)
SEARCH = Tool(
    "mem_search",
    "Search notes",
    "Find notes by a plain question or words, best first. Use before work that may have been done or decided before.",
    {
        "query*": schema.text('a question; "quoted" words to the letter; #42; a topic key'),
        "type": schema.text(),
        "project": schema.PROJECT,
        "since": schema.text("2026-11-15"),
        "until": schema.text(),
        **schema.READING,
    },
    READS,
    search,
)
CONTEXT = Tool(
    "mem_context",
    "Recall context",
    "What a session should know at its start: pinned and recent notes, last sessions. Also after compaction.",
    {"project": schema.PROJECT, "session_id": schema.text("only notes of this session"), **schema.READING},
    READS,
    context,
)
TIMELINE = Tool(
    "mem_timeline",
    "Timeline of a note",
    "What was noted before and after a note in its session. Standard: the note whole, neighbours as snippets.",
    {
        "id*": schema.ID,
        "before": schema.whole("default 5"),
        "after": schema.whole("default 5"),
        **schema.READING,
    },
    READS,
    timeline,
)
GET = Tool(
    "mem_get",
    "Get a note whole",
    "A note, always whole, with its relations. What exceeds 25000 tokens comes by pages.",
    {
        "id*": schema.text('"42" or "#42"; also session:ID or prompt:7'),
        "cursor": schema.AMOUNT["cursor"],
        "max_tokens": schema.whole("size of a page"),
    },
    READS,
    get,
    {"anthropic/maxResultSizeChars": 200_000},
)

TOOLS = (SAVE, SEARCH, CONTEXT, TIMELINE, GET)
