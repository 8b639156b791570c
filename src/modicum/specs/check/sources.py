"""Reads the sources of a context check from a project: documents, decisions, changes, files with conventions."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from modicum.base.errors import ModicumError
from modicum.specs.check.findings import CheckSource, FindingKind, SourcePart
from modicum.specs.check.passages import Piece, joined, may_have, split_pieces, traces
from modicum.specs.check.piece_cache import PieceCache, as_pieces, as_plain
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
SPARE = (
    50  # files without the words that are cut all the same in one run, so that a later check finds them done
)
_MOST_BYTES = 1_000_000


class DiskEntry(NamedTuple):
    """A file or a folder among the sources of a check; `mark` (time and size) differs after every change."""

    name: str
    path: str
    is_folder: bool
    mark: tuple[int, int]


class OpenChange(NamedTuple):
    """An open change among the sources of a check: what tells which change the check is for."""

    id: str
    branch: str
    description: str


class SurveyedSources(NamedTuple):
    """All sources of a context check in a project, and the project's open changes."""

    sources: list[CheckSource]
    opened: tuple[OpenChange, ...]


def _text(path: str) -> str:
    text = (read_text(Path(path)) or "")[:_MOST_BYTES]
    return "" if "\0" in text else without_regions(text)


def without_regions(text: str) -> str:
    """Returns the text of a source of the check without the regions that modicum wrote into it; lines keep their numbers."""
    if "modicum:start:" not in text:
        return text
    for name in region_names(text):
        region = region_of(text, name)
        if isinstance(region, Region):
            gap = "\n" * text.count("\n", region.start, region.end)
            text = text[: region.start] + gap + text[region.end :]
    return text


def read_sources(
    workspace: Workspace,
    flows: Flows,
    cache: PieceCache,
    wanted: Callable[[tuple[OpenChange, ...]], Iterable[str]],
) -> SurveyedSources:
    """Reads the sources of a context check: documents, decisions, changes, conventions, cut into pieces.

    `wanted` returns the stems that are searched for, given the open changes; only pieces that may have one of them are
    sure to be there.
    """
    reader = _Reader(workspace, cache)
    reader.survey_changes()
    reader.marks = traces(wanted(tuple(reader.opened)))
    documents = [*reader.artifacts(flows), *reader.decisions()]
    return SurveyedSources([*documents, *reader.changes(), *reader.conventions()], tuple(reader.opened))


class _Reader:
    """Walks the folders of a project. Paths are strings here, because there are thousands of them."""

    def __init__(self, workspace: Workspace, cache: PieceCache) -> None:
        self.cache, self.opened = cache, list[OpenChange]()
        self.root, self.docs = str(workspace.root), str(workspace.docs)
        self.top = os.path.realpath(workspace.root)
        self.marks: tuple[str, ...] = ()
        self.spare = SPARE
        self.folders: list[tuple[DiskEntry, tuple[Any, ...], list[DiskEntry]]] = []

    def _entries(self, folder: str) -> list[DiskEntry]:
        """Returns what is in a folder, by name; links that lead out of the root are left out."""
        found = []
        with suppress(OSError), os.scandir(folder) as listing:
            for entry in listing:
                if entry.is_symlink() and not self._is_inside(entry.path):
                    continue
                with suppress(OSError):
                    if not (entry.is_file() or entry.is_dir()):
                        continue
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
        """Returns the pieces of a file. One that is not in the cache and has none of the words is mostly not cut."""
        if not self.cache.has(entry.path, entry.mark):
            text = _text(entry.path)
            if not may_have(text, self.marks):
                if self.spare == 0:
                    return ()
                self.spare -= 1
            return as_pieces(self.cache.kept(entry.path, entry.mark, lambda: as_plain(split_pieces(text))))
        return as_pieces(self.cache.kept(entry.path, entry.mark, tuple))

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
                made = self.cache.kept(f"adr:{entry.path}", entry.mark, partial(_decided, entry))
                number, title, status, past, stems = made
                part = self._part(entry)
                key = f"adr:{number}" if f"adr:{number}" not in keys else f"adr:{part.file}"
                keys.add(key)
                kind = FindingKind.SUPERSEDED if past else FindingKind.DECISION
                kept = part._replace(pieces=_decision_first(part.pieces))
                yield CheckSource(
                    key, kind, f"ADR {number} {title}", (kept,), status, always=True, title=stems
                )

    def survey_changes(self) -> None:
        """Lists the folders of changes as sources of a check, and notes which changes are open."""
        for folder in (
            each for area in (CHANGES, HISTORY) for each in self._entries(self._below(self.docs, area))
        ):
            entries = self._entries(folder.path) if folder.is_folder else []
            record = next((entry for entry in entries if entry.name == CHANGE_FILE), None)
            if record is None:
                continue
            made = self.cache.kept(record.path, record.mark, partial(_described, record, folder.name))
            if any(entry.name == "adrs" and entry.is_folder for entry in entries):
                entries += self._entries(self._below(folder.path, "adrs"))
            self.folders.append((folder, made, [record, *filter(_is_document, entries)]))
            description, branch, _, is_open, *_ = made
            if is_open:
                self.opened.append(OpenChange(folder.name, branch, description))

    def changes(self) -> Iterator[CheckSource]:
        for folder, made, (record, *documents) in self.folders:
            _, _, status, _, stems, plain = made
            first = SourcePart(self._shown(record.path), as_pieces(plain), record.mark[1])
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
    """Returns the pieces without facts such as the date, those under the heading "Decision" first."""
    kept = (piece for piece in pieces if not _FACT.match(piece.text))
    return tuple(sorted(kept, key=lambda piece: piece.heading.lower() != "decision"))


def _described(record: DiskEntry, name: str) -> tuple[Any, ...]:
    text = read_text(Path(record.path)) or ""
    try:
        change = change_from_json(text, record.path)
    except ModicumError:  # list_changes reports it; its documents can still be read
        change = None
    description = change.description if change else name.replace("-", " ")
    at = text.find(json.dumps(description, ensure_ascii=False))
    stems = joined(description)
    piece = Piece(text.count("\n", 0, max(0, at)) + 1, "", description, stems, " ")
    branch, is_open = (change.branch, change.is_open) if change else ("", False)
    return (description, branch, _status(change), is_open, stems, as_plain([piece]))


def _status(change: Change | None) -> str:
    if change is None:
        return "change.json cannot be read"
    if change.status is Status.ACTIVE:
        return f"open{f' on {change.branch}' if change.branch else ''}"
    return f"{change.status}{f': {change.reason}' if change.reason else ''}"
