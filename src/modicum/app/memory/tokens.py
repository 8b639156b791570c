"""Tokens of people, for the doors that make, list and check them."""

import time
from collections.abc import Sequence

from modicum.memory.people import tokens
from modicum.memory.store import Store
from modicum.memory.times import stamp


def make_token(
    store: Store,
    name: str,
    *,
    projects: Sequence[str] = (),
    reads: Sequence[str] = (),
    scopes: Sequence[str] = (),
    read_only: bool = False,
) -> tuple[str, tokens.Token]:
    """Makes a token for a person; returns its secret, which is not kept, and what is kept of it."""
    limits = {"projects": projects, "reads": reads, "scopes": scopes}
    return tokens.new_token(
        store.database, name, now=stamp(time.time()), **limits, read_only=read_only, by=store.who
    )


def list_tokens(store: Store) -> tuple[tokens.Token, ...]:
    """Every token that was ever made, oldest first."""
    return tokens.tokens(store.database)


def revoke_tokens(store: Store, which: str) -> tuple[tokens.Token, ...]:
    """Takes back the tokens of a person, or the one with a number; returns them."""
    return tokens.revoke(store.database, which, now=stamp(time.time()), by=store.who)


def has_tokens(store: Store) -> bool:
    """Returns True if a token was ever made: from then on everybody needs one."""
    return tokens.has_tokens(store.database)
