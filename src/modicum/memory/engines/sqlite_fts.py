"""The full-text index in SQLite: the stems of notes in one FTS5 table, the trigrams of all stems in another."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import apsw

from modicum.memory.engines.database import Frequencies, Match, PassageTotals, SearchBounds, Transaction

MATCHING = "FROM passages_fts WHERE passages_fts MATCH :match AND rowid <= :upto"
# The stems of a passage that was damaged when it was removed stay in the index: nobody knows them any more.
_THERE = "AND EXISTS (SELECT 1 FROM passages AS p WHERE p.id = passages_fts.rowid)"
_BETWEEN = """
AND EXISTS (
  SELECT 1 FROM notes AS n WHERE n.id = passages_fts.rowid AND n.deleted_at = ''
  AND n.created_at >= :since AND n.created_at < :until
)
"""
TOTALS = "SELECT coalesce(sum(passages), 0), coalesce(sum(words), 0) FROM passage_totals"
COUNTED = """
SELECT stem, sum(count) FROM vocabulary WHERE stem IN (SELECT value FROM json_each(:stems)) GROUP BY stem
"""
# What stands only behind the beginning of a giant is not in the vocabulary.
FREQUENCIES = """
SELECT v.term, v.doc FROM json_each(:stems) AS asked JOIN passages_terms AS v ON v.term = asked.value
"""
_ALIKE = """
WHERE stem >= :first AND stem < :beyond AND length(stem) BETWEEN :shortest AND :longest LIMIT :limit
"""
# Each stem once. For whoever may not see everything: the stems of what can be seen.
ALIKE = f"SELECT stem FROM stems {_ALIKE}"  # noqa: S608 - ours
ALIKE_SEEN = f"SELECT DISTINCT stem FROM vocabulary {_ALIKE}"  # noqa: S608 - ours
BEGINNING = """
SELECT stem, sum(count) FROM vocabulary WHERE stem >= :first AND stem < :beyond GROUP BY stem ORDER BY stem LIMIT :limit
"""
PARTS = """
SELECT DISTINCT v.stem FROM grams AS g JOIN vocabulary AS v ON v.stem = g.stem WHERE g.stem LIKE :pattern LIMIT :limit
"""

_PROMPTS = "FROM prompts_fts WHERE prompts_fts MATCH :match"
_OF_PROJECT = (
    "AND EXISTS (SELECT 1 FROM prompts AS p WHERE p.id = prompts_fts.rowid AND p.project = :project)"
)

BEYOND = "\U0010ffff"
_MOST_ALIKE = 20_000
_MOST_PARTS = 200  # stems that have a text inside
_SOUGHT = 40  # stems that are looked for behind the beginning of giants: more are guesses at a spelling

INDEXES = ("passages_fts", "prompts_fts", "grams")
MANY = 500  # passages: to remove the words of so many one by one takes longer than to merge the index once

# As bytes: SQLite keeps a text that is not UTF-8, and no function can be given one.
_LOST = "NOT is_whole(CAST(texts AS BLOB), typeof(texts))"
REBUILD = (
    # Emptied so, a passage counts as damaged until its note is indexed anew.
    f"UPDATE packed_passages SET texts = x'' WHERE {_LOST}",  # noqa: S608 - ours
    "INSERT INTO passages_fts (passages_fts) VALUES ('rebuild')",
    "INSERT INTO prompts_fts (prompts_fts) VALUES ('rebuild')",
    "INSERT INTO grams (grams) VALUES ('rebuild')",
    "DELETE FROM vocabulary",  # and, one by one, the stems and their trigrams
    """
    INSERT INTO vocabulary (stem, project, audience, count) SELECT stem, project, audience, count(*) FROM (
      SELECT DISTINCT p.id, p.project, p.audience, word.value AS stem FROM passages AS p, json_each(
        '["' || replace(p.title || ' ' || substr(p.body, 1, 100000), ' ', '","') || '"]'
      ) AS word WHERE word.value <> ''
    ) GROUP BY stem, project, audience
    """,
    "DELETE FROM passage_totals",
    """
    INSERT INTO passage_totals (project, audience, passages, words)
    SELECT project, audience, count(*), sum(length) FROM passages GROUP BY project, audience
    """,
)
_CHECK = "INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)"
# Each finds a row, or raises, if the index is damaged. Lost texts read as empty, so they are looked for first.
CHECKS: dict[str, tuple[str, ...]] = {table: (_CHECK.format(table=table),) for table in INDEXES}
CHECKS["passages_fts"] = (f"SELECT 1 FROM packed_passages WHERE {_LOST} LIMIT 1", *CHECKS["passages_fts"])  # noqa: S608 - ours


def quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(word.replace('"', '""') for word in words) + '"'


def _any(words: Sequence[str]) -> str:
    return " OR ".join(quoted([word]) for word in words)


def _twos(words: Sequence[str]) -> list[str]:
    """Each word with any of those behind it."""
    pairs = enumerate(words[:-1], 1)
    return [f"({quoted([word])} AND ({_any(words[at:])}))" for at, word in pairs]


def expression(match: Match, groups: Sequence[Sequence[str]] = ()) -> str:
    """Returns a match as an expression of SQLite's FTS5; a passage must have a mark of each group."""
    some = " OR ".join(filter(None, (_any(match.stems), *_twos(match.pairs))))
    texts = [f"{{title body}} : ({part})" for part in (some, *map(quoted, match.phrases)) if part]
    marks = [f"marks : {quoted([mark])}" for mark in match.marks]
    return " AND ".join((*texts, *marks, *(f"marks : ({_any(group)})" for group in groups)))


class SqliteFullText:
    """The full-text index in SQLite (FTS5) for a caller who may see everything."""

    comparable = 20_000
    is_exact = True
    alike_sql = ALIKE
    groups: tuple[tuple[str, ...], ...] = ()  # of marks: what may be seen has one of each

    def best(
        self, tx: Transaction, match: Match, within: SearchBounds, known: Frequencies, limit: int
    ) -> list[int]:
        try:
            return self._ids(tx, match, within, limit, "ORDER BY rank LIMIT :limit")
        except apsw.CorruptError:  # one of the matches is not there, and the index has no length for it
            return self.newest(tx, match, within, limit)

    def newest(self, tx: Transaction, match: Match, within: SearchBounds, limit: int) -> list[int]:
        return self._ids(tx, match, within, limit, f"{_THERE} ORDER BY rowid DESC LIMIT :limit")

    def _ids(self, tx: Transaction, match: Match, within: SearchBounds, limit: int, order: str) -> list[int]:
        sql, values = self._statement("SELECT rowid", match, within, order)
        return [number for (number,) in tx.rows(sql, {**values, "limit": limit})]

    def _statement(
        self, start: str, match: Match, within: SearchBounds, order: str
    ) -> tuple[str, dict[str, object]]:
        between = _BETWEEN if within.since or within.until else ""
        values = {"match": expression(match, self.groups), "upto": within.upto}
        times = {"since": within.since, "until": within.until or BEYOND}
        return " ".join((start, MATCHING, between, order)), {**values, **times}

    def count(self, tx: Transaction, match: Match, within: SearchBounds, most: int) -> int:
        sql, values = self._statement("SELECT 1", match, within, "LIMIT :most")
        return int(tx.rows(f"SELECT count(*) FROM ({sql})", {**values, "most": most})[0][0])  # noqa: S608 - ours

    def vector_product(self, tx: Transaction) -> str:
        return ""  # vectors are read and compared by whoever asks

    def totals(self, tx: Transaction) -> PassageTotals:
        return PassageTotals(*tx.rows(TOTALS)[0])

    def frequencies(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        from json import dumps

        counted: dict[str, int] = dict(tx.rows(COUNTED, {"stems": dumps(stems)}))
        others = [stem for stem in stems if stem not in counted]
        return counted | self._uncounted(tx, others) if 0 < len(others) <= _SOUGHT else counted

    def _uncounted(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        from json import dumps

        return dict(tx.rows(FREQUENCIES, {"stems": dumps(stems)}))

    def alike(self, tx: Transaction, first: str, shortest: int, longest: int) -> list[str]:
        bounds = {"first": first, "beyond": first + BEYOND, "shortest": shortest, "longest": longest}
        return [stem for (stem,) in tx.rows(self.alike_sql, {**bounds, "limit": _MOST_ALIKE})]

    def beginning(self, tx: Transaction, first: str, limit: int) -> dict[str, int]:
        return dict(tx.rows(BEGINNING, {"first": first, "beyond": first + BEYOND, "limit": limit}))

    def containing(self, tx: Transaction, text: str, within: SearchBounds, limit: int) -> list[int]:
        rows = tx.rows(PARTS, {"pattern": f"%{text}%", "limit": _MOST_PARTS})
        stems = tuple(stem for (stem,) in rows)
        return self.newest(tx, Match(stems), within, limit) if stems else []

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        values = {"match": _any(words), "project": project, "limit": limit}
        narrowed = _OF_PROJECT if project else ""
        sql = f"SELECT rowid {_PROMPTS} {narrowed} ORDER BY rank, rowid DESC LIMIT :limit"
        return [number for (number,) in tx.rows(sql, values)]

    def forget(self, tx: Transaction) -> None:
        pass  # the triggers have counted

    @contextmanager
    def changing(self, tx: Transaction, number: int) -> Iterator[None]:
        """Removes few words from the full-text index in SQLite at once; marks many, which then go when the whole index is merged."""
        tables = INDEXES if number >= MANY else ()
        for table in tables:
            tx.run(f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', 0)")  # noqa: S608 - our own names
        yield
        for table in tables:
            tx.run(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - our own names
            tx.run(f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', 1)")  # noqa: S608 - our own names

    def rebuild(self, tx: Transaction) -> None:
        for sql in REBUILD:
            tx.run(sql)

    def problems(self, connection: apsw.Connection) -> tuple[str, ...]:
        damaged = [table for table, checks in CHECKS.items() if _is_damaged(connection, checks)]
        return tuple(f"the full-text index {table} is damaged: rebuild it" for table in damaged)


def _is_damaged(connection: apsw.Connection, checks: Sequence[str]) -> bool:
    try:
        return any(connection.execute(sql).fetchall() for sql in checks)
    except apsw.CorruptError:
        return True
