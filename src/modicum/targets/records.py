"""What we remember about each file that we have written to, and the copies of what was there before."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from modicum.base.value import NOTHING, Value, as_dict, replace
from modicum.targets.change import Existing, FileRecord, TargetFile
from modicum.targets.disk import code_of, write_own
from modicum.targets.plan import fits

_KEPT_BACKUPS = 5
_VERSION = 1
_T = TypeVar("_T")


class RecordedPart(Value):
    """One of our parts of a file: where it goes, and what we wrote."""

    place: TargetFile
    record: FileRecord


class Sheet(Value):
    """Our parts of one file by their keys, and for a sheet that is not in force yet, which of them it is about."""

    parts: Mapping[str, RecordedPart] = NOTHING
    about: TargetFile | None = None

    def record(self, place: TargetFile) -> FileRecord | None:
        part = self.parts.get(place.key)
        return part.record if part else None

    def with_record(self, place: TargetFile, record: FileRecord | None) -> "Sheet":
        """This sheet after a change at the place."""
        others = {key: part for key, part in self.parts.items() if key != place.key}
        if record is not None:
            return Sheet({**others, place.key: RecordedPart(_bare(place), record)}, place)
        gone = self.record(place)
        if gone and gone.created:
            # Whoever goes last takes the file along.
            others = {
                key: RecordedPart(p.place, replace(p.record, created=True)) for key, p in others.items()
            }
        return Sheet(others, place)


class Ledger(Value):
    """The sheet of one file in the state folder.

    A new sheet is written down before the file is, and put in force after it. If a run is killed in between,
    the file itself tells which of the two is right.
    """

    folder: Path
    file: Path

    @property
    def code(self) -> str:
        return code_of(str(self.file))

    @property
    def lock(self) -> Path:
        return self.folder / "locks" / self.code

    @property
    def folders(self) -> Path:
        """Where the folders are noted that we made."""
        return self.folder / "folders"

    @property
    def _sheet(self) -> Path:
        return self.folder / "targets" / f"{self.code}.json"

    @property
    def _next(self) -> Path:
        return self.folder / "targets" / f"{self.code}.next.json"

    @property
    def is_settled(self) -> bool:
        return not self._next.exists()

    def load(self, existing: Existing) -> tuple[Sheet, str]:
        """The sheet that is right for what the file says now, and a note if it could not be read."""
        old, note = _read(self._sheet)
        new, _ = _read(self._next)
        if new.about and _is_in_force(new, old, existing, new.about):
            return new, ""
        return old, note

    def announce(self, sheet: Sheet) -> None:
        """Write down what is about to be true."""
        write_own(self._next, _encode(self.file, sheet))

    def retract(self) -> None:
        self._next.unlink(missing_ok=True)

    def confirm(self, sheet: Sheet) -> None:
        """It is true now."""
        if sheet.parts:
            self._next.replace(self._sheet)
            return
        self._sheet.unlink(missing_ok=True)
        self._next.unlink(missing_ok=True)

    def back_up(self, text: str) -> Path:
        """Keep a copy of the file, unless the last one is the same."""
        folder = self.folder / "backups" / self.code
        names = sorted((int(p.name) for p in folder.glob("[0-9]*") if p.name.isdigit()), reverse=True)
        data = text.encode("utf-8", "surrogateescape")
        if names and (folder / str(names[0])).read_bytes() == data:
            return folder / str(names[0])
        path = folder / str(names[0] + 1 if names else 1)
        write_own(path, data)
        for old in names[_KEPT_BACKUPS - 1 :]:
            (folder / str(old)).unlink(missing_ok=True)
        return path


def recorded(folder: Path) -> tuple[RecordedPart, ...]:
    """Everything that was written and not taken out again, also for tools that are not set up any more."""
    sheets = (_read(path)[0] for path in sorted((folder / "targets").glob("*.json")))
    parts = {(part.place.path, key): part for sheet in sheets for key, part in sheet.parts.items()}
    return tuple(parts[key] for key in sorted(parts))


def _is_in_force(new: Sheet, old: Sheet, existing: Existing, place: TargetFile) -> bool:
    after, before = new.record(place), old.record(place)
    if not fits(place, existing, before):
        return after is not None or fits(place, existing, None)
    if after is None:
        return before is None
    # Of two appended texts that are both found, one is a part of the other.
    longest = len(before.appended) if before else 0
    return fits(place, existing, after) and len(after.appended) >= longest


def _bare(place: TargetFile) -> TargetFile:
    return TargetFile(place.path, place.mode, place.section, root=place.root)


def _encode(file: Path, sheet: Sheet) -> bytes:
    parts = {
        key: {**_place(p.place), **as_dict(p.record), "extra": {**p.record.extra}}
        for key, p in sheet.parts.items()
    }
    about = _place(sheet.about) if sheet.about else None
    data = {"version": _VERSION, "file": os.fsdecode(file), "about": about, "parts": parts}
    return json.dumps(data, indent=1).encode()


def _place(place: TargetFile) -> dict[str, str]:
    return {"path": place.path, "mode": place.mode, "section": place.section, "root": place.root}


def _read(path: Path) -> tuple[Sheet, str]:
    try:
        return _decode(json.loads(path.read_bytes())), ""
    except FileNotFoundError:
        return Sheet(), ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Sheet(), f"the record of the last run cannot be read and is ignored: {path}"


def _decode(data: dict[str, dict[str, dict[str, object]]]) -> Sheet:
    about = data["about"]
    parts = [RecordedPart(_place_from(part), _record_from(part)) for part in data["parts"].values()]
    return Sheet({part.place.key: part for part in parts}, _place_from(about) if about else None)


def _place_from(data: Mapping[str, object]) -> TargetFile:
    path, mode, section, root = (_typed(data[name], str) for name in ("path", "mode", "section", "root"))
    return TargetFile(path, mode, section, root=root)


def _record_from(data: Mapping[str, object]) -> FileRecord:
    original = data["original"]
    return FileRecord(
        digest=_typed(data["digest"], str),
        created=_typed(data["created"], bool),
        appended=_typed(data["appended"], str),
        original=None if original is None else _typed(original, str),
        tools=tuple(_typed(tool, str) for tool in _typed(data["tools"], list)),
        extra=_typed(data["extra"], dict),
    )


def _typed(value: object, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise TypeError(value)
    return value
