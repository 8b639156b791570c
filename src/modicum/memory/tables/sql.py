"""Pieces that statements are made of. Everything here is SQL that all our databases run."""

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
    """SELECT fields FROM table, and the rest as given."""
    return " ".join(("SELECT", ", ".join(fields), "FROM", table, *rest))


def insert(table: str, fields: Sequence[str], *rest: str) -> str:
    """INSERT of a parameter for each of the fields, and the rest as given."""
    parameters = ", ".join(f":{field}" for field in fields)
    return " ".join(("INSERT INTO", table, f"({', '.join(fields)})", "VALUES", f"({parameters})", *rest))


def assign(fields: Iterable[str]) -> str:
    """The fields, each with its parameter, as UPDATE wants them."""
    return ", ".join(f"{field} = :{field}" for field in fields)


def id_list(numbers: Iterable[int]) -> str:
    """Numbers as IN wants them; none of them are nothing."""
    return f"({', '.join(str(int(number)) for number in numbers) or 'NULL'})"


class Condition(NamedTuple):
    """What a WHERE clause says, and with which values."""

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
    """The query with names in the form in which they are kept."""
    scope = scope_name(query.scope) if query.scope else ""
    query = query._replace(project=project_name(query.project), scope=scope, type=public_name(query.type))
    return query._replace(namespace=public_name(query.namespace), session=public_name(query.session))


def condition(
    query: Query, fields: Iterable[str] = tuple(_CLAUSES), always: tuple[str, ...] = ()
) -> Condition:
    """What a query asks for, as far as these fields go."""
    asked = [field for field in fields if getattr(query, field)]
    clauses = (*always, *(_CLAUSES[field] for field in asked))
    return Condition(clauses, {field: getattr(query, field) for field in asked})


def unindexed(asked: Condition, always: tuple[str, ...]) -> Condition:
    """The same, in a form that only what is `always` asked for can be sought by."""
    parts = (clause.partition(" ") for clause in asked.clauses)
    clauses = (f"coalesce({field}, '') {rest}" for field, _, rest in parts)
    return Condition((*always, *clauses), asked.values)


class ListedTable(NamedTuple):
    """Where a listing comes from: how it begins, the time by which it is sorted, and what its ids are."""

    start: str
    at: str = Sort.CREATED
    key: type[int] | type[str] = int


def listing(
    tx: Transaction, table: ListedTable, kind: Callable[..., Item], asked: Condition, query: Query
) -> Listing[Item]:
    """The items after the cursor, newest first, then the highest id. Costs as much as it returns."""
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
    """A place in a listing as one word that nobody needs to understand."""
    packed = _SEPARATOR.join(map(str, (kind, *parts))).encode()
    return b2a_base64(packed, newline=False).decode().rstrip("=").replace("+", "-").replace("/", "_")


def read_cursor(cursor: str, kind: str, *types: type[int] | type[str]) -> list[int | str]:
    """The parts of a cursor of this kind."""
    try:
        packed = cursor.replace("-", "+").replace("_", "/").encode()
        found, *parts = a2b_base64(packed + b"=" * (-len(packed) % 4)).decode().split(_SEPARATOR)
        if found == kind:
            return [make(part) for make, part in zip(types, parts, strict=True)]
    except ValueError:
        pass
    raise Refused("the cursor is not of this listing", remedy="leave it out to begin at the first page")


def first(rows: list[Row], kind: Callable[..., Item]) -> Item | None:
    """The first row as a value."""
    return kind(*rows[0]) if rows else None
