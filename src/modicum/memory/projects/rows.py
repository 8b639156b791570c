"""The tables of projects: finds the project of a folder by its keys, and writes them down at its first use."""

import os

from modicum.base.named_tuple import NamedTuple
from modicum.memory.names import project_name
from modicum.memory.projects.keys import (
    BY_NAME,
    DECLARED,
    KINDS,
    ORIGIN,
    PLACE,
    ROOT,
    FolderKeys,
    FoundProject,
    KnownProject,
    NamedProject,
    ProjectKey,
    decide,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from modicum.memory.engines.database import Transaction

    Rows = Callable[[str, Mapping[str, object]], Iterable[tuple[Any, ...]]]
    AskRoot = Callable[[], str]

_OF_KEYS = """
SELECT project, kind, value, clone, root FROM project_keys WHERE project IN (
  SELECT project FROM project_keys WHERE (kind = 'declared' AND value = :declared) OR (kind = 'origin' AND value = :origin)
    OR (kind = 'root' AND value = :root) OR (kind = 'place' AND value = :place)
  UNION SELECT project FROM project_keys WHERE clone <> '' AND clone = :clone
)
"""
_ADD = """
INSERT INTO projects (id, name, owner) VALUES (:id, :name, :owner) ON CONFLICT (id) DO NOTHING
"""
_ADD_KEY = """
INSERT INTO project_keys (kind, value, project, clone, root) VALUES (:kind, :value, :project, :clone, :root)
ON CONFLICT (kind, value, project) DO UPDATE SET clone = excluded.clone, root = excluded.root
"""
_IS_TAKEN = """
SELECT 1 FROM projects WHERE id = :id UNION ALL SELECT 1 FROM tallies WHERE project = :id
UNION ALL SELECT 1 FROM progress WHERE project = :id UNION ALL SELECT 1 FROM sync_homes WHERE project = :id
"""
_NAMED = """
SELECT id, name, owner FROM projects WHERE name = :name OR id = :name
UNION SELECT project, project, '' FROM tallies WHERE project = :name AND count > 0
  AND project NOT IN (SELECT id FROM projects)
"""
_ALL = "SELECT id, name, owner FROM projects"
_FORGET_ELSEWHERE = "DELETE FROM project_keys WHERE kind = :kind AND value = :value AND project <> :project"
_MOVE_KEYS = """
UPDATE project_keys SET project = :new WHERE project = :old AND NOT EXISTS (
  SELECT 1 FROM project_keys AS other WHERE other.project = :new AND other.kind = project_keys.kind AND other.value = project_keys.value
)
"""
_FORGET_KEYS = "DELETE FROM project_keys WHERE project = :old"
_MOVE = """
INSERT INTO projects (id, name, owner) SELECT :new, :new, owner FROM projects WHERE id = :old ON CONFLICT (id) DO NOTHING
"""
_HAS_NOTES = "SELECT 1 FROM tallies WHERE kind = 'note' AND count > 0 AND project = :project LIMIT 1"
_PLACES = """
SELECT project, value FROM project_keys WHERE kind = 'place' AND value >= :first AND value < :last ORDER BY id DESC LIMIT 200
"""
_USED = "SELECT id, name, owner FROM projects WHERE id IN (SELECT project FROM tallies WHERE count > 0) ORDER BY id"
_KEPT_KEYS = (
    "SELECT kind, value, project FROM project_keys WHERE kind <> 'place' ORDER BY kind, value, project"
)
MOST_TOLD = 3
LOCK = "projects"  # two processes that use a folder for the first time at once make one project


class Look(NamedTuple):
    """What a look into the tables of projects has found for a folder: its keys with the root, the project, what is new of them."""

    keys: FolderKeys
    found: FoundProject
    new: tuple[str, ...] = ()  # the kinds of the keys that the project does not have yet

    @property
    def id(self) -> str:
        return self.found.id


def look(rows: "Rows", keys: FolderKeys, person: str, ask_root: "AskRoot", *, whole: bool = True) -> Look:
    """Looks up in the tables of projects which one the folder with these keys belongs to.

    Git is asked for the root commit only where it is not remembered; not `whole`: only if no other key finds a project.
    """
    own = place_prefix(person)
    place = keys.place.removeprefix(own)
    mine = keys._replace(place=place and own + place)
    own += place.partition(":")[0]
    known, root = _known(rows, mine, own)
    found = decide(mine._replace(root=root), known)
    if not root and mine.clone and (whole or not found.id) and (root := ask_root()):
        known, _ = _known(rows, mine._replace(root=root), own)
        found = decide(mine._replace(root=root), known)
    mine = mine._replace(root=root)
    held = next((each for each in known if each.id == found.id), KnownProject(""))
    return Look(mine, found, _missing(mine, held) if found.id else ())


def place_prefix(person: str) -> str:
    """Returns what the keys of a person's places begin with in the tables of projects."""
    return f"{len(person)}:{person}:"


def _known(rows: "Rows", keys: FolderKeys, own: str) -> tuple[list[KnownProject], str]:
    """The projects that have any of the keys, and the root commit as it was remembered for this clone.

    Of places only those of this user and machine, which begin with `own`.
    """
    held: dict[str, dict[str, list[tuple[str, str]]]] = {}
    remembered = keys.root
    asked = {**{kind: keys.value(kind) for kind in KINDS}, "clone": keys.clone}
    for project, kind, value, clone, root in rows(_OF_KEYS, asked):
        if kind == PLACE and not value.startswith(own):
            continue
        held.setdefault(project, {each: [] for each in KINDS})[kind].append((value, clone))
        if kind == PLACE and clone and clone == keys.clone:
            remembered = remembered or root
    return [KnownProject(each, *_values(of)) for each, of in held.items()], remembered


def _values(of: "dict[str, list[tuple[str, str]]]") -> "tuple[Any, ...]":
    texts = (tuple(value for value, _ in of[kind]) for kind in (DECLARED, ORIGIN, ROOT))
    return (*texts, tuple(of[PLACE]))


def _missing(keys: FolderKeys, held: KnownProject) -> tuple[str, ...]:
    values = {DECLARED: held.declared, ORIGIN: held.origins, ROOT: held.roots}
    new = [kind for kind, known in values.items() if keys.value(kind) and keys.value(kind) not in known]
    return (*new, PLACE) if keys.place and (keys.place, keys.clone) not in held.places else tuple(new)


def enter(tx: "Transaction", seen: Look) -> str:
    """Writes the keys of a folder into the tables of projects, of its own or of a new one; returns the id."""
    project = seen.id or _new(tx, seen.keys)
    for kind in seen.new if seen.id else KINDS:
        _add_key(tx, project, kind, seen.keys)
    return project


def _new(tx: "Transaction", keys: FolderKeys) -> str:
    made = NamedProject(free_id(tx.rows, keys), keys.name, keys.owner)
    tx.run(_ADD, made._asdict())
    return made.id


def free_id(rows: "Rows", keys: FolderKeys) -> str:
    """Returns the id that a new project for a folder gets: its name if nobody has that, else with as much of its owner as it takes."""
    owners = [part for part in keys.owner.split("/") if part]
    names = ["/".join((*owners[at:], keys.name)) for at in range(len(owners), -1, -1)]
    numbered = (f"{names[-1]}~{number}" for number in range(2, 1_000_000))
    choices = (project_name(name) for each in (names, numbered) for name in each)
    return next(name for name in choices if name and not [*rows(_IS_TAKEN, {"id": name})])


def _add_key(tx: "Transaction", project: str, kind: str, keys: FolderKeys) -> None:
    values = {"kind": kind, "value": keys.value(kind), "project": project}
    if not values["value"]:
        return
    if kind == PLACE:  # a folder is in one project at a time
        tx.run(_FORGET_ELSEWHERE, values)
        values |= {"clone": keys.clone, "root": keys.root}
    elif kind == ORIGIN and [
        *tx.rows("SELECT 1 FROM project_keys WHERE kind = :kind AND value = :value", values)
    ]:
        return  # the stronger has it
    tx.run(_ADD_KEY, {"clone": "", "root": "", **values})


def join(tx: "Transaction", keys: FolderKeys, project: str) -> None:
    """Gives all keys of a folder to a project in the tables: its user has said that the folder belongs there."""
    tx.run(_ADD, {"id": project, "name": project, "owner": keys.owner if keys.name == project else ""})
    for kind in KINDS:
        if value := keys.value(kind):
            if kind in (ORIGIN, PLACE):
                tx.run(_FORGET_ELSEWHERE, {"kind": kind, "value": value, "project": project})
            _add_key(tx, project, kind, keys)


def origins(rows: "Rows", project: str) -> tuple[str, ...]:
    """Returns the keys of a project in the tables that are origins of repositories."""
    sql = "SELECT value FROM project_keys WHERE kind = 'origin' AND project = :project ORDER BY value"
    return tuple(value for (value,) in rows(sql, {"project": project}))


def move_keys(tx: "Transaction", old: str, new: str) -> None:
    """Moves the keys of a project to another in the tables."""
    names = {"old": old, "new": new}
    for sql in (_MOVE, _MOVE_KEYS, _FORGET_KEYS):
        tx.run(sql, names)


def named(rows: "Rows", name: str) -> tuple[NamedProject, ...]:
    """Returns the rows of projects that a word may mean, a name alone or with its owner; with the id, only that one's."""
    word = project_name(name)
    owner, _, last = word.rpartition("/")
    found = sorted({NamedProject(*row) for text in {word, last} for row in rows(_NAMED, {"name": text})})
    if owner:
        return tuple(
            each for each in found if each.id == word or f"/{project_name(each.address)}".endswith(f"/{word}")
        )
    return tuple(found)


def every(rows: "Rows") -> tuple[NamedProject, ...]:
    return tuple(NamedProject(*row) for row in rows(_ALL, {}))


def only_one(found: "Sequence[NamedProject]", name: str) -> str:
    """Returns the id of the only row of a project that a name has found, or of a new one; raises Refused for several."""
    if len(found) > 1:
        from modicum.memory.model import Refused
        from modicum.memory.projects.shown import shown_names

        shown = sorted(shown_names([each.id for each in found], found).values())
        what = f'there are several projects "{name[:60]}": {", ".join(shown)}'
        raise Refused(what, remedy=f"name one, as in: {shown[0]}")
    return found[0].id if found else project_name(name)


def meant(rows: "Rows", found: Look) -> tuple[tuple[str, str], ...]:
    """Returns the projects that a folder without notes may mean, each by its id and as it is shown.

    Those are projects with a key of the folder, with its name and no key at all, and of a folder that is gone and was named
    alike or stood beside it. None is told before `having_notes` has let it through.
    """
    if [*rows(_HAS_NOTES, {"project": found.id})]:
        return ()
    by_name = (each.id for each in named(rows, found.keys.name) if not each.owner)
    ids = dict.fromkeys((*found.found.others, *by_name, *_moved_away(rows, found.keys)))
    return tuple((each, shown_as(rows, each)) for each in ids if each != found.id)


def having_notes(rows: "Rows", projects: "Iterable[tuple[str, str]]") -> tuple[str, ...]:
    """Returns those of some projects that have notes for the person as whom `rows` runs a statement, as they are shown."""
    some = [shown for each, shown in projects if [*rows(_HAS_NOTES, {"project": each})]]
    return tuple(some[:MOST_TOLD])


def shown_as(rows: "Rows", project: str) -> str:
    """Returns how a project is shown beside those of its name in the tables."""
    from modicum.memory.projects.shown import shown_names

    row = next((each for each in named(rows, project) if each.id == project), NamedProject(project, project))
    group = {row, *named(rows, row.name)}
    return shown_names([each.id for each in group], group)[project]


def _moved_away(rows: "Rows", keys: FolderKeys) -> "Iterable[str]":
    """The projects of folders that are gone, and had the name of this one or stood beside it."""
    own, _, path = keys.place.partition(":/")
    bounds = {"first": f"{own}:/", "last": f"{own}:0"}
    for project, value in rows(_PLACES, bounds) if path else ():
        other = value.partition(":/")[2]
        alike = (
            other.rpartition("/")[2] == path.rpartition("/")[2]
            or other.rpartition("/")[0] == path.rpartition("/")[0]
        )
        if alike and not os.path.exists(f"/{other}"):
            yield project


def archived(
    rows: "Rows", seen: "Sequence[str]"
) -> "tuple[tuple[NamedProject, ...], tuple[ProjectKey, ...]]":
    """Returns the projects in the tables and their keys for an archive, or only some projects; places stay on their machine."""
    projects = tuple(NamedProject(*row) for row in rows(_USED, {}) if not seen or row[0] in seen)
    ids = {each.id for each in projects}
    found = (ProjectKey(*row) for row in rows(_KEPT_KEYS, {}))
    return projects, tuple(each for each in found if each.project in ids)


def local_ids(
    tx: "Transaction", projects: "Iterable[NamedProject]", keys: "Iterable[ProjectKey]"
) -> dict[str, str]:
    """Returns which project here each one of an archive is, by its keys; makes those that are new."""
    held: dict[str, dict[str, str]] = {}
    for key in keys:
        if key.kind in KINDS and key.kind != PLACE:
            held.setdefault(key.project, {}).setdefault(key.kind, key.value)
    here = {each.id: each for each in every(tx.rows)}
    return {each.id: _local_id(tx, each, held.get(each.id, {}), here) for each in projects}


def _local_id(
    tx: "Transaction", project: NamedProject, keys: "Mapping[str, str]", here: "Mapping[str, NamedProject]"
) -> str:
    if keys:
        return enter(
            tx,
            look(
                tx.rows,
                FolderKeys(
                    project.name,
                    project.owner,
                    declared=keys.get(DECLARED, ""),
                    origin=keys.get(ORIGIN, ""),
                    root=keys.get(ROOT, ""),
                ),
                "",
                str,
            ),
        )
    same = here.get(project.id)
    return project.id if same in (None, project) else f"{BY_NAME}/{project.id}"
