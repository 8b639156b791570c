"""A document of any source, read as far as it can be."""

from collections.abc import Mapping, Sequence
from typing import Any

from modicum.memory.exchange.archive import read_document
from modicum.memory.exchange.imports.contents import ImportContents, dangling, numbered, repeated, single
from modicum.memory.model import ImportProblem


def found(source: str, document: Mapping[str, Any], problems: Sequence[ImportProblem] = ()) -> ImportContents:
    """The archive in a document whose records may be odd; those are told, and the others come."""
    read, odd = read_document(document)
    archive = numbered(single(read))
    return ImportContents(source, archive, (*problems, *odd, *repeated(read), *dangling(archive)))
