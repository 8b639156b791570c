"""The model of imports: what one holds before it is added. Pure."""

from typing import NamedTuple

from modicum.memory.model import Archive, ImportProblem


class ImportContents(NamedTuple):
    """The contents of an import: the kind of source, its archive, and what could not be read."""

    source: str
    archive: Archive
    problems: tuple[ImportProblem, ...] = ()
