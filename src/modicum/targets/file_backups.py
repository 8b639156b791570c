"""Backups of AI tools' files, which were kept before a change of ours: lists them, and puts one back."""

import os
from pathlib import Path
from typing import NamedTuple

from modicum.targets.disk import (
    has_other_names,
    held,
    in_words,
    overwrite,
    read,
    refuse_read_only,
    write_own,
)
from modicum.targets.records import BACKUPS, FILE_NAME, RecordFile

SHORT = 8  # letters of a folder's code that tell it from others


class FileBackup(NamedTuple):
    """The backup of a target: the file of an AI tool, its name for people, the copy, and when the copy was made."""

    name: str
    file: Path
    copy: Path
    made_at: float
    size: int


def list_backups(state: Path) -> list[FileBackup]:
    """Returns the backups of all targets, files of AI tools, the newest first."""
    found = [backup for folder in (state / BACKUPS).glob("*") for backup in _backups(folder)]
    return sorted(found, key=lambda backup: (backup.made_at, backup.name), reverse=True)


def _backups(folder: Path) -> list[FileBackup]:
    try:
        file = Path(os.fsdecode((folder / FILE_NAME).read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        return []
    copies = [(copy, copy.stat()) for copy in folder.glob("[0-9]*") if copy.name.isdigit()]
    return [
        FileBackup(f"{folder.name[:SHORT]}.{copy.name}", file, copy, about.st_mtime, about.st_size)
        for copy, about in copies
    ]


def restore_backup(state: Path, backup: FileBackup) -> Path | None:
    """Puts the backup of an AI tool's file back, byte for byte; returns the backup of what was there, None if nothing was."""
    records = RecordFile(state, backup.file)
    with held(records.lock, str(backup.file), wait_seconds=10), in_words(str(backup.file)):
        data = backup.copy.read_bytes()
        present = read(backup.file).text
        refuse_read_only(backup.file)
        kept = None if present is None else records.back_up(present)
        if has_other_names(backup.file):
            overwrite(backup.file, data)
        else:
            write_own(backup.file, data, private=False, aside=records.aside)
    return kept
