"""Adds tables and top-level values to TOML settings and takes them out again; the rest of the file stays, byte for byte.

TOML lets a table stand anywhere, so what is ours goes last and nothing of the user's has to be understood; a value
outside of tables must stand before the first one, so it goes to the top. What was added is kept in the record and looked for to the letter; if somebody has written between its lines, those of ours
are taken out one by one. After every edit the whole file is read, and the edit is refused if anything else changed.
"""

import copy
import json
import re
import tomllib
from typing import Any

from modicum.targets.settings.spans import DocumentError, InsertedText, failure, newline_of
from modicum.targets.settings.undo import Edit, Path, Undo, Undone, UndoOutcome, plain, same

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WHERE = re.compile(r"(?P<problem>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)")


def read(text: str) -> dict[str, Any]:
    """Returns the parsed value of TOML settings."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise failure(text, 0, "nested too deep", remedy="flatten the file") from None
    except tomllib.TOMLDecodeError as error:
        found = _WHERE.fullmatch(str(error))
        if not found:
            raise failure(
                text, len(text), f"this is not TOML: {error}", remedy="complete the file"
            ) from error
        problem = f"line {found['line']}, column {found['column']}: this is not TOML: {found['problem']}"
        raise DocumentError(problem, remedy="correct the TOML there") from error


def append_table(text: str, path: Path, value: object) -> Edit:
    """Adds a table, or a value outside of tables, to TOML settings that do not have it; an equal one is left as it is."""
    before, wanted = read(text), plain(value)
    there = _at(before, path)
    if there is not None and same(there, wanted):
        return Edit(text, None)
    if there is not None or not (isinstance(wanted, dict) or len(path) == 1):
        raise DocumentError(f"{'.'.join(path)} cannot be replaced in TOML", remedy="remove it first")
    if isinstance(wanted, dict):
        block = _block(text, path, wanted)
        after = text + block
    else:
        block = f"{_key(path[0])} = {_inline(wanted)}{newline_of(text)}"
        after = block + text
    _verify(after, _with(before, path, wanted), path)
    return Edit(after, Undo(path, wanted, False, 0, InsertedText(lead=block)))


def take_out(text: str, record: Undo) -> Undone:
    """Takes out the TOML table that `append_table` put in, unless its value was changed."""
    before = read(text)
    there = _at(before, record.path)
    if there is None:
        return Undone(text, UndoOutcome.GONE)
    if not same(there, record.value):
        return Undone(text, UndoOutcome.CHANGED_BY_USER)
    expected = _without(before, record.path)
    for rest in (*_without_block(text, record.glue.lead), _without_lines(text, record.path)):
        if _is_sound(rest, expected, record.path):
            return Undone(rest, UndoOutcome.RESTORED)
    return Undone(text, UndoOutcome.CHANGED_BY_USER)


def remove_table(text: str, path: Path) -> str:
    """Removes the lines of a TOML table; raises DocumentError if the table is written in another way."""
    before = read(text)
    if _at(before, path) is None:
        return text
    rest = _without_lines(text, path)
    if not _is_sound(rest, _without(before, path), path):
        raise DocumentError(f"{'.'.join(path)} is not a table of its own", remedy="remove it by hand")
    return rest


def _block(text: str, path: Path, value: dict[str, object]) -> str:
    """The lines of a table, with a blank line before them; the file ends as it did, with a line end or without."""
    newline = newline_of(text)
    pairs = (f"{_key(key)} = {_inline(item)}" for key, item in value.items())
    table = newline.join((f"[{'.'.join(map(_key, path))}]", *pairs))
    if not text.strip():
        return table + newline
    return newline + table + newline if text.endswith("\n") else newline * 2 + table


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _inline(key)


def _inline(value: object) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if value is None:
        raise DocumentError("TOML has no null", remedy="leave the key out")
    if isinstance(value, str) and _SURROGATE.search(value):
        raise DocumentError("half a character cannot be written as TOML", remedy="correct the text")
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _without_block(text: str, block: str) -> list[str]:
    """The text without what was appended, as it was or in the line ends that the file has now; if it is there."""
    local = block.replace("\r\n", "\n").replace("\n", newline_of(text))
    found = ((text.rfind(each), each) for each in (block, local, local.lstrip("\r\n"), local.strip("\r\n")))
    return [text[:at] + text[at + len(each) :] for at, each in found if _is_apart(text, at, each)]


def _is_apart(text: str, at: int, block: str) -> bool:
    """Whether it begins where a line does, so that no line end of the user's goes with it."""
    return at == 0 or (at > 0 and (text[at - 1] == "\n" or block.startswith(("\n\n", "\r\n\r\n"))))


def _without_lines(text: str, path: Path) -> str:
    """The text without the lines of the table; comments between them stay."""
    kept, inside = list[str](), False
    for line in text.splitlines(keepends=True):
        header = _header(line)
        if header:
            was_inside, inside = inside, header[: len(path)] == path
            if inside and not was_inside and kept and not kept[-1].strip():
                kept.pop()
        if not inside or not line.strip() or line.lstrip().startswith("#"):
            kept.append(line)
    return "".join(kept)


def _header(line: str) -> Path:
    """The keys of a line that opens a table; nothing for any other line."""
    if not line.lstrip().startswith("["):
        return ()
    try:
        found: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    keys = list[str]()
    while isinstance(found, dict) and found:
        key, found = next(iter(found.items()))
        keys.append(key)
    return tuple(keys)


def _at(found: object, path: Path) -> object:
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _with(found: dict[str, Any], path: Path, value: object) -> dict[str, Any]:
    result = inner = copy.deepcopy(found)
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
        if not isinstance(inner, dict):
            raise DocumentError(f"{key} is not a table", remedy="make it one, or remove it")
    inner[path[-1]] = value
    return result


def _without(found: dict[str, Any], path: Path) -> dict[str, Any]:
    """The value without what is at the path, and without the tables on the way that are empty then."""
    key, *rest = path
    others = {name: item for name, item in found.items() if name != key}
    inner = found.get(key)
    smaller = _without(inner, tuple(rest)) if rest and isinstance(inner, dict) else {}
    return {**others, key: smaller} if smaller else others


def _is_sound(text: str, expected: dict[str, Any], path: Path) -> bool:
    try:
        found = read(text)
    except DocumentError:
        return False
    return _at(found, path) is None and same(_without(found, path), expected)


def _verify(text: str, expected: dict[str, Any], path: Path) -> None:
    try:
        sound = same(read(text), expected)
    except DocumentError:
        sound = False
    if not sound:
        raise DocumentError(
            f"{'.'.join(path)} cannot be added as a table of its own", remedy="edit the file by hand"
        )
