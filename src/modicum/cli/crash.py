"""A bug leaves a log that can be pasted into a report."""

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from modicum import __version__


def write_log(error: Exception, arguments: Sequence[str]) -> Path:
    """Write what went wrong to a new file and return its path."""
    trace = "".join(traceback.format_exception(error))
    program = f"modicum {__version__} on Python {platform.python_version()}, {platform.platform()}\n"
    with tempfile.NamedTemporaryFile(
        "w", prefix="modicum-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write(f"{program}arguments: {list(arguments)!r}\ninterpreter: {sys.executable}\n\n{trace}")
    return Path(log.name)
