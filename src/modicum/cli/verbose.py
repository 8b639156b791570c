"""What --verbose prints around every command: where things are, and how long it took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from modicum.base.errors import ModicumError
from modicum.cli.output import warn


@contextmanager
def verbosely() -> Iterator[None]:
    """Runs a command as --verbose has it: prints beforehand where things are, and afterwards how long it took."""
    from modicum.app.config_file import without_password
    from modicum.base.config import load_config

    with suppress(ModicumError):  # the command itself says what is wrong
        config = load_config()
        files = [str(file) for file in (config.user_file, config.project_file) if file.exists()]
        warn(f"project {config.root}")
        warn(f"settings {', '.join(files) or 'none'}")
        warn(f"data {config.data}, memory {without_password(config.database) or 'in memory.db there'}")
    began = time.perf_counter()
    try:
        yield
    finally:
        warn(f"took {time.perf_counter() - began:.2f} s")
