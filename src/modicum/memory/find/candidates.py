"""Reads the candidates of a search: notes as ranking needs them, with neighbours, links, speakers, days."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from modicum.memory.engines.database import Row, Transaction
from modicum.memory.model import Note
from modicum.memory.names import default_session
from modicum.memory.tables.sql import id_list
from modicum.search import speakers
from modicum.search.features import Candidate
from modicum.search.question import Question, Term
from modicum.search.terms import Trait

BESIDE = 2  # notes on each side of a hit: what they say reaches it
ALONE = default_session("")  # what is saved outside of any session has no neighbours
LONG = 20_000  # characters of stems after which a body is only asked for the words of the question

NEIGHBOURS = (
    "SELECT DISTINCT near.id FROM passages AS hit JOIN passages AS near ON near.session_id = hit.session_id",
    f"AND near.position BETWEEN hit.position - {BESIDE} AND hit.position + {BESIDE}",
    "WHERE near.id <= :upto AND hit.session_id NOT LIKE :alone AND hit.id IN",
)

# Both tables are asked by number: a database that joins first may read all of one.
CANDIDATES = """
SELECT o.id, o.session_id, o.type, o.tool_name, o.author, o.project, o.scope, o.topic_key, o.namespace, o.pinned,
  o.created_at, o.title, substr(o.content, 1, {head}), p.position, p.title, p.traits, p.body
FROM notes AS o JOIN passages AS p ON p.id = o.id AND p.project = o.project WHERE p.id IN {among} AND o.id IN {among}
"""
LINKS = """
SELECT from_id, to_id FROM relations WHERE from_id IN {among} UNION SELECT from_id, to_id FROM relations WHERE to_id IN {among}
"""

Fragments = Mapping[
    Term, Sequence[int]
]  # words that are in no index, and the notes that have them inside others


class CandidateNote(NamedTuple):
    """A candidate of a search: a note with only the head of its text, and the features for ranking."""

    note: Note
    candidate: Candidate


def neighbours(tx: Transaction, numbers: Collection[int], upto: int) -> set[int]:
    """Returns the ids of the candidates and of the notes beside them in their sessions, up to an id."""
    rows = tx.rows(" ".join((*NEIGHBOURS, id_list(numbers))), {"upto": upto, "alone": f"{ALONE}%"})
    return {number for (number,) in rows}


def candidates(
    tx: Transaction, numbers: Collection[int], question: Question, fragments: Fragments
) -> dict[int, CandidateNote]:
    """Returns the candidates of a search: the notes with these ids that the person may see."""
    links = _links(tx, numbers)
    rows = tx.rows(CANDIDATES.format(among=id_list(numbers), head=speakers.HEAD))
    found = [_note(row, links.get(row[0], frozenset()), question, fragments) for row in rows]
    return {each.note.id: each for each in _conversing(found, question)}


def _links(tx: Transaction, numbers: Collection[int]) -> dict[int, frozenset[int]]:
    rows = tx.rows(LINKS.format(among=id_list(numbers)))
    links: dict[int, set[int]] = {}
    for one, other in rows:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    return {number: frozenset(others) for number, others in links.items()}


def _note(row: Row, related: frozenset[int], question: Question, fragments: Fragments) -> CandidateNote:
    number, session, kind, tool, author, project, scope, topic, namespace, pinned, created, *texts = row
    named, head, position, title, traits, body = texts
    note = Note(
        number, "", session, kind, named, head, tool, author, project, scope, topic, namespace, pinned,
        created_at=created,
    )  # fmt: skip
    candidate = Candidate(
        id=number,
        title=tuple(title.split()),
        body=(*_body(body, question), *(term.stem for term, ids in fragments.items() if number in ids)),
        names=tuple(filter(None, (topic, project, tool, kind))),
        author=author,
        session="" if session.startswith(ALONE) else session,
        position=position,
        created_at=created,
        traits=Trait(traits),
        related=related,
        pinned=bool(pinned),
    )
    return CandidateNote(note, candidate)


def _body(stems: str, question: Question) -> list[str]:
    if len(stems) <= LONG:
        return stems.split()
    padded = f" {stems} "
    return stems[:LONG].split() + [term.stem for term in question.terms if f" {term.stem} " in padded]


def _conversing(notes: Sequence[CandidateNote], question: Question) -> list[CandidateNote]:
    """Returns the notes with the speaker and the day that their text names, if it does; an author is a speaker already."""
    labels = [_label(each.note) for each in notes]
    known = speakers.speakers(labels)
    named = [
        each.candidate._replace(speaker=label if label in known else "")
        for each, label in zip(notes, labels, strict=True)
    ]
    if question.dates:
        named = [
            candidate._replace(created_at=_said_at(each.note))
            for each, candidate in zip(notes, named, strict=True)
        ]
    return [CandidateNote(each.note, candidate) for each, candidate in zip(notes, named, strict=True)]


def _label(note: Note) -> str:
    return "" if note.author else speakers.label(note.title, note.content)


def _said_at(note: Note) -> str:
    """Returns the day that its head names, unless that was still to come when it was saved."""
    return min(speakers.day(note.title, note.content) or note.created_at, note.created_at)
