"""Runs the `git` program: no shell, no prompts, no hooks, a time limit, and its complaints as errors."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.value import NOTHING

SECONDS = 120
_LONGEST_COMPLAINT = 2_000  # bytes
_OF_ANOTHER_REPOSITORY = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
)
_NEVER_ASK = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "LC_ALL": "C"}


class Git:
    """The git program in one folder, with options of its configuration, and what to do if it complains."""

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        options: Mapping[str, str],
        *,
        remedy: str,
        variables: Mapping[str, str] = NOTHING,
    ) -> None:
        self.folder, self.remedy = folder, remedy
        own = {name: value for name, value in environ.items() if name not in _OF_ANOTHER_REPOSITORY}
        self.environ = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes", **own, **_NEVER_ASK, **variables}
        safe = {**options, "core.hooksPath": os.devnull, "core.fsmonitor": "false"}
        self.options = [word for name, value in safe.items() for word in ("-c", f"{name}={value}")]

    def run(self, *words: str) -> str:
        """Runs git and returns what it prints; raises ModicumError with all that git complained about."""
        command = ["git", *self.options, "-C", str(self.folder), *words]
        try:
            done = subprocess.run(  # noqa: S603 (no shell; what comes from outside stands behind "--")
                command,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except FileNotFoundError as error:
            raise ModicumError("git is not installed", remedy="install it, and try again") from error
        except subprocess.TimeoutExpired as error:
            raise ModicumError(
                f"git {words[0]} took more than {SECONDS} seconds", remedy="try again later"
            ) from error
        if done.returncode:
            raise ModicumError(f"git {words[0]} failed: {_complaint(done.stderr)}", remedy=self.remedy)
        return done.stdout.decode("utf-8", "surrogateescape").strip("\r\n")


def _complaint(stderr: bytes) -> str:
    """All that git wrote, on one line: it explains over several lines, the cause mostly on the first."""
    text = " ".join(stderr[:_LONGEST_COMPLAINT].decode("utf-8", "replace").split())
    return text.rstrip(".") or "no reason given"
