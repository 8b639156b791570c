"""Builds SQL that every database of ours runs: SELECT, INSERT, conditions of a query, listings with cursors."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from modicum.memory.engines.database import Row, Transaction
from modicum.memory.model import Item, Listing, Query, Refused, Sort
from modicum.memory.names import project_name, public_name, scope_name

_SEPARATOR = "\x1f"

VERSION = "SELECT value FROM totals WHERE name = 'changes'"
# Whoever keeps finished answers must hear of every change.
COUNT_CHANGE = "UPDATE totals SET value = value + 1 WHERE name = 'changes'"


def select(fields: Sequence[str], table: str, *rest: str) -> str:
    """Returns SELECT fields FROM table, and the rest as given."""
    return " ".join(("SELECT", ", ".join(fields), "FROM", table, *rest))


def insert(table: str, fields: Sequence[str], *rest: str) -> str:
    """Returns an INSERT with a parameter for each field, and the rest as given."""
    parameters = ", ".join(f":{field}" for field in fields)
    return " ".join(("INSERT INTO", table, f"({', '.join(fields)})", "VALUES", f"({parameters})", *rest))


def assign(fields: Iterable[str]) -> str:
    """Returns the fields, each with its parameter, as UPDATE wants them."""
    return ", ".join(f"{field} = :{field}" for field in fields)


def id_list(numbers: Iterable[int]) -> str:
    """Returns numbers in brackets for IN; without numbers, a list that matches nothing."""
    return f"({', '.join(str(int(number)) for number in numbers) or 'NULL'})"


class Condition(NamedTuple):
    """The clauses of a WHERE, and the values of their parameters."""

    clauses: tuple[str, ...] = ()
    values: dict[str, object] = {}  # noqa: RUF012 - never changed in place

    @property
    def text(self) -> str:
        return " AND ".join(self.clauses) or "1 = 1"


_CLAUSES = {
    "project": "project = :project",
    "scope": "scope = :scope",
    "type": "type = :type",
    "namespace": "namespace = :namespace",
    "session": "session_id = :session",
    "since": "created_at >= :since",
    "until": "created_at < :until",
}


def normal(query: Query) -> Query:
    """Returns the query with names in the form in which they are kept."""
    scope = scope_name(query.scope) if query.scope else ""
    query = query._replace(project=project_name(query.project), scope=scope, type=public_name(query.type))
    return query._replace(namespace=public_name(query.namespace), session=public_name(query.session))


def condition(
    query: Query, fields: Iterable[str] = tuple(_CLAUSES), always: tuple[str, ...] = ()
) -> Condition:
    """Returns the condition for those of these fields that the query gives."""
    asked = [field for field in fields if getattr(query, field)]
    clauses = (*always, *(_CLAUSES[field] for field in asked))
    return Condition(clauses, {field: getattr(query, field) for field in asked})


def unindexed(asked: Condition, always: tuple[str, ...]) -> Condition:
    """Returns the same condition in a form for which no index is used, but for what is `always` asked."""
    parts = (clause.partition(" ") for clause in asked.clauses)
    clauses = (f"coalesce({field}, '') {rest}" for field, _, rest in parts)
    return Condition((*always, *clauses), asked.values)


class ListedTable(NamedTuple):
    """A table that is listed: how the statement begins, the time by which it is sorted, and the type of its ids."""

    start: str
    at: str = Sort.CREATED
    key: type[int] | type[str] = int


def listing(
    tx: Transaction, table: ListedTable, kind: Callable[..., Item], asked: Condition, query: Query
) -> Listing[Item]:
    """Returns the items after the cursor, newest first, then the highest id. Costs as much as it returns."""
    if query.limit <= 0:
        return Listing()
    if query.cursor:
        asked = _after(query.cursor, table, asked)
    where = ("WHERE", asked.text, "ORDER BY", table.at, "DESC, id DESC LIMIT :limit")
    rows = tx.rows(" ".join((table.start, *where)), {**asked.values, "limit": query.limit + 1})
    items = tuple(kind(*row) for row in rows[: query.limit])
    return Listing(items, _cursor_of(items[-1], table) if len(rows) > query.limit else "")


def _after(cursor: str, table: ListedTable, asked: Condition) -> Condition:
    at, key = read_cursor(cursor, table.at, str, table.key)
    clause = f"({table.at}, id) < (:cursor_at, :cursor_id)"
    return Condition((*asked.clauses, clause), {**asked.values, "cursor_at": at, "cursor_id": key})


def _cursor_of(item: object, table: ListedTable) -> str:
    return make_cursor(table.at, *(getattr(item, name) for name in (table.at, "id")))


def make_cursor(kind: str, *parts: object) -> str:
    """Returns a cursor: a place in a listing as one word."""
    packed = _SEPARATOR.join(map(str, (kind, *parts))).encode()
    return b2a_base64(packed, newline=False).decode().rstrip("=").replace("+", "-").replace("/", "_")


def read_cursor(cursor: str, kind: str, *types: type[int] | type[str]) -> list[int | str]:
    """Returns the parts of a cursor; refuses one of another kind."""
    try:
        packed = cursor.replace("-", "+").replace("_", "/").encode()
        found, *parts = a2b_base64(packed + b"=" * (-len(packed) % 4)).decode().split(_SEPARATOR)
        if found == kind:
            return [make(part) for make, part in zip(types, parts, strict=True)]
    except ValueError:
        pass
    raise Refused("the cursor is not of this listing", remedy="leave it out to begin at the first page")


def first(rows: list[Row], kind: Callable[..., Item]) -> Item | None:
    """Returns the first row as a value, or None."""
    return kind(*rows[0]) if rows else None
