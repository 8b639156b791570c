"""A tool's reading: all that one AI tool reads in a folder, what of it is ours, what is lost and what arrives twice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from modicum.app.inject.former import pages_written
from modicum.app.inject.load import Knowledge, choose_tools, is_here, tools_of_project
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.base.value import Value
from modicum.targets.loaders.collect import collect
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import Loader
from modicum.targets.loaders.reading import Reading, ReadPassage, limit_in_force, reading
from modicum.targets.model import Adapter
from modicum.targets.plan import OURS
from modicum.text.regions import Orphan, region_names, region_of

MARKER = "<!-- modicum:"
_LEAST_LINE = 16  # shorter lines, such as the end of a code block, may well stand twice


class ToolReading(Value):
    """The reading of one AI tool here: what it reads in a folder of the project, with the files that it comes from."""

    adapter: Adapter
    reading: Reading
    files: ProjectFiles
    folder: str = ""

    def text_of(self, passage: ReadPassage) -> str:
        """Returns the text of a passage in a tool's reading here."""
        return (self.files.text(passage.path) or "")[passage.start : passage.end]

    def by_file(self, *, ours: bool) -> Mapping[str, str]:
        """Returns what the tool's reading has of each file: of our own text in it, or of the user's."""
        found: dict[str, str] = {}
        for path, text in self._parts(ours=ours):
            found[path] = found.get(path, "") + text
        return {path: text for path, text in found.items() if text.strip()}

    def texts(self) -> list[str]:
        """Returns the texts of all passages in a tool's reading here, in their order."""
        return [self.text_of(passage) for passage in self.reading.passages]

    def ours(self) -> str:
        """Returns the part of a tool's reading here that is our own text."""
        return "".join(text for _, text in self._parts(ours=True))

    def own(self) -> str:
        """Returns the part of the tool's reading that is the user's own text; line ends beside ours are none."""
        return "".join(self.by_file(ours=False).values())

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
        """Returns what a tool's reading here loses behind a limit, as one text."""
        lost = (each for each in self.reading.unread if each.is_cut)
        return "".join((self.files.text(each.path) or "")[each.start : each.end] for each in lost)

    def losses(self) -> Iterator[tuple[str, int, str]]:
        """Yields each passage that is missing in a tool's reading here, with its size in bytes and the reason."""
        for each in self.reading.unread:
            if each.kind not in ("hidden", "cut"):
                continue
            text = (self.files.text(each.path) or "")[each.start : each.end]
            yield each.path, len(text.encode("utf-8", "surrogateescape")), each.why

    def limits(self) -> Iterator[tuple[str, int, int, str]]:
        """Yields the limits of a tool's reading here: name, what counts for it, the limit and its unit."""
        for limit in self.adapter.reads.limits if self.adapter.reads else ():
            if not limit.feature and not limit.whole:
                most = limit_in_force(self.files, limit)
                yield limit.name, self.reading.used.get(limit.name, 0), most, limit.unit

    def beyond_features(self) -> tuple[str, ...]:
        """Returns a sentence for each file in a tool's reading here that is too long for one feature of the tool alone."""
        from modicum.app.inject.warnings import beyond_feature  # brings the making of pages along

        later = (each.path for each in self.reading.unread if each.kind == "later")
        paths = dict.fromkeys((*(passage.path for passage in self.reading.passages), *later))
        return tuple(beyond_feature(self.adapter, {path: self.files.text(path) or "" for path in paths}))

    def in_older_versions(self) -> Iterator[str]:
        """Yields a sentence for each file that a tool reads here, and that an older version of the tool does not."""
        loader, read = self.adapter.reads or Loader(), {passage.path for passage in self.reading.passages}
        for version, newer in pairwise(loader.versions):
            older = reading(loader, self.files, self.folder, version)
            for path in sorted(read - {passage.path for passage in older.passages}):
                yield f"before version {newer} {self.adapter.name} does not read {path} here"

    def source(self) -> str:
        """Returns where the facts about the tool's reading come from."""
        return self.adapter.reads.source if self.adapter.reads else ""

    def needs(self) -> tuple[str, ...]:
        """Returns the conditions of the tool's reading that its files cannot tell."""
        rules = self.adapter.reads.rules if self.adapter.reads else ()
        return tuple(dict.fromkeys(rule.needs for rule in rules if rule.needs))

    def doubled(self) -> str:
        """Returns the lines that are in a tool's reading here more than once, as often as they come again."""
        return "\n".join(line for line, _, _ in self.repeats())

    def repeats(self) -> Iterator[tuple[str, str, str]]:
        """Yields each line that comes again in a tool's reading here, with the file of the first time, and that of the next."""
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
    """Returns where our own text stands in a file of a tool's reading here."""
    if text.rstrip().endswith(OURS):
        return [(0, len(text))]
    regions = [region_of(text, name) for name in (region_names(text) if "modicum:" in text else ())]
    return sorted((r.start, r.end) for r in regions if r and not isinstance(r, Orphan))


def tools_to_see(config: Config, knowledge: Knowledge, names: Sequence[str], *, every: bool) -> list[Adapter]:
    """Returns the AI tools whose reading is to be seen: the named ones, all, the project's, or those found here or with a page."""
    chosen = choose_tools(config, knowledge, names, every=not names)
    if names:
        return [*chosen]
    if config.tools and not every:
        return [adapter for adapter in tools_of_project(config, knowledge) if adapter.type == "file-inject"]
    served = {tool for part in pages_written(config, "project") for tool in part.record.tools}
    files = [adapter for adapter in chosen if adapter.type == "file-inject"]
    return [adapter for adapter in files if every or adapter.id in served or is_here(config, adapter)]


def see_tools(config: Config, adapters: Iterable[Adapter], folder: str = "") -> list[ToolReading]:
    """Returns the reading of each AI tool that is started in a folder of the project; tools whose loader nobody knows are left out."""
    known = [adapter for adapter in adapters if adapter.reads]
    files = collect(config.root, config.home, [a.reads for a in known if a.reads], folders_to(folder))
    return read_files(known, files, folder)


def folder_below(config: Config, start: Path, folder: str) -> str:
    """Returns the folder for a tool's reading, named from a start, as a path below the project. Raises WrongUsage for another one."""
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
    """Returns the folders from the project's root down to the one of a tool's reading."""
    steps = folder.split("/") if folder else []
    return ["", *("/".join(steps[: n + 1]) for n in range(len(steps)))]


def read_files(adapters: Iterable[Adapter], files: ProjectFiles, folder: str) -> list[ToolReading]:
    """Returns the reading that each AI tool has of these files, in the tool's newest version."""
    return [
        ToolReading(a, reading(a.reads, files, folder, a.reads.versions[-1]), files, folder)
        for a in adapters
        if a.reads
    ]


def see_tool(config: Config, adapter: Adapter, folder: str = "") -> ToolReading | None:
    """Returns the reading of one AI tool here; None if nobody knows what the tool reads."""
    return next(iter(see_tools(config, [adapter], folder)), None)


def why_unread(adapter: Adapter, others: Iterable[Adapter]) -> str:
    """Returns the sentence for an AI tool without a reading: it is a chat box, or its adapter does not tell what it reads.

    A program among the others that shares its name is named.
    """
    if adapter.type == "file-inject":
        return f"{adapter.name}: nobody has written down what it reads, as reads in its adapter"
    program = next((other for other in others if other.id.startswith(f"{adapter.id}-") and other.reads), None)
    named = f". The program {program.name} is {program.id}: modicum see {program.id}" if program else ""
    paste = f"modicum inject --tool {adapter.id} makes a text to paste"
    return f"{adapter.name} is a chat box, which reads no files here; {paste}{named}"


def cut_off_sentences(readings: Iterable[ToolReading]) -> Iterator[str]:
    """Yields a sentence for each file that is cut off in a tool's reading here, with or without a page of ours."""
    from modicum.app.inject.warnings import cut_off_sentence  # brings the making of pages along

    for seen in readings:
        for lost in seen.reading.unread:
            if lost.is_cut:
                yield cut_off_sentence(seen.adapter, lost, seen.files.text(lost.path) or "")
