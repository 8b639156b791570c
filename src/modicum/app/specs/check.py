"""The context check for the doors: what was specified, decided and tried that bears on a planned change."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList
from modicum.app.answer.cursor import mark, read_cursor
from modicum.app.inject.load import BUILT_IN_LAYER, choose_packs, choose_profile, load_library
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.app.specs.spec_notes import spec_topic
from modicum.base.config import Config
from modicum.base.errors import ModicumError, Remedy, WrongUsage
from modicum.base.value import replace
from modicum.engine.page import Detail, Section
from modicum.memory.disputes import replaced
from modicum.memory.model import Note, Query, Relation
from modicum.memory.sections import note_key, note_names
from modicum.memory.store import Store
from modicum.search.question import Question, parse_question
from modicum.specs.check.findings import CheckSource, Finding, FindingKind, SourcePart, find
from modicum.specs.check.passages import joined, split_pieces
from modicum.specs.check.piece_cache import PieceCache, open_piece_cache
from modicum.specs.check.sections import Whole, finding_sections, review_sections, to_review
from modicum.specs.check.sources import OpenChange, read_sources
from modicum.specs.files import read_text
from modicum.text.rules.intents import intent_of

MOST_ASKED = 4_000  # characters of a description that are read
MOST_TERMS = 40
NOTES = 40  # hits of memory that are looked at
LEAST_OF_OURS = 0.34  # of what was asked: our own packs speak of everything, and one usual word is in each
LEAST_OF_PACKS = 1e-6  # any word but everyday ones
MANUAL = "modicum"  # our pack about this program: its examples speak of things that no project here has
LONGEST_NOTE = 20_000  # characters of a note that are looked at for passages
USUAL_ITEMS, FEWEST_ITEMS = 24, 6
ROOM = {"bytes": 200, "chars": 200}  # that an item needs to be told and not only named
ROOM_TOKENS = 50
COPIED = {
    "change": "change",
    "adr": "adr",
    "artifact": "spec",
}  # kinds of sources, as topics of notes name them

DECISIONS = frozenset({FindingKind.CONFLICT, FindingKind.SUPERSEDED, FindingKind.DECISION})
_NOTE_KINDS = {
    **dict.fromkeys(("decision", "architecture", "adr"), FindingKind.DECISION),
    **dict.fromkeys(("pattern", "convention", "guideline", "preference", "config", "rule"), FindingKind.RULE),
}

Compose = Callable[[Sequence[Finding], Whole], tuple[Section, ...]]


def check(config: Config, store: Store | None, text: str, amount: Amount, *, change: str = "") -> ItemList:
    """Runs the context check: lists what bears on a planned change, all by name, most relevant first."""
    return _listed(gather(config, open_specs(config), store, text, change), finding_sections, amount)


def review(config: Config, store: Store | None, text: str, amount: Amount, *, change: str = "") -> ItemList:
    """Runs the context check and returns its findings as a review list to tick off."""
    found = gather(config, open_specs(config), store, text, change)
    return _listed(found._replace(findings=to_review(found.findings)), review_sections, amount)


def findings_on(config: Config, store: Store | None, text: str) -> tuple[Finding, ...]:
    """Runs the context check; returns the findings themselves, the most relevant first."""
    return gather(config, open_specs(config), store, text).findings


def _listed(material: "CheckMaterial", compose: Compose, amount: Amount) -> ItemList:
    """The findings in batches: every decision is in the first one, so that none goes unmentioned while there is room."""
    stamp = mark(repr((compose.__name__, material.text)))
    cursor = read_cursor(amount.cursor, stamp)
    size, start = cursor.size or amount.most_items or _usual(amount), int(cursor.start or 0)
    first = _chosen(material.findings, size, all_decisions=not amount.most_items)
    later = [each for each in material.findings if each not in first]
    batch = first if not start else tuple(later[start - len(first) : start - len(first) + size])
    end = start + len(batch)
    whole = material.whole if amount.detail is Detail.FULL else lambda _: ""
    return ItemList(
        compose(batch, whole),
        len(material.findings),
        stamp=stamp,
        size=size,
        behind=str(end) if end < len(material.findings) else "",
        whole_or_later=False,
        facts={each.key: _facts(each) for each in batch},
    )


# What there is.


class CheckMaterial(NamedTuple):
    """The material of a context check: the description asked about, and all findings, best first."""

    specs: OpenedSpecs
    text: str
    findings: tuple[Finding, ...]
    notes: dict[str, Note]
    packs: dict[str, str]

    def whole(self, finding: Finding) -> str:
        """Returns the whole text behind a finding of the check; "" for a decision without a match."""
        if finding.key in self.notes:
            return self.notes[finding.key].content
        if finding.key in self.packs:
            return self.packs[finding.key]
        if not finding.matches and not finding.key.startswith("artifact:"):
            return ""
        root = self.specs.workspace.root
        texts = [
            (file, read_text(root / file) or "")
            for file in finding.files
            if file.endswith(".md") or len(finding.files) == 1
        ]
        return "\n".join(f"{file}\n\n{text}" for file, text in texts)


def gather(
    config: Config, specs: OpenedSpecs, store: Store | None, text: str, change: str = ""
) -> CheckMaterial:
    """Gathers the material of a context check on a description, or else on the current change."""
    index = open_piece_cache(specs.workspace, config.data / "cache")

    def asked_by(opened: Sequence[OpenChange]) -> str:
        at_hand = _at_hand(specs, opened, change)
        return (text.strip() or (at_hand.description if at_hand else ""))[:MOST_ASKED]

    survey = read_sources(specs.workspace, specs.flows, index, lambda opened: _stems(asked_by(opened)))
    at_hand, asked = _at_hand(specs, survey.opened, change), asked_by(survey.opened)
    if not asked:
        remedy = Remedy("check", text="move sessions to Redis")
        raise WrongUsage("say what you want to change", remedy=remedy)
    packs = _packs(config, index)
    index.save()
    own = f"change:{at_hand.id}" if at_hand else ""
    written = [source for source in survey.sources if source.key != own]
    present = {source.key for source in survey.sources}
    notes = _notes(store, specs, asked, present) if store else {}
    sources = [
        *written,
        *(source for source, _ in packs),
        *(_note_source(key, note) for key, note in notes.items()),
    ]
    disputes = store.disputes([note.id for note in notes.values()]) if store else ()
    remarks = replaced(disputes, store.names) if store else {}
    findings = _marked(find(question_of(asked), sources, intent_of(asked)), notes, disputes, remarks)
    return CheckMaterial(specs, asked, findings, notes, {source.key: text for source, text in packs})


def _marked(
    findings: Sequence[Finding],
    notes: Mapping[str, Note],
    disputes: Sequence[Relation],
    remarks: Mapping[int, str],
) -> tuple[Finding, ...]:
    """The findings with what takes the place of a note before it, and a remark on the older one."""
    keys = {note.id: key for key, note in notes.items()}
    told = {keys[number]: remark for number, remark in remarks.items()}
    found = [each._replace(status=told[each.key]) if each.key in told else each for each in findings]
    places = {each.key: at for at, each in enumerate(found)}
    for edge in disputes:
        newer, older = (places.get(keys.get(end, "")) for end in (edge.from_id, edge.to_id))
        if edge.to_id in remarks and newer is not None and older is not None and newer > older:
            found[newer], found[older] = found[older], found[newer]
            places |= {found[newer].key: newer, found[older].key: older}
    return tuple(found)


def _at_hand(specs: OpenedSpecs, opened: Sequence[OpenChange], name: str) -> OpenChange | None:
    """The change that the check is for: the one that is named, or the open one of this branch, or the only one."""
    if name:
        found = specs.change(name)
        return OpenChange(found.id, found.branch, found.description)
    here = [each for each in opened if each.branch == specs.branch] or opened
    return here[0] if len(here) == 1 else None


def question_of(text: str) -> Question:
    """Returns the question with which a door begins a context check: the words of a description, without note numbers."""
    question = parse_question(text)
    return replace(question, terms=question.terms[:MOST_TERMS], ids=frozenset())


def _stems(text: str) -> list[str]:
    return [term.stem for term in question_of(text).terms]


def _packs(config: Config, index: PieceCache) -> list[tuple[CheckSource, str]]:
    """The packs in force, each as one source, with all its text."""
    library = load_library(config)
    try:
        packs, _ = choose_packs(library, choose_profile(library, config.profile))
    except ModicumError:  # a profile that is gone is told by the commands that are about packs
        return []
    found = []
    for pack in packs:
        if pack.layer == BUILT_IN_LAYER and pack.id == MANUAL:
            continue
        texts = [
            (f"{pack.id}/{text.file.replace(chr(92), '/').rpartition('/')[2]}", text.text)
            for text in (*pack.constraints, *pack.context)
        ]
        least = LEAST_OF_OURS if pack.layer == BUILT_IN_LAYER else LEAST_OF_PACKS
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


def _notes(store: Store, specs: OpenedSpecs, text: str, present: set[str]) -> dict[str, Note]:
    """What memory has, but for copies of what stands in files here."""
    hits = store.search(text, Query(project=specs.project_in(store), limit=NOTES)).items
    found = [hit.note for hit in hits if not hit.nearby]
    parted = [key.partition(":") for key in present]
    copies = {spec_topic(COPIED[kind], specs.project, name) for kind, _, name in parted if kind in COPIED}
    names = note_names(found)
    return {note_key(names[each.id]): each for each in found if each.topic_key not in copies}


def _note_source(key: str, note: Note) -> CheckSource:
    head = joined(note.title)
    pieces = tuple(
        piece._replace(head=f"{head}{piece.head}") for piece in split_pieces(note.content[:LONGEST_NOTE])
    )
    kind = _NOTE_KINDS.get(note.type, FindingKind.NOTE)
    day = note.created_at[:10]
    return CheckSource(key, kind, note.title, (SourcePart("", pieces, len(note.content)),), day)


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
