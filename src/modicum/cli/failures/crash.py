"""Writes a crash log after a bug, which can be pasted into a report."""

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from modicum import __version__
from modicum.app.session.events import without_secrets


def write_log(error: Exception, arguments: Sequence[str]) -> Path:
    """Writes a crash log, the traceback of a bug without secrets, to a new file; returns its path."""
    trace = "".join(traceback.format_exception(error))
    program = f"modicum {__version__} on Python {platform.python_version()}, {platform.platform()}\n"
    with tempfile.NamedTemporaryFile(
        "w", prefix="modicum-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        text = f"{program}arguments: {list(arguments)!r}\ninterpreter: {sys.executable}\n\n{trace}"
        log.write(without_secrets(text))
    return Path(log.name)
