"""The batches table in the database: every change of memory, and the rows that it changed as they were."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from modicum.memory.engines.database import Transaction
from modicum.memory.model import HOOK
from modicum.memory.tables.sql import first, id_list, insert, select
from modicum.memory.times import stamp
from modicum.memory.undo.model import Batch, BatchRow, LoggedBatch, RowName, counts_of, undone

KEPT_SECONDS = 30 * 86_400
MOST_PRUNED = 500  # rows that one change removes of old batches

FIELDS = Batch._fields
OPEN = insert("batches", (*FIELDS[1:], "open"), "RETURNING id").replace(":open", "1")
REOPEN = "UPDATE batches SET open = 1 WHERE id = :id"
# One statement, since each is a round trip to a server: closes it, and tells whether it has rows and what has expired.
CLOSE = """
UPDATE batches SET open = 0 WHERE id = :id RETURNING
  EXISTS (SELECT 1 FROM batch_rows WHERE batch = :id),
  EXISTS (SELECT 1 FROM batches AS b WHERE b.id = (SELECT min(id) FROM batches) AND b.at < :horizon)
"""
DROP_EMPTY = """
DELETE FROM batches WHERE id = :id AND NOT EXISTS (SELECT 1 FROM batch_rows WHERE batch = :id)
"""
# An undo that could change nothing is kept: else the next one would try the same again.
DROP_UNUSED = f"{DROP_EMPTY} AND undoes = 0"
EXPIRED = "SELECT id FROM batches WHERE id = (SELECT min(id) FROM batches) AND at < :horizon"
PRUNE = """
DELETE FROM batch_rows WHERE batch = :id
AND (kind, key) IN (SELECT kind, key FROM batch_rows WHERE batch = :id ORDER BY kind, key LIMIT :limit)
"""

LIST = select(FIELDS, "batches", "WHERE at >= :horizon AND id < :below ORDER BY id DESC LIMIT :limit")
GET = select(FIELDS, "batches", "WHERE id = :id AND at >= :horizon")
UNDOS = "SELECT id, undoes FROM batches WHERE undoes > 0 AND open = 0"
ROWS = select(BatchRow._fields, "batch_rows", "WHERE batch = :id ORDER BY kind, length(key), key")
LATER = """
SELECT b.kind, b.key, a.batch FROM batch_rows AS b JOIN batch_rows AS a ON a.kind = b.kind AND a.key = b.key
WHERE b.batch = :id AND a.batch > :id
"""
# What came into the inbox or left it is a change of its note.
COUNTS = """
SELECT batch, kind, count(*) FROM (
  SELECT DISTINCT batch, CASE kind WHEN 'waiting' THEN 'note' ELSE kind END AS kind, key
  FROM batch_rows AS r WHERE batch IN {batches} AND {seen}
) AS changed GROUP BY batch, kind
"""
# Whether the row is there for who asks, in whose transaction the tables have only what they may see.
SEEN = """
CASE r.kind WHEN 'session' THEN EXISTS (SELECT 1 FROM sessions AS t WHERE t.id = r.key)
  WHEN 'relation' THEN EXISTS (SELECT 1 FROM relations AS t WHERE t.id = CAST(r.key AS BIGINT))
  WHEN 'prompt' THEN EXISTS (SELECT 1 FROM prompts AS t WHERE t.id = CAST(r.key AS BIGINT))
  WHEN 'progress' THEN EXISTS (SELECT t.project FROM progress AS t WHERE t.id = CAST(r.key AS BIGINT))
  WHEN 'home' THEN 1 = 0
  ELSE EXISTS (SELECT 1 FROM notes AS t WHERE t.id = CAST(rtrim(rtrim(r.key, '0123456789'), '/') || CASE
    WHEN r.kind = 'revision' THEN '' ELSE r.key END AS BIGINT)) END
"""
SEEN_ROWS = f"SELECT kind, key FROM batch_rows AS r WHERE batch = :id AND {SEEN}"  # noqa: S608 - our own words

FORGET = """
DELETE FROM batch_rows WHERE kind = :kind AND key = :key AND NOT (batch IN (SELECT id FROM batches WHERE open = 1))
"""
FORGET_REVISIONS = "DELETE FROM batch_rows WHERE kind = 'revision' AND key > :first AND key < :beyond"
RELATIONS = "SELECT key, batch, before FROM batch_rows WHERE kind = 'relation' AND before IS NOT NULL"
FORGET_ONE = "DELETE FROM batch_rows WHERE kind = 'relation' AND key = :key AND batch = :batch"
# The open batch keeps that there was such a row: without a text if it has made the row, with an empty one if it was there before.
REMEMBER = """
UPDATE batch_rows SET before = NULL, content = '' WHERE kind = :kind AND key = :key AND before IS NOT NULL
AND batch IN (SELECT id FROM batches WHERE open = 1)
"""


def horizon(now: float) -> str:
    """Returns the time from which on the database keeps batches."""
    return stamp(now - KEPT_SECONDS)


class BatchWriter:
    """Writes one batch into the database, over one transaction or several; an empty batch leaves nothing."""

    def __init__(self, batch: Batch, now: float) -> None:
        self.batch, self.horizon = batch._replace(at=stamp(now)), horizon(now)

    @property
    def number(self) -> int:
        return self.batch.id

    @contextmanager
    def within(self, tx: Transaction) -> Iterator[None]:
        """Keeps in the table of batches, while it lasts, every row that the transaction changes as it was."""
        earlier = self.batch
        try:
            self._open(tx)
            yield
            self._close(tx)
        except BaseException:
            self.batch = earlier  # the transaction is taken back, and the batch with it
            raise

    def _open(self, tx: Transaction) -> None:
        if self.number:
            tx.run(REOPEN, {"id": self.number})
        else:
            ((number,),) = tx.rows(OPEN, self.batch._asdict())
            self.batch = self.batch._replace(id=int(number))

    def _close(self, tx: Transaction) -> None:
        ((used, expired),) = tx.rows(CLOSE, {"id": self.number, "horizon": self.horizon})
        if not used and tx.run(DROP_UNUSED, {"id": self.number}):
            self.batch = self.batch._replace(id=0)
        if expired:
            tx.hold("batches")  # two at once would wait for each other's rows
            prune(tx, self.horizon)


def prune(tx: Transaction, before: str) -> None:
    """Removes batches from before a time from the database, but only some rows at once."""
    room = MOST_PRUNED
    while room > 0 and (found := tx.rows(EXPIRED, {"horizon": before})):
        number = found[0][0]
        room -= 1 + tx.run(PRUNE, {"id": number, "limit": room})
        tx.run(DROP_EMPTY, {"id": number})


def get(tx: Transaction, number: int, since: str) -> Batch | None:
    return first(tx.rows(GET, {"id": number, "horizon": since}), Batch)


def undos(tx: Transaction) -> dict[int, int]:
    """Returns the batches in the database that are undos, each with the batch that it took back."""
    return dict(tx.rows(UNDOS))


def rows_of(tx: Transaction, number: int) -> list[BatchRow]:
    return [BatchRow(*row) for row in tx.rows(ROWS, {"id": number})]


def later_batches(tx: Transaction, number: int) -> dict[RowName, list[int]]:
    """Returns the later batches in the database that changed the rows of a batch."""
    found: dict[RowName, list[int]] = {}
    for kind, key, batch in tx.rows(LATER, {"id": number}):
        found.setdefault((kind, key), []).append(batch)
    return found


def latest(tx: Transaction, since: str, *, person: str, kind: str, passed: Sequence[int]) -> Batch | None:
    """Returns the latest batch of a person in the database that is no hook's, no undo and not among the passed ones."""
    wanted = ["person = :person", "undoes = 0", "source <> :hook", "at >= :horizon"]
    wanted += [f"NOT (id IN {id_list(passed)})"] if passed else []
    wanted += ["kind = :kind"] if kind else []
    values = {"person": person, "hook": HOOK, "horizon": since, "kind": kind}
    where = ("WHERE", " AND ".join(wanted), "ORDER BY id DESC LIMIT 1")
    return first(tx.rows(select(FIELDS, "batches", *where), values), Batch)


def logged(
    tx: Transaction, since: str, limit: int, below: int = 0, *, tells_gone: bool = True
) -> tuple[LoggedBatch, ...]:
    """Lists the batches in the database, the latest first, with counts, projects and some titles; those `below` a number.

    Without `tells_gone`, which reads rows as they were, what is gone has no name, and what the person may not see no count.
    """
    from modicum.memory.undo.names import named_notes, projects_of  # what hooks write needs no names

    values = {"horizon": since, "limit": limit, "below": below or 2**62}
    found = [Batch(*row) for row in tx.rows(LIST, values)] if limit > 0 else []
    counts: dict[int, dict[str, int]] = {each.id: {} for each in found}
    seen = "1 = 1" if tells_gone else SEEN
    for number, kind, count in tx.rows(COUNTS.format(batches=id_list(counts), seen=seen)):
        counts[number][kind] = count
    gone = undone(undos(tx))
    return tuple(
        LoggedBatch(
            each,
            counts_of(counts[each.id]),
            named_notes(tx, each.id, undone_by, tells_gone=tells_gone),
            undone_by,
            projects_of(tx, each.id, undone_by, tells_gone=tells_gone),
        )
        for each in found
        for undone_by in [gone.get(each.id, 0)]
    )


def forget_note(tx: Transaction, number: int) -> None:
    """Removes all that batches in the database keep of a note, its revisions and its relations."""
    forget(tx, "note", str(number))
    tx.run(FORGET_REVISIONS, {"first": f"{number}/", "beyond": f"{number}0"})
    for key, batch, before in tx.rows(RELATIONS):
        if number in _ends(before):
            tx.run(FORGET_ONE, {"key": key, "batch": batch})


def _ends(before: str) -> set[int]:
    import json

    image = json.loads(before)
    return {image["from_id"], image["to_id"]}


def forget(tx: Transaction, kind: str, key: str) -> None:
    """Removes all that batches in the database keep of a row; the open batch keeps its key."""
    tx.run(FORGET, {"kind": kind, "key": key})
    tx.run(REMEMBER, {"kind": kind, "key": key})
