"""Lists the backups of AI tools' files, and restores one; inject and setup keep them before they change what you wrote."""

from datetime import UTC, datetime
from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.near_words import nearest
from modicum.targets.file_backups import FileBackup, list_backups, restore_backup


def backups_of(config: Config, *, everywhere: bool) -> list[FileBackup]:
    """Returns the backups of AI tools' files in this project, or of every such file; the newest first."""
    found = list_backups(config.state)
    if everywhere:
        return found
    root = config.root.resolve()
    return [each for each in found if each.file.is_relative_to(root)]


def restore(config: Config, name: str) -> tuple[FileBackup, Path | None]:
    """Restores an AI tool's file from the backup of a name; returns it, and the path of a backup of what was there until now."""
    known = {each.name: each for each in list_backups(config.state)}
    if name not in known:
        near = nearest(name, known)
        hint = f'did you mean "{near}"?' if near else "modicum tool backups --all lists them"
        raise ModicumError(f'there is no backup "{name[:60]}"', remedy=hint)
    return known[name], restore_backup(config.state, known[name])


def made_at(backup: FileBackup) -> str:
    """Returns when the backup of an AI tool's file was made, as JSON has times: `2026-11-15T17:43:25Z`."""
    return datetime.fromtimestamp(backup.made_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
