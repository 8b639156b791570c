"""Callers of a shared memory: returns the store as the person with a token may see it."""

from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import Unusable
from modicum.memory.origins import AGENT, HOOK, PERSON, SCRIPT, is_person, of_command, origin_of
from modicum.memory.people.tokens import PREFIX, known, needs_token, token_of
from modicum.memory.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def token_needed(store: Store) -> bool:
    """Returns True if callers of this memory need a token: people have some."""
    return needs_token(store.database)


def store_for_token(store: Store, secret: str) -> tuple[Store | None, int]:
    """Returns the store of memory as the caller with a token may see it (None: invalid), and its version."""
    person, version = known(store.database, secret)
    return (store.seen_by(person) if person else None), version


def is_persons_token(secret: str) -> bool:
    """Returns True if the token of a caller of memory looks like one that was made for a person, now or once."""
    return secret.startswith(PREFIX)


def is_for_page_only(store: Store) -> bool:
    """Returns True if the token of this caller of memory speaks as a person, and so opens nothing but the page."""
    return store.who.purpose == PERSON


def at_terminal(store: Store, environment: "Mapping[str, str]", *, has_terminal: bool) -> Store:
    """Returns the store of memory for the caller of a command: the agent that runs it, the person at the terminal, or a script."""
    return store.with_origin(of_command(environment, has_terminal=has_terminal))


def is_at_terminal(environment: "Mapping[str, str]", *, has_terminal: bool) -> bool:
    """Returns True if the caller of a command is a person at a terminal, and neither an agent nor a script."""
    return is_person(of_command(environment, has_terminal=has_terminal))


def for_agent(store: Store, client: str) -> Store:
    """Returns the store for an agent as the caller; `client` is the name by which its program introduced itself.

    Whoever shows a token that was made for scripts stays a script.
    """
    if store.who.purpose == SCRIPT:
        return store.with_origin(SCRIPT)
    return store.with_origin(origin_of(AGENT, client))


def over_http(store: Store, *, by_hook: bool = False) -> Store:
    """Returns the store for a caller over HTTP: an agent if its token was made for one, else a script. No header changes that.

    `by_hook` says that the change is one of those that hooks make unasked, which an undo without a number passes over.
    """
    origin = AGENT if store.who.purpose == AGENT else SCRIPT
    return (store.through(HOOK) if by_hook else store).with_origin(origin)


def in_browser(store: Store) -> Store:
    """Returns the store of memory for the caller who has opened the page: a person, who changes things through it."""
    return store.through("web").with_origin(PERSON)


def store_of_person(store: Store, number: int) -> tuple[Store, str] | None:
    """Returns the store as the caller with a person's token may see it, by the token's number, with its hash; None if there is none."""
    token = token_of(store.database, number)
    if token is None or token.purpose != PERSON:
        return None
    return store.seen_by(token.person), token.hash


def broken_store(store: Store, error: Unusable) -> Store:
    """Returns a store for callers of which every use raises the given error."""
    return type(store)(BrokenDatabase(error))
