"""The rescue of notes, prompts and sessions in the database without a project: moves them into one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from modicum.memory.engines.database import Transaction
from modicum.memory.names import default_session
from modicum.memory.tables.audit import NOTE, PROMPT, SESSION, AuditAction
from modicum.memory.tables.notes import rehome

MOVES, IS_THERE, MISSING = "", "is_there", "missing"
OWNED = "owned_by_other_project"
SESSION_OWNED = "session_owned_by_other_project"
DEPENDENT_OWNED = "dependent_record_owned_by_other_project"

FIND = {
    SESSION: "SELECT id, project FROM sessions WHERE id = :id",
    NOTE: """
    SELECT session_id, project, CASE WHEN scope = 'personal' THEN owner ELSE '' END FROM notes
    WHERE id = :id AND deleted_at = ''
    """,
    PROMPT: "SELECT session_id, project, owner FROM prompts WHERE id = :id",
}
HELD_BY_OTHERS = """
SELECT project FROM notes WHERE session_id = :id AND project NOT IN ('', :project) AND deleted_at = ''
UNION SELECT project FROM prompts WHERE session_id = :id AND project NOT IN ('', :project) ORDER BY project LIMIT 1
"""
MOVE = {
    SESSION: "UPDATE sessions SET project = :project WHERE id = :id",
    PROMPT: "UPDATE prompts SET project = :project WHERE id = :id",
}


class Lost(NamedTuple):
    """The items to rescue in the database: sessions, notes and prompts without a project, by their ids."""

    sessions: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()
    prompts: tuple[int, ...] = ()


class LostItem(NamedTuple):
    """An item to rescue: a session, note or prompt, with its project; None if the item does not exist."""

    kind: str
    id: str | int
    session: str = ""
    project: str | None = None
    owner: str = ""  # of what nobody else may see

    @property
    def is_alone(self) -> bool:
        """Returns True if the item to rescue is outside of any session, so that no session moves too."""
        return self.kind != SESSION and self.session == default_session("")


class SessionHome(NamedTuple):
    """The project of a session in a rescue, and another project that has items in the session."""

    project: str = ""
    other: str = ""


class NotMoved(NamedTuple):
    """An item that a rescue did not move, the reason, and the project that it belongs to."""

    item: LostItem
    reason: str
    owner: str = ""


class Rescued(NamedTuple):
    """The result of a rescue: moved items and sessions, how many were there already, and what stayed."""

    moved: tuple[LostItem, ...] = ()
    there: int = 0
    left: tuple[NotMoved, ...] = ()

    def count(self, kind: str) -> int:
        return sum(item.kind == kind for item in self.moved)

    def actions(self, project: str) -> tuple[AuditAction, ...]:
        """Returns the items that the rescue moved, as actions for the audit table."""
        return tuple(
            AuditAction("rescued", item.kind, str(item.id), project, item.owner) for item in self.moved
        )

    def naming(self, projects: Sequence[str]) -> "Rescued":
        """Returns the result of a rescue with only these projects' names; no projects mean all of them."""
        left = (each if each.owner in projects else each._replace(owner="") for each in self.left)
        return self._replace(left=tuple(left)) if projects else self


def rescue(tx: Transaction, lost: Lost, project: str) -> Rescued:
    """Rescues items without a project: moves them into one, unless other projects share their session."""
    items, every = _found(tx, lost), tx.unlimited
    homes = {item.session: _home(every, item.session, project) for item in items if item.session}
    decided = decide(items, homes, project)
    for item in decided.moved:
        if item.kind == NOTE:
            rehome(every, int(item.id), project)
        else:
            every.run(MOVE[item.kind], {"id": item.id, "project": project})
    return decided


def _found(tx: Transaction, lost: Lost) -> list[LostItem]:
    named: list[tuple[str, str | int]] = [
        *((SESSION, key) for key in lost.sessions),
        *((NOTE, number) for number in lost.notes),
        *((PROMPT, number) for number in lost.prompts),
    ]
    return [_item(tx, kind, key) for kind, key in dict.fromkeys(named)]


def _item(tx: Transaction, kind: str, key: str | int) -> LostItem:
    found = tx.rows(FIND[kind], {"id": key})
    return LostItem(kind, key, *(found[0] if found else ()))


def _home(tx: Transaction, key: str, project: str) -> SessionHome:
    held = tx.rows(FIND[SESSION], {"id": key})
    others = tx.rows(HELD_BY_OTHERS, {"id": key, "project": project})
    return SessionHome(held[0][1] if held else project, others[0][0] if others else "")


def decide(items: Iterable[LostItem], homes: Mapping[str, SessionHome], project: str) -> Rescued:
    """Decides which items a rescue moves; one in a session takes the session along, joins it, or stays."""
    verdicts = [(item, *_verdict(item, homes.get(item.session, SessionHome()), project)) for item in items]
    moved = [item for item, reason, _ in verdicts if reason == MOVES]
    along = {
        item.session: LostItem(SESSION, item.session, item.session, "") for item in moved if not item.is_alone
    }
    sessions = [item for key, item in along.items() if homes[key].project == ""]
    inside = [item for item in moved if item.kind != SESSION]
    left = [NotMoved(*verdict) for verdict in verdicts if verdict[1] not in (MOVES, IS_THERE)]
    return Rescued((*sessions, *inside), sum(reason == IS_THERE for _, reason, _ in verdicts), tuple(left))


def _verdict(item: LostItem, home: SessionHome, project: str) -> tuple[str, str]:
    if item.project is None:
        return MISSING, ""
    if item.project:
        return (IS_THERE, "") if item.project == project else (OWNED, item.project)
    if item.is_alone or home.project == project:
        return MOVES, ""
    if home.project:
        return SESSION_OWNED, home.project
    return (DEPENDENT_OWNED, home.other) if home.other else (MOVES, "")
