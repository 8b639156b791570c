"""A document of any source, read as far as it can be."""

from collections.abc import Mapping, Sequence
from typing import Any

from modicum.memory.documents import read_document
from modicum.memory.imports.found import Found, dangling, numbered, repeated, single
from modicum.memory.model import Problem


def found(source: str, document: Mapping[str, Any], problems: Sequence[Problem] = ()) -> Found:
    """The archive in a document whose records may be odd; those are told, and the others come."""
    read, odd = read_document(document)
    archive = numbered(single(read))
    return Found(source, archive, (*problems, *odd, *repeated(read), *dangling(archive)))
