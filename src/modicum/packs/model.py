"""What a pack, a profile and a library are: values, built whole."""

from collections.abc import Mapping

from modicum.base.value import NOTHING, Value
from modicum.base.yaml_check import YamlProblem


class PackText(Value):
    """Markdown as authored, and the file it came from."""

    file: str
    text: str


class Sample(Value):
    """A link to code worth imitating; only those with `inject` are shown to tools."""

    id: str
    label: str
    url: str
    description: str = ""
    tags: tuple[str, ...] = ()
    inject: bool = False


class KnownError(Value):
    """An error message, why it appears and how to get rid of it."""

    id: str
    pattern: str
    cause: str
    fix: str
    docs: str = ""
    tags: tuple[str, ...] = ()


class Journey(Value):
    """Something to learn from; without a title it is listed by the words of its slug."""

    slug: str
    title: str = ""
    level: str = ""
    duration: str = ""
    url: str = ""
    featured: bool = False


class Resource(Value):
    """A link for people."""

    id: str
    title: str
    url: str
    type: str = ""
    tags: tuple[str, ...] = ()


class Tip(Value):
    """A short piece of advice for people."""

    title: str
    tags: tuple[str, ...] = ()
    body: str = ""


class McpServer(Value):
    """An MCP server: a command to start (stdio) or an address (http, sse), for the tools named in `hosts`."""

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
    """A command that tools run at an event, which is spelt as in sessionStart, however its author spelt it."""

    id: str
    event: str
    command: str
    tools: tuple[str, ...] = ()


class Skill(Value):
    """A skill's main file with its text, and the other text files of its folder as (path within it, text)."""

    id: str
    name: str
    description: str = ""
    file: str = ""
    text: str = ""
    tools: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


class Pack(Value):
    """A pack in the reader's language. After merging, `additive` is off and each text still knows its own file."""

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
    additive: bool = False
    additive_position: str = ""


class Weighted(Value):
    """A pack that a profile names; without a weight it keeps its own."""

    id: str
    weight: int | None = None


class Profile(Value):
    """An order of packs, and which of them: all but the excluded, or (if `include` is not empty) only those it names."""

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
    """All that the layers hold, merged, and what could not be read."""

    packs: tuple[Pack, ...] = ()
    profiles: tuple[Profile, ...] = ()
    problems: tuple[YamlProblem, ...] = ()
