"""What a tool is: a row with a name, a description for the model, its arguments, and the function that answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modicum.app.remedies import plain_wording
from modicum.base.errors import Wording
from modicum.mcp.args import Arguments
from modicum.mcp.reply import Data, ToolReply

if TYPE_CHECKING:
    from modicum.app.inject.load import Knowledge
    from modicum.base.config import Config
    from modicum.memory.store import Store

Schema = Mapping[str, object]

SPECS = "sdd_"  # how the names of all tools begin that read or write spec files


@dataclass
class ToolContext:
    """What a tool works with: the settings, the caller's store, the project, and the words for remedies."""

    config: "Config"
    store: "Store"
    project: str = ""  # the one that is meant where none is named
    word: Wording = plain_wording

    @property
    def knowledge(self) -> "Knowledge":
        """The packs and adapters, read when a tool asks for them: most sessions start without."""
        from modicum.app.inject.load import load_knowledge

        return load_knowledge(self.config)

    def check_specs(self, *, writing: bool) -> None:
        """Raises Forbidden if the caller may not read, or not write, the spec files of the project."""
        from modicum.app.specs.access import check_spec_access

        check_spec_access(self.config, self.store, writing=writing)


class Hints(NamedTuple):
    """What a client may know of a tool before it asks its user."""

    reads: bool = False
    destroys: bool = False
    repeatable: bool = False


READS = Hints(reads=True, repeatable=True)
ADDS = Hints()
CHANGES = Hints(repeatable=True)
DESTROYS = Hints(destroys=True)


class Tool(NamedTuple):
    """A row of the table of tools. The names of required arguments end with a star."""

    name: str
    title: str
    does: str
    takes: Mapping[str, Schema]
    hints: Hints
    answer: Callable[[ToolContext, Arguments], ToolReply]
    meta: Data | None = None

    def described(self) -> Data:
        """Returns the tool as clients see it. Hints that say what is assumed anyway are left out."""
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
        """The names of all arguments, without stars."""
        return tuple(name.rstrip("*") for name in self.takes)


def _annotations(tool: Tool) -> Data:
    hints = tool.hints
    always: Data = {"title": tool.title, "readOnlyHint": hints.reads, "openWorldHint": False}
    if hints.reads:
        return always
    return {**always, "destructiveHint": hints.destroys, "idempotentHint": hints.repeatable}
