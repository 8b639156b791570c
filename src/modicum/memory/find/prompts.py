"""Searches the prompts: those with any of the words of a question, also where the question has a slip of the finger."""

from itertools import chain, islice

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Prompt, Query
from modicum.memory.names import project_name, storable
from modicum.memory.tables.sessions import recent_prompts
from modicum.memory.tables.sql import id_list, select
from modicum.search.question import Term, parse_question
from modicum.search.terms import halves, joined, near, one_slip_from, spelt, stem, tokens

MOST_ASKED = 4_000  # characters of a question that are read
RAREST = 12  # words that are looked for
MOST_READ = 500  # prompts, the newest, among whose words a misspelt one is looked for
MOST_MEANT = 3  # words that a misspelt one may have been
SHORTEST_RESPELT = 5
LONGEST_READ = 1_000  # characters of each of these prompts


def search_prompts(tx: Transaction, text: str, *, project: str, limit: int) -> tuple[Prompt, ...]:
    """Searches the prompts, of a project or all, and returns those that have any of the words, best first."""
    project = project_name(project)
    text = storable(text[:MOST_ASKED])
    terms = parse_question(text).terms[:RAREST]
    if not terms or limit <= 0:
        return ()
    words = [word for term in terms for word in (*_forms(term), *_halves(term))]
    words += islice(joined(text), RAREST)
    words += _respelt(tx, [term for term in terms if not _is_known(tx, term, project)], project)
    numbers = tx.words.prompts(tx, words, project=project, limit=limit)
    rows = tx.rows(select(Prompt._fields, "prompts", "WHERE id IN", id_list(numbers)))
    by_id = {prompt.id: prompt for prompt in (Prompt(*row) for row in rows)}
    return tuple(by_id[number] for number in numbers if number in by_id)


def _forms(term: Term) -> tuple[str, ...]:
    """Returns a word of a question as typed: the index of prompts has words so."""
    return (term.word, *spelt(term.stem))


def _halves(term: Term) -> list[str]:
    return [" ".join(pair) for pair in halves(term.word)]


def _is_known(tx: Transaction, term: Term, project: str) -> bool:
    words = [*_forms(term), *_halves(term)]
    return len(term.word) < SHORTEST_RESPELT or bool(tx.words.prompts(tx, words, project=project, limit=1))


def _respelt(tx: Transaction, unknown: list[Term], project: str) -> list[str]:
    """Returns the words that may have been meant by words that no prompt has: those of the newest prompts that are near."""
    if not unknown:
        return []
    recent = recent_prompts(tx, Query(project=project, limit=MOST_READ)).items
    read = chain.from_iterable(tokens(prompt.content[:LONGEST_READ]) for prompt in recent)
    by_stem = {stem(word): word for word in read}
    return [
        word
        for term in unknown
        for found in _meant(term, by_stem)
        for word in (by_stem[found], *spelt(found))
    ]


def _meant(term: Term, known: dict[str, str]) -> list[str]:
    """Returns stems: the nearest to a word, or else those that it is one slip away from."""
    nearest = near(term.stem, known)[:MOST_MEANT]
    return [*nearest] or sorted({stem(word) for word in one_slip_from(term.word)} & known.keys())[:MOST_MEANT]
