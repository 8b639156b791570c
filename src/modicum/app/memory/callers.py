"""Callers of a shared memory: returns the store as the person with a token may see it."""

from modicum.memory.engines.database import BrokenDatabase
from modicum.memory.model import HOOK_AGENT, Unusable
from modicum.memory.origins import AGENT, HOOK, PERSON, kind_of, of_command, origin_of
from modicum.memory.people.tokens import PREFIX, known, needs_token
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


def at_terminal(store: Store, environment: "Mapping[str, str]", *, has_terminal: bool) -> Store:
    """Returns the store of memory for the caller of a command: the person at the terminal, or the agent that runs it."""
    return store.with_origin(of_command(environment, has_terminal=has_terminal))


def is_agent(environment: "Mapping[str, str]", *, has_terminal: bool) -> bool:
    """Returns True if the caller of a command is an agent, and no person at a terminal."""
    return kind_of(of_command(environment, has_terminal=has_terminal)) == AGENT


def for_agent(store: Store, client: str) -> Store:
    """Returns the store for an agent as the caller; `client` is the name by which its program introduced itself."""
    return store.with_origin(origin_of(AGENT, client))


def over_http(store: Store, user_agent: str) -> Store:
    """Returns the store for a caller over HTTP: a hook of ours, or else a program, which no person types into."""
    client, _, rest = user_agent.partition("/")
    if client == HOOK_AGENT:
        return store.through(HOOK).with_origin(origin_of(HOOK, rest))
    return for_agent(store, client.partition(" ")[0])


def in_browser(store: Store) -> Store:
    """Returns the store of memory for the caller who looks at the workbench: a person, who changes things through its pages."""
    return store.through("web").with_origin(PERSON)


def broken_store(store: Store, error: Unusable) -> Store:
    """Returns a store for callers of which every use raises the given error."""
    return type(store)(BrokenDatabase(error))
