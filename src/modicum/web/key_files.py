"""Files about keys of the page, below the folder of data, that only their owner may read.

One for each running server, with its secret; and one for each page that is opened: it leads the browser to an address with a key, since
the arguments of a program can be read by everybody on the machine.
"""

import contextlib
import html
import os
import secrets
import stat
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from modicum.base.errors import ModicumError
from modicum.base.files import in_words
from modicum.web.keys import KEY_SECONDS

FOLDER = "page"
LARGEST = 64 * 1024

_REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}"><title>modicum</title></head>
<body><p><a href="{address}" rel="noreferrer">Open the workbench</a> (once, within a minute)</p></body></html>
"""


class ServerRecord(NamedTuple):
    """What the file of a running server tells its owner's terminal: the project that it shows, and its secret."""

    root: str
    secret: str


def write_record(data: Path, port: int, record: ServerRecord) -> None:
    """Writes the file of a server that runs now at a port, in place of an earlier one."""
    _write(data, _record(port), msgspec.json.encode(record._asdict()))


def read_record(data: Path, port: int) -> ServerRecord | None:
    """Reads the file of the server at a port; None if there is none. Raises ModicumError if others could have read or written it."""
    path = data / FOLDER / _record(port)
    if not os.path.lexists(path):
        return None
    _check_folder(path.parent)
    with in_words(str(path)):
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(number, "rb") as file:
            _check(path, os.fstat(file.fileno()))
            content = file.read(LARGEST)
    try:
        return ServerRecord(**msgspec.json.decode(content, type=dict[str, str]))
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError):
        return None  # a server that is just writing it, or another version


def remove_record(data: Path, port: int, secret: str) -> None:
    """Removes the file of a server that stops, unless another server has written its own there."""
    with contextlib.suppress(ModicumError, OSError):
        record = read_record(data, port)
        if record and record.secret == secret:
            (data / FOLDER / _record(port)).unlink()


def write_redirect(data: Path, address: str) -> Path:
    """Writes a page that leads a browser to an address with a key, and removes earlier ones; returns its path."""
    remove_old_redirects(data)
    name = f"open-{secrets.token_hex(8)}.html"
    return _write(data, name, _REDIRECT.format(address=html.escape(address)).encode())


def remove_old_redirects(data: Path) -> None:
    """Removes the pages with keys that nothing takes any more."""
    for path in (data / FOLDER).glob("open-*.html"):
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime + KEY_SECONDS < time.time():
                path.unlink()


def _record(port: int) -> str:
    return f"server-{port}.json"


def _write(data: Path, name: str, content: bytes) -> Path:
    folder = data / FOLDER
    with in_words(str(folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_folder(folder)
    path, new = folder / name, folder / f".{name}.{secrets.token_hex(4)}"
    with in_words(str(path)):
        number = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
            new.replace(path)  # a link in its place is replaced, and never followed
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    return path


def _check_folder(folder: Path) -> None:
    with in_words(str(folder)):
        found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise ModicumError(
            f"{folder} is a link or a file", remedy="move it away: modicum keeps keys in a folder there"
        )
    _check(folder, found)


def _check(path: Path, found: os.stat_result) -> None:
    """Refuses what belongs to somebody else, or what others may read or write. Windows has no such modes."""
    if os.name != "posix":
        return
    if found.st_uid != os.getuid():
        raise ModicumError(f"{path} belongs to somebody else", remedy="remove it, and start the server again")
    if found.st_mode & 0o077 or not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
        remedy = "remove it, and start the server again"
        raise ModicumError(
            f"{path} can be read or written by others, so its keys are not safe", remedy=remedy
        )
