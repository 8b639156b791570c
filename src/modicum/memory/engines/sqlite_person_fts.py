"""The full-text index in SQLite for one person: scores count only the passages that the person may see."""

from collections.abc import Sequence

from modicum.memory.engines.database import Frequencies, Match, SearchBounds, Transaction
from modicum.memory.engines.sqlite_fts import ALIKE_SEEN, BEYOND, MATCHING, SqliteFullText, expression, quoted
from modicum.memory.find.index import marks_seen
from modicum.memory.people.access import Person

_COUNTED = 1_000  # passages of a stem that only stands behind the beginning of a giant
_HAVING = f"SELECT rowid AS id, length, CAST(:rarity{{at}} AS REAL) AS score {MATCHING.replace(':match', ':match{at}')}"
BEST = """
SELECT s.id FROM ({scored}) AS s {between}
GROUP BY s.id ORDER BY sum(s.score) / (1.3 + 0.9 * s.length / :usual) DESC, s.id LIMIT :limit
"""
_IN_TIME = "JOIN notes AS n ON n.id = s.id AND n.deleted_at = '' AND n.created_at >= :since AND n.created_at < :until"
_PROMPT_SCORE = "SELECT rowid AS id FROM prompts_fts WHERE prompts_fts MATCH :word{at}"
PROMPTS = """
SELECT p.id FROM ({scored}) AS s JOIN prompts AS p ON p.id = s.id WHERE :project IN ('', p.project)
GROUP BY p.id ORDER BY count(*) DESC, length(p.content), p.id DESC LIMIT :limit
"""


class SqlitePersonFullText(SqliteFullText):
    """The full-text index in SQLite (FTS5) for one person, through the views of the person's connection."""

    alike_sql = ALIKE_SEEN

    def __init__(self, person: Person) -> None:
        # Whom a hit is for is looked at in each row anyway; of projects, many or all may be hidden.
        self.groups = marks_seen((), person.seen_projects)

    def best(
        self, tx: Transaction, match: Match, within: SearchBounds, known: Frequencies, limit: int
    ) -> list[int]:
        usual = known.totals.usual_length
        values: dict[str, object] = {"usual": usual, "upto": within.upto, "limit": limit}
        values |= {"since": within.since, "until": within.until or BEYOND}
        parts = list[str]()
        for stem in match.scored_stems:
            having = expression(_having(match, stem), self.groups)
            for column in ("title body", "title"):  # a stem in the title counts twice
                at = len(parts)
                parts.append(_HAVING.format(at=at))
                holding = f"{{{column}}} : {quoted([stem])}"
                values[f"match{at}"] = f"({having}) AND {holding}" if having else holding
                values[f"rarity{at}"] = known.rarity(stem)
        between = _IN_TIME if within.since or within.until else ""
        rows = tx.rows(BEST.format(scored=" UNION ALL ".join(parts), between=between), values)
        return [number for (number,) in rows]

    def _uncounted(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        counted = {stem: self.count(tx, Match((stem,)), SearchBounds(2**62), _COUNTED) for stem in stems}
        return {stem: number for stem, number in counted.items() if number}

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        scored = " UNION ALL ".join(_PROMPT_SCORE.format(at=at) for at, _ in enumerate(words))
        values = {f"word{at}": quoted([word]) for at, word in enumerate(words)}
        rows = tx.rows(PROMPTS.format(scored=scored), {**values, "project": project, "limit": limit})
        return [number for (number,) in rows]


def _having(match: Match, stem: str) -> Match:
    """The match, as short as it can be for passages that have this stem: one stem is enough."""
    return match._replace(stems=(), pairs=()) if stem in match.stems else match
