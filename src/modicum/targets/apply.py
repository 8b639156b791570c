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
    has_other_names,
    make_folders,
    new_content,
    overwrite,
    read,
    refuse_read_only,
    remove_folders,
    settle,
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
    file, text = records.file, change.after
    refuse_read_only(file)
    try:
        if text is None:
            if not _is_as_seen(file, change, existing):
                return False
            file.unlink()
        elif not _put_in_place(records, change, text.encode("utf-8", "surrogateescape"), existing):
            return False
    except FileNotFoundError:
        return False  # somebody removed the folder, or the file, at the same moment
    settle(file.parent)
    if text is None:
        remove_folders(file.parent, records.folders)
    return True


def _is_as_seen(file: Path, change: FileChange, existing: Existing) -> bool:
    """Whether nobody has changed the file, or replaced a folder on the way to it by a link, since it was read."""
    return read(file) == existing and located(change.place) == file


def _put_in_place(records: RecordFile, change: FileChange, data: bytes, existing: Existing) -> bool:
    file = records.file
    make_folders(file.parent, records.folders)
    with new_content(file, data, records.aside) as content:
        if not _is_as_seen(file, change, existing):
            return False
        if has_other_names(file):
            overwrite(file, data)
        elif existing.text is None:
            return content.create()
        else:
            content.replace()
    return True
