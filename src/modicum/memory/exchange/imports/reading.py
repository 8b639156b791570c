"""The last step of every import: the records of a source become an archive, and what is wrong is listed."""

from collections.abc import Mapping, Sequence
from typing import Any

from modicum.memory.exchange.archive import read_document
from modicum.memory.exchange.imports.contents import (
    ImportContents,
    differing_duplicates,
    with_numbers,
    without_duplicates,
    without_their_note,
)
from modicum.memory.model import ImportProblem


def read_contents(
    source: str, document: Mapping[str, Any], problems: Sequence[ImportProblem] = ()
) -> ImportContents:
    """Reads the archive in the records of a source; those that cannot be read are listed, and the others come."""
    read, odd = read_document(document)
    archive = with_numbers(without_duplicates(read))
    return ImportContents(
        source, archive, (*problems, *odd, *differing_duplicates(read), *without_their_note(archive))
    )
