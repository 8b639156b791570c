"""Brings a change to its file: under a lock, whole or not at all, and so that it can be taken back.

The order is: a copy of what was there, a note of what is coming, the file, the note made good. Whoever is killed on
the way leaves either the old file or the new one, and the next run knows which.
"""

from collections.abc import Callable
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.files import held, in_words
from modicum.base.value import replace
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.disk import (
    code_of,
    make_folders,
    read,
    refuse_read_only,
    remove_folders,
    resolve,
    settle,
    stage,
)
from modicum.targets.plan import Edit, plan_edit
from modicum.targets.records import Ledger, Sheet, recorded

__all__ = ["apply", "look", "read", "recorded", "resolve", "update", "update_settings"]

Make = Callable[[Existing, FileRecord | None], FileChange]

_ATTEMPTS = 3


def look(place: TargetFile, state_folder: Path) -> tuple[Existing, FileRecord | None]:
    """What is there, and what we last wrote there. Changes nothing."""
    with in_words(place.path):
        file = resolve(place.path, place.root)
    existing = read(file)
    sheet, _ = Ledger(state_folder, file).load(existing)
    return existing, sheet.record(place)


def update(place: TargetFile, make: Make, state_folder: Path, *, wait_seconds: float = 10) -> FileChange:
    """Read, plan and write while nobody else does; planned again if the file changes under our hands."""
    with in_words(place.path):
        file = resolve(place.path, place.root)
    ledger = Ledger(state_folder, file)
    with held(ledger.lock, place.path, wait_seconds=wait_seconds):
        for _ in range(_ATTEMPTS):
            change = _attempt(place, make, ledger)
            if change:
                return change
    raise ModicumError(
        f"{place.path}: something else keeps writing to it",
        remedy="close what has it open and run this again; nothing was changed",
    )


def apply(change: FileChange, state_folder: Path) -> FileChange:
    """Bring a change that was planned before to its file, if that is still as it was."""

    def unless_outdated(existing: Existing, _: FileRecord | None) -> FileChange:
        if existing.text != change.before:
            raise ModicumError(f"{change.path}: was changed in the meantime", remedy="run this again")
        return change

    return update(change.place, unless_outdated, state_folder)


def update_settings(place: TargetFile, edit: Edit, state_folder: Path) -> FileChange:
    """Edit a settings file; what the edit returns beside the text is handed to the next one."""
    return update(place, lambda existing, record: plan_edit(place, edit, existing, record), state_folder)


def _attempt(place: TargetFile, make: Make, ledger: Ledger) -> FileChange | None:
    temporary = _temporary(ledger)
    with in_words(place.path):
        if temporary.exists():  # from a run that was killed
            temporary.unlink()
    existing = read(ledger.file)
    sheet, warning = ledger.load(existing)
    change = make(existing, sheet.record(place))
    change = replace(change, note=_joined(change.note, warning))
    after = sheet.with_record(place, change.record)
    if change.after == existing.text:
        _tidy(ledger, sheet, after, existing)
        return change
    change = _backed_up(ledger, sheet, change, existing)
    return change if _carried_out(ledger, after, change, existing) else None


def _temporary(ledger: Ledger) -> Path:
    return ledger.file.with_name(f".modicum-{code_of(str(ledger.folder), str(ledger.file))}.tmp")


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _tidy(ledger: Ledger, before: Sheet, after: Sheet, existing: Existing) -> None:
    if after.parts != before.parts or not ledger.is_settled:
        ledger.announce(after)
        ledger.confirm(after)
    if existing.text is None:
        remove_folders(ledger.file.parent, ledger.folders)


def _backed_up(ledger: Ledger, sheet: Sheet, change: FileChange, existing: Existing) -> FileChange:
    overwritten = change.state in (FileState.EDITED, FileState.FOREIGN)
    if existing.text is None or (sheet.parts and not overwritten):
        return change
    copy = ledger.back_up(existing.text)
    return replace(change, note=_joined(change.note, f"backup: {copy}")) if overwritten else change


def _carried_out(ledger: Ledger, sheet: Sheet, change: FileChange, existing: Existing) -> bool:
    ledger.announce(sheet)
    try:
        with in_words(change.path):
            done = _replaced(ledger, change.after, existing)
    except ModicumError:
        ledger.retract()
        if existing.text is None:
            remove_folders(ledger.file.parent, ledger.folders)
        raise
    if done:
        ledger.confirm(sheet)
    else:
        ledger.retract()
    return done


def _replaced(ledger: Ledger, text: str | None, existing: Existing) -> bool:
    file, temporary = ledger.file, _temporary(ledger)
    refuse_read_only(file)
    try:
        if text is not None:
            make_folders(file.parent, ledger.folders)
            stage(temporary, text.encode("utf-8", "surrogateescape"), like=file)
        if read(file) != existing:
            return False
        _move(temporary if text is not None else None, file)
    except FileNotFoundError:
        return False  # somebody removed the folder, or the file, at the same moment
    finally:
        temporary.unlink(missing_ok=True)
    if text is None:
        remove_folders(file.parent, ledger.folders)
    return True


def _move(source: Path | None, file: Path) -> None:
    if source:
        source.replace(file)
    else:
        file.unlink()
    settle(file.parent)
