"""What an MCP tool is: a name, a description for the model, its arguments, and its function."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from modicum.app.remedies import plain_wording
from modicum.base.errors import Wording
from modicum.base.value import Value
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import Data, ToolReply

if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.store import Store
    from modicum.packs.model import Library

Schema = Mapping[str, object]


class Domain(Enum):
    """The domain that an MCP tool works with. Specs are files of the project, for those alone who may see the project."""

    MEMORY = "memory"
    PACKS = "packs"
    SPECS = "specs"


class ToolContext(Value):
    """The context of an MCP tool: settings, the caller's store, the project, and wording of remedies."""

    config: "Config"
    store: "Store"
    project: str = (
        ""  # the name of the one that is meant where none is named; without one, that of the folder
    )
    word: Wording = plain_wording

    @property
    def library(self) -> "Library":
        """Returns the packs and profiles for the MCP tool that is called, as they are on the disk now."""
        from modicum.app.inject.load import load_told_library

        return load_told_library(self.config)

    def check_specs(self, *, writing: bool) -> None:
        """Raises Forbidden if the caller of this MCP tool may not read or write the project's specs."""
        from modicum.app.specs.access import check_spec_access

        check_spec_access(self.config, self.store, writing=writing)


class Hints(NamedTuple):
    """The hints about an MCP tool, such as read-only, that a client may show before a call."""

    reads: bool = False
    destroys: bool = False
    repeatable: bool = False


READS = Hints(reads=True, repeatable=True)
ADDS = Hints()
CHANGES = Hints(repeatable=True)
DESTROYS = Hints(destroys=True)


class Tool(NamedTuple):
    """An MCP tool: its name, description, arguments and function. Required arguments end with a star."""

    name: str
    title: str
    does: str
    takes: Mapping[str, Schema]
    hints: Hints
    answer: Callable[[ToolContext, Arguments], ToolReply]
    domain: Domain
    meta: Data | None = None

    def described(self) -> Data:
        """Returns the MCP tool as clients see it. Hints with the value assumed anyway are left out."""
        names = [name.rstrip("*") for name in self.takes]
        schema: Data = {
            "type": "object",
            "properties": dict(zip(names, self.takes.values(), strict=True)),
        }
        needed = [name[:-1] for name in self.takes if name.endswith("*")]
        return {
            "name": self.name,
            "description": self.does,
            "inputSchema": {**schema, "required": needed} if needed else schema,
            "annotations": _annotations(self),
            **({"_meta": self.meta} if self.meta else {}),
        }

    @property
    def known(self) -> tuple[str, ...]:
        """Returns the names of the arguments that the MCP tool takes, without stars."""
        return tuple(name.rstrip("*") for name in self.takes)


def _annotations(tool: Tool) -> Data:
    hints = tool.hints
    always: Data = {"title": tool.title, "readOnlyHint": hints.reads, "openWorldHint": False}
    if hints.reads:
        return always
    return {**always, "destructiveHint": hints.destroys, "idempotentHint": hints.repeatable}
