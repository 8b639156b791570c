"""The hook log: a small file with the failures of hooks, which print no errors themselves."""

import os
import time
from contextlib import suppress

LOG = "hook.log"
MOST_LOG_BYTES = 32_768
LONGEST_LINE = 300


def log_failure(data: str, event: str, harness: str, error: BaseException | str) -> None:
    """Adds the failure of a hook as a line to the hook log, without secrets; ignores errors in doing so."""
    from modicum.text.secrets import redact_secrets

    what = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    line = redact_secrets(" ".join(f"{event} {harness} {what}".split()))[:LONGEST_LINE]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with suppress(OSError):
        os.makedirs(data, mode=0o700, exist_ok=True)
        _append(f"{data}/{LOG}", f"{stamp} {line}\n".encode("utf-8", "replace"), MOST_LOG_BYTES)


def read_failures(data: str, limit: int = 20) -> tuple[str, ...]:
    """Returns the latest lines of the hook log, the newest last."""
    try:
        with open(f"{data}/{LOG}", "rb") as file:
            lines = file.read(2 * MOST_LOG_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-limit:])


def _append(path: str, line: bytes, most: int) -> None:
    with open(path, "ab") as file:
        file.write(line)
        size = file.tell()
    if size > most:
        _halve(path)


def _halve(path: str) -> None:
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    shorter = f"{path}.{os.getpid()}"
    with open(shorter, "wb") as file:
        file.write(b"".join(lines[len(lines) // 2 :]))
    os.replace(shorter, path)
