"""Composes the text that an agent gets when a session starts, and the one with a few notes that comes with a prompt."""

from collections.abc import Callable, Iterable, Sequence

from modicum.app.session.provenance import WIDTHS, NoteWording, key_of, least, sections_of_notes
from modicum.base.named_tuple import NamedTuple
from modicum.engine.page import Block, Budget, Detail, Section, View, fit
from modicum.memory.brief.lines import Brief, BriefNote, names_of, quoted, sharing, shorten
from modicum.text.orders.quote import may_order

# What there is and what it is for, as facts: models take orders in a text that a hook hands them for an attack.
PROTOCOL = """\
## Memory
modicum, installed on this machine, keeps notes on this project from one session to the next. mem_search finds them, for \
example before work that may overlap with earlier work; mem_get reads one by its id. mem_save keeps a decision, a bug fix, a \
discovery, a convention or a preference: a title, then what, why, where; the type session_summary is for what was done and \
what is next. More in the skill modicum-memory."""

COMPACTED = """\
The conversation was just compacted. mem_save with the type session_summary keeps its summary for later sessions."""

TAG = "modicum-memory"
FOR_PROMPT = "Notes that share words with this prompt; mem_get reads one."
SINCE = "Saved since this session was last told; mem_get reads one."
_CLOSE = f"\n</{TAG}>"

_RELEVANT = 2  # of the lines, for what the branch or the change is about
_LOOKED_AT = 300  # notes among which these are sought


class Size(NamedTuple):
    """The size limits of a text at a session's start: lines of notes, characters in a line, bytes in all."""

    lines: int = 8
    width: int = 140
    max_bytes: int = 1_200


class ComposedText(NamedTuple):
    """A text composed for the start of a session, or for a prompt, and the ids of the notes in it."""

    text: str = ""
    shown: tuple[int, ...] = ()


class SessionFacts(NamedTuple):
    """Everything that may be in a session-start text; `about` has words of the branch or change."""

    recalled: Brief
    project: str = ""
    core: str = ""
    change: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()
    is_compacted: bool = False


Measure = Callable[[str], int]


def looked_at(size: Size, about: frozenset[str]) -> int:
    """Returns how many notes to read for a session-start text of a size."""
    return max(size.lines, _LOOKED_AT) if about and size.lines else size.lines


def session_start_text(told: SessionFacts, size: Size, measure: Measure, most: int) -> ComposedText:
    """Composes the session-start text: memory protocol, core of packs, lines of memory; at most `most`."""
    notes = chosen(told.recalled, told.about, size.lines)
    sections = [_guidance(told), *_recalled_section(told, notes, size)]
    return _fitted([section for section in sections if section.blocks], notes, measure, most)


def notes_text(
    notes: Sequence[BriefNote], project: str, words: str, size: Size, measure: Measure, most: int
) -> ComposedText:
    """Composes the text with a few notes for a started session; `words` say why it gets them."""
    some = tuple(notes[: size.lines])
    wording = NoteWording(size.width, names_of(some), _harmless_line)
    sections = [*sections_of_notes(some, (), _lead(project, words), wording, 0)]
    return _fitted(sections, some, measure, most)


def chosen(recalled: Brief, about: frozenset[str], limit: int) -> tuple[BriefNote, ...]:
    """Chooses the notes that the text at a session's start tells: pinned, then on the current work, then newest."""
    pinned = recalled.pinned[:limit]
    near = sharing(recalled.notes, about, min(_RELEVANT, limit - len(pinned)))
    return tuple(dict.fromkeys((*pinned, *near, *recalled.notes)))[:limit]


def _guidance(told: SessionFacts) -> Section:
    texts = {
        "protocol": PROTOCOL,
        "compacted": COMPACTED if told.is_compacted else "",
        "core": _harmless(told.core),
    }
    blocks = (Block(key, {Detail.SUMMARY: text}, pinned=key != "core") for key, text in texts.items() if text)
    return Section(tuple(blocks))


def _recalled_section(told: SessionFacts, notes: Sequence[BriefNote], size: Size) -> Iterable[Section]:
    blocks = [
        _line_block(f"change:{at}", f"- {line}", size.width, 1) for at, line in enumerate(told.change[:3])
    ]
    if told.recalled.summary and size.lines:
        blocks.append(_summary_block(told.recalled.summary, size.width))
    total = told.recalled.total
    counted = f"{total:,} {'note' if total == 1 else 'notes'} in all; mem_search finds them."
    lead = _lead(told.project, counted if total else "Of this project:")
    if blocks:
        yield Section(tuple(blocks), (lead,), "\n")
    wording = NoteWording(size.width, names_of(notes), _harmless_line)
    yield from sections_of_notes(notes, told.recalled.pinned, lead, wording, 2)
    yield Section(tuple(_closing_lines(told.recalled, size, 2 + len(notes))), (lead,), "\n")


def _closing_lines(recalled: Brief, size: Size, rank: int) -> Iterable[Block]:
    if recalled.waiting and size.lines:
        yield _line_block("inbox", _inbox_line(recalled.waiting), size.width, rank)
    for each in recalled.elsewhere:
        yield Block(f"elsewhere:{each}", {Detail.SUMMARY: _harmless_line(elsewhere_line(each))}, rank)


def _inbox_line(waiting: int) -> str:
    counted = "1 note waits" if waiting == 1 else f"{waiting:,} notes wait"
    return f"- {counted} for the user: modicum memory inbox"


def elsewhere_line(project: str) -> str:
    """Returns the line of a session-start text that names another project, which a folder without notes may mean."""
    return f"- Notes of this folder may be in project {project}: modicum memory projects join {project}"


def _lead(project: str, words: str) -> str:
    name = "".join(letter for letter in _harmless(shorten(project, 60)) if letter not in '<>"')
    return f'<{TAG} project="{name}">\n{words}'


def _line_block(key: str, line: str, width: int, rank: int) -> Block:
    forms = {detail: _harmless_line(shorten(line, least(width, narrow))) for detail, narrow in WIDTHS.items()}
    return Block(key, forms, rank)


def _summary_block(summary: str, width: int) -> Block:
    forms = {
        detail: _harmless_line(quoted("- Last session: ", summary, least(width, narrow)))
        for detail, narrow in WIDTHS.items()
    }
    return Block("summary:0", forms, 1)


def _harmless_line(line: str, origin: str = "") -> str:
    """The line without anything that could be taken for the end of the fence or for words of the system."""
    return _harmless(line, origin).replace("</", "‹/")


def _harmless(text: str, origin: str = "") -> str:
    if "<" not in text and text.isprintable() and not may_order(text):
        return text
    from modicum.text.neutralise import neutralise  # most lines do without, and a hook has no time

    return neutralise(text, origin)


def _fitted(
    sections: Sequence[Section], notes: Sequence[BriefNote], measure: Measure, most: int
) -> ComposedText:
    view = View(Detail.FULL, budget=Budget(most, lambda text: measure(closed(text))))
    page = fit(sections, view)
    keys = {key_of(noted): noted.id for noted in notes}
    shown = (keys[key] for key, size in page.sizes.items() if size and keys.get(key))
    return ComposedText(closed(page.text), tuple(shown))


def closed(text: str) -> str:
    """Returns a session-start text with the closing tag of its memory part, if it has that part."""
    return text + _CLOSE if f"<{TAG} " in text else text
