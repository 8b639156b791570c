"""The texts that Hoofy's memory tools answer, to the byte; but a text is never cut inside a character."""

from collections.abc import Sequence

from modicum.app.memory.notes import NoteDetails
from modicum.compat.engram.context_text import plain_time
from modicum.engine.page import Detail
from modicum.memory.model import Context, Neighbour, Note, Prompt, Relation, SearchHit, Session, Timeline
from modicum.memory.names import clip

SUMMARY_FOOTER = "\n---\n💡 Use detail_level: standard or full for more detail."
LEVELS = {"summary": Detail.SUMMARY, "standard": Detail.STANDARD, "full": Detail.FULL}
HEADS = {
    Detail.SUMMARY: "## Memory Context (summary)",
    Detail.STANDARD: "## Memory from Previous Sessions",
    Detail.FULL: "## Memory from Previous Sessions (full)",
}
NO_CONTEXT = "No memory context available yet. Start saving observations with mem_save."


def estimate(text: str) -> int:
    """Returns the number of tokens in a text of Hoofy's memory tools by Hoofy's estimate: four bytes each."""
    return max(1, len(text.encode()) // 4) if text else 0


def shorten(text: str, size: int) -> str:
    return text if len(text.encode()) <= size else f"{clip(text, size)}..."


def token_footer(text: str) -> str:
    return f"{text}\n📏 ~{estimate(text):,} tokens"


def budget_footer(used: int, most: int, shown: int, total: int) -> str:
    return (
        f"\n⚡ Budget: ~{used:,}/{most:,} tokens used. {shown} of {total} items shown. "
        "Increase max_tokens or use detail_level=summary for more."
    )


def navigation(shown: int, total: int, hint: str) -> str:
    return f"\n📊 Showing {shown} of {total}. {hint}" if 0 <= shown < total else ""


def context(found: Context, total: int, detail: Detail, most: int) -> str:
    """Returns the text of Hoofy's mem_context: sessions, prompts, and the notes within the budget."""
    if not (found.sessions or found.prompts or found.notes):
        return NO_CONTEXT
    titles = ("Sessions", "Prompts", "Observations")
    if detail is not Detail.SUMMARY:
        titles = ("Recent Sessions", "Recent User Prompts", "Recent Observations")
    text = f"{HEADS[detail]}\n\n"
    text += _part(titles[0], [_session(each, detail) for each in found.sessions])
    text += _part(titles[1], [_prompt(each, detail) for each in found.prompts])
    text += _notes(titles[2], [_note(each, detail) for each in found.notes], text, most)
    text += SUMMARY_FOOTER if detail is Detail.SUMMARY else ""
    text += navigation(len(found.notes), total, "Use mem_search to find specific memories.")
    return token_footer(text)


def _part(title: str, lines: Sequence[str]) -> str:
    return f"### {title}\n{''.join(lines)}\n" if lines else ""


def _notes(title: str, entries: Sequence[str], above: str, most: int) -> str:
    if not entries:
        return ""
    text = f"### {title}\n"
    for shown, entry in enumerate(entries):
        if most and estimate(above + text + entry) > most:
            return text + budget_footer(estimate(above + text), most, shown, len(entries))
        text += entry
    return text if entries[0].startswith("####") else f"{text}\n"


def _session(session: Session, detail: Detail) -> str:
    when = plain_time(session.started_at)
    if detail is Detail.SUMMARY:
        return f"- {session.project} ({when}) [{session.notes} obs]\n"
    summary = session.summary if detail is Detail.FULL else shorten(session.summary, 200)
    after = f": {summary}" if summary else ""
    return f"- **{session.project}** ({when}){after} [{session.notes} observations]\n"


def _prompt(prompt: Prompt, detail: Detail) -> str:
    width = {Detail.SUMMARY: 80, Detail.STANDARD: 200}.get(detail)
    text = shorten(prompt.content, width) if width else prompt.content
    return f"- {plain_time(prompt.created_at)}: {text}\n"


def _note(note: Note, detail: Detail) -> str:
    if detail is Detail.SUMMARY:
        return f"- #{note.id} [{note.type}] {note.title}\n"
    if detail is Detail.STANDARD:
        return f"- [{note.type}] **{note.title}**: {shorten(note.content, 300)}\n"
    return f"#### [{note.type}] {note.title} (ID: {note.id})\n{note.content}\n\n"


def search(hits: Sequence[SearchHit], total: int, detail: Detail, most: int) -> str:
    if not hits:
        return "No memories found matching your query."
    text = f"Found {len(hits)} memories:\n\n"
    for shown, hit in enumerate(hits):
        entry = _hit(shown + 1, hit.note, detail)
        if most and estimate(text + entry) > most:
            return token_footer(text + budget_footer(estimate(text), most, shown, len(hits)))
        text += entry
    text += SUMMARY_FOOTER if detail is Detail.SUMMARY else ""
    return token_footer(text + navigation(len(hits), total, "Use mem_get #ID for full content."))


def _hit(place: int, note: Note, detail: Detail) -> str:
    line = f"[{place}] #{note.id} ({note.type}) - {note.title}\n"
    if detail is Detail.SUMMARY:
        return line
    content = note.content if detail is Detail.FULL else shorten(note.content, 300)
    topic = f" | topic: {note.topic_key}" if note.topic_key else ""
    return f"{line}    {content}\n    {note.project}{topic} | scope: {note.scope}\n\n"


def timeline(found: Timeline, detail: Detail, most: int) -> str:
    shown, session, focus = len(found.before) + 1 + len(found.after), found.session, found.focus
    text = ""
    if session:
        text = f"Session: {session.project} ({plain_time(session.started_at)})\n"
        text += f"Total observations in session: {found.total}\n\n"
    if found.before:
        text += f"--- Before ---\n{''.join(_neighbour(each, detail) for each in found.before)}\n"
    text += f">>> #{focus.id} [{focus.type}] {focus.title} <<<\n"
    text += "" if detail is Detail.SUMMARY else f"{focus.content}\n"
    if found.after:
        text += f"\n--- After ---\n{''.join(_neighbour(each, detail) for each in found.after)}"
    text += SUMMARY_FOOTER if detail is Detail.SUMMARY else ""
    text += navigation(shown, found.total, "Increase before/after to see more context.")
    if most and estimate(text) > most:
        text = cut_at_line(text, 4 * most)
        text += "\n" + budget_footer(estimate(text), most, shown, found.total)
    return token_footer(text)


def _neighbour(note: Note, detail: Detail) -> str:
    line = f"#{note.id} [{note.type}] {note.title}"
    if detail is Detail.SUMMARY:
        return f"{line}\n"
    return f"{line}: {note.content if detail is Detail.FULL else shorten(note.content, 200)}\n"


def cut_at_line(text: str, size: int, more: str = "") -> str:
    """Cuts a text of Hoofy's memory tools, at a line end if one is near, and adds `more`."""
    if len(text.encode()) <= size:
        return text
    kept = clip(text, size)
    line = kept.rfind("\n")
    return (kept[:line] if len(kept[: line + 1].encode()) > size // 2 else kept) + more


def within_budget(text: str, most: int) -> str:
    """Cuts a text of Hoofy's memory tools after a number of Hoofy's tokens; 0 is no limit."""
    return (
        cut_at_line(text, 4 * most, "\n[...truncated by token budget]")
        if most and estimate(text) > most
        else text
    )


def observation(found: NoteDetails) -> str:
    note = found.note
    rows = {
        "Title": note.title,
        "Type": note.type,
        "Scope": note.scope,
        "Project": note.project,
        "Topic Key": note.topic_key,
        "Tool": note.tool_name,
        "Session": note.session_id,
        "Created": plain_time(note.created_at),
        "Updated": plain_time(note.updated_at),
        "Revisions": str(note.revision_count),
        "Duplicates": str(note.duplicate_count),
    }
    facts = "".join(f"**{name}:** {value}\n" for name, value in rows.items() if value)
    text = f"# Observation #{note.id}\n\n{facts}\n## Content\n\n{note.content}\n"
    return text + _relations(note, found.relations) + _graph(found.neighbours)


def _relations(note: Note, relations: Sequence[Relation]) -> str:
    out = [_edge("→", edge.to_id, edge) for edge in relations if edge.from_id == note.id]
    into = [_edge("←", edge.from_id, edge) for edge in relations if edge.from_id != note.id]
    if not relations:
        return ""
    forth = f"**Outgoing:**\n{''.join(out)}\n" if out else ""
    back = f"**Incoming:**\n{''.join(into)}\n" if into else ""
    return f"\n## Relations\n\n{forth}{back}"


def _edge(arrow: str, number: int, edge: Relation) -> str:
    return f"- {arrow} #{number} ({edge.type}){f' — {edge.note}' if edge.note else ''}\n"


def _graph(neighbours: Sequence[Neighbour]) -> str:
    lines = "".join(
        f"- depth {near.depth} {'→' if near.outgoing else '←'} #{near.note.id} ({near.relation.type}) "
        f'"{near.note.title}"\n'
        for near in neighbours
    )
    return f"\n## Graph Context\n\n{lines}" if lines else ""
