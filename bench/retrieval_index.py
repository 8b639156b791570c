"""Candidates for the ranker from plain SQL: what the store will do, in memory for now."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import apsw

from modicum.question import Question
from modicum.rank import Candidate, Collection
from modicum.terms import STOP_WORDS, near, stem, tokens, traits

SCHEMA = """
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  length INTEGER NOT NULL
);
CREATE INDEX passages_by_session ON passages (session, position);
CREATE VIRTUAL TABLE passages_fts USING fts5(
  title, body, content='passages', content_rowid='id', tokenize='porter unicode61'
);
CREATE VIRTUAL TABLE passages_terms USING fts5vocab('passages_fts', 'row');
CREATE TABLE session_terms (
  term TEXT NOT NULL,
  session TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (term, session)
) WITHOUT ROWID;
CREATE TABLE session_lengths (
  session TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  passages INTEGER NOT NULL
) WITHOUT ROWID;
CREATE VIRTUAL TABLE plain_fts USING fts5(title, body, tokenize='porter unicode61');
CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
  INSERT INTO passages_fts (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
  INSERT INTO passages_fts (passages_fts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
END;
"""

ADD_PASSAGE = """
INSERT INTO passages (id, session, position, title, body, length)
VALUES (:id, :session, :position, :title, :body, :length)
"""

COUNT_TERM = """
INSERT INTO session_terms (term, session, count) VALUES (:term, :session, :count)
ON CONFLICT (term, session) DO UPDATE SET count = count + excluded.count
"""

COUNT_SESSION = """
INSERT INTO session_lengths (session, length, passages) VALUES (:session, :length, 1)
ON CONFLICT (session) DO UPDATE SET length = length + excluded.length, passages = passages + 1
"""

TOTALS = """
SELECT count(*), coalesce(sum(length), 0), coalesce(sum(passages), 0) FROM session_lengths
"""

FREQUENCIES = """
SELECT v.term, v.doc FROM json_each(:terms) AS t JOIN passages_terms AS v ON v.term = t.value
"""

# Only words that begin alike are compared: a slip in the first letter is rare, and a scan of all words is not cheap.
ALIKE = """
SELECT term, doc FROM passages_terms
WHERE term >= :first AND term < :beyond AND length(term) BETWEEN :shortest AND :longest
"""

# Any of the rarest words, what stands beside them, and everything in the sessions that match best.
CANDIDATES = """
WITH
hits AS MATERIALIZED (
  SELECT rowid AS id FROM passages_fts WHERE passages_fts MATCH :match ORDER BY rank LIMIT :hits
),
beside AS (
  SELECT near.id
  FROM hits JOIN passages AS hit ON hit.id = hits.id AND hit.session <> ''
  JOIN passages AS near ON near.session = hit.session
    AND near.position BETWEEN hit.position - :beside AND hit.position + :beside
),
best AS MATERIALIZED (
  SELECT s.session AS session
  FROM json_each(:rarities) AS t
  JOIN session_terms AS s ON s.term = t.key AND s.session <> ''
  JOIN session_lengths AS l ON l.session = s.session
  GROUP BY s.session
  ORDER BY sum(t.value * s.count / (s.count + 1.2 * (0.4 + 0.6 * l.length / :mean_length))) DESC, s.session
  LIMIT :sessions
),
inside AS (
  SELECT p.id FROM best JOIN passages AS p ON p.session = best.session
)
SELECT id FROM hits UNION SELECT id FROM beside UNION SELECT id FROM inside
"""

PLAIN = "SELECT rowid FROM plain_fts WHERE plain_fts MATCH :match ORDER BY rank, rowid LIMIT :limit"

WORD = re.compile(r"[^\W_]+")

RAREST = 12
HITS = 200
BESIDE = 2
SESSIONS = 5
RESPELT_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of any source, as it comes."""

    id: int
    title: str
    body: str
    names: tuple[str, ...] = ()
    author: str = ""
    session: str = ""
    created_at: str = ""
    related: frozenset[int] = frozenset()
    pinned: bool = False

    @property
    def text(self) -> str:
        return " ".join((self.body, *self.names))


class Index:
    """Passages with what is kept of them at write time, and the two ways to search them."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self.db = apsw.Connection(":memory:")
        self.db.execute(SCHEMA)
        self.kept: dict[int, Candidate] = {}
        places: Counter[str] = Counter()
        with self.db:
            for passage in passages:
                self._add(passage, places[passage.session])
                places[passage.session] += 1

    def _add(self, passage: Passage, position: int) -> None:
        title, body = " ".join(tokens(passage.title)), " ".join(tokens(passage.text))
        words = [*map(stem, title.split()), *map(stem, body.split())]
        row = {"id": passage.id, "session": passage.session, "position": position, "length": len(words)}
        self.db.execute(ADD_PASSAGE, row | {"title": title, "body": body})
        counts = [{"term": t, "session": passage.session, "count": n} for t, n in Counter(words).items()]
        self.db.executemany(COUNT_TERM, counts)
        self.db.execute(COUNT_SESSION, row)
        plain = (passage.id, passage.title, passage.text)
        self.db.execute("INSERT INTO plain_fts (rowid, title, body) VALUES (?, ?, ?)", plain)
        self.kept[passage.id] = Candidate(
            id=passage.id,
            title=tuple(map(stem, title.split())),
            body=tuple(map(stem, body.split())),
            names=passage.names,
            author=passage.author,
            session=passage.session,
            position=position,
            created_at=passage.created_at,
            traits=traits(passage.body),
            related=passage.related,
            pinned=passage.pinned,
        )

    def collection(self, question: Question) -> Collection:
        _, words, passages = next(self.db.execute(TOTALS))
        asked = json.dumps([term.stem for term in question.terms])
        frequencies = dict(self.db.execute(FREQUENCIES, {"terms": asked}))
        return Collection(passages, words / max(1, passages), frequencies)

    def respelt(self, question: Question, collection: Collection) -> Question:
        """The question with words that nobody wrote replaced by the most frequent of the nearest that somebody did."""
        found = []
        for term in question.terms:
            known = term.stem in collection.frequencies
            meant = "" if known else self._meant(term.stem)
            found.append(
                replace(term, stem=meant, word=meant, weight=term.weight * RESPELT_WEIGHT) if meant else term
            )
        return replace(question, terms=tuple({term.stem: term for term in found}.values()))

    def _meant(self, word: str) -> str:
        first, length = word[0], len(word)
        bounds = {
            "first": first,
            "beyond": chr(ord(first) + 1),
            "shortest": length - 2,
            "longest": length + 2,
        }
        alike = dict(self.db.execute(ALIKE, bounds))
        return max(near(word, alike)[:3], key=lambda other: alike[other], default="")

    def candidates(self, question: Question, collection: Collection) -> list[Candidate]:
        known = [term for term in question.terms if term.stem in collection.frequencies]
        known.sort(key=lambda term: collection.frequencies[term.stem])
        known = known[:RAREST]
        if not known:
            return []
        rarities = {t.stem: math.log1p(collection.documents / collection.frequencies[t.stem]) for t in known}
        sessions, words, _ = next(self.db.execute(TOTALS))
        found = self.db.execute(
            CANDIDATES,
            {
                "match": " OR ".join(f'"{term.word}"' for term in known),
                "rarities": json.dumps(rarities),
                "mean_length": words / max(1, sessions),
                "hits": HITS,
                "beside": BESIDE,
                "sessions": SESSIONS,
            },
        )
        return [self.kept[number] for (number,) in found]

    def plain(self, text: str, limit: int = 1000) -> list[int]:
        """FTS5 porter, any of the words that are not stop words, by bm25."""
        words = dict.fromkeys(word for word in WORD.findall(text.lower()) if word not in STOP_WORDS)
        match = " OR ".join(f'"{word}"' for word in words)
        return (
            [number for (number,) in self.db.execute(PLAIN, {"match": match, "limit": limit})]
            if match
            else []
        )
