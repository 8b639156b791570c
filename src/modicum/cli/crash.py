"""A bug leaves a log that can be pasted into a report."""

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from modicum import __version__
from modicum.text.secrets import redact_secrets


def write_log(error: Exception, arguments: Sequence[str]) -> Path:
    """Writes what went wrong, without secrets, to a new file; returns its path."""
    trace = "".join(traceback.format_exception(error))
    told = f"modicum {__version__} on Python {platform.python_version()}, {platform.platform()}\n"
    text = f"{told}arguments: {list(arguments)!r}\ninterpreter: {sys.executable}\n\n{trace}"
    with tempfile.NamedTemporaryFile(
        "w", prefix="modicum-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write(redact_secrets(text))
    return Path(log.name)
