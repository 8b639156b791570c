"""Makes sections of a page, with their blocks, from notes, prompts, sessions and search hits of memory. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from modicum.base.value import replace
from modicum.engine.page import Block, Detail, Section
from modicum.memory.model import (
    DEFAULT_TYPE,
    Context,
    Note,
    Prompt,
    SearchHit,
    Session,
    Timeline,
    WaitingNote,
)
from modicum.memory.names import public_ids, public_number
from modicum.text.snippets import snippet

LINE = "\n"
BLANK_LINE = "\n\n"

# Characters: what is still read at a glance.
TITLE, PROMPT, SNIPPET = 120, 80, 240
SHORT_TITLE, ANSWER, WHOLE = 40, 140, 2_000

# Hits of a search that are shown whole, and those of which the sentence that answers is shown.
BEST_WHOLE, ANSWERING = 5, 10
NEARBY = " nearby:"  # the words are not in this one, but beside it

PINNED, NOTES, SESSIONS, PROMPTS = "### Pinned", "### Notes", "### Sessions", "### Prompts"
EVERYWHERE = "### For every project"
NO_REMARKS: Mapping[int, str] = {}
BEFORE, FOCUS, AFTER = "### Before", "### This one", "### After"


def note_key(name: str) -> str:
    return f"note:{name}"


def note_names(notes: Iterable[Note]) -> dict[int, str]:
    """Returns the names under which sections of a page show notes, by id: public ids, as long as it takes to tell them apart."""
    return public_ids({note.id: public_number(note.sync_id) for note in notes})


def session_key(session: Session) -> str:
    return f"session:{session.id}"


def prompt_key(prompt: Prompt) -> str:
    return f"prompt:{prompt.id}"


def recall_sections(found: Context, remarks: Mapping[int, str] = NO_REMARKS) -> tuple[Section, ...]:
    """Returns a recall of memory as sections and blocks of a page; in little room, prompts are left out first, pins last.

    A remark stands behind the day of its note.
    """
    pinned = {note.id for note in found.pinned}
    names, days = context_names(found), _days(found, remarks)
    recent = [note for note in found.notes if note.id not in pinned]
    sections = (
        Section(
            tuple(_recalled_note(each, names, days, pinned=True) for each in found.pinned), (PINNED,), LINE
        ),
        Section(tuple(_recalled_note(each, names, days, rank=1) for each in recent), (NOTES,), LINE),
        Section(
            tuple(_recalled_note(each, names, days, rank=1) for each in found.everywhere), (EVERYWHERE,), LINE
        ),
        Section(tuple(_session_block(each, rank=2) for each in found.sessions), (SESSIONS,), LINE),
        Section(tuple(_prompt_block(each, rank=3) for each in found.prompts), (PROMPTS,), LINE),
    )
    return tuple(section for section in sections if section.blocks)


def context_names(found: Context) -> dict[int, str]:
    """Returns the names of all notes that the sections of a recall show."""
    return note_names((*found.pinned, *found.notes, *found.everywhere))


def search_sections(
    hits: Sequence[SearchHit], question: str = "", remarks: Mapping[int, str] = NO_REMARKS
) -> tuple[Section, ...]:
    """Returns the hits of a search in memory as a section of a page: a block for each; the best whole, then the sentence that
    answers the question, then titles. A remark stands behind the day of its note.
    """
    from modicum.search.question import parse_question  # not for a recall, which a hook starts with

    asked = frozenset(term.stem for term in parse_question(question).terms)
    names = note_names(hit.note for hit in hits)
    blocks = tuple(
        _hit_block(hit, names[hit.note.id], rank, asked, remarks.get(hit.note.id, ""))
        for rank, hit in enumerate(hits)
    )
    return (Section(blocks, gap=BLANK_LINE),) if blocks else ()


def timeline_sections(found: Timeline) -> tuple[Section, ...]:
    """Returns the sections and blocks of a timeline: a note among its neighbours; the nearest matter most."""
    names = note_names((*found.before, found.focus, *found.after))
    above = ((len(found.before) - at, each) for at, each in enumerate(found.before))
    parts = ((BEFORE, above), (FOCUS, [(0, found.focus)]), (AFTER, enumerate(found.after, 1)))
    sections = [
        Section(tuple(_note_in_timeline(each, names[each.id], far) for far, each in part), (lead,), LINE)
        for lead, part in parts
    ]
    return tuple(section for section in sections if section.blocks)


def inbox_sections(found: Iterable[WaitingNote]) -> tuple[Section, ...]:
    """Returns the notes of memory's inbox as sections of a page: a block for each, with its origin and the reason why it waits."""
    waiting = tuple(found)
    names = note_names(each.note for each in waiting)
    blocks = tuple(_waiting_note(each, names[each.id]) for each in waiting)
    return (Section(blocks, gap=LINE),) if blocks else ()


def _waiting_note(each: WaitingNote, name: str) -> Block:
    note = each.note
    line = f"- {name} {day(note.created_at)}{_kind(note)} {title_of(note)} ({each.reason}{_from(note)})"
    forms = {
        Detail.SUMMARY: line,
        Detail.STANDARD: f"{line}\n  {snippet(note.content, SNIPPET)}",
        Detail.FULL: f"{line}\n{note.content}",
    }
    return Block(note_key(name), forms)


def _from(note: Note) -> str:
    return f"; {note.origin}" if note.origin else ""


def title_of(note: Note) -> str:
    """Returns the title of a note on one line, as the sections of a page show it."""
    return snippet(note.title, TITLE)


def day(stamp: str) -> str:
    return stamp[:10]


def minute(stamp: str) -> str:
    """Returns a time as memory's sections of a page show it: `2026-11-15 17:43`."""
    return stamp[:16].replace("T", " ")


def _days(found: Context, remarks: Mapping[int, str]) -> dict[int, str]:
    """The day of each note of a recall, with what is to be said of it."""
    notes = (*found.pinned, *found.notes, *found.everywhere)
    return {note.id: day(note.created_at) + _bracketed(remarks.get(note.id, "")) for note in notes}


def _recalled_note(
    note: Note, names: Mapping[int, str], days: Mapping[int, str], rank: int = 0, *, pinned: bool = False
) -> Block:
    return _note_block(note, names[note.id], days[note.id], rank, pinned=pinned)


def _note_in_timeline(note: Note, name: str, far: int) -> Block:
    """The block of a note in a timeline, with its time; the one that was asked for is shown whole."""
    block = _note_block(note, name, minute(note.created_at), far)
    return block if far else replace(block, forms={**block.forms, Detail.STANDARD: block.forms[Detail.FULL]})


def _note_block(note: Note, name: str, when: str, rank: int, *, pinned: bool = False) -> Block:
    line = f"- {name} {when}{_kind(note)} {_by(note)}{title_of(note)}"
    whole = line + _bracketed(note.origin)
    brief = "" if _title_says_all(note) else f": {snippet(note.content, SNIPPET)}"
    forms = {
        Detail.SUMMARY: line,
        Detail.STANDARD: line + brief,
        Detail.FULL: whole if note.content == title_of(note) else f"{whole}\n{note.content}",
    }
    return Block(note_key(name), forms, rank, pinned)


def _hit_block(hit: SearchHit, name: str, rank: int, asked: frozenset[str], remark: str) -> Block:
    from modicum.text.answering import best_sentence

    note = hit.note
    title = title_of(note) if rank < ANSWERING else snippet(note.title, SHORT_TITLE)
    line = f"{name} {day(note.created_at)}{_kind(note)}{NEARBY * hit.nearby}{_bracketed(remark)} {_by(note)}"
    # A title that only repeats how the text begins is not worth its tokens.
    head = line if _begins_with_title(note) else f"{line}{title}\n"
    forms = {Detail.SUMMARY: line + title, Detail.FULL: head + note.content}
    if rank < BEST_WHOLE and len(note.content) <= WHOLE:
        forms[Detail.STANDARD] = forms[Detail.FULL]
    elif rank < ANSWERING:
        forms[Detail.STANDARD] = head + snippet(best_sentence(note.content, asked), ANSWER)
    return Block(note_key(name), forms, rank)


def _kind(note: Note) -> str:
    return "" if note.type in ("", DEFAULT_TYPE) else f" [{note.type}]"


def _bracketed(words: str) -> str:
    return f" ({words})" if words else ""


def _by(note: Note) -> str:
    return f"{note.author}: " if note.author else ""


def _begins_with_title(note: Note) -> bool:
    """Whether the title is how the content begins."""
    title = title_of(note).rstrip("…")
    return " ".join(note.content[: 4 * TITLE].split()).startswith(title)


def _title_says_all(note: Note) -> bool:
    # Contents may be huge, and one that is much longer than its title is not the same.
    title, content = note.title, note.content
    return len(content) <= 2 * len(title) and title.split() == content.split()


def _session_block(session: Session, rank: int) -> Block:
    made = f"{day(session.started_at)} ({session.notes} note{'s' * (session.notes != 1)})"
    line = " ".join(filter(None, ("-", session_key(session), session.project, made)))
    forms = {Detail.SUMMARY: line}
    if session.summary:
        forms[Detail.STANDARD] = f"{line}: {snippet(session.summary, SNIPPET)}"
        forms[Detail.FULL] = f"{line}: {session.summary}"
    return Block(session_key(session), forms, rank)


def _prompt_block(prompt: Prompt, rank: int) -> Block:
    start = f"- {prompt_key(prompt)} {day(prompt.created_at)}: "
    widths = {Detail.SUMMARY: PROMPT, Detail.STANDARD: SNIPPET}
    forms = {detail: start + snippet(prompt.content, width) for detail, width in widths.items()}
    return Block(prompt_key(prompt), forms | {Detail.FULL: start + prompt.content}, rank)
