"""Exchange of memory for the command line: sync with chunks, import from other programs, export to files."""

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from modicum.app.counted import counted
from modicum.app.memory.memory_files import refuse_memory
from modicum.app.whose import look_of, project_of
from modicum.app.wide_project import about_wide_folder, refuse_wide_project
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.files import new_content
from modicum.base.paths import PROJECT_FOLDER, nearest_root
from modicum.memory.exchange.imports.model import ImportContents
from modicum.memory.model import Archive, Imported, ImportProblem, Refused
from modicum.memory.origins import IMPORT, origin_of
from modicum.memory.store import Store
from modicum.memory.sync.folder import NAME, ChunkFolder
from modicum.memory.sync.model import OnProgress, Synced
from modicum.memory.sync.run import Sync, SyncFolder, check
from modicum.memory.sync.tables import SyncChoices
from modicum.memory.times import latest_time


def chunks_of(config: Config) -> ChunkFolder:
    """Returns, for the doors, the folder of chunks in which a project exchanges its shared notes."""
    return ChunkFolder(_shared_folder(config))


def _shared_folder(config: Config) -> Path:
    """The folder of chunks in the repository that the user is in, which may be one within the configured project."""
    here = config.here or config.root
    root = nearest_root(str(here), str(config.home))
    return (Path(root) if root else config.root) / PROJECT_FOLDER / NAME


def open_sync(
    config: Config,
    store: Store,
    project: str,
    *,
    prompts: bool,
    personal: bool,
    on_progress: OnProgress,
    writing: bool = True,
) -> Sync:
    """Returns the sync of one project's memory for the doors, with its folder of chunks; prompts and personal notes on request."""
    refuse_wide_project(config)
    shared = project_of(store, config, project, writing=writing)
    folder = _folder_for(store, config, shared)
    place = SyncFolder(ChunkFolder(folder), _memo(config, folder))
    choices = SyncChoices(prompts, personal)
    return Sync(store, place, shared, choices=choices, on_progress=on_progress)


def _folder_for(store: Store, config: Config, project: str) -> Path:
    """Returns where a sync writes the chunks of a project: a second one that is named in this folder has a folder of its own.

    Refuses a project that has another repository.
    """
    seen, top = look_of(store, config), chunks_of(config).path
    if project == (seen.id or store.free_project(seen.keys)):
        return top
    others = store.project_origins(project)
    if others and seen.keys.origin not in others:
        what = f"the notes of {project} belong to {', '.join(others)}, and are not written into another repository"
        raise Refused(what, remedy="sync them in a folder of that repository")
    return top / quote(project, safe="")


def left_at_home(store: Store, project: str) -> tuple[tuple[str, int], ...]:
    """Returns the projects that have the name of the one that a sync sends, as they are shown, and how many notes each has.

    They are other repositories', or were saved by the name alone: nothing of them is sent.
    """
    row = next((each for each in store.projects_named(project) if each.id == project), None)
    others = [each.id for each in store.projects_named(row.name if row else project) if each.id != project]
    shown = store.shown_projects()
    counts = {each.name: each.notes for each in store.projects()}
    return tuple((shown.get(each, each), counts[each]) for each in others if counts.get(each))


def check_chunks(config: Config) -> Synced:
    """Checks for the doors every chunk of a project's memory, without a store; returns the contents and any damage."""
    return check(chunks_of(config))


def _memo(config: Config, folder: Path) -> Path:
    code = sha256(str(folder).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return config.data / "sync" / f"{code}.json"


class ImportReport(NamedTuple):
    """The report on an import for the command line: counts of new, known and refused items, and why.

    `differ` is how many notes of those that were here have another text in the source.
    """

    source: str
    came: Imported
    there: Imported
    problems: tuple[ImportProblem, ...] = ()
    differ: int = 0


def read_source(config: Config, path: Path, project: str) -> ImportContents:
    """Reads a file or folder to import, for the command line; notes without a project get the given one.

    The home folder and a whole disk are not searched for notes.
    """
    from modicum.memory.exchange.imports.recognise import recognise

    return recognise(path, project, too_wide=about_wide_folder(path.resolve(), config.home.resolve()))


def takes_repository_files(path: Path, found: ImportContents) -> bool:
    """Returns True if an import by command would take in the Markdown files of a repository, which seldom are notes."""
    from modicum.memory.exchange.imports.markdown import PLAIN

    if found.source != PLAIN or not found.archive.notes:
        return False
    top = path.resolve()
    below = {folder for name in found.files for folder in (top / name).parents}
    return any((each / ".git").exists() for each in {top, *top.parents, *below})


def bring_in(
    store: Store, found: ImportContents, *, dry_run: bool, tell: Callable[[int], None]
) -> ImportReport:
    """Imports what was read for the command line into memory; `dry_run` only counts what would be imported."""
    from modicum.memory.exchange.transfer import differing, prepared, preview

    archive = prepared(found.archive, latest=latest_time(store.clock()))
    with store.reading() as tx:
        differ = differing(tx, archive)
        came = preview(tx, archive) if dry_run else Imported()
    if not dry_run:
        came = store.take_in(archive, origin=origin_of(IMPORT, found.source), tell=tell)
    there = Imported(*(offered - new for offered, new in zip(_offered(archive), came, strict=True)))
    return ImportReport(found.source, came, there, found.problems, differ)


def _offered(archive: Archive) -> Imported:
    """How much an archive offers: relations and revisions only of notes that are in it."""
    here = {each.id for each in archive.notes}
    return Imported(
        len(archive.sessions),
        len(archive.notes),
        len(archive.prompts),
        sum({each.from_id, each.to_id} <= here for each in archive.relations),
        sum(each.note_id in here for each in archive.revisions),
        len(archive.progress),
    )


def archive_as_document(archive: Archive) -> str:
    """Returns an export of memory for the command line as one JSON document, in our own format."""
    from modicum.memory.exchange.archive import to_document

    return json.dumps(to_document(archive), ensure_ascii=False, indent=1) + "\n"


def archive_as_lines(archive: Archive) -> str:
    """Returns an export of memory for the command line as JSON lines, one line for each item."""
    from modicum.memory.exchange.archive import to_lines

    return "".join(f"{line}\n" for line in to_lines(archive))


def write_file(config: Config, text: str, target: Path) -> None:
    """Exports memory for the doors: writes a file that only its owner can read, and replaces an earlier one at the end.

    Raises ModicumError if the file is memory itself.
    """
    refuse_memory(config, target)
    try:
        path = Path(os.path.realpath(target))
        if path.exists() and not path.is_file():  # a device, or a pipe
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            with new_content(path, text.encode(), config.state / "aside", private=True) as content:
                content.replace()
    except OSError as error:
        raise ModicumError(
            f"{target} cannot be written: {error.strerror}", remedy="choose another file"
        ) from error


def _write_private(path: Path, text: str) -> None:
    """Writes a new file that nobody else can read at any time."""
    path.touch(mode=0o600, exist_ok=False)
    path.write_text(text, encoding="utf-8", newline="")


def write_pages(config: Config, archive: Archive, folder: Path) -> int:
    """Exports every note for the command line, as a file into a new or empty folder; returns how many were written.

    Nobody else can read the files. Raises ModicumError if the folder has the name of a file of memory itself.
    """
    from modicum.memory.exchange.markdown import note_pages

    refuse_memory(config, folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ModicumError(
            f"{folder} is not empty", remedy="choose a folder that is empty or does not exist yet"
        )
    number = 0
    try:
        for page in note_pages(archive):
            path = folder / page.path
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_private(path, page.text)
            number += 1
    except OSError as error:
        written = f"; {counted(number, 'note')} written before" if number else ""
        raise ModicumError(
            f"{folder} cannot be written: {error.strerror}{written}", remedy="choose another one"
        ) from error
    return number
