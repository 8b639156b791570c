"""Callers of a shared memory: returns the store as the person with a token may see it."""

from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import Unusable
from modicum.memory.people.tokens import has_tokens, known
from modicum.memory.store import Store


def tokens_exist(store: Store) -> bool:
    """Returns True if callers of this memory need a token: one was ever made for a person."""
    return has_tokens(store.database)


def store_for_token(store: Store, secret: str) -> tuple[Store | None, int]:
    """Returns the store as the caller with a token may see it (None: invalid), and its version."""
    person, version = known(store.database, secret)
    return (store.seen_by(person) if person else None), version


def broken_store(store: Store, error: Unusable) -> Store:
    """Returns a store for callers of which every use raises the given error."""
    return type(store)(BrokenDatabase(error))
