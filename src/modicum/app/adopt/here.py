"""Finds the AI tools that an adoption is for: those that are named or found here, or else one reader of each file."""

from collections.abc import Sequence

from modicum.app.inject.load import Knowledge
from modicum.app.reading.tool_reading import tools_to_see
from modicum.base.config import Config
from modicum.base.value import Value
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.reading import Reading, reading
from modicum.targets.model import Adapter


class Surveyed(Value):
    """What the preview of an adoption is made from: the files that tools read, and the folders that have instruction files."""

    files: ProjectFiles
    folders: tuple[str, ...]
    knowledge: Knowledge
    tools: tuple[Adapter, ...] = ()  # those that are named or found here
    elsewhere: frozenset[str] = frozenset()  # what other tools read


def tools_here(config: Config, knowledge: Knowledge, names: Sequence[str] = ()) -> tuple[Adapter, ...]:
    """Returns the AI tools whose files an adoption takes over: those that are named, else those that are found here."""
    found = tools_to_see(config, knowledge, names, every=False)
    return tuple(adapter for adapter in found if adapter.type == "file-inject" and adapter.reads)


def stand_ins(seen: Surveyed) -> tuple[Adapter, ...]:
    """Returns one reader for each instruction file of the root, for an adoption where no tool is named or found.

    It is one that has its own page in a file of this name and the fewest limits, and reads the fewest files besides.
    """
    known = [a for a in seen.knowledge.adapters.values() if a.type == "file-inject" and a.reads]
    read = {adapter.id: _paths_at_start(adapter, seen.files) for adapter in known}
    names = {path: {path, *links_to(seen.files, path)} for path in seen.files.texts}

    def rank(adapter: Adapter, path: str) -> tuple[bool, int, int, str]:
        is_own = any(target.path in names[path] for target in adapter.targets)
        limits = len(adapter.reads.limits) if adapter.reads else 0
        return not is_own, limits, len(read[adapter.id]), adapter.id

    owners = {min((rank(a, path) for a in known if path in read[a.id]), default=("",))[-1] for path in names}
    return tuple(adapter for adapter in known if adapter.id in owners)


def links_to(files: ProjectFiles, path: str) -> set[str]:
    """Returns the other names of a file that an adoption concerns: the links that lead to it."""
    return {link for link, real in files.links.items() if real == path}


def _paths_at_start(adapter: Adapter, files: ProjectFiles) -> set[str]:
    found = reading(adapter.reads, files, "", adapter.reads.versions[-1]) if adapter.reads else Reading()
    return {each.path for each in found.passages if not each.path.startswith(("~/", "../", "/"))}
