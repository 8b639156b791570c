"""The context check: what was specified, decided and tried that bears on a change, in the amount asked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple
from zlib import crc32

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import Answer, done, page_of
from modicum.app.inject.load import BUILT_IN_LAYER, choose_packs, choose_profile, load_knowledge
from modicum.app.specs.context import SpecContext, open_specs
from modicum.base.config import Config
from modicum.base.errors import ModicumError, Remedy
from modicum.base.value import replace
from modicum.engine.page import Budget, Detail, Fate, Order, Page, Section, fit
from modicum.engine.tokens import count
from modicum.memory.model import Note, Query
from modicum.memory.store import Store
from modicum.search.question import Question, parse_question
from modicum.specs.check.conflicts import intent_of
from modicum.specs.check.findings import CheckSource, Finding, FindingKind, SourcePart, find
from modicum.specs.check.passages import joined, split_pieces
from modicum.specs.check.piece_cache import PieceCache, open_piece_cache
from modicum.specs.check.sections import Whole, finding_sections, review_sections, to_review
from modicum.specs.check.sources import OpenChange, read_sources
from modicum.specs.files import read_text

MOST_ASKED = 4_000  # characters of a description that are read
MOST_TERMS = 40
NOTES = 40  # hits of memory that are looked at
LEAST_OF_OURS = 0.34  # of what was asked: our own packs speak of everything, and one usual word is in each
LONGEST_NOTE = 20_000  # characters of a note that are looked at for passages
USUAL_ITEMS, FEWEST_ITEMS = 24, 6
ROOM = {"bytes": 200, "chars": 200}  # that an item needs to be told and not only named
ROOM_TOKENS = 50
TELLING = 200  # tokens; from there on a summary has at most half of them

DECISIONS = frozenset({FindingKind.CONFLICT, FindingKind.SUPERSEDED, FindingKind.DECISION})
_NOTE_KINDS = {
    **dict.fromkeys(("decision", "architecture", "adr"), FindingKind.DECISION),
    **dict.fromkeys(("pattern", "convention", "guideline", "preference", "config", "rule"), FindingKind.RULE),
}

Compose = Callable[[Sequence[Finding], Whole], tuple[Section, ...]]
Fitting = Callable[[Amount], Answer]


def check(
    config: Config,
    store: Store | None,
    text: str,
    amount: Amount,
    *,
    change: str = "",
    limit: int = 0,
    cursor: str = "",
) -> Answer:
    """What bears on a change: everything is named, the most relevant first, before anything is told at length."""
    return checking(config, store, text, change=change, limit=limit, cursor=cursor)(amount)


def review(
    config: Config,
    store: Store | None,
    text: str,
    amount: Amount,
    *,
    change: str = "",
    limit: int = 0,
    cursor: str = "",
) -> Answer:
    """The same findings as a list to tick."""
    return reviewing(config, store, text, change=change, limit=limit, cursor=cursor)(amount)


def checking(
    config: Config,
    store: Store | None,
    text: str,
    *,
    change: str = "",
    limit: int = 0,
    cursor: str = "",
    plain: bool = False,
) -> Fitting:
    """The check, read once and ready to be told in any amount; `plain` is without a closing line of its own."""
    bearing = gather(config, open_specs(config), store, text, change)
    return partial(_told, bearing, finding_sections, limit, cursor, plain)


def reviewing(
    config: Config,
    store: Store | None,
    text: str,
    *,
    change: str = "",
    limit: int = 0,
    cursor: str = "",
    plain: bool = False,
) -> Fitting:
    """The review, read once and ready to be told in any amount; `plain` is without a closing line of its own."""
    found = gather(config, open_specs(config), store, text, change)
    bearing = found._replace(findings=to_review(found.findings))
    return partial(_told, bearing, review_sections, limit, cursor, plain)


def _told(
    bearing: "CheckMaterial", compose: Compose, limit: int, cursor: str, plain: bool, amount: Amount
) -> Answer:
    paging = _Paging(bearing.findings, cursor, bearing.text)
    items = _chosen(paging.fresh(bearing.findings), limit or _usual(amount), all_decisions=not limit)
    whole = bearing.whole if amount.detail is Detail.FULL else lambda _: ""
    sections = compose(items, whole)
    page = page_of(sections, amount, Order.BREADTH) if plain else _within(sections, amount, paging)
    left = paging.left(page)
    return Answer(
        page,
        amount,
        total=len(bearing.findings),
        omitted=len(left),
        next=paging.cursor(page) if left else "",
        passed=paging.passed(page),
        facts={each.key: _facts(each) for each in items},
    )


# What there is.


class CheckMaterial(NamedTuple):
    """What was asked, and all that bears on it, best first."""

    desk: SpecContext
    text: str
    findings: tuple[Finding, ...]
    notes: dict[str, Note]
    packs: dict[str, str]

    def whole(self, finding: Finding) -> str:
        """Everything that a finding stands for; of a decision that has none of the words, nothing."""
        if finding.key in self.notes:
            return self.notes[finding.key].content
        if finding.key in self.packs:
            return self.packs[finding.key]
        if not finding.matches and not finding.key.startswith("artifact:"):
            return ""
        root = self.desk.workspace.root
        texts = [
            (file, read_text(root / file) or "")
            for file in finding.files
            if file.endswith(".md") or len(finding.files) == 1
        ]
        return "\n".join(f"{file}\n\n{text}" for file, text in texts)


def gather(
    config: Config, desk: SpecContext, store: Store | None, text: str, change: str = ""
) -> CheckMaterial:
    """Everything that bears on a description; without one, on the change at hand."""
    index = open_piece_cache(desk.workspace, config.data / "cache")

    def asked_by(opened: Sequence[OpenChange]) -> str:
        at_hand = _at_hand(desk, opened, change)
        return (text.strip() or (at_hand.description if at_hand else ""))[:MOST_ASKED]

    survey = read_sources(desk.workspace, desk.flows, index, lambda opened: _stems(asked_by(opened)))
    at_hand, asked = _at_hand(desk, survey.opened, change), asked_by(survey.opened)
    if not asked:
        remedy = Remedy("check", text="move sessions to Redis")
        raise ModicumError("say what you want to change", remedy=remedy)
    packs = _packs(config, index)
    index.save()
    own = f"change:{at_hand.id}" if at_hand else ""
    written = [source for source in survey.sources if source.key != own]
    present = {source.key for source in survey.sources}
    notes = _notes(store, desk, asked, present) if store else {}
    sources = [*written, *(source for source, _ in packs), *map(_note_source, notes.values())]
    findings = find(question_of(asked), sources, intent_of(asked))
    return CheckMaterial(desk, asked, findings, notes, {source.key: text for source, text in packs})


def _at_hand(desk: SpecContext, opened: Sequence[OpenChange], name: str) -> OpenChange | None:
    """The change that the check is for: the one that is named, or the open one of this branch, or the only one."""
    if name:
        found = desk.change(name)
        return OpenChange(found.id, found.branch, found.description)
    here = [each for each in opened if each.branch == desk.branch] or opened
    return here[0] if len(here) == 1 else None


def question_of(text: str) -> Question:
    """The words of a description; numbers in it are no numbers of notes."""
    question = parse_question(text)
    return replace(question, terms=question.terms[:MOST_TERMS], ids=frozenset())


def _stems(text: str) -> list[str]:
    return [term.stem for term in question_of(text).terms]


def _packs(config: Config, index: PieceCache) -> list[tuple[CheckSource, str]]:
    """The packs in force, each as one source, with all its text."""
    shelf = load_knowledge(config)
    try:
        packs, _ = choose_packs(shelf.library, choose_profile(shelf.library, config.profile), (), ())
    except ModicumError:  # a profile that is gone is told by the commands that are about packs
        return []
    found = []
    for pack in packs:
        texts = [
            (f"{pack.id}/{text.file.replace(chr(92), '/').rpartition('/')[2]}", text.text)
            for text in (*pack.constraints, *pack.context)
        ]
        least = LEAST_OF_OURS if pack.layer == BUILT_IN_LAYER else 0.0
        parts = tuple(
            SourcePart(f"pack:{name}", index.pieces_of(name, text), len(text)) for name, text in texts
        )
        found.append(
            (
                CheckSource(f"pack:{pack.id}", FindingKind.RULE, f"pack:{pack.id}", parts, least=least),
                "\n\n".join(text for _, text in texts),
            )
        )
    return found


def _notes(store: Store, desk: SpecContext, text: str, present: set[str]) -> dict[str, Note]:
    """What memory has, but for copies of what stands in files here."""
    hits = store.search(text, Query(project=desk.project, limit=NOTES)).items
    found = [hit.note for hit in hits if not hit.nearby]
    return {f"note:{each.id}": each for each in found if not _is_copy(each, desk.project, present)}


def _is_copy(note: Note, project: str, present: set[str]) -> bool:
    kind, _, rest = note.topic_key.partition("/")
    owner, _, name = rest.partition("/")
    keys = {"change": f"change:{name.partition('/')[0]}", "adr": f"adr:{name}", "spec": f"artifact:{name}"}
    return owner == project and keys.get(kind, "") in present


def _note_source(note: Note) -> CheckSource:
    head = joined(note.title)
    pieces = tuple(
        piece._replace(head=f"{head}{piece.head}") for piece in split_pieces(note.content[:LONGEST_NOTE])
    )
    kind = _NOTE_KINDS.get(note.type, FindingKind.NOTE)
    day = note.created_at[:10]
    return CheckSource(f"note:{note.id}", kind, note.title, (SourcePart("", pieces, len(note.content)),), day)


# How much of it.


def _usual(amount: Amount) -> int:
    """As many items beside the decisions as leave room to tell the best of them."""
    fitting = [most // ROOM.get(unit, ROOM_TOKENS) for unit, most in amount.limits]
    return max(FEWEST_ITEMS, min(USUAL_ITEMS, *fitting)) if fitting else USUAL_ITEMS


def _chosen(fresh: Sequence[Finding], limit: int, *, all_decisions: bool) -> tuple[Finding, ...]:
    """The first of all, and beside them every decision: none may go unmentioned while there is room."""
    others = [each for each in fresh if not (all_decisions and each.kind in DECISIONS)]
    first = {each.key for each in others[:limit]}
    return tuple(each for each in fresh if each.key in first or (all_decisions and each.kind in DECISIONS))


class _Paging:
    """What was told on the pages before, and where the next one begins."""

    def __init__(self, findings: Sequence[Finding], cursor: str, text: str) -> None:
        # Decisions first, for they are on the first page: a cursor is then two runs and not many.
        self.keys = [each.key for each in sorted(findings, key=lambda each: each.kind not in DECISIONS)]
        self.mark = f"{crc32(text.encode(errors='replace')):08x}"[:4]
        self.seen = _read_cursor(cursor, self.mark)

    def fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        """What was on no page before."""
        told = {self.keys[at] for at in self.seen if at < len(self.keys)}
        return [each for each in findings if each.key not in told]

    def _told(self, page: Page) -> set[int]:
        shown = done(page)
        told = {at for at, key in enumerate(self.keys) if key in shown}
        return told or {at for at, key in enumerate(self.keys) if key == self.passed(page)}

    def passed(self, page: Page) -> str:
        """What does not fit even alone is passed over, or there would never be an end."""
        fresh = (key for at, key in enumerate(self.keys) if at not in self.seen)
        return "" if done(page) else next(fresh, "")

    def left(self, page: Page) -> list[int]:
        told = self._told(page) | self.seen
        return [at for at in range(len(self.keys)) if at not in told]

    def cursor(self, page: Page) -> str:
        return f"{self.mark}.{'.'.join(_runs(sorted(self._told(page) | self.seen)))}"

    def tail(self, page: Page) -> str:
        """The closing line: how much is left out, and how to get it."""
        left = len(self.left(page))
        brief = sum(fate is Fate.SHORTENED for fate in page.fates.values())
        more = [f"{left} more with cursor {self.cursor(page)}"] if left else []
        more += [f"{brief} only named here, a larger max_tokens tells them"] if brief else []
        return f"… {'; '.join(more)}" if more else ""


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield f"{members[0]}-{members[-1]}" if len(members) > 1 else str(members[0])


def _read_cursor(cursor: str, mark: str) -> frozenset[int]:
    if not cursor:
        return frozenset()
    head, *runs = cursor.split(".")
    try:
        pairs = [run.partition("-") for run in runs]
        bounds = [(int(first), int(last or first)) for first, _, last in pairs]
    except ValueError:
        bounds = []
    if head != mark or not bounds or any(last - first > 100_000 for first, last in bounds):
        remedy = "take it from `next` of the page before, with the same words"
        raise ModicumError("this is no cursor of this question", remedy=remedy)
    return frozenset(number for first, last in bounds for number in range(first, last + 1))


def _within(sections: Sequence[Section], amount: Amount, paging: _Paging) -> Page:
    if amount.detail is not Detail.SUMMARY:
        return _fitted(sections, amount, None, paging)
    standard = _fitted(sections, amount._replace(detail=Detail.STANDARD), None, paging)
    half = standard.size // 2 if count(standard.text, "o200k_base") >= TELLING else standard.size
    return _fitted(sections, amount, half, paging)


def _fitted(sections: Sequence[Section], amount: Amount, most: int | None, paging: _Paging) -> Page:
    """The page with its closing line, all within the limit; where there is no room for the line, without it."""
    view = amount._replace(pointer=None).view(Order.BREADTH)
    measure = view.budget.measure
    limits = [each for each in (view.budget.limit, most) if each is not None]
    limit = min(limits) if limits else None
    page = first = fit(sections, replace(view, budget=Budget(limit, measure)))
    room = limit
    while page.text and (tail := paging.tail(page)):
        text = f"{page.text}\n\n{tail}"
        size = measure(text)
        if limit is None or room is None or size <= limit:
            return replace(page, text=text, size=size)
        room = max(0, room - max(1, size - limit))
        page = fit(sections, replace(view, budget=Budget(room, measure)))
    return page if page.text else first


def _facts(finding: Finding) -> dict[str, object]:
    where = finding.where
    place = (
        {"file": where.file or None, "line": where.line, "heading": where.heading or None} if where else None
    )
    return {
        "kind": str(finding.kind),
        "name": finding.name,
        "status": finding.status or None,
        "where": place,
        "against": next((match.against for match in finding.matches if match.against), None),
        "score": finding.score,
        "why": finding.why,
    }
