"""Everything written in a project that may bear on a change, in pieces; what was cut up before is remembered."""

import json
import marshal
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from modicum.base.errors import ModicumError
from modicum.base.files import code_of
from modicum.specs.check.findings import CheckSource, FindingKind, SourcePart
from modicum.specs.check.passages import Piece, joined, may_have, split_pieces, traces
from modicum.specs.decisions import parse_decision
from modicum.specs.documents import change_from_json
from modicum.specs.files import (
    ADRS,
    CHANGE_FILE,
    CHANGES,
    HISTORY,
    OTHER_ADRS,
    OVERVIEW,
    Workspace,
    is_adr,
    read_text,
)
from modicum.specs.model import Change, Flows, Status
from modicum.text.regions import Region, region_names, region_of

CONVENTIONS = (
    "AGENTS.md",
    "CLAUDE.md",
    "README.md",
    "CONTRIBUTING.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
)
RULE_FOLDERS = ((".cursor", "rules"),)
KINDS = {
    "specify": FindingKind.REQUIREMENT,
    "charter": FindingKind.REQUIREMENT,
    "tasks": FindingKind.REQUIREMENT,
    "principles": FindingKind.RULE,
    "business-rules": FindingKind.RULE,
}
_FACT = re.compile(r"[-*>\s]*(?:status|date|change|supersedes|deciders)\b[*_]*\s*:", re.IGNORECASE)
SPARE = 50  # files that are cut up although nobody asks for them, so that a later check finds them done
_FORMAT = 3  # of the file of what is remembered
_MOST_BYTES = 1_000_000


class DiskEntry(NamedTuple):
    """A file or a folder as the disk lists it; `mark` is another one after every change."""

    name: str
    path: str
    is_folder: bool
    mark: tuple[int, int]


class Opened(NamedTuple):
    """An open change, as far as it takes to tell which one is at hand."""

    id: str
    branch: str
    description: str


class Survey(NamedTuple):
    """All sources of a project, and which changes are open."""

    sources: list[CheckSource]
    opened: tuple[Opened, ...]


class Index:
    """What was read of files, by path, as long as they have not changed. Kept like compiled Python."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, Any] = _load(path)
        self.used: dict[str, Any] = {}
        self.fresh = False

    def has(self, key: str, mark: object) -> bool:
        """Whether something is known under this key and mark."""
        entry = self.known.get(key)
        return entry is not None and entry[0] == mark

    def kept(self, key: str, mark: object, make: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
        """What was made under this key and mark, or is made now: tuples, texts and numbers only."""
        entry = self.known.get(key)
        if entry is None or entry[0] != mark:
            self.fresh = True
            entry = (mark, make())
        self.used[key] = entry
        made: tuple[Any, ...] = entry[1]
        return made

    def pieces_of(self, name: str, text: str) -> tuple[Piece, ...]:
        """The pieces of a text that is no file by itself."""
        return _pieces(self.kept(f"text:{name}", code_of(text), lambda: _plain(split_pieces(text))))

    def save(self) -> None:
        """Keep what is new. Failing to is no trouble: it would only have saved time."""
        if not self.fresh and len(self.used) == len(self.known):
            return
        temporary = self.path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.write_bytes(marshal.dumps((_FORMAT, self.used)))
            temporary.replace(self.path)


def _load(path: Path) -> dict[str, Any]:
    try:
        form, known = marshal.loads(path.read_bytes())  # noqa: S302 (our own file, like compiled Python)
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return known if form == _FORMAT and isinstance(known, dict) else {}


def _plain(pieces: Iterable[Piece]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(piece) for piece in pieces)


def _pieces(plain: Iterable[tuple[Any, ...]]) -> tuple[Piece, ...]:
    return tuple(map(Piece._make, plain))


def _text(path: str) -> str:
    text = (read_text(Path(path)) or "")[:_MOST_BYTES]
    return "" if "\0" in text else without_regions(text)


def without_regions(text: str) -> str:
    """A text without what modicum itself has put into it; the other lines keep their numbers."""
    if "modicum:start:" not in text:
        return text
    for name in region_names(text):
        region = region_of(text, name)
        if isinstance(region, Region):
            gap = "\n" * text.count("\n", region.start, region.end)
            text = text[: region.start] + gap + text[region.end :]
    return text


def open_index(workspace: Workspace, cache: Path) -> Index:
    """What is remembered of this project."""
    return Index(cache / "specs" / code_of(os.path.realpath(workspace.docs)))


def read_sources(
    workspace: Workspace, flows: Flows, index: Index, wanted: Callable[[tuple[Opened, ...]], Iterable[str]]
) -> Survey:
    """Artifacts, decisions, changes with their documents, and files with conventions.

    Only pieces that may have one of the wanted stems are sure to be there; which these are may depend on what is open.
    """
    reader = _Reader(workspace, index)
    reader.survey_changes()
    reader.marks = traces(wanted(tuple(reader.opened)))
    documents = [*reader.artifacts(flows), *reader.decisions()]
    return Survey([*documents, *reader.changes(), *reader.conventions()], tuple(reader.opened))


class _Reader:
    """Walks the folders of a project. Paths are texts here, for there are thousands of them."""

    def __init__(self, workspace: Workspace, index: Index) -> None:
        self.index, self.opened = index, list[Opened]()
        self.root, self.docs = str(workspace.root), str(workspace.docs)
        self.top = os.path.realpath(workspace.root)
        self.marks: tuple[str, ...] = ()
        self.spare = SPARE
        self.folders: list[tuple[DiskEntry, tuple[Any, ...], list[DiskEntry]]] = []

    def _entries(self, folder: str) -> list[DiskEntry]:
        """What is in a folder, by name, but for links that lead out of the root."""
        found = []
        with suppress(OSError), os.scandir(folder) as listing:
            for entry in listing:
                if entry.is_symlink() and not self._is_inside(entry.path):
                    continue
                with suppress(OSError):
                    status = entry.stat()
                    mark = (status.st_mtime_ns, status.st_size)
                    found.append(DiskEntry(entry.name, entry.path, entry.is_dir(), mark))
        return sorted(found)

    @staticmethod
    def _below(folder: str, *names: str) -> str:
        return "/".join((folder, *names))

    def _is_inside(self, path: str) -> bool:
        real = os.path.realpath(path)
        return real == self.top or real.startswith(self.top + os.sep)

    def _shown(self, path: str) -> str:
        return path[len(self.root) + 1 :].replace(os.sep, "/")

    def _part(self, entry: DiskEntry) -> SourcePart:
        return SourcePart(self._shown(entry.path), self._cut(entry), entry.mark[1])

    def _cut(self, entry: DiskEntry) -> tuple[Piece, ...]:
        """The pieces of a file; none if it is new to us and has none of the words, but for a few at a time."""
        if not self.index.has(entry.path, entry.mark):
            text = _text(entry.path)
            if not may_have(text, self.marks):
                if self.spare == 0:
                    return ()
                self.spare -= 1
            return _pieces(self.index.kept(entry.path, entry.mark, lambda: _plain(split_pieces(text))))
        return _pieces(self.index.kept(entry.path, entry.mark, tuple))

    def artifacts(self, flows: Flows) -> Iterator[CheckSource]:
        present = {entry.name: entry for entry in self._entries(self.docs) if not entry.is_folder}
        for stage in flows.project:
            if entry := present.get(stage.file):
                kind = KINDS.get(stage.id, FindingKind.DECISION)
                yield CheckSource(
                    f"artifact:{stage.file}", kind, stage.file, (self._part(entry),), always=entry.mark[1] > 0
                )

    def decisions(self) -> Iterator[CheckSource]:
        folders = (
            self._below(self.docs, ADRS),
            *(self._below(self.root, *place.split("/")) for place in OTHER_ADRS),
        )
        keys: set[str] = set()
        for entry in (each for folder in dict.fromkeys(folders) for each in self._entries(folder)):
            if not entry.is_folder and is_adr(entry.name):
                made = self.index.kept(f"adr:{entry.path}", entry.mark, partial(_decided, entry))
                number, title, status, past, stems = made
                part = self._part(entry)
                key = f"adr:{number}" if f"adr:{number}" not in keys else f"adr:{part.file}"
                keys.add(key)
                kind = FindingKind.SUPERSEDED if past else FindingKind.DECISION
                told = part._replace(pieces=_decision_first(part.pieces))
                yield CheckSource(
                    key, kind, f"ADR {number} {title}", (told,), status, always=True, title=stems
                )

    def survey_changes(self) -> None:
        """What changes there are, and which of them are open."""
        for folder in (
            each for area in (CHANGES, HISTORY) for each in self._entries(self._below(self.docs, area))
        ):
            entries = self._entries(folder.path) if folder.is_folder else []
            record = next((entry for entry in entries if entry.name == CHANGE_FILE), None)
            if record is None:
                continue
            made = self.index.kept(record.path, record.mark, partial(_described, record, folder.name))
            if any(entry.name == "adrs" and entry.is_folder for entry in entries):
                entries += self._entries(self._below(folder.path, "adrs"))
            self.folders.append((folder, made, [record, *filter(_is_document, entries)]))
            description, branch, _, is_open, *_ = made
            if is_open:
                self.opened.append(Opened(folder.name, branch, description))

    def changes(self) -> Iterator[CheckSource]:
        for folder, made, (record, *documents) in self.folders:
            _, _, status, _, stems, plain = made
            first = SourcePart(self._shown(record.path), _pieces(plain), record.mark[1])
            parts = (first, *map(self._part, documents))
            yield CheckSource(
                f"change:{folder.name}", FindingKind.ATTEMPT, folder.name, parts, status, title=stems
            )

    def conventions(self) -> Iterator[CheckSource]:
        top = {entry.name: entry for entry in self._entries(self.root)}
        github = {f".github/{e.name}": e for e in self._entries(self._below(self.root, ".github"))}
        rules = {e.path: e for folder in RULE_FOLDERS for e in self._entries(self._below(self.root, *folder))}
        known = top | github
        files = [known[name] for name in CONVENTIONS if name in known]
        for entry in (*files, *rules.values()):
            if not entry.is_folder:
                part = self._part(entry)
                yield CheckSource(f"file:{part.file}", FindingKind.RULE, part.file, (part,))


def _is_document(entry: DiskEntry) -> bool:
    return entry.name.endswith(".md") and entry.name != OVERVIEW and not entry.is_folder


def _decided(entry: DiskEntry) -> tuple[Any, ...]:
    found = parse_decision(entry.name, _text(entry.path))
    past = found.status in ("superseded", "deprecated", "rejected")
    status = f"superseded by {found.superseded_by}" if found.superseded_by else found.status if past else ""
    return (found.number, found.title, status, past, joined(found.title))


def _decision_first(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Without the facts at the head; and where all match alike, what was decided is shown."""
    told = (piece for piece in pieces if not _FACT.match(piece.text))
    return tuple(sorted(told, key=lambda piece: piece.heading.lower() != "decision"))


def _described(record: DiskEntry, name: str) -> tuple[Any, ...]:
    text = read_text(Path(record.path)) or ""
    try:
        change = change_from_json(text, record.path)
    except ModicumError:  # told by `modicum change list`; its documents can still be read
        change = None
    description = change.description if change else name.replace("-", " ")
    at = text.find(json.dumps(description, ensure_ascii=False))
    stems = joined(description)
    piece = Piece(text.count("\n", 0, max(0, at)) + 1, "", description, stems, " ")
    branch, is_open = (change.branch, change.is_open) if change else ("", False)
    return (description, branch, _status(change), is_open, stems, _plain([piece]))


def _status(change: Change | None) -> str:
    if change is None:
        return "change.json cannot be read"
    if change.status is Status.ACTIVE:
        return f"open{f' on {change.branch}' if change.branch else ''}"
    return f"{change.status}{f': {change.reason}' if change.reason else ''}"
