"""Callers of a shared memory: returns the store as the person with a token may see it."""

from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import Unusable
from modicum.memory.people.tokens import PREFIX, known, needs_token
from modicum.memory.store import Store


def token_needed(store: Store) -> bool:
    """Returns True if callers of this memory need a token: people have some."""
    return needs_token(store.database)


def store_for_token(store: Store, secret: str) -> tuple[Store | None, int]:
    """Returns the store as the caller with a token may see it (None: invalid), and its version."""
    person, version = known(store.database, secret)
    return (store.seen_by(person) if person else None), version


def is_persons_token(secret: str) -> bool:
    """Returns True if a caller's token looks like one that was made for a person, now or once."""
    return secret.startswith(PREFIX)


def broken_store(store: Store, error: Unusable) -> Store:
    """Returns a store for callers of which every use raises the given error."""
    return type(store)(BrokenDatabase(error))
