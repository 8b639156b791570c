"""The folder of a sync's chunk files in a project: lists, reads and writes them, never half a chunk."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from modicum.memory.model import Refused
from modicum.memory.sync.chunks import MOST_BYTES, Chunk, is_name

NAME = "memory"
_PART = ".part-"
_OLD_SECONDS = 3600


FileMark = list[int]  # as JSON has it

_NO_HASH = "its name is no hash: it is no chunk"
_NO_FILE = "it is a link or no file, and is not read: remove it"


def _is_file(entry: "os.DirEntry[str]") -> bool:
    return entry.is_file(follow_symlinks=False)


class ChunkFolder:
    """The folder of a sync's chunk files; refuses a symbolic link, which could lead elsewhere."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for each in (path, path.parent):
            if each.is_symlink():
                raise Refused(
                    f"{each} is a link, and notes are not written through one",
                    remedy="put a folder of its own in its place",
                )
            if each.exists() and not each.is_dir():
                raise Refused(f"{each} is no folder", remedy="move that file away")

    def names(self) -> set[str]:
        """Returns the names of the chunk files in the folder."""
        return {entry.name for entry in self._chunks()}

    def marks(self) -> dict[str, FileMark]:
        """Returns the chunk files in the folder, each with its size and the time of its last change."""
        found = {}
        for entry in self._chunks():
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                found[entry.name] = [status.st_size, status.st_mtime_ns]
        return found

    def _chunks(self) -> Iterator["os.DirEntry[str]"]:
        return (entry for entry in self._entries() if is_name(entry.name) and _is_file(entry))

    def strangers(self) -> list[tuple[str, str]]:
        """Returns the files in the folder that end like a chunk but are none, each with the reason."""
        named = [entry for entry in self._entries() if entry.name.endswith(".jsonl")]
        odd = [(each.name, _NO_HASH) for each in named if not is_name(each.name)]
        return sorted(
            odd + [(each.name, _NO_FILE) for each in named if is_name(each.name) and not _is_file(each)]
        )

    def _entries(self) -> list["os.DirEntry[str]"]:
        try:
            with os.scandir(self.path) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Refused(
                f"{self.path} cannot be read: {error.strerror}", remedy="check the rights of the folder"
            ) from error

    def read(self, name: str) -> Chunk | str:
        """Reads a chunk file from the folder; returns the reason if it cannot be read."""
        path = self.path / name
        try:
            if path.stat().st_size > MOST_BYTES:
                return f"it has more than {MOST_BYTES:,} bytes"
            return Chunk(name, path.read_bytes())
        except OSError as error:
            return f"it cannot be read: {error.strerror}"

    def write(self, chunk: Chunk) -> bool:
        """Writes a chunk file to the folder, whole or not at all; returns False if it was there already."""
        if self._has(chunk):
            return False
        part = self.path / f"{_PART}{os.getpid()}-{os.urandom(4).hex()}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with part.open("xb") as file:
                file.write(chunk.data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path / chunk.name)
        except OSError as error:
            part.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise Refused(
                f"{self.path}: a chunk cannot be written: {reason}",
                remedy="make room and make the folder writable, then sync again: nothing is lost",
            ) from error
        return True

    def _has(self, chunk: Chunk) -> bool:
        found = self.read(chunk.name) if (self.path / chunk.name).exists() else ""
        return isinstance(found, Chunk) and found.data.replace(b"\r\n", b"\n") == chunk.data

    def tidy(self) -> None:
        """Removes half-written files from the folder, which an interrupted sync has left."""
        for entry in self._entries():
            with contextlib.suppress(OSError):
                if (
                    entry.name.startswith(_PART)
                    and _is_file(entry)
                    and entry.stat().st_mtime < time.time() - _OLD_SECONDS
                ):
                    Path(entry.path).unlink()
