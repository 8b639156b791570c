"""What AI tools read here: the reading of each one, with what is ours, what is lost and what arrives twice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from modicum.app.inject.former import pages_written
from modicum.app.inject.load import Knowledge, choose_tools, is_here, tools_of_project
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.base.value import Value
from modicum.targets.loaders.collect import collect
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.reading import Reading, ReadPassage, limit_in_force, reading
from modicum.targets.model import Adapter
from modicum.targets.plan import OURS
from modicum.text.regions import Orphan, region_names, region_of

MARKER = "<!-- modicum:"
_LEAST_LINE = 16  # shorter lines, such as the end of a code block, may well stand twice


class ToolReading(Value):
    """What one AI tool reads in a folder, with the files that it comes from."""

    adapter: Adapter
    reading: Reading
    files: ProjectFiles

    def text_of(self, passage: ReadPassage) -> str:
        """Returns the text of a passage that the tool reads."""
        return (self.files.text(passage.path) or "")[passage.start : passage.end]

    def by_file(self, *, ours: bool) -> Mapping[str, str]:
        """Returns what arrives of each file that the tool reads: of our own text in it, or of the user's."""
        found: dict[str, str] = {}
        for path, text in self._parts(ours=ours):
            found[path] = found.get(path, "") + text
        return {path: text for path, text in found.items() if text.strip()}

    def texts(self) -> list[str]:
        """Returns the texts of all passages that the tool reads, in their order."""
        return [self.text_of(passage) for passage in self.reading.passages]

    def ours(self) -> str:
        """Returns what arrives of our own text."""
        return "".join(text for _, text in self._parts(ours=True))

    def own(self) -> str:
        """Returns what arrives of the user's own text."""
        return "".join(text for _, text in self._parts(ours=False))

    def _parts(self, *, ours: bool) -> Iterator[tuple[str, str]]:
        for passage in self.reading.passages:
            text = self.files.text(passage.path) or ""
            at = passage.start
            for start, end in our_spans(text):
                if start < passage.end and end > at:
                    part = text[max(at, start) : min(end, passage.end)] if ours else text[at : max(at, start)]
                    yield passage.path, part
                    at = min(end, passage.end)
            yield passage.path, "" if ours else text[at : passage.end]

    def lost(self) -> str:
        """Returns what falls behind a limit of the tool, as one text."""
        lost = (each for each in self.reading.unread if each.is_cut)
        return "".join((self.files.text(each.path) or "")[each.start : each.end] for each in lost)

    def losses(self) -> Iterator[tuple[str, int, str]]:
        """Yields each passage that the tool does not read, with its size in bytes and the reason."""
        for each in self.reading.unread:
            if each.kind not in ("hidden", "cut"):
                continue
            text = (self.files.text(each.path) or "")[each.start : each.end]
            yield each.path, len(text.encode("utf-8", "surrogateescape")), each.why

    def limits(self) -> Iterator[tuple[str, int, int, str]]:
        """Yields the limits of the tool on what it reads: name, what counts for it, the limit and its unit."""
        for limit in self.adapter.reads.limits if self.adapter.reads else ():
            if not limit.feature and not limit.whole:
                most = limit_in_force(self.files, limit)
                yield limit.name, self.reading.used.get(limit.name, 0), most, limit.unit

    def beyond_features(self) -> tuple[str, ...]:
        """Returns a sentence for each file that is too long for one feature of the tool, and for nothing else of it."""
        from modicum.app.inject.warnings import beyond_feature  # brings the making of pages along

        later = (each.path for each in self.reading.unread if each.kind == "later")
        paths = dict.fromkeys((*(passage.path for passage in self.reading.passages), *later))
        return tuple(beyond_feature(self.adapter, {path: self.files.text(path) or "" for path in paths}))

    def source(self) -> str:
        """Returns where the facts about the tool's reading come from."""
        return self.adapter.reads.source if self.adapter.reads else ""

    def needs(self) -> tuple[str, ...]:
        """Returns the conditions under which the tool reads all that, and which files cannot tell."""
        rules = self.adapter.reads.rules if self.adapter.reads else ()
        return tuple(dict.fromkeys(rule.needs for rule in rules if rule.needs))

    def doubled(self) -> str:
        """Returns the lines that arrive more than once, as often as they come again."""
        return "\n".join(line for line, _, _ in self.repeats())

    def repeats(self) -> Iterator[tuple[str, str, str]]:
        """Yields each line that arrives again, with the file in which it came first, and the one in which it comes again."""
        met: dict[str, str] = {}
        for passage in self.reading.passages:
            lines = [*_telling_lines(self.text_of(passage))]
            yield from ((line, met[line], passage.path) for line in lines if line in met)
            met |= {line: passage.path for line in lines if line not in met}


def _telling_lines(text: str) -> Iterator[str]:
    """The lines of a text that say something: none that are short, no markers, and no heads of tables."""
    lines = [line.strip() for line in text.splitlines()]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        is_head = line.startswith("|") and (_is_rule(line) or _is_rule(after))
        if len(line) >= _LEAST_LINE and not line.startswith(MARKER) and not is_head:
            yield line


def _is_rule(line: str) -> bool:
    """Whether a line separates the head of a table from its rows."""
    return line.startswith("|") and set(line) <= set("|-: ")


def our_spans(text: str) -> list[tuple[int, int]]:
    """Returns where our own text is in a file that a tool reads."""
    if text.rstrip().endswith(OURS):
        return [(0, len(text))]
    regions = [region_of(text, name) for name in (region_names(text) if "modicum:" in text else ())]
    return sorted((r.start, r.end) for r in regions if r and not isinstance(r, Orphan))


def tools_to_see(config: Config, knowledge: Knowledge, names: Sequence[str], *, every: bool) -> list[Adapter]:
    """Returns the AI tools to see: the named ones, all with a file, those of the project, or those found here or with a page."""
    chosen = choose_tools(config, knowledge, names, every=not names)
    if names:
        return [*chosen]
    if config.tools and not every:
        return [adapter for adapter in tools_of_project(config, knowledge) if adapter.type == "file-inject"]
    served = {tool for part in pages_written(config, "project") for tool in part.record.tools}
    files = [adapter for adapter in chosen if adapter.type == "file-inject"]
    return [adapter for adapter in files if every or adapter.id in served or is_here(config, adapter)]


def see_tools(config: Config, adapters: Iterable[Adapter], folder: str = "") -> list[ToolReading]:
    """Returns what each AI tool reads that is started in a folder of the project; tools that nobody knows are left out."""
    known = [adapter for adapter in adapters if adapter.reads]
    files = collect(config.root, config.home, [a.reads for a in known if a.reads], folders_to(folder))
    return read_files(known, files, folder)


def folder_below(config: Config, start: Path, folder: str) -> str:
    """Returns a folder to see, named from a start, as a path below the project. Raises WrongUsage for another one."""
    place = start / folder
    try:
        inner = place.resolve().relative_to(config.root.resolve())
    except ValueError:
        raise WrongUsage(
            f"{folder} is not below the project {config.root}", remedy="name a folder of this project"
        ) from None
    if not place.is_dir():
        raise WrongUsage(f"{place} is not a folder", remedy="name a folder of this project")
    return "" if inner == Path() else inner.as_posix()


def folders_to(folder: str) -> list[str]:
    """Returns the folders from the project's root to one in which a tool is started, for seeing what it reads."""
    steps = folder.split("/") if folder else []
    return ["", *("/".join(steps[: n + 1]) for n in range(len(steps)))]


def read_files(adapters: Iterable[Adapter], files: ProjectFiles, folder: str) -> list[ToolReading]:
    """Returns what each AI tool in its newest version reads of these files."""
    return [
        ToolReading(a, reading(a.reads, files, folder, a.reads.versions[-1]), files)
        for a in adapters
        if a.reads
    ]


def see_tool(config: Config, adapter: Adapter, folder: str = "") -> ToolReading | None:
    """Returns what one AI tool reads here; None if nobody knows what it reads."""
    return next(iter(see_tools(config, [adapter], folder)), None)
