"""Builds SQL that every engine runs: SELECT, INSERT, conditions of a query, listings with cursors."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from modicum.base.named_tuple import NamedTuple
from modicum.memory.engines.database import Row, Transaction
from modicum.memory.model import GLOBAL, Item, Listing, Query, Refused
from modicum.memory.names import PROJECT, project_name, public_name, scope_name

_SEPARATOR = "\x1f"

VERSION = "SELECT value FROM totals WHERE name = 'changes'"
# Whoever keeps finished answers must hear of every change.
COUNT_CHANGE = "UPDATE totals SET value = value + 1 WHERE name = 'changes'"


def select(fields: Sequence[str], table: str, *rest: str) -> str:
    """Builds the SQL "SELECT fields FROM table", with the rest as given."""
    return " ".join(("SELECT", ", ".join(fields), "FROM", table, *rest))


def insert(table: str, fields: Sequence[str], *rest: str) -> str:
    """Builds the SQL of an INSERT with a parameter for each field, with the rest as given."""
    parameters = ", ".join(f":{field}" for field in fields)
    return " ".join(("INSERT INTO", table, f"({', '.join(fields)})", "VALUES", f"({parameters})", *rest))


def assign(fields: Iterable[str]) -> str:
    """Builds the SQL of the assignments in an UPDATE: each field with its parameter."""
    return ", ".join(f"{field} = :{field}" for field in fields)


def id_list(numbers: Iterable[int]) -> str:
    """Builds the SQL list of numbers in brackets for IN; without numbers, a list that matches nothing."""
    return f"({', '.join(str(int(number)) for number in numbers) or 'NULL'})"


class Condition(NamedTuple):
    """The condition of an SQL statement: the clauses of its WHERE, and the values of their parameters."""

    clauses: tuple[str, ...] = ()
    values: dict[str, object] = {}  # noqa: RUF012 - never changed in place

    @property
    def text(self) -> str:
        return " AND ".join(self.clauses) or "1 = 1"


_CLAUSES = {
    "project": "project = :project",
    "scope": "scope = :scope",
    "type": "type = :type",
    "namespace": "namespace = :namespace AND namespace <> ''",  # the index of them has no others
    "session": "session_id = :session",
    "since": "created_at >= :since",
    "until": "created_at < :until",
    "origin": "origin || ':' LIKE :origin || ':%' AND origin <> ''",
}


@lru_cache(maxsize=256)  # one context asks four listings the same
def normal(query: Query) -> Query:
    """Returns a query with its names normalised, ready to become an SQL condition."""
    return query._replace(
        project=project_name(query.project),
        scope=scope_name(query.scope) if query.scope else "",
        type=public_name(query.type),
        namespace=public_name(query.namespace),
        session=public_name(query.session),
        origin=public_name(query.origin).lower(),
    )


def condition(
    query: Query, fields: Iterable[str] = tuple(_CLAUSES), always: tuple[str, ...] = ()
) -> Condition:
    """Builds the SQL condition for those of these fields that the query gives."""
    given = [field for field in fields if getattr(query, field)]
    # Most notes are for their project: an index of the others of a project has no need of them.
    narrow = [f"scope <> '{PROJECT}'"] if "scope" in given and query.scope != PROJECT else []
    clauses = (*always, *(_CLAUSES[field] for field in given), *narrow)
    return Condition(clauses, {field: getattr(query, field) for field in given})


def unindexed(where: Condition, always: tuple[str, ...]) -> Condition:
    """Builds the same SQL condition in a form that uses no index, except for the `always` clauses."""
    parts = (clause.partition(" ") for clause in where.clauses)
    clauses = (f"coalesce({field}, '') {rest}" for field, _, rest in parts)
    return Condition((*always, *clauses), where.values)


def admitting(tx: Transaction, query: Query, numbers: Sequence[int]) -> set[int]:
    """Selects by SQL which of these notes the query asks for; with `everywhere`, global ones of any project."""
    where = condition(query)
    if not where.clauses:
        return set(numbers)
    clauses = list(where.clauses)
    if query.everywhere and query.project:
        clauses[0] = f"({clauses[0]} OR scope = '{GLOBAL}')"
    rows = tx.rows(
        select(("id",), "notes", "WHERE", " AND ".join(clauses), "AND id IN", id_list(numbers)), where.values
    )
    return {number for (number,) in rows}


class ListedTable(NamedTuple):
    """A table of which SQL lists the rows: the start of the statement, the time to sort by, and the type of its ids."""

    start: str
    at: str = "created_at"
    key: type[int] | type[str] = int


def listing(
    tx: Transaction, table: ListedTable, kind: Callable[..., Item], where: Condition, query: Query
) -> Listing[Item]:
    """Runs the SQL of a listing: returns the items after the cursor, newest first, then the highest id."""
    if query.limit <= 0:
        return Listing()
    if query.cursor:
        where = _after(query.cursor, table, where)
    rest = ("WHERE", where.text, "ORDER BY", table.at, "DESC, id DESC LIMIT :limit")
    rows = tx.rows(" ".join((table.start, *rest)), {**where.values, "limit": query.limit + 1})
    items = tuple(kind(*row) for row in rows[: query.limit])
    return Listing(items, _cursor_of(items[-1], table) if len(rows) > query.limit else "")


def _after(cursor: str, table: ListedTable, where: Condition) -> Condition:
    at, key = read_cursor(cursor, table.at, str, table.key)
    clause = f"({table.at}, id) < (:cursor_at, :cursor_id)"
    return Condition((*where.clauses, clause), {**where.values, "cursor_at": at, "cursor_id": key})


def _cursor_of(item: object, table: ListedTable) -> str:
    return make_cursor(table.at, *(getattr(item, name) for name in (table.at, "id")))


def make_cursor(kind: str, *parts: object) -> str:
    """Builds the cursor of an SQL listing: a place in the listing as one word."""
    packed = _SEPARATOR.join(map(str, (kind, *parts))).encode()
    return b2a_base64(packed, newline=False).decode().rstrip("=").replace("+", "-").replace("/", "_")


def read_cursor(cursor: str, kind: str, *types: type[int] | type[str]) -> list[int | str]:
    """Reads the parts of an SQL listing's cursor; refuses one of another listing."""
    try:
        packed = cursor.replace("-", "+").replace("_", "/").encode()
        found, *parts = a2b_base64(packed + b"=" * (-len(packed) % 4)).decode().split(_SEPARATOR)
        if found == kind:
            return [make(part) for make, part in zip(types, parts, strict=True)]
    except ValueError:
        pass
    raise Refused("the cursor is not of this listing", remedy="leave it out to begin at the first page")


def first(rows: list[Row], kind: Callable[..., Item]) -> Item | None:
    """Returns the first row of an SQL result as a value, or None."""
    return kind(*rows[0]) if rows else None
