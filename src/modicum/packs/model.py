"""The model of packs: what a pack, its parts, a profile and a library are, as values."""

from collections.abc import Mapping
from enum import IntEnum

from modicum.base.value import NOTHING, Value
from modicum.base.yaml.check import YamlProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


class PackOrigin(IntEnum):
    """Where a pack comes from; packs of a higher origin matter more, whatever their weights."""

    STARTER = 1  # comes with modicum, and is turned on by name
    SOURCE = 2
    USER = 3
    PROJECT = 4


class PackText(Value):
    """The model of a Markdown text in a pack: the text as authored, and its file."""

    file: str
    text: str


class Sample(Value):
    """A code sample of a pack: a link to code worth imitating; only those with `inject` go to AI tools."""

    id: str
    label: str
    url: str
    description: str = ""
    tags: tuple[str, ...] = ()
    inject: bool = False


class KnownError(Value):
    """A known error of a pack: an error message, why it appears and how to get rid of the error."""

    id: str
    pattern: str
    cause: str
    fix: str
    docs: str = ""
    tags: tuple[str, ...] = ()


class Journey(Value):
    """A learning journey of a pack; without a title, its slug's words are its title."""

    slug: str
    title: str = ""
    level: str = ""
    duration: str = ""
    url: str = ""
    featured: bool = False


class Resource(Value):
    """A resource of a pack: a link for people."""

    id: str
    title: str
    url: str
    type: str = ""
    tags: tuple[str, ...] = ()


class Tip(Value):
    """A tip of a pack: a short piece of advice for people."""

    title: str
    tags: tuple[str, ...] = ()
    body: str = ""


class McpServer(Value):
    """An MCP server of a pack: a command (stdio) or address (http, sse), for the tools in `hosts`."""

    id: str
    name: str
    description: str = ""
    type: str = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = NOTHING
    url: str = ""
    headers: Mapping[str, str] = NOTHING
    hosts: tuple[str, ...] = ()


class Hook(Value):
    """A hook of a pack: a command that AI tools run at an event, whose name is spelt as in sessionStart."""

    id: str
    event: str
    command: str
    tools: tuple[str, ...] = ()


class Skill(Value):
    """A skill of a pack: its main file with text, and the other text files of its folder by path."""

    id: str
    name: str
    description: str = ""
    file: str = ""
    text: str = ""
    tools: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


class Pack(Value):
    """A knowledge pack in the reader's language. After merging, `additive` is off; texts keep their files."""

    id: str
    name: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    weight: int = 0
    overlaps: tuple[str, ...] = ()
    base: bool = False
    globs: tuple[str, ...] = ()
    versions: Mapping[str, str] = NOTHING
    changelog: tuple[str, ...] = ()
    context: tuple[PackText, ...] = ()
    constraints: tuple[PackText, ...] = ()
    preamble: tuple[PackText, ...] = ()
    samples: tuple[Sample, ...] = ()
    known_errors: tuple[KnownError, ...] = ()
    learning: tuple[Journey, ...] = ()
    resources: tuple[Resource, ...] = ()
    tips: tuple[Tip, ...] = ()
    servers: tuple[McpServer, ...] = ()
    hooks: tuple[Hook, ...] = ()
    skills: tuple[Skill, ...] = ()
    layer: str = ""
    origin: PackOrigin = PackOrigin.PROJECT
    additive: bool = False
    additive_position: str = ""

    @property
    def importance(self) -> tuple[int, int, str]:
        """Returns a key that sorts pack values by importance, the most important first: by origin, then by weight, then by id."""
        return -self.origin, -self.weight, self.id


class Weighted(Value):
    """A pack as a profile names it, with a weight; without one, the pack keeps its own."""

    id: str
    weight: int | None = None


class Profile(Value):
    """A profile: an order and choice of packs: all but the excluded, or only those in `include`."""

    id: str
    name: str = ""
    description: str = ""
    packs: tuple[Weighted, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    base_only: bool = False


ALL = Profile("all", "All Packs", "Every pack, the heaviest first")
MINIMAL = Profile("minimal", "Minimal", "Base packs only", base_only=True)
BUILT_IN_PROFILES = (ALL, MINIMAL)


class Library(Value):
    """The library: all packs and profiles of the layers, merged, and the problems of unreadable ones.

    `use` and `skip` are the names of packs that the user or the project turns on and off; a profile leaves out none in `kept`.
    """

    packs: tuple[Pack, ...] = ()  # that are turned on
    profiles: tuple[Profile, ...] = ()
    problems: tuple[YamlProblem, ...] = ()
    off: tuple[Pack, ...] = ()  # starters that nobody has chosen, and packs that are skipped
    use: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[Pack, ...]:
        """Returns all packs of the library as one tuple, turned on or off."""
        return *self.packs, *self.off

    @property
    def offered(self) -> tuple[Pack, ...]:
        """Returns the starter packs in a library of packs that nobody has turned on or off."""
        starters = (pack for pack in self.off if pack.origin is PackOrigin.STARTER)
        return tuple(pack for pack in starters if pack.id not in self.skip)


class Source(Value):
    """An installed source of packs, and the folder with its content; a folder source has no commit."""

    name: str
    location: str
    ref: str
    commit: str
    content: "Path"


class SourceReport(Value):
    """A value of packs: a source with its contents and problems; `failed` says why its update failed."""

    source: Source
    packs: int = 0
    profiles: int = 0
    adapters: int = 0
    problems: tuple[YamlProblem, ...] = ()
    remarks: tuple[str, ...] = ()
    failed: str = ""
