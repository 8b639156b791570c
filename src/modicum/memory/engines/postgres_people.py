"""Limits a person in PostgreSQL: their statements run as a role that the policies of the tables restrict.

The policies, and the functions for full text, are in `postgres.sql`. Settings of the transaction say who asks.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from psycopg.errors import InsufficientPrivilege
from psycopg.sql import Literal

from modicum.memory.engines.database import NOTHING, FullText, Row, Transaction, Values
from modicum.memory.engines.postgres_fts import PostgresFullText
from modicum.memory.engines.postgres_setup import quoted_name
from modicum.memory.model import Forbidden
from modicum.memory.names import storable
from modicum.memory.people.access import Person

if TYPE_CHECKING:
    from modicum.memory.engines.postgres import PostgresTransaction

_TAKE_ROLE = """
SELECT set_config('modicum.person', :person, true), set_config('modicum.projects', :projects, true),
  set_config('modicum.audiences', :audiences, true), set_config('role', :role, true)
"""
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
# Before each statement of a person: what is planned for one role is planned anew for another, so each has its own.
_OWN = "/* person */ "
# A query can do nothing that the role may not. What could give the session its own role back is refused here.
_QUERY = re.compile(r"\s*(?:\(\s*)?(?:SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE)
_SETTING = re.compile(r"set_config|U&", re.IGNORECASE)


def _settings(person: Person) -> dict[str, str]:
    """Returns who asks, as `postgres.sql` reads it: lists are one text, a line each."""
    projects = "\n".join(("some", *person.seen_projects)) if person.seen_projects else "all"
    audiences = "\n".join(each for each in person.audiences if "\n" not in each)
    return {"person": person.name, "projects": projects, "audiences": audiences}


@lru_cache(maxsize=256)
def begin_as(person: Person, role: str) -> bytes:
    """Returns the SQL that begins a PostgreSQL transaction in which a person reads, as one message."""
    settings = _settings(person).items()
    texts = (
        f"SET LOCAL modicum.{name} = {Literal(storable(text)).as_string(None)};" for name, text in settings
    )
    return " ".join((_READ, *texts, f"SET LOCAL ROLE {quoted_name(role)}")).encode()


class PostgresPersonTransaction:
    """A PostgreSQL transaction in which every statement of a person runs as the restricted role of people.

    One that reads has the role from its beginning. In one that writes, each statement takes the `role` and gives it back.
    """

    def __init__(self, tx: "PostgresTransaction", person: Person, role: str = "") -> None:
        self._tx, self.person, self._role = tx, person, role

    @property
    def words(self) -> FullText:
        return PostgresFullText(self.person)

    @property
    def unlimited(self) -> Transaction:
        if not self._role:
            raise Forbidden("a transaction that reads has limits", remedy="report this as a bug")
        return self._tx

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        if not _QUERY.match(sql) or _SETTING.search(sql):
            raise _too_much()
        try:
            return self._within(sql, values) if self._role else self._tx.rows(_OWN + sql, values)
        except InsufficientPrivilege as error:
            raise _too_much() from error

    def _within(self, sql: str, values: Values) -> list[Row]:
        with self._tx.connection.pipeline():  # all three are one message to the server
            self._tx.execute(_TAKE_ROLE, {**_settings(self.person), "role": self._role})
            cursor = self._tx.execute(_OWN + sql, values)
            self._tx.execute("SET LOCAL ROLE NONE", NOTHING)
        return cursor.fetchall()

    def run(self, sql: str, values: Values = NOTHING) -> int:
        self.rows(sql, values)
        return 0

    def hold(self, name: str) -> None:
        self.unlimited.hold(name)


def _too_much() -> Forbidden:
    return Forbidden("this statement asks for more than one person may see", remedy="report this as a bug")
