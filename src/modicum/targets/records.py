"""Records in the state folder: what we last wrote to each file of an AI tool, and backups of what was there before."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import NoneType

from modicum.base.typing_names import Any
from modicum.base.value import NOTHING, Value, as_dict, replace
from modicum.targets.change import Existing, FileRecord, TargetFile
from modicum.targets.disk import code_of, write_own
from modicum.targets.plan import fits

BACKUPS, FILE_NAME = "backups", "file"
_KEPT_BACKUPS = 5
_VERSION = 1
# What the record of a part holds in JSON; anything else is damage.
_PLACE_FIELDS = {"path": str, "mode": str, "section": str, "root": str, "is_home": bool}
_RECORD_FIELDS = {
    "digest": str,
    "created": bool,
    "appended": str,
    "original": (str, NoneType),
    "tools": list,
    "extra": dict,
}


class RecordedPart(Value):
    """A recorded part of a tool's file: where it goes, and what we last wrote there."""

    place: TargetFile
    record: FileRecord


class FileParts(Value):
    """The record of our parts of one tool's file, by key; `about` is the part that is about to change."""

    parts: Mapping[str, RecordedPart] = NOTHING
    about: TargetFile | None = None

    def record(self, place: TargetFile) -> FileRecord | None:
        part = self.parts.get(place.key)
        return part.record if part else None

    def with_record(self, place: TargetFile, record: FileRecord | None) -> "FileParts":
        """Returns the recorded parts of a file after a change of one of them; None removes its record."""
        others = {key: part for key, part in self.parts.items() if key != place.key}
        if record is not None:
            return FileParts({**others, place.key: RecordedPart(_bare(place), record)}, place)
        gone = self.record(place)
        if gone and gone.created:
            # Whoever goes last takes the file along.
            others = {
                key: RecordedPart(p.place, replace(p.record, created=True)) for key, p in others.items()
            }
        return FileParts(others, place)


class RecordFile(Value):
    """The file in the state folder that holds our record of one file of an AI tool.

    A new record is announced before that file is written, and confirmed after it. If a run is killed in between,
    the file itself tells which of the two records is right.
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
    def aside(self) -> Path:
        """Returns the folder in the state folder where the new content of a tool's file waits."""
        return self.folder / "aside"

    @property
    def folders(self) -> Path:
        """Returns the file in the state folder that records each folder we made."""
        return self.folder / "folders"

    @property
    def _current(self) -> Path:
        return self.folder / "targets" / f"{self.code}.json"

    @property
    def _next(self) -> Path:
        return self.folder / "targets" / f"{self.code}.next.json"

    @property
    def is_settled(self) -> bool:
        return not self._next.exists()

    def load(self, existing: Existing) -> tuple[FileParts, str]:
        """Returns the record that matches what the tool's file holds now, and a warning if it could not be read."""
        old, note = _read(self._current)
        new, _ = _read(self._next)
        if new.about and _is_in_force(new, old, existing, new.about):
            return new, ""
        return old, note

    def announce(self, parts: FileParts) -> None:
        """Writes the record that will hold once the tool's file is written."""
        write_own(self._next, _encode(self.file, parts))

    def retract(self) -> None:
        """Drops the announced record, because the tool's file was not written."""
        self._next.unlink(missing_ok=True)

    def confirm(self, parts: FileParts) -> None:
        """Makes the announced record the valid one, because the tool's file is written."""
        if parts.parts:
            self._next.replace(self._current)
            return
        self._current.unlink(missing_ok=True)
        self._next.unlink(missing_ok=True)

    def saved(self) -> bytes | None:
        """Returns the valid record as it is in the state folder, to be put back later; None if there is none."""
        return self._current.read_bytes() if self._current.exists() else None

    def put_back(self, data: bytes | None) -> None:
        """Makes an earlier record of the tool's file the valid one, together with the file that it is about."""
        self.retract()
        if data is None:
            self._current.unlink(missing_ok=True)
        else:
            write_own(self._current, data)

    def back_up(self, text: str) -> Path:
        """Keeps a backup of the tool's file beside its record, unless the last backup is equal; returns its path."""
        folder = self.folder / BACKUPS / self.code
        names = sorted((int(p.name) for p in folder.glob("[0-9]*") if p.name.isdigit()), reverse=True)
        data = text.encode("utf-8", "surrogateescape")
        if names and (folder / str(names[0])).read_bytes() == data:
            return folder / str(names[0])
        path = folder / str(names[0] + 1 if names else 1)
        write_own(folder / FILE_NAME, os.fsencode(self.file))  # whose backups these are
        write_own(path, data)
        for old in names[_KEPT_BACKUPS - 1 :]:
            (folder / str(old)).unlink(missing_ok=True)
        return path


def recorded(folder: Path) -> tuple[RecordedPart, ...]:
    """Returns all recorded parts that we wrote into tools' files and did not take out again."""
    files = (_read(path)[0] for path in sorted((folder / "targets").glob("*.json")))
    found = {(part.place.path, key): part for file in files for key, part in file.parts.items()}
    return tuple(found[key] for key in sorted(found))


def _is_in_force(new: FileParts, old: FileParts, existing: Existing, place: TargetFile) -> bool:
    after, before = new.record(place), old.record(place)
    if not fits(place, existing, before):
        return after is not None or fits(place, existing, None)
    if after is None:
        return before is None
    # Of two appended texts that are both found, one is a part of the other.
    longest = len(before.appended) if before else 0
    return fits(place, existing, after) and len(after.appended) >= longest


def _bare(place: TargetFile) -> TargetFile:
    return TargetFile(place.path, place.mode, place.section, root=place.root, is_home=place.is_home)


def _encode(file: Path, parts: FileParts) -> bytes:
    rows = {
        key: {**_place_fields(part.place), **as_dict(part.record), "extra": {**part.record.extra}}
        for key, part in parts.parts.items()
    }
    about = _place_fields(parts.about) if parts.about else None
    data = {"version": _VERSION, "file": os.fsdecode(file), "about": about, "parts": rows}
    return json.dumps(data, indent=1).encode()


def _place_fields(place: TargetFile) -> dict[str, object]:
    return {name: getattr(place, name) for name in _PLACE_FIELDS}


def _read(path: Path) -> tuple[FileParts, str]:
    try:
        return _decode(json.loads(path.read_bytes())), ""
    except FileNotFoundError:
        return FileParts(), ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return FileParts(), f"the record of the last run cannot be read and is ignored: {path}"


def _decode(data: Any) -> FileParts:
    parts = [_part(row) for row in data["parts"].values()]
    about = TargetFile(**_checked(data["about"], _PLACE_FIELDS)) if data["about"] else None
    return FileParts({part.place.key: part for part in parts}, about)


def _part(row: Mapping[str, object]) -> RecordedPart:
    fields = _checked(row, _RECORD_FIELDS)
    if not all(isinstance(tool, str) for tool in fields["tools"]):
        raise TypeError(fields["tools"])
    fields["tools"] = tuple(fields["tools"])
    return RecordedPart(TargetFile(**_checked(row, _PLACE_FIELDS)), FileRecord(**fields))


def _checked(row: Mapping[str, object], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """The named fields of a row; raises if one is missing or of another type."""
    for name, kind in kinds.items():
        if not isinstance(row[name], kind):
            raise TypeError(name)
    return {name: row[name] for name in kinds}
