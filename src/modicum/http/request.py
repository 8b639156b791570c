"""The request that an HTTP handler gets."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from modicum.base.errors import ModicumError

if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.store import Store

_NOTHING: Mapping[str, str] = MappingProxyType({})


class ApiRequest(NamedTuple):
    """An HTTP request as a handler gets it: the caller's store, path names, parameters and body.

    Of a parameter that is given twice, the first value counts. `showed_token` is False for the programs of
    this machine that need no token. `is_person` is True for whoever has opened the page.
    """

    store: "Store"
    config: "Config | None" = None
    path: Mapping[str, str] = _NOTHING
    query: Mapping[str, str] = _NOTHING
    body: bytes = b""
    showed_token: bool = False
    headers: Mapping[str, str] = _NOTHING
    is_person: bool = False

    def text(self, name: str) -> str:
        """Returns the value of a parameter of the request; an empty text if it is missing."""
        return self.query.get(name, "")

    def project(self, word: str | None = None, *, writing: bool = False) -> str:
        """Returns the project that a word of this request names, or its parameter `project`; "" if it names none."""
        from modicum.app.whose import parse_project

        named = self.text("project") if word is None else word
        return parse_project(self.store, None, named, writing=writing)

    def require_config(self) -> "Config":
        """Returns the configuration for the request. Raises ModicumError if the server has none."""
        if self.config is None:
            raise ModicumError("this server has memory only", remedy="start one with: modicum serve")
        return self.config
