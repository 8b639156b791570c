"""Copies a whole store from one database engine to another, row by row; continues an unfinished copy."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from typing import NamedTuple, Protocol

from modicum.memory.engines.database import Database, Row, Transaction
from modicum.memory.find.index import mark
from modicum.memory.model import PERSONAL, Note, Progress, Prompt, Refused, Relation, Revision, Session
from modicum.memory.names import storable
from modicum.memory.people.access import OWN
from modicum.memory.people.model import Token
from modicum.memory.projects.keys import PLACE
from modicum.memory.projects.rows import place_prefix
from modicum.memory.tables.audit import AuditAction
from modicum.memory.tables.sql import COUNT_CHANGE, insert, select

NOBODYS = place_prefix("")
BATCH = 500  # rows of a transaction, so that others never wait for long


class CopiedTable(NamedTuple):
    """A table to copy between engines: its columns, its key, and a column that two copies share."""

    name: str
    fields: tuple[str, ...]
    key: tuple[str, ...] = ("id",)
    same: str = ""  # a row with this key must have the same value here, or it is another store's


class TableCopy(NamedTuple):
    """The result of copying a table between engines: how many rows were there, and how many were copied."""

    name: str
    there: int
    came: int
    checksum: str


_PASSAGE = (
    "id",
    "project",
    "audience",
    "title",
    "marks",
    "length",
    "traits",
    "telling",
    "body",
)
# Numbers that the triggers keep are counted anew: how many notes a session has, and when it was last active.
_SESSION = tuple(name for name in Session._fields if name not in ("notes", "active_at"))
TABLES = (
    CopiedTable("sessions", (*_SESSION, "told_by"), same="started_at"),
    CopiedTable("notes", (*Note._fields, "public_id", "hash", "standing", "position"), same="sync_id"),
    CopiedTable("passages", _PASSAGE, same="body"),
    CopiedTable("note_keys", ("note_id", "key"), ("note_id", "key"), same="note_id"),
    CopiedTable("revisions", Revision._fields, ("note_id", "number"), same="saved_at"),
    CopiedTable("waiting", ("note_id", "reason", "said_by"), ("note_id",), same="reason"),
    CopiedTable("prompts", Prompt._fields, same="sync_id"),
    CopiedTable("relations", Relation._fields, same="created_at"),
    CopiedTable("progress", Progress._fields, same="created_at"),
    CopiedTable("projects", ("id", "name", "owner"), same="name"),
    CopiedTable(
        "project_keys",
        ("kind", "value", "project", "clone", "root"),
        ("kind", "value", "project"),
        same="project",
    ),
    CopiedTable("tokens", Token._fields, same="hash"),
    CopiedTable("audit", ("id", "at", "person", *AuditAction._fields), same="at"),
    # Last, and of these the projects first of all: from then on the target marks what changes in them.
    CopiedTable("sync_homes", ("project", "machine"), ("project",), same="project"),
    CopiedTable("sync_machines", ("home", "machine"), ("home", "machine"), same="machine"),
    CopiedTable(
        "sync_states", ("kind", "key", "home", "one", "other", "state"), ("kind", "key", "home"), same="state"
    ),
    CopiedTable("sync_changes", ("home", "kind", "key"), ("home", "kind", "key"), same="key"),
    CopiedTable("sync_outbox", ("id", "home", "kind", "key", "record"), same="record"),
    CopiedTable("sync_chunks", ("home", "chunk"), ("home", "chunk"), same="chunk"),
)

Tell = Callable[[int], None]


class CopySource(Protocol):
    """The interface of what is copied from one engine to another: a database, or one moment of it."""

    def reading(self) -> AbstractContextManager[Transaction]: ...


class OneMoment:
    """One moment of a database to copy from: all of it is read in one transaction, whoever writes meanwhile."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def reading(self) -> AbstractContextManager[Transaction]:
        return nullcontext(self._tx)


def total(source: CopySource) -> int:
    """Counts the steps of a copy for its progress bar: each row is copied, then compared in both stores."""
    with source.reading() as tx:
        return 3 * sum(int(tx.rows(f"SELECT count(*) FROM {table.name}")[0][0]) for table in TABLES)  # noqa: S608 (names of our tables)


def migrate(
    source: CopySource, target: Database, *, owner: str = "", tell: Tell = lambda _: None
) -> tuple[TableCopy, ...]:
    """Copies all missing rows from one database engine to another, then compares both; may be started again.

    What has no owner, and could be seen by nobody among several people, becomes the `owner`'s.
    """
    counts = [(table, *_copy(source, target, table, owner, tell)) for table in TABLES]
    with target.writing() as tx:
        tx.run(COUNT_CHANGE)
    return tuple(
        TableCopy(table.name, there, came, _compared(source, target, table, owner, tell))
        for table, there, came in counts
    )


def _copy(
    source: CopySource, target: Database, table: CopiedTable, owner: str, tell: Tell
) -> tuple[int, int]:
    there = came = 0
    for found in _batches(source, table):
        batch = [_owned(table, row, owner) for row in found]
        with target.writing() as tx:
            known = _known(tx, table, batch)
            new = [row for row in batch if _key(table, row) not in known]
            for row in new:
                tx.run(_insert(table), _values(table, row))
        there, came = there + len(batch) - len(new), came + len(new)
        tell(len(batch))
    return there, came


def _owned(table: CopiedTable, row: Row, owner: str) -> Row:
    """Returns a row as it will be: with an owner, and a passage for that owner alone."""
    if not owner or table.name not in ("notes", "prompts", "passages", "project_keys"):
        return row
    values = _values(table, row)
    if table.name == "project_keys":
        place = str(values["value"])
        if values["kind"] == PLACE and place.startswith(NOBODYS):
            values["value"] = f"{place_prefix(owner)}{place.removeprefix(NOBODYS)}"
        return tuple(values.values())
    if table.name == "passages":
        marks = str(values["marks"]).split()
        if values["audience"] == OWN:
            values |= {"audience": OWN + owner, "marks": " ".join((*marks, mark("o", owner)))}
    elif not values["owner"] and (table.name == "prompts" or values["scope"] == PERSONAL):
        values["owner"] = owner
    return tuple(values.values())


def _insert(table: CopiedTable) -> str:
    if table.name != "sessions":
        return insert(table.name, table.fields)
    return insert(table.name, (*table.fields, "active_at")).replace(":active_at", ":started_at")


def _values(table: CopiedTable, row: Row) -> dict[str, object]:
    return dict(zip(table.fields, row, strict=True))


def _key(table: CopiedTable, row: Row) -> tuple[object, ...]:
    values = _values(table, row)
    return tuple(_plain(values[name]) for name in table.key)


def _plain(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


def _known(tx: Transaction, table: CopiedTable, batch: Sequence[Row]) -> set[tuple[object, ...]]:
    """Returns the keys of a batch that are there; refuses a row of another store."""
    first, last = (dict(zip(table.key, _key(table, row), strict=True)) for row in (batch[0], batch[-1]))
    bounds = {f"first_{name}": value for name, value in first.items()}
    bounds |= {f"last_{name}": value for name, value in last.items()}
    key = ", ".join(table.key)
    between = f"({key}) >= ({_parameters('first', table)}) AND ({key}) <= ({_parameters('last', table)})"
    rows = tx.rows(select((*table.key, table.same), table.name, "WHERE", between), bounds)
    found = {tuple(row[:-1]): row[-1] for row in rows}
    wanted = {_key(table, row): _plain(_values(table, row)[table.same]) for row in batch}
    strange = [known for known, value in found.items() if known not in wanted or wanted[known] != value]
    if strange:
        remedy = "choose an empty database; modicum export and import add the notes of one store to another"
        raise Refused(f"the target has other {table.name} than the source: {strange[0][0]}", remedy=remedy)
    return set(found)


def _parameters(prefix: str, table: CopiedTable) -> str:
    return ", ".join(f":{prefix}_{name}" for name in table.key)


def _batches(database: CopySource, table: CopiedTable) -> Iterator[list[Row]]:
    """Yields the rows in order, some at a time, each time in a transaction of its own."""
    key, after = ", ".join(table.key), ""
    values: dict[str, object] = {"limit": BATCH}
    while True:
        where = (
            ("WHERE", after, "ORDER BY", key, "LIMIT :limit") if after else ("ORDER BY", key, "LIMIT :limit")
        )
        with database.reading() as tx:
            batch = tx.rows(select(table.fields, table.name, *where), values)
        if not batch:
            return
        yield batch
        after = f"({key}) > ({_parameters('last', table)})"
        last = _values(table, batch[-1])
        values |= {f"last_{name}": last[name] for name in table.key}


def _compared(source: CopySource, target: Database, table: CopiedTable, owner: str, tell: Tell) -> str:
    ours, theirs = checksum(source, table, owner, tell), checksum(target, table, tell=tell)
    if ours != theirs:
        remedy = (
            "stop whatever writes to either, then start again; if they still differ, choose an empty database"
        )
        raise Refused(f"the {table.name} differ after copying", remedy=remedy)
    return ours


def checksum(database: CopySource, table: CopiedTable, owner: str = "", tell: Tell = lambda _: None) -> str:
    """Returns the checksum of a copied table: the same rows give the same checksum on every engine."""
    digest = sha256()
    for batch in _batches(database, table):
        for row in batch:
            digest.update(repr(tuple(map(_plain, _owned(table, row, owner)))).encode())
        tell(len(batch))
    return digest.hexdigest()
