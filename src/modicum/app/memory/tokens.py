"""Tokens of people, use cases for the doors: make, list, revoke and check access tokens to memory."""

import time
from collections.abc import Sequence

from modicum.app.whose import project_named
from modicum.memory.model import Forbidden
from modicum.memory.origins import AGENT, PERSON, is_person
from modicum.memory.people import tokens
from modicum.memory.people.model import Token
from modicum.memory.store import Store
from modicum.memory.times import stamp

PURPOSES = tokens.PURPOSES


def make_token(
    store: Store,
    name: str,
    *,
    projects: Sequence[str] = (),
    reads: Sequence[str] = (),
    scopes: Sequence[str] = (),
    read_only: bool = False,
    purpose: str = AGENT,
) -> tuple[str, Token]:
    """Makes an access token for a person, for a door; returns its secret (not kept) and the token.

    One that speaks as a person is made by a person alone.
    """
    if purpose == PERSON and not is_person(store.origin):
        raise Forbidden(
            "only a person makes a token that speaks as one", remedy="run it yourself in a terminal"
        )
    seen = {
        name: [project_named(store, each) for each in words]
        for name, words in (("projects", projects), ("reads", reads))
    }
    limits = {**seen, "scopes": scopes}
    return tokens.new_token(
        store.database,
        name,
        now=stamp(time.time()),
        **limits,
        read_only=read_only,
        purpose=purpose,
        by=store.who,
    )


def list_tokens(store: Store) -> tuple[Token, ...]:
    """Returns every access token that was ever made for a person, oldest first, for the doors."""
    return tokens.tokens(store.database)


def revoke_tokens(store: Store, which: str) -> tuple[Token, ...]:
    """Revokes the access tokens of a person, or one by its number, for a door; returns them."""
    return tokens.revoke(store.database, which, now=stamp(time.time()), by=store.who)


def would_close(store: Store) -> bool:
    """Returns True if the first access token would make programs on this machine need one, that need none today."""
    return not store.database.is_shared and is_open(store)


def people_with_tokens(store: Store) -> int:
    """Counts, for a door, the people who have an access token that is in use."""
    return tokens.tokens_in_use(store.database)[1]


def is_open(store: Store) -> bool:
    """Returns True if programs on this machine need no access token."""
    return not tokens.needs_token(store.database)
