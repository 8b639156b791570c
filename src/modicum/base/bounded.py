"""Reads files of a bounded size that somebody else may have put there: regular ones, no device and no pipe.

A repository may hold a link to /dev/zero, which never ends, or a pipe, at which reading waits for ever. This imports
next to nothing, for hooks.
"""

import errno
import os
import stat

MAX_BYTES = 10 * 1024 * 1024
_LEAST_STEP = 4096  # some files of /proc say that they are empty
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_bounded(path: str | os.PathLike[str], most: int = MAX_BYTES) -> bytes:
    """Returns all bytes of a regular file of bounded size; raises OSError if it is larger than `most` bytes."""
    content = read_beginning(path, most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most // 1024 // 1024} MB")
    return content


def read_beginning(path: str | os.PathLike[str], most: int) -> bytes:
    """Returns the first bytes of a regular file, a bounded number; raises OSError for a device or a pipe."""
    descriptor = os.open(path, _FLAGS)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        parts, left, step = list[bytes](), most, max(status.st_size + 1, _LEAST_STEP)
        while left > 0 and (part := os.read(descriptor, min(left, step))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
