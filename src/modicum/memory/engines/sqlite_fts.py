"""The full-text index in SQLite: stems in one FTS5 table, trigrams in another."""

from collections.abc import Mapping, Sequence

import apsw

from modicum.memory.engines.database import SearchBounds, Transaction

_MATCH = "FROM passages_fts WHERE passages_fts MATCH :match AND rowid <= :upto"
_BETWEEN = """
AND rowid IN (SELECT id FROM notes WHERE deleted_at = '' AND created_at >= :since AND created_at < :until)
"""

FREQUENCIES = """
SELECT v.term, v.doc FROM json_each(:stems) AS asked JOIN passages_terms AS v ON v.term = asked.value
"""
# The index knows its words only together with all their places; to look through many, they are in a table, too.
ALIKE = """
SELECT stem FROM vocabulary
WHERE stem >= :first AND stem < :beyond AND length(stem) BETWEEN :shortest AND :longest LIMIT :limit
"""
BEGINNING = "SELECT term, doc FROM passages_terms WHERE term >= :first AND term < :beyond LIMIT :limit"

CONTAINING = """
SELECT id FROM (
  SELECT rowid AS id FROM grams WHERE content LIKE :pattern AND rowid <= :upto
  UNION SELECT rowid AS id FROM grams WHERE title LIKE :pattern AND rowid <= :upto
) ORDER BY id DESC LIMIT :limit
"""

PROMPTS = """
SELECT rowid FROM prompts_fts WHERE prompts_fts MATCH :match
AND rowid IN (SELECT id FROM prompts) ORDER BY rank, rowid DESC LIMIT :limit
"""
PROMPTS_OF_PROJECT = """
SELECT rowid FROM prompts_fts WHERE prompts_fts MATCH :match
AND rowid IN (SELECT id FROM prompts WHERE project = :project) ORDER BY rank, rowid DESC LIMIT :limit
"""

_BEYOND = "\U0010ffff"
_MOST_ALIKE = 20_000

# The trigrams have only what is not deleted, so that they cannot be compared with, or filled from, the whole table.
REBUILD = (
    "INSERT INTO passages_fts (passages_fts) VALUES ('rebuild')",
    "DELETE FROM vocabulary",
    "INSERT INTO vocabulary (stem) SELECT term FROM passages_terms WHERE term NOT LIKE 'ǂ%'",
    "INSERT INTO prompts_fts (prompts_fts) VALUES ('rebuild')",
    "INSERT INTO grams (grams) VALUES ('delete-all')",
    "INSERT INTO grams (rowid, title, content) SELECT id, title, content FROM notes WHERE deleted_at = ''",
)
CHECKS = {
    "passages_fts": "INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)",
    "prompts_fts": "INSERT INTO prompts_fts (prompts_fts, rank) VALUES ('integrity-check', 1)",
    "grams": "INSERT INTO grams (grams) VALUES ('integrity-check')",
}


def _quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(word.replace('"', '""') for word in words) + '"'


def _twos(words: Sequence[str]) -> list[str]:
    """Each word with any of those behind it."""
    return [f"({word} AND ({' OR '.join(words[at:])}))" for at, word in enumerate(words[:-1], 1)]


class SqliteFullText:
    """FTS5, where a word in quotes is only a word: no text is an operator."""

    comparable = 20_000

    def matching(
        self,
        stems: Sequence[str],
        phrases: Sequence[Sequence[str]],
        marks: Sequence[str],
        pairs: Sequence[str] = (),
    ) -> str:
        some = " OR ".join(
            (*(_quoted([stem]) for stem in stems), *_twos([_quoted([stem]) for stem in pairs]))
        )
        texts = [f"{{title body}} : ({part})" for part in (some, *map(_quoted, phrases)) if part]
        return " AND ".join((*texts, *(f"marks : {_quoted([mark])}" for mark in marks)))

    def best(
        self, tx: Transaction, match: str, within: SearchBounds, known: Mapping[str, int], limit: int
    ) -> list[int]:
        return self._ids(tx, match, within, limit, "ORDER BY rank LIMIT :limit")

    def newest(self, tx: Transaction, match: str, within: SearchBounds, limit: int) -> list[int]:
        return self._ids(tx, match, within, limit, "ORDER BY rowid DESC LIMIT :limit")

    def _ids(self, tx: Transaction, match: str, within: SearchBounds, limit: int, order: str) -> list[int]:
        sql, values = _statement("SELECT rowid", match, within, order)
        return [number for (number,) in tx.rows(sql, {**values, "limit": limit})]

    def count(self, tx: Transaction, match: str, within: SearchBounds, most: int) -> int:
        sql, values = _statement("SELECT 1", match, within, "LIMIT :most")
        return int(tx.rows(f"SELECT count(*) FROM ({sql})", {**values, "most": most})[0][0])  # noqa: S608 - ours

    def frequencies(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        from json import dumps

        return dict(tx.rows(FREQUENCIES, {"stems": dumps(stems)}))

    def alike(self, tx: Transaction, first: str, shortest: int, longest: int) -> list[str]:
        bounds = {"first": first, "beyond": first + _BEYOND, "shortest": shortest, "longest": longest}
        return [stem for (stem,) in tx.rows(ALIKE, {**bounds, "limit": _MOST_ALIKE})]

    def beginning(self, tx: Transaction, first: str, limit: int) -> dict[str, int]:
        return dict(tx.rows(BEGINNING, {"first": first, "beyond": first + _BEYOND, "limit": limit}))

    def containing(self, tx: Transaction, text: str, within: SearchBounds, limit: int) -> list[int]:
        values = {"pattern": f"%{text}%", "upto": within.upto, "limit": limit}
        return [number for (number,) in tx.rows(CONTAINING, values)]

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        match = " OR ".join(_quoted([word]) for word in words)
        values = {"match": match, "project": project, "limit": limit}
        return [number for (number,) in tx.rows(PROMPTS_OF_PROJECT if project else PROMPTS, values)]

    def rebuild(self, tx: Transaction) -> None:
        for sql in REBUILD:
            tx.run(sql)

    def problems(self, connection: apsw.Connection) -> tuple[str, ...]:
        return tuple(filter(None, (_problem(connection, table, sql) for table, sql in CHECKS.items())))


def _statement(
    start: str, match: str, within: SearchBounds, order: str = ""
) -> tuple[str, dict[str, object]]:
    between = _BETWEEN if within.since or within.until else ""
    for group in within.among:
        match = f"({match}) AND (marks : ({' OR '.join(_quoted([mark]) for mark in group)}))"
    values = {"match": match, "upto": within.upto, "since": within.since, "until": within.until or _BEYOND}
    return " ".join((start, _MATCH, between, order)), values


def _problem(connection: apsw.Connection, table: str, sql: str) -> str:
    try:
        connection.execute(sql)
    except apsw.CorruptError:
        return f"the full-text index {table} is damaged: rebuild it"
    return ""
