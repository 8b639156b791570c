"""Pairs of notes that wait for a person's verdict: those that contradict each other, and those that say the same."""

from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from modicum.app.memory.notes import look, with_title
from modicum.app.workbench.changes import delete_notes, supersede
from modicum.memory.model import RELATES_TO, NotePair, Query, Refused
from modicum.memory.spec_topics import is_spec_note
from modicum.memory.store import Store
from modicum.text.alike import Wording, find_alike, wording_of

CONTRADICTS = "contradicts"
BOTH_HOLD = "Somebody looked at both: both hold."
SHOWN = 20
COMPARED = 100  # of the newest notes of a project: a comparison of all would take too long
MOST_COMPARED = 2_000  # characters of each


class PairVerdict(StrEnum):
    """What a person decides about a pair of notes."""

    KEEP_NEWER = "keep-newer"
    KEEP_OLDER = "keep-older"
    SUPERSEDES = "supersedes"
    BOTH = "both"


class OpenPairs(NamedTuple):
    """The pairs of notes that wait for a person's verdict: contradictions, and likely duplicates."""

    contradictions: tuple[NotePair, ...] = ()
    duplicates: tuple[NotePair, ...] = ()

    @property
    def waiting(self) -> int:
        return len(self.contradictions) + len(self.duplicates)


def open_pairs(store: Store, project: str) -> OpenPairs:
    """Returns the pairs of notes of a project, or of all, that wait for a verdict, the latest first.

    What specs keep in memory is no duplicate of anything: a verdict would delete what the next stage writes again.
    """
    contradictions = store.contradicting(project, SHOWN)
    same = store.same_text(project, SHOWN)
    known = {frozenset((pair.newer.id, pair.older.id)) for pair in (*contradictions, *same)}
    near = (
        pair
        for pair in _nearly_the_same(store, project)
        if frozenset((pair.newer.id, pair.older.id)) not in known
    )
    return OpenPairs(contradictions, (*same, *near)[:SHOWN])


def _nearly_the_same(store: Store, project: str) -> list[NotePair]:
    """Pairs among the newest notes that say nearly the same, of one project and for the same people."""
    recent = store.recent(Query(project=project, limit=COMPARED)).items
    notes = [note for note in recent if not is_spec_note(note)]
    wordings = [_wording(note.content[:MOST_COMPARED]) for note in notes]
    found = [(notes[one], notes[other]) for one, other, _ in find_alike(wordings)]
    alike = [
        NotePair(*pair)
        for pair in found
        if (pair[0].project, pair[0].scope, pair[0].owner) == (pair[1].project, pair[1].scope, pair[1].owner)
    ]
    free = set(store.unrelated([(pair.newer.id, pair.older.id) for pair in alike]))
    return [pair for pair in alike if (pair.newer.id, pair.older.id) in free]


@lru_cache(maxsize=4 * COMPARED)  # whoever gives verdicts looks at the same notes again and again
def _wording(text: str) -> Wording:
    return wording_of(text)


def settle(store: Store, newer: int, older: int, verdict: PairVerdict) -> str:
    """Does what a person has decided about a pair of notes, and says what was done.

    What relates the two is written first: whoever is stopped half-way has lost nothing, and can decide again.
    """
    if newer == older:
        raise Refused("these are not two notes", remedy="load the page again")
    names = {number: with_title(look(store, number).note) for number in (newer, older)}
    if verdict is PairVerdict.BOTH:
        with suppress(Refused):  # they are related already
            store.relate(newer, older, RELATES_TO, note=BOTH_HOLD)
        _forget_contradiction(store, newer, older)
        return f"{names[newer]} and {names[older]} both hold"
    kept, gone = (older, newer) if verdict is PairVerdict.KEEP_OLDER else (newer, older)
    supersede(store, kept, gone)
    _forget_contradiction(store, newer, older)
    if verdict is PairVerdict.SUPERSEDES:
        return f"{names[kept]} supersedes {names[gone]}"
    delete_notes(store, [gone])
    return f"{names[kept]} is kept, {names[gone]} is deleted"


def _forget_contradiction(store: Store, one: int, other: int) -> None:
    for edge in store.relations(one):
        if edge.type == CONTRADICTS and other in (edge.from_id, edge.to_id):
            store.unrelate(edge.id)
