"""The model of sync: what a run of it brought, sent and could not read."""

from collections.abc import Callable
from typing import NamedTuple

OnProgress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much


class Trouble(NamedTuple):
    """A chunk that a run of sync could not read, or not all of it, with the reason."""

    chunk: str
    reason: str


class Counts(NamedTuple):
    """The counts of a run of sync: chunks, notes, sessions, prompts and relations."""

    chunks: int = 0
    notes: int = 0
    sessions: int = 0
    prompts: int = 0
    relations: int = 0


class Synced(NamedTuple):
    """The result of a run of sync: how much came in and went out, what could not be read or sent, and which machines nobody here has confirmed."""

    came: Counts = Counts()
    went: Counts = Counts()
    troubles: tuple[Trouble, ...] = ()
    machine: str = ""  # this one
    unconfirmed: tuple[str, ...] = ()
