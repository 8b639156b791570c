"""A request as handlers see it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from modicum.base.errors import ModicumError

if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.store import Store

_NOTHING: Mapping[str, str] = MappingProxyType({})


class ApiRequest(NamedTuple):
    """A request: the store as its caller may see it, the names in its path, its parameters, its body.

    Of a parameter that is given twice, the first value counts. `showed_token` is False for the programs of this
    machine that need no token.
    """

    store: "Store"
    config: "Config | None" = None
    path: Mapping[str, str] = _NOTHING
    query: Mapping[str, str] = _NOTHING
    body: bytes = b""
    showed_token: bool = False

    def text(self, name: str) -> str:
        """The value of a parameter; an empty text if it was not given."""
        return self.query.get(name, "")

    def require_config(self) -> "Config":
        """The configuration of the server. Raises ModicumError if the server was started without one."""
        if self.config is None:
            raise ModicumError("this server has memory only", remedy="start one with: modicum serve")
        return self.config
