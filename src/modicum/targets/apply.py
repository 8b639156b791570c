"""Applies a planned change to a tool's file: under a lock, whole or not at all, and so that it can be undone.

The order is: a copy of what was there, a record of what is coming, the file, the record confirmed. A run that is killed
on the way leaves either the old file or the new one, and the next run knows which. A file with several hard links is
the exception: it is written in place, after a copy, so that all of its names still mean one file.
"""

from collections.abc import Callable
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.files import held, in_words
from modicum.base.value import replace
from modicum.targets.bounds.on_disk import located
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.disk import (
    code_of,
    has_other_names,
    make_folders,
    overwrite,
    read,
    refuse_read_only,
    remove_folders,
    settle,
    stage,
)
from modicum.targets.records import FileParts, RecordFile

MakeChange = Callable[[Existing, FileRecord | None], FileChange]

_ATTEMPTS = 3


def look(place: TargetFile, state_folder: Path) -> tuple[Existing, FileRecord | None]:
    """Returns what a tool's file holds and what we last wrote there; applies nothing."""
    with in_words(place.path):
        file = located(place)
    existing = read(file)
    parts, _ = RecordFile(state_folder, file).load(existing)
    return existing, parts.record(place)


def update(
    place: TargetFile, make: MakeChange, state_folder: Path, *, wait_seconds: float = 10
) -> FileChange:
    """Applies a change to a tool's file under a lock: reads it, plans, writes; plans again if the file changes."""
    with in_words(place.path):
        file = located(place)
    records = RecordFile(state_folder, file)
    with held(records.lock, place.path, wait_seconds=wait_seconds):
        for _ in range(_ATTEMPTS):
            change = _attempt(place, make, records)
            if change:
                return change
    raise ModicumError(
        f"{place.path}: something else keeps writing to it",
        remedy="close what has it open and run this again; nothing was changed",
    )


def _attempt(place: TargetFile, make: MakeChange, records: RecordFile) -> FileChange | None:
    """Plans the change and brings it to the file; returns None if the file changed meanwhile."""
    temporary = _temporary(records)
    with in_words(place.path):
        if temporary.exists():  # from a run that was killed
            temporary.unlink()
    existing = read(records.file)
    parts, warning = records.load(existing)
    change = make(existing, parts.record(place))
    after = parts.with_record(place, change.record)
    if change.after == existing.text:
        _tidy(records, parts, after, existing)
    else:
        change = _backed_up(records, parts, change)
        if not _written(records, after, change, existing):
            return None
    return replace(change, note=_joined(change.note, warning))


def _temporary(records: RecordFile) -> Path:
    return records.file.with_name(f".modicum-{code_of(str(records.folder), str(records.file))}.tmp")


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _tidy(records: RecordFile, before: FileParts, after: FileParts, existing: Existing) -> None:
    if after.parts != before.parts or not records.is_settled:
        records.announce(after)
        records.confirm(after)
    if existing.text is None:
        remove_folders(records.file.parent, records.folders)


def _backed_up(records: RecordFile, parts: FileParts, change: FileChange) -> FileChange:
    """Keeps a copy before the first change, and before each one that loses something or could be interrupted half-way.

    What was planned is then done, so the note says where the copy is.
    """
    loses = change.state in (FileState.EDITED, FileState.FOREIGN)
    if change.before is None or (parts.parts and not loses and not has_other_names(records.file)):
        return change
    copy = records.back_up(change.before)
    return replace(change, note=f"what was there is kept in a backup: {copy}") if loses else change


def _written(records: RecordFile, parts: FileParts, change: FileChange, existing: Existing) -> bool:
    """Writes the file between the two halves of its record; returns False if the file changed meanwhile."""
    records.announce(parts)
    try:
        with in_words(change.path):
            done = _replaced(records, change, existing)
    except ModicumError:
        records.retract()
        if existing.text is None:
            remove_folders(records.file.parent, records.folders)
        raise
    if done:
        records.confirm(parts)
    else:
        records.retract()
    return done


def _replaced(records: RecordFile, change: FileChange, existing: Existing) -> bool:
    file, temporary, text = records.file, _temporary(records), change.after
    data = None if text is None else text.encode("utf-8", "surrogateescape")
    refuse_read_only(file)
    try:
        if data is not None:
            make_folders(file.parent, records.folders)
            stage(temporary, data, like=file)
        if read(file) != existing or located(change.place) != file:
            return False  # the second: a folder on the way was replaced by a link
        _put_in_place(file, temporary, data)
    except FileNotFoundError:
        return False  # somebody removed the folder, or the file, at the same moment
    finally:
        temporary.unlink(missing_ok=True)
    if data is None:
        remove_folders(file.parent, records.folders)
    return True


def _put_in_place(file: Path, temporary: Path, data: bytes | None) -> None:
    if data is None:
        file.unlink()
    elif has_other_names(file):
        overwrite(file, data)
    else:
        temporary.replace(file)
    settle(file.parent)
