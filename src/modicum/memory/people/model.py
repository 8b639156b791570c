"""The model of people: a token of a person, as the database keeps it."""

from collections.abc import Iterable
from typing import NamedTuple

from modicum.memory.origins import AGENT
from modicum.memory.people.access import Person

_SEPARATOR = "\n"


class Token(NamedTuple):
    """A person's token as the database keeps it: without its secret. Lists are one text, a line each."""

    id: int
    name: str
    hash: str
    projects: str = ""
    reads: str = ""
    scopes: str = ""
    read_only: int = 0
    purpose: str = AGENT
    created_at: str = ""
    revoked_at: str = ""

    @property
    def person(self) -> Person:
        """Returns the person who has this token."""
        projects, reads, scopes = (_listed(text) for text in (self.projects, self.reads, self.scopes))
        return Person(self.name, projects, reads, scopes, bool(self.read_only), self.id, self.purpose)


def list_in_token(values: Iterable[str]) -> str:
    """Returns a list as a token keeps it: one text, each value once."""
    return _SEPARATOR.join(dict.fromkeys(filter(None, values)))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(_SEPARATOR)) if text else ()
