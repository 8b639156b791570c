"""The reading of an AI tool: every passage of the project's files that its loader hands to the model, and what is lost. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import NOTHING, Value
from modicum.targets.loaders.dropped_text import dropped_spans, kept_spans
from modicum.targets.loaders.files import ProjectFiles, folder_of, is_below, joined
from modicum.targets.loaders.imports import Import, imports_in
from modicum.targets.loaders.model import Loader, ReadLimit, ReadRule
from modicum.targets.loaders.walk import FileWalk, NamedFile, StartFolder, Unread, walk
from modicum.text.markdown import BOM

Spans = Mapping[str, Sequence[tuple[int, int]]]  # by file, the parts of it that are read
WHITE = " \t\r\n\f\v" + BOM


class ReadPassage(NamedTuple):
    """A passage of a reading: which file, from which character to which, and what imported it."""

    path: str
    start: int
    end: int
    importer: str = ""


class Reading(Value):
    """The reading of an AI tool at its start: passages in order, what does not arrive, and how full each limit is.

    `dropped` is what the tool leaves out of files that it reads: comments, front matter, and the mention of an import that
    the imported text replaces.
    """

    passages: tuple[ReadPassage, ...] = ()
    unread: tuple[Unread, ...] = ()
    dropped: tuple[Unread, ...] = ()
    used: Mapping[str, int] = NOTHING  # by the name of a limit, what counts for it

    def text(self, files: ProjectFiles) -> str:
        """Returns the text of what a loader reads: of all its passages, one after the other, with an empty line between two files."""
        parts: list[str] = []
        before = ""
        for each in self.passages:
            parts += ["\n\n"] if before and before != each.path else []
            parts.append((files.text(each.path) or "")[each.start : each.end])
            before = each.path
        return "".join(parts)


def reading(loader: Loader, files: ProjectFiles, folder: str = "", version: str = "") -> Reading:
    """Returns the reading of a tool, what it reads when a version of it is started in a folder of the project."""
    return LoaderInFolder(loader, folder, version)(files)


class LoaderInFolder:
    """A loader that is started in one folder, in one version: reads the same folders of changing files."""

    def __init__(self, loader: Loader, folder: str = "", version: str = "") -> None:
        self.start = StartFolder(loader, folder, version)

    def __call__(self, files: ProjectFiles) -> Reading:
        """Returns what the tool reads of these files."""
        return _Read(self.start, files).done() if files.texts else Reading()


MOST_IMPORTED = 1_000
MOST_IMPORTED_TEXT = 10_000_000


class _Part(NamedTuple):
    """A part of a file that is read, from start to end, with the rule that names it and the file that imports it."""

    path: str
    rule: ReadRule
    start: int
    end: int
    importer: str = ""


class _Read:
    """Reads the files of one project by the rules of one loader."""

    def __init__(self, start: StartFolder, files: ProjectFiles) -> None:
        self.start, self.loader, self.files = start, start.loader, files
        self.unread: list[Unread] = []
        self.dropped: list[Unread] = []
        self.used: dict[str, int] = {}
        self.imported: set[str] = set()
        self.top = ""
        self.imports_left, self.text_left, self.is_full = MOST_IMPORTED, MOST_IMPORTED_TEXT, False

    @cached_property
    def limits(self) -> dict[str, ReadLimit]:
        return {limit.name: limit for limit in self.loader.limits if not limit.feature}

    def done(self) -> Reading:
        found = walk(self.start, self.files)
        files = self._without_copies([*self._without_twins(self._expanded(found))])
        parts = [self._within_limit(part) for row in files for part in row]
        passages = tuple(passage for part in parts for passage in self._passages(part))
        read = {part.path for part in parts}
        unread = (each for each in found.unread if each.path not in read)
        return Reading(
            passages, tuple(dict.fromkeys((*unread, *self.unread))), tuple(self.dropped), self.used
        )

    def _expanded(self, found: FileWalk) -> Iterator[list[_Part]]:
        """The parts of each file with those of its imports, as the tool puts them together."""
        for named in found.named:
            real = self.files.real(named.path)
            if self.loader.imported_once != "run" or real not in self.imported:
                yield self._with_imports(named, real)

    def _with_imports(self, named: NamedFile, real: str) -> list[_Part]:
        self.top = real
        whole = _Part(real, named.rule, 0, len(self.files.text(real) or ""))
        match self.loader.imported_once:
            case "run":
                self.imported.add(real)
                return [*self._opened(whole, 0, self.imported)]
            case "below":
                return [*self._opened(whole, 0, set())]
        return [*self._opened(whole, 0, {real})]

    def _opened(self, part: _Part, depth: int, met: set[str]) -> Iterator[_Part]:
        """A file with the files that it imports: behind it, or in the places where it names them."""
        how = part.rule.imports
        if how == "none" or depth >= self.loader.depth:
            yield part
            return
        inner = [*self._imports(part, depth, met)]
        if how == "behind":
            yield part
            yield from (each for _, row in inner for each in row)
        else:
            yield from self._spliced(part, inner, keep=how == "after")

    def _imports(self, part: _Part, depth: int, met: set[str]) -> Iterator[tuple[Import, list[_Part]]]:
        text = self.files.text(part.path) or ""
        for mention in imports_in(text):
            path = joined(folder_of(part.path), mention.path)
            real, inner = self.files.real(path), self.files.text(path)
            if inner is None or real in met or not self._follows(part, mention, path):
                continue
            if not self._has_room(part, mention, len(inner)):
                return
            way = {*met, real} if self.loader.imported_once in ("chain", "below") else met
            way.add(real)
            imported = _Part(real, part.rule, 0, len(inner), part.path)
            yield mention, [*self._opened(imported, depth + 1, way)]

    def _has_room(self, part: _Part, mention: Import, size: int) -> bool:
        """Whether one more import is followed. A few files that import each other come to millions, in some tools without an end."""
        self.imports_left, self.text_left = self.imports_left - 1, self.text_left - size
        if self.imports_left >= 0 and self.text_left >= 0:
            return True
        if not self.is_full:
            why = f"more than {MOST_IMPORTED:,} imports, or {MOST_IMPORTED_TEXT:,} characters of them, are not followed"
            self.dropped.append(Unread(part.path, mention.start, mention.start, why, "dropped"))
        self.is_full = True
        return False

    def _follows(self, part: _Part, mention: Import, path: str) -> bool:
        gone = dropped_spans(self.files.text(part.path) or "", part.rule.drops)
        if any(start <= mention.start < end for start, end in gone):
            return False
        if part.rule.imports == "behind":
            is_home = self.top.startswith("~/")
            return is_home or is_below(path, self.start.folder if part.rule.within else "")
        return not mention.in_marks and is_below(path, self._import_folder(part.rule.imports))

    def _import_folder(self, how: str) -> str:
        """The folder that imports stay in: the repository, or else that of the start or of the file."""
        if not is_below(self.top, self.files.repository):
            return folder_of(self.top)
        if self.files.is_repository:
            return self.files.repository
        return self.start.folder if how == "after" else folder_of(self.top)

    def _spliced(
        self, part: _Part, inner: Iterable[tuple[Import, list[_Part]]], *, keep: bool
    ) -> Iterator[_Part]:
        at = part.start
        for mention, row in inner:
            yield part._replace(start=at, end=mention.end if keep else mention.start)
            yield from row
            at = mention.end
            if not keep:
                why = "what it imports stands in its place"
                self.dropped.append(Unread(part.path, mention.start, at, why, "dropped"))
        yield part._replace(start=at)

    def _without_twins(self, files: Iterable[list[_Part]]) -> Iterator[list[_Part]]:
        """The files without those that are equal to an earlier one, imports included."""
        seen: dict[tuple[object, ...], str] = {}
        for row in files:
            if "twins" in row[0].rule.drops:
                text = self.files.text(row[0].path)
                key = (text, *(part.path for part in row if part.importer))
                if key in seen:
                    self._pass_over(row, seen[key])
                    continue
                seen[key] = row[0].path
            yield row

    def _without_copies(self, files: Sequence[list[_Part]]) -> list[list[_Part]]:
        """The files without those whose text arrives from a file of another rule already."""
        if not any("copies" in row[0].rule.drops for row in files):
            return [*files]
        plain = [part for row in files for part in row if not part.path.startswith("~/")]
        others = {self._arriving(part): part.path for part in plain if "copies" not in part.rule.drops}
        kept = []
        for row in files:
            twin = others.get(self._arriving(row[0])) if "copies" in row[0].rule.drops else None
            if twin is None:
                kept.append(row)
            else:
                self._pass_over(row, twin)
        return kept

    def _pass_over(self, row: Sequence[_Part], twin: str) -> None:
        length = len(self.files.text(row[0].path) or "")
        self.unread.append(Unread(row[0].path, 0, length, f"it is the same as {twin}", "twin"))

    def _arriving(self, part: _Part) -> str:
        text = self.files.text(part.path) or ""
        spans = kept_spans(text, part.start, part.end, part.rule.drops)
        return "".join(text[start:end] for start, end in spans).strip(WHITE)

    def _within_limit(self, part: _Part) -> _Part:
        limit = self.limits.get(part.rule.limit)
        text = (self.files.text(part.path) or "")[part.start : part.end]
        if limit is None or not text.strip():
            return part
        size, most = measured(text, limit.unit), most_of(limit, self.start.setting(limit.setting, self.files))
        before = 0 if limit.each else self.used.get(limit.name, 0)
        self.used[limit.name] = max(self.used.get(limit.name, 0), before + size)
        if before + size <= most:
            return part
        room = 0 if limit.whole else max(0, most - before)
        kept = part.start + len(beginning(text, room, limit.unit))
        why = f"it is behind the {most:,} {limit.unit} that the tool reads"
        self.unread.append(Unread(part.path, kept, part.end, why, "cut"))
        return part._replace(end=kept)

    def _passages(self, part: _Part) -> Iterator[ReadPassage]:
        text = self.files.text(part.path) or ""
        for start, end in dropped_spans(text, part.rule.drops):
            if start < part.end and end > part.start:
                span = max(start, part.start), min(end, part.end)
                self.dropped.append(Unread(part.path, *span, "the tool drops it", "dropped"))
        spans = [*kept_spans(text, part.start, part.end, part.rule.drops)]
        for start, stop in self._trimmed(part, text, spans):
            yield ReadPassage(part.path, start, stop, part.importer)

    def _trimmed(self, part: _Part, text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The spans without white space at the beginning and at the end of the file, if the tool trims it."""
        full = [span for span in spans if text[slice(*span)].strip().strip(WHITE)]
        if not full or not part.rule.trim or (part.importer and part.rule.imports != "behind"):
            return full
        start, end = full[0][0], full[-1][1]
        if part.start == 0:
            start += len(text[start:end]) - len(text[start:end].lstrip(WHITE))
        rest = kept_spans(text, part.end, len(text), part.rule.drops)
        if not any(text[slice(*span)].strip(WHITE) for span in rest):
            end -= len(text[start:end]) - len(text[start:end].rstrip(WHITE))
        full[0] = start, full[0][1]
        full[-1] = full[-1][0], end
        return full


def limit_in_force(files: ProjectFiles, limit: ReadLimit, folder: str = "") -> int:
    """Returns the number of a limit of a reading, with the settings that count in a folder of the project."""
    return most_of(limit, StartFolder(Loader(), folder).setting(limit.setting, files))


def most_of(limit: ReadLimit, setting: object) -> int:
    """Returns the number of a limit of a reading: that of a setting, or else the tool's own."""
    return setting if isinstance(setting, int) and not isinstance(setting, bool) else limit.most


def measured(text: str, unit: str) -> int:
    """Returns the size of a passage in the unit of a limit of a reading."""
    return len(text) if unit == "chars" or text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def beginning(text: str, most: int, unit: str) -> str:
    """Returns the beginning of a text that is within a limit of a reading, in whole characters."""
    if unit == "chars" or text.isascii():
        return text[:most]
    start = text.encode("utf-8", "surrogateescape")[:most].decode("utf-8", "surrogateescape")
    while not text.startswith(start):
        start = start[:-1]  # bytes of a character that is cut in two
    return start


def changes_between(was: Spans, now: Spans, dropped: Spans) -> Iterator[tuple[str, str]]:
    """Yields what happened to the user's files between two readings: lost or doubled, by how often each part is read.

    What a tool leaves out of a file that it reads is no loss, such as the mention of a file that is imported there.
    """
    for path, spans in was.items():
        if now.get(path) == spans:
            continue
        ends = {point for start, end in (*spans, *now.get(path, ())) for point in (start, end - 1)}
        read = [point for point in ends if covering(spans, point)]
        times = [(covering(spans, point), covering(now.get(path, ()), point)) for point in read]
        gone = [covering(dropped.get(path, ()), point) for point in read]
        if any(after + more < before for (before, after), more in zip(times, gone, strict=True)):
            yield "lost", path
        if any(after > before for before, after in times):
            yield "doubled", path


def times_read(reading: Reading, span: tuple[str, int, int]) -> int:
    """Returns how often a reading has a page whole."""
    path, start, end = span
    spans = [(passage.start, passage.end) for passage in reading.passages if passage.path == path]
    return min(covering(spans, start), covering(spans, end - 1))


def covering(spans: Iterable[tuple[int, int]], point: int) -> int:
    """Returns how many parts of a file that was read have a point in them."""
    return sum(start <= point < end for start, end in spans)
