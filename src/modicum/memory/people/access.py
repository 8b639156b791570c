"""Who may see and change what: one place through which everything is read for a person."""

from collections.abc import Sequence
from typing import NamedTuple

from modicum.memory.engines.database import NOTHING, Row, Transaction, Values
from modicum.memory.model import PERSONAL, Archive, Forbidden


class Person(NamedTuple):
    """Somebody with a name. No projects and no `reads` are all of them, and no scopes are all of those."""

    name: str = ""
    projects: tuple[str, ...] = ()  # read and written
    reads: tuple[str, ...] = ()  # only read
    scopes: tuple[str, ...] = ()
    read_only: bool = False
    token: int = 0

    @property
    def is_limited(self) -> bool:
        """Whether there is anything that they may not see: what is personal to others at least."""
        return bool(self.name)

    @property
    def seen_projects(self) -> tuple[str, ...]:
        return (*self.projects, *self.reads)

    @property
    def marks(self) -> tuple[tuple[str, ...], ...]:
        """Marks in the index by which what they may see is known."""
        if not self.is_limited:
            return ()
        from modicum.memory.find.index import marks_seen  # loads what finds words, which only a search needs

        return marks_seen(self.name, self.seen_projects, self.scopes)

    def check(self, project: str, scope: str = "") -> None:
        """Refuse to write where they may not."""
        if self.read_only:
            raise Forbidden(f"{self.name} may only read", remedy="ask for a token that may write")
        if self.seen_projects and project not in self.projects:
            named = f'project "{project}"' if project else "what has no project"
            raise Forbidden(f"{self.name} may not write to {named}", remedy="ask for a token that may")
        if scope and self.scopes and scope not in self.scopes:
            raise Forbidden(
                f'{self.name} may not write in scope "{scope}"', remedy="ask for a token that may"
            )

    def claim(self, archive: Archive) -> Archive:
        """An archive that they bring: all of it is theirs, and where they may write."""
        if not self.is_limited:
            return archive
        for each in archive.notes:
            self.check(each.project, each.scope)
        projects = {each.project for each in archive.sessions} | {each.project for each in archive.prompts}
        for project in sorted(projects | {each.project for each in archive.progress}):
            self.check(project)
        mine = tuple(each._replace(owner=self.name) for each in archive.notes)
        typed = tuple(each._replace(owner=self.name) for each in archive.prompts)
        return archive._replace(notes=mine, prompts=typed)


ANYBODY = Person()


class Limits:
    """What a person may see, put in front of what is asked."""

    def __init__(self, person: Person, qualifier: str) -> None:
        self.tables, self.values = _tables(person, qualifier)

    def on(self, sql: str, values: Values) -> tuple[str, Values]:
        """A statement that reads, as it may be asked; any other as it is."""
        if not sql.lstrip().startswith("SELECT"):
            return sql, values
        used = [text for name, text in self.tables.items() if f"FROM {name}" in sql or f"JOIN {name}" in sql]
        return f"WITH {', '.join(used)} {sql}" if used else sql, {**values, **self.values}


class Limited:
    """A transaction in which tables hold only what a person may see. What it changes must be checked before."""

    def __init__(self, tx: Transaction, person: Person, qualifier: str) -> None:
        self.tx, self.limits = tx, Limits(person, qualifier)

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        return self.tx.rows(*self.limits.on(sql, values))

    def run(self, sql: str, values: Values = NOTHING) -> int:
        return self.tx.run(sql, values)

    def hold(self, name: str) -> None:
        self.tx.hold(name)


def whole(tx: Transaction) -> Transaction:
    """The same transaction without limits, to see whether something is in the way of a change."""
    return tx.tx if isinstance(tx, Limited) else tx


def _tables(person: Person, qualifier: str) -> tuple[dict[str, str], dict[str, object]]:
    projects, values = _among("project", person.seen_projects, "may_see")
    scopes, more = _among("scope", person.scopes, "may_use")
    note = f"(o.scope <> '{PERSONAL}' OR o.owner = :me) {projects} {scopes}"
    seen = f"EXISTS (SELECT 1 FROM {qualifier}notes AS o WHERE o.id = {{number}} AND {note})"  # noqa: S608
    conditions = {
        "notes": note,
        "prompts": f"o.owner = :me {projects}",
        "sessions": f"1 = 1 {projects}",
        "progress": f"1 = 1 {projects}",
        "tallies": f"(o.owner = :me OR o.owner = '' AND o.scope <> '{PERSONAL}' AND o.kind <> 'prompt') {projects}"
        + (f" AND (o.scope = '' OR 1 = 1 {scopes})" if scopes else ""),
        "revisions": seen.format(number="r.note_id"),
        "relations": f"{seen.format(number='r.from_id')} AND {seen.format(number='r.to_id')}",
        "audit": f"o.owner IN ('', :me) {projects}",
    }
    tables = {
        name: f"{name} AS NOT MATERIALIZED (SELECT * FROM {qualifier}{name} AS {_row(name)} WHERE {condition})"  # noqa: S608
        for name, condition in conditions.items()
    }
    return tables, {"me": person.name, **values, **more}


def _row(table: str) -> str:
    return "r" if table in ("revisions", "relations") else "o"


def _among(field: str, allowed: Sequence[str], prefix: str) -> tuple[str, dict[str, object]]:
    values: dict[str, object] = {f"{prefix}{at}": value for at, value in enumerate(allowed)}
    names = ", ".join(f":{name}" for name in values)
    return (f"AND o.{field} IN ({names})" if allowed else ""), values
