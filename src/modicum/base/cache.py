"""Caches on the disk between runs: checked YAML files, token counts of texts, and texts without findings.

They are kept like compiled Python: in the format of this interpreter, and no longer valid once the program has changed.
"""

import marshal
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.machinery import PathFinder
from pathlib import Path

from modicum import __version__
from modicum.base.hashes import blake2b
from modicum.base.typing_names import Any
from modicum.base.yaml.check import Checked, Shape, check
from modicum.engine import tokens

_MOST_ENTRIES = 20_000

Key = tuple[str, bytes]


class YamlCache:
    """A cache of checked YAML files between runs: checks as `yaml.check.check` does, or takes an earlier result."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[Key, bytes] = _load(path)
        self.used: dict[Key, bytes] = {}

    @classmethod
    def below(cls, data: Path) -> "YamlCache":
        """Returns the cache in the data folder of a user, which is for checked YAML files."""
        return cls(data / "cache" / "yaml")

    def check(self, source: bytes | str, shape: Shape, file: str) -> Checked:
        """Returns what `yaml.check.check` returns, from the cache if the same file was checked before."""
        content = source.encode() if isinstance(source, str) else source
        # The name of the file, or of the folder that holds all of its kind, stands for the shape.
        *_, folder, name = ("", "", *file.replace(os.sep, "/").split("/"))
        key = (folder if folder in ("adapters", "profiles") else name, content)
        if key in self.known:
            self.used[key] = self.known[key]
            return Checked(marshal.loads(self.known[key]), ())  # noqa: S302 (our own file, like compiled Python)
        checked = check(source, shape, file)
        if not checked.problems:
            self.used[key] = marshal.dumps(checked.value)
        return checked

    def save(self) -> None:
        """Writes the cache to its file, of YAML files and token counts, if anything is new; a failure costs only time."""
        if self.used.keys() <= self.known.keys():
            return
        merged = {**self.known, **self.used}
        _save(self.path, merged if len(merged) <= _MOST_ENTRIES else self.used)


@contextmanager
def cached_token_counts(path: Path) -> Iterator[None]:
    """Opens the cache of token counts from earlier runs while the block runs; saves new ones unless the block fails."""
    known: dict[str, dict[bytes, int]] = _load(path)
    tokens.recall(known)
    try:
        yield
    finally:
        fresh = tokens.learnt()
    if fresh:
        merged = {name: {**known.get(name, {}), **fresh.get(name, {})} for name in (*known, *fresh)}
        _save(
            path,
            {
                name: counts if len(counts) <= _MOST_ENTRIES else fresh.get(name, {})
                for name, counts in merged.items()
            },
        )


def cached_findings(path: Path, texts: Iterable[str], find: Callable[[], list[str]]) -> list[str]:
    """Returns what is found in texts; if that is nothing, the cache knows it, and the same texts are not searched again."""
    named = "".join(f"{len(text)} {text}" for text in texts)  # other texts are never the same in a row
    key = blake2b(named.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = _load(path)
    if key in known:
        return []
    found = find()
    if not found:
        _save(path, {**known, key: True} if len(known) < _MOST_ENTRIES else {key: True})
    return found


def _load(path: Path) -> dict[Any, Any]:
    try:
        stamp, known = marshal.loads(path.read_bytes())  # noqa: S302 (our own file, like compiled Python)
    except (OSError, ValueError, EOFError, TypeError, MemoryError):
        return {}
    return known if stamp == _stamp() and isinstance(known, dict) else {}


def _save(path: Path, known: Mapping[Any, Any]) -> None:
    temporary = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(marshal.dumps((_stamp(), dict(known))))
        temporary.replace(path)


def _stamp() -> tuple[str | int, ...]:
    """What a cache depends on: the version, the interpreter, the tokenizer, and when modules that check or search were changed."""
    package = Path(__file__).parent.parent
    files = (
        "base/config.py",
        "base/plain_words.py",
        "base/yaml/check.py",
        "base/yaml/nodes.py",
        "engine/tokens.py",
        "packs/fields.py",
        "targets/load.py",
        "text/hidden.py",
        "text/secrets.py",
        *(f"text/secret_kinds/{name}.py" for name in ("announced", "connections", "services")),
    )
    counts = PathFinder.find_spec("splintr") is not None  # without it, tokens are only bounded
    return (__version__, sys.hexversion, counts, *((package / file).stat().st_mtime_ns for file in files))
