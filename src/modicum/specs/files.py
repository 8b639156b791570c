"""Reads and writes the spec files of a project: whole or not at all, one writer at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from modicum.base.bounded import read_beginning
from modicum.base.errors import ModicumError
from modicum.base.files import code_of, held, in_words, new_content, resolve, settle, write_own
from modicum.base.git_names import leads_into_git
from modicum.specs.changes.flows import parse_flows
from modicum.specs.decisions import parse_decision
from modicum.specs.documents import change_from_json, change_to_json, project_from_json, project_to_json
from modicum.specs.model import Change, Decision, Flows, SpecProject
from modicum.text.secrets import redact_secrets

CHANGES, HISTORY, ADRS = "changes", "history", "adrs"
CHANGE_FILE, OVERVIEW = "change.json", "README.md"
PROJECT_FILES = ("project.json", "hoofy.json")
OTHER_ADRS = (
    "docs/adr",
    "docs/decisions",
    "docs/architecture/decisions",
    "doc/adr",
    "adr",
    "adrs",
    "decisions",
)
FLOWS = "flows.yaml"
WAIT_SECONDS = 10.0
_MOST_BYTES = 2_000_000


class Workspace(NamedTuple):
    """The folders of a project's spec files: its root, its documents, and folders of ours."""

    root: Path
    docs: Path
    locks: Path
    aside: Path  # where the new content of a file waits

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds the lock on a project's spec files: one writer at a time."""
        lock = self.locks / code_of("specs", os.path.realpath(self.docs))
        with held(lock, str(self.docs), wait_seconds=WAIT_SECONDS):
            yield

    def shown(self, path: Path) -> str:
        """Returns the path of a spec file relative to the project's root."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    def document(self, name: str) -> str | None:
        """Returns the text of a spec file of the project by name; None also if it is a link out of the root."""
        path = self.docs / name
        real = Path(os.path.realpath(path))
        return read_text(path) if real.is_relative_to(os.path.realpath(self.root)) else None

    def folder_of(self, change: Change) -> Path:
        """Returns the folder with a change's spec files, which is among the changes or in the history."""
        past = self.docs / HISTORY / change.id
        return (
            past
            if past.is_dir() and not (self.docs / CHANGES / change.id).is_dir()
            else self.docs / CHANGES / change.id
        )


def find_docs(here: Path, root: Path, name: str) -> Path:
    """Returns the nearest folder with spec files between a folder and the root, else the one of the root."""
    inside = here.is_relative_to(root)
    for folder in (here, *here.parents) if inside else (root,):
        for docs in (folder / name, folder / name / "specs"):
            if any((docs / mark).exists() for mark in (CHANGES, *PROJECT_FILES)):
                return docs
        if folder == root:
            break
    return root / name


# Reading


def read_text(path: Path) -> str | None:
    """Returns the text of a spec file; None if there is none. Bytes that are no text are replaced; no pipe is read."""
    with in_words(str(path)):
        try:
            return read_beginning(path, _MOST_BYTES).decode("utf-8-sig", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return None


def read_flows(built_in: Path, workspace: Workspace, project: Path) -> Flows:
    """Reads the spec file with the table of flows, and what the project adds in `.modicum/` or its documents."""
    flows = _built_in(built_in / FLOWS)
    for file in (project / FLOWS, workspace.docs / FLOWS):
        if (text := read_text(file)) is not None:
            flows = parse_flows(text, str(file), flows)
    return flows


@cache
def _built_in(file: Path) -> Flows:
    return parse_flows(file.read_bytes(), str(file))


class ChangeList(NamedTuple):
    """All changes read from spec files, the newest first, and a sentence about each unreadable file."""

    changes: tuple[Change, ...]
    troubles: tuple[str, ...]


def read_changes(workspace: Workspace) -> ChangeList:
    """Reads all changes from their spec files, open or not."""
    changes, troubles = [], []
    for area in (CHANGES, HISTORY):
        for folder in _folders(workspace, workspace.docs / area):
            text = read_text(folder / CHANGE_FILE)
            try:
                changes += (
                    [change_from_json(text, workspace.shown(folder / CHANGE_FILE))]
                    if text is not None
                    else []
                )
            except ModicumError as error:
                troubles.append(str(error))
    return ChangeList(
        tuple(sorted(changes, key=lambda each: (each.created_at, each.id), reverse=True)), tuple(troubles)
    )


def _folders(workspace: Workspace, area: Path) -> list[Path]:
    return [path for path in listed(workspace.root, area) if path.is_dir()]


def listed(root: Path, folder: Path) -> list[Path]:
    """Returns the spec files in a folder by name; links that lead out of the root are left out."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (OSError, ValueError):  # the latter for a name with a NUL
        return []
    top = Path(os.path.realpath(root))
    return [
        Path(entry.path)
        for entry in entries
        if not entry.is_symlink() or Path(os.path.realpath(entry.path)).is_relative_to(top)
    ]


def taken_names(workspace: Workspace) -> set[str]:
    """Returns the names of all folders with spec files of changes."""
    areas = (workspace.docs / CHANGES, workspace.docs / HISTORY)
    return {path.name for area in areas for path in listed(workspace.root, area)}


def read_project(workspace: Workspace, flows: Flows) -> SpecProject | None:
    for name in PROJECT_FILES:
        file = workspace.docs / name
        if (text := read_text(file)) is not None:
            return project_from_json(text, workspace.shown(file), flows.project)
    return None


def is_adr(name: str) -> bool:
    """Returns True if a spec file on the disk is a decision (ADR), since its name begins with a number or with "adr"."""
    return name.endswith(".md") and (name[:1].isdigit() or name.lower().startswith("adr"))


def adr_files(workspace: Workspace) -> list[Path]:
    """Returns the paths of all spec files with a decision (ADR): ours, and those in the usual folders of other tools."""
    folders = [workspace.docs / ADRS, *(workspace.root / place for place in OTHER_ADRS)]
    found: dict[str, Path] = {}
    for folder in dict.fromkeys(folders):
        for path in listed(workspace.root, folder):
            if is_adr(path.name) and path.is_file():
                found.setdefault(str(path), path)
    return list(found.values())


def read_decisions(workspace: Workspace) -> tuple[Decision, ...]:
    """Reads all decisions (ADRs) from their files."""
    texts = ((workspace.shown(path), read_text(path) or "") for path in adr_files(workspace))
    return tuple(parse_decision(file, text) for file, text in texts)


# Writing


def write(workspace: Workspace, path: Path, text: str) -> None:
    """Writes a spec file as a whole, in the place of the one before; never outside of the root."""
    target = _located(workspace, path)
    write_own(target, text.encode("utf-8", "surrogateescape"), private=False, aside=workspace.aside)
    settle(target.parent)


def _located(workspace: Workspace, path: Path) -> Path:
    """The real file of a document. A clone may bring links, and config, that lead to what is run: git's folder, a `Makefile`."""
    target = resolve(str(path), str(workspace.root))
    inner = target.relative_to(os.path.realpath(workspace.root)).as_posix()
    if leads_into_git(inner) or target.name.casefold() != path.name.casefold():
        raise ModicumError(
            f"{workspace.shown(path)}: leads to {inner}, where no documents are kept",
            remedy="replace the link by a file of its own, or name another folder for documents in the settings",
        )
    return target


def create(workspace: Workspace, path: Path, text: str) -> bool:
    """Writes a spec file if there is none; returns False, and does nothing, if there is one."""
    target = _located(workspace, path)
    with in_words(str(path)):
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target):
            return False
        with new_content(target, text.encode("utf-8", "surrogateescape"), None) as content:
            return content.create()


def write_change(workspace: Workspace, change: Change) -> None:
    file = workspace.folder_of(change) / CHANGE_FILE
    write(workspace, file, redact_secrets(change_to_json(change, read_text(file) or "")))


def write_project(workspace: Workspace, project: SpecProject) -> None:
    files = [workspace.docs / name for name in PROJECT_FILES]
    file = next((each for each in files if each.exists()), files[0])
    write(workspace, file, redact_secrets(project_to_json(project, read_text(file) or "")))


def move_change(workspace: Workspace, change: Change, area: str) -> Path:
    """Moves the folder with a change's spec files to another area on the disk; raises ModicumError if the name is taken."""
    source, target = workspace.folder_of(change), workspace.docs / area / change.id
    if target == source:
        return target
    if target.exists():
        shown = workspace.shown(target)
        raise ModicumError(f"{shown} is there already", remedy="move it away, or give it another name")
    _located(workspace, source)
    with in_words(str(source)):
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
    return target
