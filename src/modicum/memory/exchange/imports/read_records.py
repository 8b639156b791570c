"""Reads an archive from the records of an import, the last step of each import, and lists what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from modicum.memory.exchange.archive import read_document
from modicum.memory.exchange.imports.import_contents import (
    differing_duplicates,
    with_numbers,
    without_duplicates,
    without_their_note,
)
from modicum.memory.exchange.imports.model import ImportContents
from modicum.memory.model import ImportProblem


def read_contents(
    source: str, document: Mapping[str, Any], problems: Sequence[ImportProblem] = ()
) -> ImportContents:
    """Reads the records of an import's source as an archive; unreadable records are listed and left out."""
    read, odd = read_document(document)
    archive = with_numbers(without_duplicates(read))
    return ImportContents(
        source, archive, (*problems, *odd, *differing_duplicates(read), *without_their_note(archive))
    )
