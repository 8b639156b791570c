"""The full-text index in PostgreSQL: stems in `tsvector`, parts of words by `pg_trgm`, frequencies.

All of it is asked through functions of the schema (`postgres.sql`), which return only what the person of the transaction may see.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from modicum.memory.engines.database import Frequencies, Match, PassageTotals, SearchBounds, Transaction
from modicum.memory.people.access import ANYBODY, Person

LONGEST_STEM = 400  # characters of a stem that are indexed, as in `words_of`
_BEYOND = "\U0010ffff"
_MOST_ALIKE = 20_000
_LONGEST = 1_000_000

_BOUNDS = """
CAST(:query AS tsquery), CAST(:phrases AS TEXT[]), :project, CAST(:upto AS BIGINT), CAST(:since AS TEXT), CAST(:until AS TEXT)
"""
BEST = f"""
SELECT best_passages({_BOUNDS}, CAST(CAST(:stems AS TEXT[]) AS tsquery[]), CAST(:rarities AS REAL[]),
  CAST(:usual AS REAL), CAST(:limit AS INTEGER))
"""
NEWEST = f"SELECT newest_passages({_BOUNDS}, CAST(:limit AS INTEGER))"
COUNT = f"SELECT count_passages({_BOUNDS}, CAST(:limit AS INTEGER))"
TOTALS = "SELECT passages, words FROM passages_in_all()"
FREQUENCIES = "SELECT word, number FROM stem_counts(CAST(:stems AS TEXT[]))"
BETWEEN = """
SELECT word, number FROM stems_between(
  :first, :beyond, CAST(:shortest AS INTEGER), CAST(:longest AS INTEGER), CAST(:limit AS INTEGER)
)
"""
CONTAINING = "SELECT notes_containing(:pattern, CAST(:upto AS BIGINT), CAST(:limit AS INTEGER))"
PROMPTS = "SELECT prompts_matching(CAST(:words AS TEXT[]), :project, CAST(:limit AS INTEGER))"

REBUILD = (
    "UPDATE passages SET title = title",
    "UPDATE prompts SET content = content",
    "DELETE FROM vocabulary_news",
    "DELETE FROM vocabulary",
    "DELETE FROM passage_totals",
    """
    INSERT INTO vocabulary (stem, project, audience, count)
    SELECT stem, project, audience, count(*) FROM passages, unnest(tsvector_to_array(words)) AS each (stem)
    WHERE NOT starts_with(stem, 'ǂ') GROUP BY stem, project, audience
    """,
    """
    INSERT INTO passage_totals (project, audience, passages, words)
    SELECT project, audience, count(*), sum(length) FROM passages GROUP BY project, audience
    """,
)
HAS_PGVECTOR = """
SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('vectors') AND attname = 'numbers')
"""
VECTOR_PRODUCT = "-(v.numbers <#> CAST(:asked AS halfvec))"
CHECKS = (
    (
        "SELECT EXISTS (SELECT 1 FROM passages WHERE words <> words_of(title, body, marks))",
        "the full-text index of passages is damaged: rebuild it",
    ),
    (
        """
        SELECT EXISTS (
          SELECT 1 FROM (
            SELECT stem, project, audience, -count AS count FROM vocabulary
            UNION ALL SELECT stem, project, audience, -change FROM vocabulary_news, unnest(stems) AS each (stem)
            UNION ALL SELECT stem, project, audience, 1 FROM passages, unnest(tsvector_to_array(words)) AS each (stem)
          ) AS counted WHERE NOT starts_with(stem, 'ǂ') GROUP BY stem, project, audience HAVING sum(count) <> 0
        )
        """,
        "the vocabulary does not agree with the passages: rebuild it",
    ),
    (
        "SELECT (SELECT count(*) FROM passages) <> (SELECT passages FROM passages_in_all())",
        "the number of passages is wrong: rebuild the index",
    ),
)


def quoted(word: str) -> str:
    """Quotes a word for `tsquery` of PostgreSQL full text, so that it is never an operator."""
    escaped = word[:LONGEST_STEM].replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


class PostgresFullText:
    """The full-text index in PostgreSQL: calls the functions of the schema on behalf of a person."""

    comparable = 5_000
    is_exact = True

    def __init__(self, person: Person = ANYBODY) -> None:
        self.person = person

    def best(
        self, tx: Transaction, match: Match, within: SearchBounds, known: Frequencies, limit: int
    ) -> list[int]:
        stems, usual = match.scored_stems, known.totals.usual_length
        rarities = [known.rarity(stem) for stem in stems]
        values = {"stems": [*map(quoted, stems)], "rarities": rarities, "usual": usual}
        return self._ids(tx, BEST, {**self._bounds(match, within), **values, "limit": limit})

    def newest(self, tx: Transaction, match: Match, within: SearchBounds, limit: int) -> list[int]:
        return self._ids(tx, NEWEST, {**self._bounds(match, within), "limit": limit})

    def count(self, tx: Transaction, match: Match, within: SearchBounds, most: int) -> int:
        return self._ids(tx, COUNT, {**self._bounds(match, within), "limit": most})[0]

    def _ids(self, tx: Transaction, sql: str, values: dict[str, object]) -> list[int]:
        return [number for (number,) in tx.rows(sql, values)]

    def _bounds(self, match: Match, within: SearchBounds) -> dict[str, object]:
        phrases = [f"% {' '.join(phrase)} %" for phrase in match.phrases]
        query = expression(match, self._groups)
        return {"query": query, "phrases": phrases, **within._asdict()}

    @property
    def _groups(self) -> tuple[tuple[str, ...], ...]:
        """Marks by which the index finds what may be seen; whether it really may is looked at in each row."""
        if not self.person.is_limited:
            return ()
        from modicum.memory.find.index import marks_seen

        return marks_seen(self.person.audiences, self.person.seen_projects)

    def totals(self, tx: Transaction) -> PassageTotals:
        return PassageTotals(*tx.rows(TOTALS)[0])

    def frequencies(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        cut = {stem[:LONGEST_STEM]: stem for stem in stems}
        return {cut[stem]: number for stem, number in tx.rows(FREQUENCIES, {"stems": [*cut]})}

    def alike(self, tx: Transaction, first: str, shortest: int, longest: int) -> list[str]:
        return [*self._between(tx, first, shortest, longest, _MOST_ALIKE)]

    def beginning(self, tx: Transaction, first: str, limit: int) -> dict[str, int]:
        return self._between(tx, first, 0, _LONGEST, limit)

    def _between(
        self, tx: Transaction, first: str, shortest: int, longest: int, limit: int
    ) -> dict[str, int]:
        bounds = {"first": first, "beyond": first + _BEYOND, "shortest": shortest, "longest": longest}
        return dict(tx.rows(BETWEEN, {**bounds, "limit": limit}))

    def vector_product(self, tx: Transaction) -> str:
        return VECTOR_PRODUCT if tx.rows(HAS_PGVECTOR)[0][0] else ""

    def containing(self, tx: Transaction, text: str, within: SearchBounds, limit: int) -> list[int]:
        escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return self._ids(tx, CONTAINING, {"pattern": f"%{escaped}%", "upto": within.upto, "limit": limit})

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        return self._ids(tx, PROMPTS, {"words": [*words], "project": project, "limit": limit})

    def forget(self, tx: Transaction) -> None:
        tx.rows("SELECT add_up_news()")

    def changing(self, tx: Transaction, number: int) -> AbstractContextManager[None]:
        return nullcontext()  # words leave when the server vacuums

    def rebuild(self, tx: Transaction) -> None:
        for sql in REBUILD:
            tx.run(sql)

    def problems(self, tx: Transaction) -> tuple[str, ...]:
        return tuple(text for sql, text in CHECKS if tx.rows(sql)[0][0])


def expression(match: Match, groups: Sequence[Sequence[str]] = ()) -> str:
    """Returns a match as a `tsquery` of PostgreSQL; a passage must have a mark of each group."""
    some = _any([*map(quoted, match.stems), *_twos([*map(quoted, match.pairs)])])
    words = ([word] for phrase in match.phrases for word in phrase)
    marks = ([mark] for mark in match.marks)
    texts = [some, *(_any(map(quoted, group)) for group in (*words, *marks, *groups))]
    return " & ".join(f"({text})" for text in texts if text)


def _twos(queries: Sequence[str]) -> list[str]:
    """Each with any of those behind it."""
    return [f"({one} & ({_any(queries[at:])}))" for at, one in enumerate(queries[:-1], 1)]


def _any(queries: Iterable[str]) -> str:
    return " | ".join(queries)
