"""The model of imports: what one holds before it is added. Pure."""

from typing import NamedTuple

from modicum.memory.model import Archive, ImportProblem


class ImportContents(NamedTuple):
    """The contents of an import: the kind of source, its archive, what could not be read, and the files of a folder that are notes."""

    source: str
    archive: Archive
    problems: tuple[ImportProblem, ...] = ()
    files: tuple[str, ...] = ()
