"""Writes the expanded files of packs: `context.expanded.md`, which is `context.md` with web text at its fetch markers."""

import os
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.packs.web.fetch_markers import Fetch, has_markers, quotes_in, replace_markers

SOURCE, EXPANDED = "context.md", "context.expanded.md"


def expand_packs(root: Path, fetch: Fetch, *, earlier: Path | None = None) -> tuple[str, ...]:
    """Writes the expanded files of all packs of a folder, with web text; returns failures, which keep their last good text.

    `earlier` is the content folder that this one is about to replace.
    """
    remarks: list[str] = []
    for pack in sorted((root / "packs").glob("*/")):
        old = (earlier / "packs" / pack.name) if earlier else pack
        try:
            remarks += _expand(pack, fetch, _read(old / EXPANDED) or _read(pack / EXPANDED))
        except (OSError, UnicodeError) as error:
            remarks.append(f"{pack / EXPANDED}: cannot be written: {getattr(error, 'strerror', error)}")
    return tuple(remarks)


def _expand(pack: Path, fetch: Fetch, earlier: str) -> list[str]:
    source, target = pack / SOURCE, pack / EXPANDED
    text = _read(source)
    if not has_markers(text):
        _forget(target)
        return []
    expanded = replace_markers(text, fetch, earlier)
    remarks = [f"{source}:{remark.line}: {remark.message}" for remark in expanded.remarks]
    foreign = bool(earlier) and not quotes_in(earlier)
    if foreign and not expanded.fetched:
        return remarks  # somebody else's expansion is better than none
    if expanded.quotes:
        _write(target, expanded.text)
    else:
        _forget(target)
    return remarks


def _forget(target: Path) -> None:
    """Removes an expansion of ours, which would hide the newer text; what others wrote stays."""
    if quotes_in(_read(target)):
        target.unlink()


def _read(path: Path) -> str:
    return read_bounded(path).decode("utf-8-sig") if path.is_file() else ""


def _write(path: Path, text: str) -> None:
    content = text.encode()
    if path.is_file() and read_bounded(path) == content:
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
