"""The full-text index in PostgreSQL: stems in `tsvector`, parts of words by `pg_trgm`, frequencies in a table."""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import log

from modicum.memory.engines.database import SearchBounds, Transaction

LONGEST_STEM = 400  # characters of a stem that are indexed, as in `words_of`
_BEYOND = "\U0010ffff"
_MOST_ALIKE = 20_000

# What was saved just now is news, until somebody adds it to the vocabulary.
_KNOWN = """
SELECT stem, CAST(sum(count) AS BIGINT) FROM (
  SELECT stem, count FROM vocabulary WHERE {which}
  UNION ALL
  SELECT stem, change FROM vocabulary_news, unnest(stems) AS each (stem) WHERE {which}
) AS known GROUP BY stem HAVING sum(count) > 0
"""
_FROM = 'stem >= :first AND stem < :beyond AND stem COLLATE "C" >= :first AND stem COLLATE "C" < :beyond'
FREQUENCIES = _KNOWN.format(which="stem = ANY(:stems)")
_LONG = f"{_FROM} AND length(stem) BETWEEN :shortest AND :longest"
ALIKE = f"""
SELECT stem FROM vocabulary WHERE {_LONG} UNION
SELECT stem FROM vocabulary_news, unnest(stems) AS each (stem) WHERE {_LONG} LIMIT :limit
"""  # noqa: S608 - ours
BEGINNING = _KNOWN.format(which=_FROM) + 'ORDER BY stem COLLATE "C" LIMIT :limit'

TOTALS = "SELECT name, value FROM totals WHERE name IN ('passages', 'words')"

# All that contain it are found first: walking down the ids until enough do may take the whole table.
CONTAINING = """
WITH found AS MATERIALIZED (
  SELECT id FROM notes
  WHERE deleted_at = '' AND (content ILIKE :pattern OR title ILIKE :pattern) AND id <= :upto
) SELECT id FROM found ORDER BY id DESC LIMIT :limit
"""

_BETWEEN = """
AND id IN (SELECT id FROM notes WHERE deleted_at = '' AND created_at >= :since AND created_at < :until)
"""

REBUILD = (
    "UPDATE passages SET title = title",
    "UPDATE prompts SET content = content",
    "DELETE FROM vocabulary_news",
    "DELETE FROM vocabulary",
    """
    INSERT INTO vocabulary (stem, count)
    SELECT stem, count(*) FROM passages, unnest(tsvector_to_array(words)) AS each (stem)
    WHERE NOT starts_with(stem, 'ǂ') GROUP BY stem
    """,
)
CHECKS = (
    (
        "SELECT EXISTS (SELECT 1 FROM passages WHERE words <> words_of(title, body, marks))",
        "the full-text index of passages is damaged: rebuild it",
    ),
    (
        """
        SELECT EXISTS (
          SELECT stem FROM (
            SELECT stem, -count AS count FROM vocabulary
            UNION ALL SELECT stem, -change FROM vocabulary_news, unnest(stems) AS each (stem)
            UNION ALL SELECT stem, 1 FROM passages, unnest(tsvector_to_array(words)) AS each (stem)
          ) AS counted WHERE NOT starts_with(stem, 'ǂ') GROUP BY stem HAVING sum(count) <> 0
        )
        """,
        "the vocabulary does not agree with the passages: rebuild it",
    ),
    (
        "SELECT count(*) <> (SELECT value FROM totals WHERE name = 'passages') FROM passages",
        "the number of passages is wrong: rebuild the index",
    ),
)


def quoted(word: str) -> str:
    """A word as a query has it, where no text is an operator."""
    escaped = word[:LONGEST_STEM].replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


class PostgresFullText:
    """An expression of ours is a JSON object: what any will do of, what two are needed of, the phrases and the marks."""

    comparable = 5_000

    def matching(
        self,
        stems: Sequence[str],
        phrases: Sequence[Sequence[str]],
        marks: Sequence[str],
        pairs: Sequence[str] = (),
    ) -> str:
        return json.dumps({"any": stems, "pairs": pairs, "phrases": phrases, "all": marks})

    def best(
        self, tx: Transaction, match: str, within: SearchBounds, known: Mapping[str, int], limit: int
    ) -> list[int]:
        asked = json.loads(match)
        stems = [*asked["any"], *asked["pairs"]] or [word for phrase in asked["phrases"] for word in phrase]
        score, values = self._score(tx, stems, known)
        return self._ids(tx, match, within, f"ORDER BY {score} DESC, id", {**values, "limit": limit})

    def newest(self, tx: Transaction, match: str, within: SearchBounds, limit: int) -> list[int]:
        return self._ids(tx, match, within, "ORDER BY id DESC", {"limit": limit})

    def _ids(
        self, tx: Transaction, match: str, within: SearchBounds, order: str, more: dict[str, object]
    ) -> list[int]:
        where, values = _where(match, within)
        sql = f"SELECT id FROM passages WHERE {where} {order} LIMIT :limit"  # noqa: S608 - values are parameters
        return [number for (number,) in tx.rows(sql, {**values, **more})]

    def _score(
        self, tx: Transaction, stems: Sequence[str], known: Mapping[str, int]
    ) -> tuple[str, dict[str, object]]:
        """How well a passage matches, much as BM25 has it: rare stems, again and again, in a short text."""
        totals: dict[str, int] = dict(tx.rows(TOTALS))
        passages = max(1, totals["passages"])
        values: dict[str, object] = {"usual": max(1.0, totals["words"] / passages)}
        parts = []
        for at, stem in enumerate(dict.fromkeys(stems)):
            # Of a phrase, words like "the" are not looked up: they are everywhere.
            number = known.get(stem, passages)
            rarity = max(0.000001, log((passages - number + 0.5) / (number + 0.5)))
            values |= {f"stem{at}": quoted(stem), f"rarity{at}": rarity}
            # The weights are of a text and, four times as much in effect, of a title.
            parts.append(
                f"CAST(:rarity{at} AS real) * ts_rank('{{0.5, 0.5, 0.5, 1}}', words, CAST(:stem{at} AS tsquery))"
            )
        return f"({' + '.join(parts)}) / (1.3 + 0.9 * length / CAST(:usual AS real))", values

    def count(self, tx: Transaction, match: str, within: SearchBounds, most: int) -> int:
        where, values = _where(match, within)
        some = f"SELECT 1 FROM passages WHERE {where} LIMIT :most"  # noqa: S608 - values are parameters
        return int(tx.rows(f"SELECT count(*) FROM ({some}) AS matches", {**values, "most": most})[0][0])  # noqa: S608

    def frequencies(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        cut = {stem[:LONGEST_STEM]: stem for stem in stems}
        return {cut[stem]: number for stem, number in tx.rows(FREQUENCIES, {"stems": [*cut]})}

    def alike(self, tx: Transaction, first: str, shortest: int, longest: int) -> list[str]:
        bounds = {"first": first, "beyond": first + _BEYOND, "shortest": shortest, "longest": longest}
        return [stem for (stem,) in tx.rows(ALIKE, {**bounds, "limit": _MOST_ALIKE})]

    def beginning(self, tx: Transaction, first: str, limit: int) -> dict[str, int]:
        return dict(tx.rows(BEGINNING, {"first": first, "beyond": first + _BEYOND, "limit": limit}))

    def containing(self, tx: Transaction, text: str, within: SearchBounds, limit: int) -> list[int]:
        escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        values = {"pattern": f"%{escaped}%", "upto": within.upto, "limit": limit}
        return [number for (number,) in tx.rows(CONTAINING, values)]

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        asked = " || ".join(f"plainto_tsquery('prompt_words', :word{at})" for at in range(len(words)))
        values = {f"word{at}": word for at, word in enumerate(words)}
        where = "AND project = :project" if project else ""
        sql = f"""
        SELECT id FROM prompts, (SELECT {asked} AS asked) AS question WHERE words @@ asked {where}
        ORDER BY ts_rank(words, asked, 1) DESC, id DESC LIMIT :limit
        """  # noqa: S608 - values are parameters
        return [number for (number,) in tx.rows(sql, {**values, "project": project, "limit": limit})]

    def rebuild(self, tx: Transaction) -> None:
        for sql in REBUILD:
            tx.run(sql)

    def problems(self, tx: Transaction) -> tuple[str, ...]:
        return tuple(text for sql, text in CHECKS if tx.rows(sql)[0][0])


def _twos(queries: Sequence[str]) -> list[str]:
    """Each with any of those behind it."""
    return [f"({one} & ({_any(queries[at:])}))" for at, one in enumerate(queries[:-1], 1)]


def _any(queries: Iterable[str]) -> str:
    return " | ".join(queries)


def _where(match: str, within: SearchBounds) -> tuple[str, dict[str, object]]:
    asked = json.loads(match)
    some = _any([*map(quoted, asked["any"]), *_twos([*map(quoted, asked["pairs"])])])
    groups = [*([word] for phrase in asked["phrases"] for word in phrase), *([mark] for mark in asked["all"])]
    texts = [some, *(_any(map(quoted, group)) for group in (*groups, *within.among))]
    query = " & ".join(f"({text})" for text in texts if text)
    values: dict[str, object] = {"query": query, "upto": within.upto}
    clauses = ["words @@ CAST(:query AS tsquery)", "id <= :upto"]
    for at, phrase in enumerate(asked["phrases"]):
        values[f"phrase{at}"] = f"% {' '.join(phrase)} %"
        told = (f"(' ' || {text} || ' ') LIKE :phrase{at}" for text in ("title", "body"))
        clauses.append(f"({' OR '.join(told)})")
    if within.project:
        clauses.append("project = :project")
        values["project"] = within.project
    between = _BETWEEN if within.since or within.until else ""
    values |= {"since": within.since, "until": within.until or _BEYOND}
    return f"{' AND '.join(clauses)} {between}", values
