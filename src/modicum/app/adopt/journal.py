"""The journal of an adoption: the originals of all files that it touches, kept so that undo gives back the same bytes.

It is written before anything is touched. A run that is killed on the way leaves a journal that is not finished, and every
file is then either as it was or as it was going to be.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from modicum.base.errors import ModicumError
from modicum.base.files import in_words, resolve
from modicum.base.value import Value, as_dict
from modicum.targets.disk import code_of, held, settle, write_own
from modicum.targets.records import RecordFile

_VERSION = 1
Neutral = Callable[[str, bytes | None], bytes]


class JournalEntry(Value):
    """One file of an adoption: its path, whether it was there, its rights, and what it holds apart from our own text."""

    path: str
    was_there: bool
    mode: int
    before: str  # the digest of what it held, without our text
    after: str  # and of what it holds afterwards
    record: str | None  # our record of the file as it was


class AdoptionFolder:
    """The folder in the state folder that holds what is kept of the adoptions of one project."""

    def __init__(self, state: Path, root: Path) -> None:
        self.state, self.root = state, root
        self.folder = state / "adopted" / code_of(str(root))

    @property
    def lock(self) -> Path:
        """Returns the lock file of a project's adoptions, which one adoption holds at a time."""
        return self.folder / "lock"

    @property
    def review(self) -> Path:
        """Returns the path of the review file that is kept beside the journals of adoptions."""
        return self.folder / "review.txt"

    @property
    def seen(self) -> Path:
        """Returns the file, beside the journals, with the digests of the instruction files that the last preview was made of."""
        return self.folder / "seen.json"

    def last(self) -> "Journal | None":
        """Returns the journal of the last adoption that was not undone; None if there is none."""
        numbers = sorted(int(path.name) for path in self.folder.glob("[0-9]*") if path.name.isdigit())
        return Journal(self, self.folder / str(numbers[-1])) if numbers else None

    def new(self) -> "Journal":
        """Returns the journal of an adoption that is about to begin."""
        last = self.last()
        return Journal(self, self.folder / str(int(last.folder.name) + 1 if last else 1))


class Journal:
    """The journal of one adoption: its entries and the originals beside them, under the same paths."""

    def __init__(self, home: AdoptionFolder, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.entries: dict[str, JournalEntry] = {}
        self.folders: list[str] = []
        self.is_done = False
        if (folder / "journal.json").exists():
            self._load()

    def _load(self) -> None:
        path = self.folder / "journal.json"
        try:
            data: dict[str, Any] = json.loads(path.read_bytes())
            rows = [JournalEntry(**row) for row in data["entries"]]
            self.entries = {row.path: row for row in rows}
            self.folders, self.is_done = list(data["folders"]), bool(data["done"])
        except (ValueError, KeyError, TypeError) as error:
            remedy = f"the originals are in {self.originals}: copy them back by hand"
            raise ModicumError(f"{path} cannot be understood", remedy=remedy) from error

    @property
    def originals(self) -> Path:
        """Returns the folder with the files as they were before the adoption."""
        return self.folder / "originals"

    def add(self, after: Mapping[str, bytes | None], neutral: Neutral) -> None:
        """Copies files into the journal before an adoption changes them; `after` are the bytes that they will have."""
        for path, data in after.items():
            if path not in self.entries:
                self.entries[path] = self._entry(path, data, neutral)
        self.folders += [each for each in self._missing_folders(after) if each not in self.folders]
        self._save()

    def _entry(self, path: str, after: bytes | None, neutral: Neutral) -> JournalEntry:
        file = self.home.root / path
        with in_words(str(file)):
            is_there = file.is_file()
            before = file.read_bytes() if is_there else None
            mode = file.stat().st_mode & 0o7777 if is_there else 0
        if before is not None:
            write_own(self.originals / path, before)
        record = self._record(path).saved()
        digests = digest(neutral(path, before)), digest(neutral(path, after))
        return JournalEntry(path, before is not None, mode, *digests, record.decode() if record else None)

    def _record(self, path: str) -> RecordFile:
        return RecordFile(self.home.state, Path(os.path.realpath(self.home.root / path)))

    def _missing_folders(self, after: Mapping[str, bytes | None]) -> Iterator[str]:
        for path, data in after.items():
            for folder in Path(path).parents[:-1] if data is not None else ():
                if not (self.home.root / folder).is_dir():
                    yield folder.as_posix()

    def _save(self) -> None:
        rows = [as_dict(entry) for entry in self.entries.values()]
        data = {"version": _VERSION, "done": self.is_done, "folders": self.folders, "entries": rows}
        write_own(self.folder / "journal.json", json.dumps(data, indent=1).encode())

    def finish(self, neutral: Neutral) -> None:
        """Marks the adoption in its journal as done, with what its files hold now."""
        self.is_done = True
        self.entries = {path: self._finished(entry, neutral) for path, entry in self.entries.items()}
        self._save()

    def _finished(self, entry: JournalEntry, neutral: Neutral) -> JournalEntry:
        return JournalEntry(**{**as_dict(entry), "after": digest(neutral(entry.path, self._now(entry.path)))})

    def _now(self, path: str) -> bytes | None:
        file = self.home.root / path
        with in_words(str(file)):
            return file.read_bytes() if file.is_file() else None

    def changed_since(self, neutral: Neutral) -> list[str]:
        """Returns the files of the journal in which somebody has changed more than our own text since the adoption."""
        return [
            path
            for path, entry in self.entries.items()
            if digest(neutral(path, self._now(path))) not in (entry.before, entry.after)
        ]

    def put_back(self) -> list[str]:
        """Puts the originals in the journal back, with our records of them; returns the paths of the files that changed."""
        new = [path for path, entry in self.entries.items() if not entry.was_there]
        old = [path for path, entry in self.entries.items() if entry.was_there]
        done = [path for path in new if self._put_back(path)]
        self._remove_folders()  # where a folder is now, a file may have been
        return [*done, *(path for path in old if self._put_back(path))]

    def _put_back(self, path: str) -> bool:
        entry, record = self.entries[path], self._record(path)
        before = (self.originals / path).read_bytes() if entry.was_there else None
        with held(record.lock, path, wait_seconds=10), in_words(path):
            now = self._now(path)
            if now != before:
                self._replace(self.home.root / path, entry, now, before)
            record.put_back(entry.record.encode() if entry.record is not None else None)
        return now != before

    def _replace(self, file: Path, entry: JournalEntry, now: bytes | None, before: bytes | None) -> None:
        if now is not None and digest(now) not in (entry.before, entry.after):
            write_own(self.home.folder / "replaced" / entry.path, now)
        if before is None:
            file.unlink(missing_ok=True)
        else:
            real = resolve(str(file), str(self.home.root))
            real.parent.mkdir(parents=True, exist_ok=True)
            write_own(real, before, private=False, aside=self._record(entry.path).aside)
            real.chmod(entry.mode)
            settle(real.parent)

    def _remove_folders(self) -> None:
        for folder in sorted(self.folders, key=len, reverse=True):
            place = self.home.root / folder
            if place.is_dir() and not any(place.iterdir()):
                place.rmdir()

    def forget(self) -> None:
        """Deletes the journal and the originals, once they are back."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.folder.rmdir()


def digest(data: bytes) -> str:
    """Returns the fingerprint of a file's bytes for the journal."""
    return hashlib.sha256(data).hexdigest()
