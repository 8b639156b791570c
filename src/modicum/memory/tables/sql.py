"""Builds SQL that every engine runs: SELECT, INSERT, conditions of a query, listings with cursors."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.memory.engines.database import Row, Transaction
from modicum.memory.filters.model import FILTERS, NOTE, ItemKind, given_in
from modicum.memory.model import GLOBAL, PROJECT, Item, Listing, Query, Refused

_SEPARATOR = "\x1f"
NONE = "1 = 0"

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


def condition(query: Query, kind: ItemKind = NOTE, always: tuple[str, ...] = ()) -> Condition:
    """Builds the SQL condition for the filters that a query gives. One that items of this kind do not have lets none pass."""
    given = given_in(query)
    # Most notes are for their project: an index of the others of a project has no need of them.
    narrow = [f"scope <> '{PROJECT}'"] if kind is NOTE and query.scope not in ("", PROJECT) else []
    clauses = (*always, *(each.clauses.get(kind, NONE) for each in given), *narrow)
    return Condition(
        clauses, {each.name: getattr(query, each.name) for each in given if kind in each.clauses}
    )


def of_hits(query: Query) -> Condition:
    """Builds the SQL condition for the notes that may answer a search: with `everywhere`, global ones of any project."""
    where = condition(query)
    if not (query.everywhere and query.project):
        return where
    (own,) = (each.clauses[NOTE] for each in FILTERS if each.name == "project")
    wide = f"({own} OR scope = '{GLOBAL}')"
    return where._replace(clauses=tuple(wide if each == own else each for each in where.clauses))


def unindexed(where: Condition, always: tuple[str, ...]) -> Condition:
    """Builds the same SQL condition in a form that uses no index, except for the `always` clauses."""
    parts = (clause.partition(" ") for clause in where.clauses)
    clauses = (f"coalesce({field}, '') {rest}" for field, _, rest in parts)
    return Condition((*always, *clauses), where.values)


def admitting(tx: Transaction, where: Condition, numbers: Iterable[int]) -> set[int]:
    """Selects by SQL which of these notes a condition admits."""
    rest = ("WHERE", where.text, "AND id IN", id_list(numbers))
    return {number for (number,) in tx.rows(select(("id",), "notes", *rest), where.values)}


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
