"""The versions of the schema: reads the SQL that makes the tables (`shared.sql`, then the engine's).

The files are the schema of the first release. After a release they are never edited: a step is added to `STEPS`.
"""

import os

from modicum.memory.model import Unusable

FIRST = 7  # smaller numbers were given before the first release
# What brings the tables from one version to the next, in order: SQL for each engine.
STEPS: dict[str, tuple[str, ...]] = {"sqlite": (), "postgres": ()}


def latest(engine: str) -> int:
    """Returns the latest schema version of an engine: the one that this program reads and writes."""
    return FIRST + len(STEPS[engine])


def tables(engine: str) -> str:
    """Returns the SQL of the schema of an engine: all tables of the first version."""
    return "\n".join(map(_read, ("shared.sql", f"{engine}.sql")))


def steps_after(engine: str, version: int) -> tuple[str, ...]:
    """Returns the SQL of the schema steps that follow a version."""
    return STEPS[engine][version - FIRST :]


def _read(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:  # noqa: PTH118, PTH120, PTH123 (a hook has no time for pathlib)
        return file.read()


def check_version(engine: str, version: int, place: str) -> None:
    """Refuses a schema version that this program cannot read; 0 is right, as there are no tables yet."""
    if version > latest(engine):
        remedy = "update modicum; it is left as it is"
        raise Unusable(f"{place}: it was written by a newer modicum", remedy=remedy)
    if 0 < version < FIRST:
        remedy = "export it with the modicum that wrote it and import that here, or choose another place"
        raise Unusable(f"{place}: it was written by a modicum before the first release", remedy=remedy)


def check_unchanged(engine: str, version: int, place: str) -> None:
    """Refuses a schema version that another program has brought in since this one opened the database."""
    if version != latest(engine):
        remedy = (
            "restart this program, and update its modicum if it says so again; nothing of this was written"
        )
        raise Unusable(f"{place}: a newer modicum has changed its tables meanwhile", remedy=remedy)
