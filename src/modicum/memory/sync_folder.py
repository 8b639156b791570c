"""The folder of chunks in a project: read with care, and written so that no half chunk is ever there."""

import contextlib
import os
import time
from pathlib import Path

from modicum.memory.model import Refused
from modicum.memory.sync_records import MOST_BYTES, Chunk, is_name

NAME = "memory"
_PART = ".part-"
_OLD_SECONDS = 3600


class Folder:
    """Where chunks are. A link in its place is refused: a project of somebody else must not lead us elsewhere."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for each in (path, path.parent):
            if each.is_symlink():
                raise Refused(
                    f"{each} is a link, and notes are not written through one",
                    remedy="put a folder of its own in its place",
                )
        if path.exists() and not path.is_dir():
            raise Refused(f"{path} is no folder", remedy="move that file away")

    def names(self) -> set[str]:
        """The chunks that are there."""
        return {entry.name for entry in self._files() if is_name(entry.name)}

    def strangers(self) -> list[str]:
        """Files that would be chunks but for their names."""
        return sorted(e.name for e in self._files() if e.name.endswith(".jsonl") and not is_name(e.name))

    def _files(self) -> list["os.DirEntry[str]"]:
        try:
            with os.scandir(self.path) as entries:
                return [entry for entry in entries if entry.is_file(follow_symlinks=False)]
        except FileNotFoundError:
            return []

    def read(self, name: str) -> Chunk | str:
        """A chunk, or why it cannot be read."""
        path = self.path / name
        try:
            if path.stat().st_size > MOST_BYTES:
                return f"it has more than {MOST_BYTES:,} bytes"
            return Chunk(name, path.read_bytes())
        except OSError as error:
            return f"it cannot be read: {error.strerror}"

    def write(self, chunk: Chunk) -> bool:
        """Whether the chunk was not there yet. It is there whole or not at all."""
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
        """Remove what a killed sync has left."""
        for entry in self._files():
            with contextlib.suppress(OSError):
                if entry.name.startswith(_PART) and entry.stat().st_mtime < time.time() - _OLD_SECONDS:
                    Path(entry.path).unlink()
