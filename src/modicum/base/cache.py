"""What was found out in an earlier run: what YAML files say, and how many tokens texts have.

Kept like compiled Python: in a form of this interpreter, and void as soon as the program has changed.
"""

import marshal
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from modicum import __version__
from modicum.base.yaml_check import Checked, Shape, check
from modicum.engine import tokens

MOST = 20_000

Key = tuple[str, bytes]


class Remembered:
    """A way to check YAML files; only what is sound is remembered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[Key, bytes] = _load(path)
        self.used: dict[Key, bytes] = {}

    def check(self, source: bytes | str, shape: Shape, file: str) -> Checked:
        """As `yamlcheck.check`. The name of a file, or of the folder that holds all of its kind, tells its shape."""
        content = source.encode() if isinstance(source, str) else source
        *_, folder, name = ("", "", *file.replace(os.sep, "/").split("/"))
        key = (folder if folder in ("adapters", "profiles") else name, content)
        if key in self.known:
            self.used[key] = self.known[key]
            return Checked(marshal.loads(self.known[key]), ())  # noqa: S302
        found = check(source, shape, file)
        if not found.problems:
            self.used[key] = marshal.dumps(found.value)
        return found

    def save(self) -> None:
        """Keep what is new. Failing to is no trouble: it would only have saved time."""
        if self.used.keys() <= self.known.keys():
            return
        merged = {**self.known, **self.used}
        _save(self.path, merged if len(merged) <= MOST else self.used)


@contextmanager
def remembered_counts(path: Path) -> Iterator[None]:
    """Count tokens with what earlier runs have counted, and keep what is new."""
    known: dict[str, dict[bytes, int]] = _load(path)
    tokens.recall(known)
    yield
    if fresh := tokens.learnt():
        merged = {name: {**known.get(name, {}), **fresh.get(name, {})} for name in (*known, *fresh)}
        _save(
            path,
            {name: counts if len(counts) <= MOST else fresh.get(name, {}) for name, counts in merged.items()},
        )


def _load(path: Path) -> dict[Any, Any]:
    try:
        stamp, known = marshal.loads(path.read_bytes())  # noqa: S302 (our own file, like compiled Python)
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return known if stamp == _stamp() and isinstance(known, dict) else {}


def _save(path: Path, known: Mapping[Any, Any]) -> None:
    temporary = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(marshal.dumps((_stamp(), dict(known))))
        temporary.replace(path)


def _stamp() -> tuple[str | int, ...]:
    """What the program is: its version, and when the tables of fields were last changed."""
    package = Path(__file__).parent.parent
    files = (
        "base/yaml_check.py",
        "base/yaml_nodes.py",
        "engine/tokens.py",
        "packs/fields.py",
        "targets/load.py",
    )
    counts = PathFinder.find_spec("splintr") is not None  # without it, tokens are only bounded
    return (__version__, sys.hexversion, counts, *((package / file).stat().st_mtime_ns for file in files))
