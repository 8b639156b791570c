"""What a tool is: a row with a name, words for the model, what it takes, and the function that answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modicum.base.config import Config
from modicum.mcp.args import Arguments
from modicum.mcp.reply import Data, ToolReply
from modicum.memory.model import Forbidden
from modicum.memory.names import project_name
from modicum.memory.store import Store

if TYPE_CHECKING:
    from modicum.app.inject.load import Knowledge

Schema = Mapping[str, object]

SPECS = "sdd_"  # how the names of tools for specs begin, here and with Hoofy


@dataclass
class ToolContext:
    """What tools work with. Packs are read when they are asked for: most sessions start without them."""

    config: Config
    store: Store
    project: str = ""  # the one that is meant where none is named

    @property
    def shelf(self) -> "Knowledge":
        from modicum.app.inject.load import load_knowledge

        return load_knowledge(self.config)

    def open_specs(self, *, writing: bool) -> None:
        """Files of specs are those of the project that we serve from: refuse whoever may not see or change it."""
        who, project = self.store.who, project_name(self.config.name)
        if writing and who.is_limited:
            who.check(project)
        elif who.seen_projects and project not in who.seen_projects:
            raise Forbidden(f'{who.name} may not read "{project}"', remedy="ask for a token that may")


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
    """A row of the table of tools. What is required has a star behind its name."""

    name: str
    title: str
    does: str
    takes: Mapping[str, Schema]
    hints: Hints
    answer: Callable[[ToolContext, Arguments], ToolReply]
    meta: Data | None = None

    def described(self) -> Data:
        """The tool as clients are told of it. Hints that say what is assumed anyway are left out."""
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
        return tuple(name.rstrip("*") for name in self.takes)


def _annotations(tool: Tool) -> Data:
    hints = tool.hints
    told: Data = {"title": tool.title, "readOnlyHint": hints.reads, "openWorldHint": False}
    if hints.reads:
        return told
    return {**told, "destructiveHint": hints.destroys, "idempotentHint": hints.repeatable}
