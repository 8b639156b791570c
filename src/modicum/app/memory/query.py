"""Queries for old notes, from the words given at any door; all other filters are read by their table."""

from collections.abc import Mapping

from modicum.memory.filters.model import parse_query
from modicum.memory.model import Query
from modicum.memory.times import parse_time


def older_than(day: str, words: Mapping[str, str], *, limit: int = 200) -> Query:
    """Returns, for a door, the query for the notes that filters ask for and that were made before a day."""
    return parse_query(words)._replace(until=parse_time(day), limit=limit)
