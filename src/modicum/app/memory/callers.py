"""The store as the person with a token may see it."""

from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import Unusable
from modicum.memory.people.tokens import has_tokens, known
from modicum.memory.store import Store


def tokens_exist(store: Store) -> bool:
    """Says whether a token was ever made for a person: from then on everybody needs one."""
    return has_tokens(store.database)


def store_for_token(store: Store, secret: str) -> tuple[Store | None, int]:
    """Returns the store for whoever has this token, and the store's version; no store if the token is not valid."""
    person, version = known(store.database, secret)
    return (store.seen_by(person) if person else None), version


def broken_store(store: Store, error: Unusable) -> Store:
    """Returns a store of which every use raises this error."""
    return type(store)(BrokenDatabase(error))
