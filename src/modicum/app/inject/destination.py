"""Values of an inject: what was asked for, and the destinations of pages with their tools and limits."""

import os
from collections.abc import Callable, Iterable, Mapping

from modicum.base.config import Config
from modicum.base.named_tuple import NamedTuple
from modicum.base.value import NOTHING, Value, replace
from modicum.engine.page import Detail
from modicum.targets.change import TargetFile
from modicum.targets.loaders.carriers import Carrier, Violation
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import ReadingSetting
from modicum.targets.model import (
    Adapter,
    Limit,
)

Condition = tuple[str, tuple[str, ...]]  # a name and globs: the conditional part of that name
Conditions = Callable[[str], Iterable[Condition]]  # by format
READING = (
    "reading:"  # in front of a tool's id: what inject has put into settings, so that the tool reads the page
)


class InjectRequest(Value):
    """A user's request to inject, status, explain or uninstall: which destinations (tools, scope), which packs, which detail."""

    tools: tuple[str, ...] = ()
    all_tools: bool = False
    scope: str = "project"
    exports: bool = True  # a tool that is named may have its file in the home folder, and the clipboard
    profile: str = ""
    detail: Detail | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force: bool = False
    lets_go: bool = False  # pages that are made from packs which are not here may go
    make_room: bool = False  # our page may go above the user's text, so that a limit cuts that off instead


class Destination(Value):
    """The destination of one injected page: its file, tools and limits. Without a file: the clipboard."""

    adapters: tuple[Adapter, ...]
    scope: str
    place: TargetFile | None
    shown_path: str
    detail: Detail = Detail.FULL
    limits: tuple[Limit, ...] = ()
    owners: Mapping[str, str] = NOTHING  # by unit, the tool whose limit it is, if it is not the first tool's
    format: str = "markdown"
    whole_packs: bool = False
    only: Condition | None = None
    separate: bool = False  # conditional parts have files of their own
    guidance: str = ""  # an export's file, named in the closing line
    refers_to: "Destination | None" = (
        None  # it holds nothing but a line that imports this page, or a copy of it
    )
    others: tuple[Adapter, ...] = ()  # it was written for these too, but they are not asked about now
    is_over: bool = False  # written once, and nothing goes there any more
    told_globally: frozenset[str] = (
        frozenset()
    )  # what each of its tools reads on a global page of ours already
    importers: tuple[TargetFile, ...] = ()  # the regions that import this file and count within its limits

    @property
    def tool(self) -> Adapter:
        return self.adapters[0]

    @property
    def is_for_chat(self) -> bool:
        """Returns True if a person hands this page to a chat, where nothing can run a command."""
        return self.tool.type != "file-inject"

    @property
    def spot(self) -> tuple[str, str]:
        """Returns what identifies this destination: two that have the same are one region of one file."""
        return spot_of(self.place) if self.place else ("", self.tool.id)

    @property
    def is_import(self) -> bool:
        """Returns True if this destination holds nothing but a line that imports a page of another one."""
        return self.refers_to is not None and self.place is not None and self.place.mode == "import"

    @property
    def copied(self) -> "Destination | None":
        """Returns the destination whose page this one repeats; None if it does not."""
        return None if self.is_import else self.refers_to

    @property
    def needed_spot(self) -> tuple[str, str] | None:
        """Returns the place of the page that this destination imports; None if it imports none."""
        if self.is_over:
            return None
        if self.refers_to:
            return self.refers_to.spot
        if self.place is None or self.place.mode != "import":
            return None
        path = os.path.join(self.place.root, self.place.reference)  # noqa: PTH118 (no other path of this module)
        return spot_of(replace(self.place, path=path, mode="replace-file"))

    @property
    def known_by(self) -> tuple[str, ...]:
        """Returns the ids of all AI tools that read the page at a destination, for the record."""
        return tuple(adapter.id for adapter in (*self.adapters, *self.others))


class SkippedTool(NamedTuple):
    """An AI tool that has no destination for a page in this run, and why."""

    adapter: Adapter
    why: str


class SeenFiles(Value):
    """The user's files beside the destinations, with the settings of a placement, and the AI tools whose loaders read them."""

    files: ProjectFiles = ProjectFiles()
    adapters: tuple[Adapter, ...] = ()


class Placement(Value):
    """The placement of a run: the destinations of all pages, the AI tools that get no page, and settings to change."""

    destinations: tuple[Destination, ...]
    idle: tuple[SkippedTool, ...] = ()
    settings: tuple[tuple[Adapter, Carrier], ...] = ()
    violations: tuple[Violation, ...] = ()
    seen: SeenFiles = SeenFiles()
    scope: str = "project"
    has_settings: bool = False  # an earlier run has changed settings
    ignored: Mapping[str, str] = (
        NOTHING  # the files that git ignores, each with the pattern of a .gitignore, if one says so
    )
    private: tuple[Violation, ...] = ()  # what the placement violates beside files that are not committed
    unreadable: tuple[
        ReadingSetting, ...
    ] = ()  # settings of tools without a page, in files that cannot be read


def root_of(config: Config, scope: str) -> str:
    """Returns the root folder of the destinations in a scope: the project or the home folder."""
    return str(config.root if scope == "project" else config.home)


def spot_of(place: TargetFile) -> tuple[str, str]:
    """Returns one identity for the place of a destination, also through links: CLAUDE.md may link to AGENTS.md."""
    return os.path.realpath(place.path), place.key
