"""The piece cache of a context check: documents cut into pieces; a file is cut again only after a change."""

import marshal
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from modicum.base.files import code_of
from modicum.specs.check.passages import Piece, split_pieces
from modicum.specs.files import Workspace

_FORMAT = 3  # of the cache file


class PieceCache:
    """A cache of the pieces of files by path, kept in one file on the disk between context checks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, Any] = _load(path)
        self.used: dict[str, Any] = {}
        self.fresh = False

    def has(self, key: str, mark: object) -> bool:
        """Returns True if the piece cache has something under this key with this mark."""
        entry = self.known.get(key)
        return entry is not None and entry[0] == mark

    def kept(self, key: str, mark: object, make: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
        """Returns what the piece cache has under this key with this mark, or makes and caches it."""
        entry = self.known.get(key)
        if entry is None or entry[0] != mark:
            self.fresh = True
            entry = (mark, make())
        self.used[key] = entry
        made: tuple[Any, ...] = entry[1]
        return made

    def pieces_of(self, name: str, text: str) -> tuple[Piece, ...]:
        """Returns the pieces of a text that is not a file of its own, from the piece cache if they are there."""
        return as_pieces(self.kept(f"text:{name}", code_of(text), lambda: as_plain(split_pieces(text))))

    def save(self) -> None:
        """Writes the piece cache to the disk if it has changed; a failure costs only time."""
        if not self.fresh and len(self.used) == len(self.known):
            return
        temporary = self.path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.write_bytes(marshal.dumps((_FORMAT, self.used)))
            temporary.replace(self.path)


def _load(path: Path) -> dict[str, Any]:
    try:
        form, known = marshal.loads(path.read_bytes())  # noqa: S302 (our own file, like compiled Python)
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return known if form == _FORMAT and isinstance(known, dict) else {}


def as_plain(pieces: Iterable[Piece]) -> tuple[tuple[Any, ...], ...]:
    """Returns pieces as plain tuples, which the piece cache can keep."""
    return tuple(tuple(piece) for piece in pieces)


def as_pieces(plain: Iterable[tuple[Any, ...]]) -> tuple[Piece, ...]:
    """Returns pieces from the plain tuples of the piece cache."""
    return tuple(map(Piece._make, plain))


def open_piece_cache(workspace: Workspace, cache: Path) -> PieceCache:
    """Returns the piece cache of this project, from a folder for caches."""
    return PieceCache(cache / "specs" / code_of(os.path.realpath(workspace.docs)))
