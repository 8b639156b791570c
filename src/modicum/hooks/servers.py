"""The servers that hooks can use as memory: the variable that names each, and its client.

This is where clients for other systems' servers are registered.
"""

from collections.abc import Callable, Mapping

from modicum.base.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.app.session.events import SessionMemory


def _ours(address: str, token: str) -> "SessionMemory":
    from modicum.hooks.remote import RemoteMemory

    return RemoteMemory(address, token)


def _engram(address: str, token: str) -> "SessionMemory":
    from modicum.compat.engram.hook_client import EngramMemory

    return EngramMemory(address, token)


# The variable that holds the address, and what makes the client. The first one that is set counts.
CLIENTS: "Mapping[str, Callable[[str, str], SessionMemory]]" = {
    "MODICUM_SERVER": _ours,
    "ENGRAM_URL": _engram,
}
TOKENS = ("MODICUM_TOKEN", "ENGRAM_HTTP_TOKEN")


class HookServer(NamedTuple):
    """A server that hooks use as memory: the variable that names it, its address and its token."""

    variable: str = ""
    address: str = ""
    token: str = ""

    def memory(self) -> "SessionMemory":
        """Returns the client for this server of hooks. Raises ValueError if the address is wrong."""
        return CLIENTS[self.variable](self.address, self.token)


def server_of(environment: Mapping[str, str]) -> HookServer | None:
    """Returns the server that the environment names for hooks, or None if memory is local."""
    token = next((word for name in TOKENS if (word := environment.get(name, "").strip())), "")
    named = ((name, environment.get(name, "").strip()) for name in CLIENTS)
    return next((HookServer(name, address, token) for name, address in named if address), None)
