"""Projects in the database: merges, renames and removes them."""

from collections.abc import Sequence

from modicum.memory.engines.database import Transaction
from modicum.memory.model import ProjectMove, Refused
from modicum.memory.names import project_name

MOVE = (
    "UPDATE notes SET project = :new WHERE project = :old",
    "UPDATE sessions SET project = :new WHERE project = :old",
    "UPDATE prompts SET project = :new WHERE project = :old",
)

# Where both projects have a document, each keeps its own: nothing is overwritten.
MOVE_PROGRESS = """
UPDATE progress SET project = :new WHERE project = :old
AND NOT EXISTS (SELECT 1 FROM progress AS other WHERE other.project = :new AND other.namespace = progress.namespace)
"""

MARK = """
UPDATE passages SET project = :new, marks = replace(marks, :old_mark, :new_mark)
WHERE id IN (SELECT id FROM notes WHERE project = :old AND deleted_at = '')
"""

# What was deleted softly moves along, and counts.
COUNTED = tuple(
    f"SELECT count(*) FROM {table} WHERE project = :project"  # noqa: S608 - our own words
    for table in ("notes", "sessions", "prompts")
)
TALLIED = "SELECT kind, sum(count) FROM tallies WHERE project = :project GROUP BY kind"

# What was deleted softly may be restored, so that its session stays.
REMOVE_PROMPTS = "DELETE FROM prompts WHERE project = :project"
REMOVE_SESSIONS = """
DELETE FROM sessions WHERE project = :project
AND NOT EXISTS (SELECT 1 FROM notes WHERE session_id = sessions.id)
AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = sessions.id)
"""


def held(tx: Transaction, name: str) -> ProjectMove:
    """Counts the notes, sessions and prompts of a project in the database."""
    found: dict[str, int] = dict(tx.rows(TALLIED, {"project": name}))
    return ProjectMove(*(found.get(kind, 0) for kind in ("note", "session", "prompt")))


def held_in(tx: Transaction, sources: Sequence[str], target: str) -> ProjectMove:
    """Counts what a merge of projects in the database would move, of what the person of the transaction may see."""
    names = {project_name(source) for source in sources} - {"", project_name(target)}
    found = (sum(tx.rows(sql, {"project": name})[0][0] for name in names) for sql in COUNTED)
    return ProjectMove(*found)


def merge(tx: Transaction, sources: Sequence[str], target: str) -> ProjectMove:
    """Merges projects in the database: moves everything of the sources into the target; returns how much."""
    new = project_name(target)
    if not new:
        raise Refused("the project to merge into has no name", remedy="name it")
    names = {project_name(source) for source in sources} - {"", new}
    moved = [_move(tx, old, new) for old in sorted(names)]
    return ProjectMove(*(sum(part) for part in zip(*moved, strict=True))) if moved else ProjectMove()


def _move(tx: Transaction, old: str, new: str) -> ProjectMove:
    from modicum.memory.find.index import project_mark
    from modicum.memory.projects.rows import move_keys
    from modicum.memory.sync.tables import move as move_home

    move_home(tx, old, new)
    move_keys(tx, old, new)
    names = {"old": old, "new": new, "old_mark": project_mark(old), "new_mark": project_mark(new)}
    with tx.words.changing(tx, held(tx, old).notes):
        tx.run(MARK, names)
    tx.run(MOVE_PROGRESS, names)
    return ProjectMove(*(tx.run(sql, names) for sql in MOVE))


def rename(tx: Transaction, old: str, new: str) -> ProjectMove:
    """Renames a project in the database; refuses a name that another project has."""
    if project_name(old) != project_name(new) and any(held(tx, project_name(new))):
        raise Refused(f'there is a project "{project_name(new)}" already', remedy="merge the two instead")
    return merge(tx, [old], new)


def remove(tx: Transaction, name: str) -> ProjectMove:
    """Removes a project without notes from the database, with its prompts and sessions; returns how many."""
    values = {"project": project_name(name)}
    if (live := held(tx, values["project"]).notes) > 0:
        raise Refused(
            f'project "{values["project"]}" has {live} note{"s" * (live != 1)}',
            remedy="merge it, or delete them first",
        )
    prompts = tx.run(REMOVE_PROMPTS, values)
    return ProjectMove(sessions=tx.run(REMOVE_SESSIONS, values), prompts=prompts)
