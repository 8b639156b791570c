"""Reads the candidates of a search: notes as ranking needs them, with neighbours, links, speakers, days."""

import re
from collections.abc import Collection, Mapping, Sequence

from modicum.memory.engines.database import Row, Transaction
from modicum.memory.names import default_session, public_range
from modicum.memory.origins import UNCLAIMED
from modicum.memory.tables.lists import of_public_id
from modicum.memory.tables.sql import id_list
from modicum.search import speakers
from modicum.search.dates import relative_dates
from modicum.search.features import Candidate, date_of
from modicum.search.neighbours import REACH
from modicum.search.question import Question, Term
from modicum.search.terms import Trait

ALONE = default_session("")  # what is saved outside of any session has no neighbours
NO_LINKS: frozenset[int] = frozenset()
_TITLE, _HEAD = 9, 10  # where a row has them
MOST_NAMED = 20  # notes that a question names
_PUBLIC_ID = re.compile(
    r"(?<![\w-])n-[0-9a-z]{6,12}(?![\w-])", re.IGNORECASE
)  # shorter ones may be words, as n-gram is
LONG = 20_000  # characters of stems after which a body is only asked for the words of the question

LATEST = "SELECT coalesce(max(id), 0) FROM notes"
NEIGHBOURS = f"""
SELECT DISTINCT near.id FROM notes AS hit JOIN notes AS near ON near.session_id = hit.session_id
AND near.position BETWEEN hit.position - {REACH} AND hit.position + {REACH}
JOIN passages AS p ON p.id = near.id AND p.project = near.project
WHERE near.id <= :upto AND hit.session_id NOT LIKE :alone AND hit.id IN {{among}}
AND ((p.traits & {int(Trait.TITLED)}) = 0 OR hit.id IN {{lonely}})
"""  # noqa: S608 - ours

# Both tables are asked by number: a database that joins first may read all of one.
CANDIDATES = """
SELECT o.id, o.session_id, o.type, o.tool_name, o.author, o.project, o.topic_key, o.pinned, o.created_at,
  o.title, substr(o.content, 1, {head}), o.position, p.title, p.traits | ({low} * o.standing), p.telling, p.body
FROM notes AS o JOIN passages AS p ON p.id = o.id AND p.project = o.project WHERE p.id IN {among} AND o.id IN {among}
AND (o.id IN {sure} OR (p.traits & {titled}) = 0)
"""
# What memory itself thinks that notes have to do with each other is no reason to find them.
_SAID = f"type NOT IN ('restates', 'replaces') AND {UNCLAIMED}"
LINKS = f"""
SELECT from_id, to_id FROM relations WHERE from_id IN {{among}} AND {_SAID}
UNION SELECT from_id, to_id FROM relations WHERE to_id IN {{among}} AND {_SAID}
"""  # noqa: S608 - ours

Heads = Mapping[int, tuple[str, str]]  # the title of each note, and how its text begins
Fragments = Mapping[
    Term, Collection[int]
]  # words, and the notes that have them inside others or written as two


def neighbours(tx: Transaction, numbers: Sequence[int], upto: int, *, room: int) -> set[int]:
    """Returns the ids of the notes beside candidates in their sessions, up to an id.

    A note with a title stands by itself, and is there only as far as there is room for it.
    """
    among, lonely = id_list(numbers), id_list(numbers[: max(0, room) // (2 * REACH)])
    sql = NEIGHBOURS.format(among=among, lonely=lonely)
    rows = tx.rows(sql, {"upto": upto, "alone": f"{ALONE}%"})
    return {number for (number,) in rows}


def ids_in(tx: Transaction, text: str) -> frozenset[int]:
    """Returns the ids of the candidates that a question names by their public ids, whole as pages print them."""
    ranges = filter(None, map(public_range, _PUBLIC_ID.findall(text)[:MOST_NAMED]))
    return frozenset(note.id for each in ranges for note in of_public_id(tx, *each))


def candidates(
    tx: Transaction,
    sure: Collection[int],
    others: Collection[int],
    question: Question,
    fragments: Fragments,
) -> list[Candidate]:
    """Returns the candidates of a search: the notes with these ids that the person may see.

    Of the others only those without a title: what stands beside them may make them answers yet.
    """
    among, first = id_list({*sure, *others}), id_list(sure)
    links = _links(tx, among)
    marks = {"titled": int(Trait.TITLED), "low": int(Trait.LOW)}
    rows = tx.rows(CANDIDATES.format(among=among, sure=first, head=speakers.HEAD, **marks))
    heads = {row[0]: (row[_TITLE], row[_HEAD]) for row in rows}
    inside = {term: frozenset(ids) for term, ids in fragments.items()}
    found = [_candidate(row, links.get(row[0], NO_LINKS), question, inside) for row in rows]
    return _conversing(found, heads, question)


def _links(tx: Transaction, among: str) -> dict[int, frozenset[int]]:
    rows = tx.rows(LINKS.format(among=among))
    links: dict[int, set[int]] = {}
    for one, other in rows:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    return {number: frozenset(others) for number, others in links.items()}


def _candidate(row: Row, related: frozenset[int], question: Question, fragments: Fragments) -> Candidate:
    number, session, kind, tool, author, project, topic, pinned, created, *texts = row
    _, _, position, title, traits, telling, body = texts
    words = _body(body, question)
    words += [term.stem for term, ids in fragments.items() if number in ids and term.stem not in words]
    return Candidate(
        number,
        tuple(title.split()),
        tuple(words),
        tuple(filter(None, (topic, project, tool, kind))),
        author,
        "",
        "" if session.startswith(ALONE) else session,
        position,
        created,
        (),
        traits,
        telling,
        related,
        bool(pinned),
    )


def _body(stems: str, question: Question) -> list[str]:
    if len(stems) <= LONG:
        return stems.split()
    padded = f" {stems} "
    return stems[:LONG].split() + [term.stem for term in question.terms if f" {term.stem} " in padded]


def _conversing(found: Sequence[Candidate], heads: Heads, question: Question) -> list[Candidate]:
    """Returns the candidates with the speaker and the day that their text names, if it does.

    An author is a speaker already. A speaker whom the question does not name makes no difference to the rank.
    """
    words = [term.word for term in question.terms]
    labels = [_label(heads[each.id], words) if not each.author else "" for each in found]
    known = speakers.speakers(labels)
    named = [
        each._replace(speaker=label) if label in known else each
        for each, label in zip(found, labels, strict=True)
    ]
    if not question.dates:
        return named
    return [_dated(each, heads) for each in named]


def _label(head: tuple[str, str], words: Sequence[str]) -> str:
    """Returns the label at the head of a note, if it can be one that the question names."""
    text = " ".join(head)
    small = text.lower()
    may_name = not text.isascii() or any(word in small for word in words)
    return speakers.label(*head) if may_name else ""


def _dated(candidate: Candidate, heads: Heads) -> Candidate:
    """Returns the candidate with the day of its text, and the days that this names by words such as "yesterday"."""
    stamp = _said_at(candidate, heads)
    today = date_of(stamp)
    said = relative_dates(" , ".join(heads[candidate.id]), today) if today else ()
    return candidate._replace(created_at=stamp, said=tuple(said))


def _said_at(candidate: Candidate, heads: Heads) -> str:
    """Returns the day that its head names, unless that was still to come when it was saved."""
    return min(speakers.day(*heads[candidate.id]) or candidate.created_at, candidate.created_at)
