"""Copies a git repository of packs at a ref with the `git` program: no shell, prompts, hooks or links."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from modicum.base.errors import ModicumError

SECONDS = 120
_LONGEST_COMPLAINT = 2_000  # bytes
_LOCAL = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
)
_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z")
_OPTIONS = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.ssh.allow": "always",
    "protocol.file.allow": "always",
    # A link in somebody else's repository must not lead to the user's files.
    "core.symlinks": "false",
    "core.hooksPath": os.devnull,
    "core.autocrlf": "false",
    "advice.detachedHead": "false",
}


def copy(location: str, ref: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Copies a git repository of packs at a ref (none: default branch) to a folder; returns the commit."""
    git = _Git(folder, environ)
    git.run("init", "--quiet", str(folder))
    try:
        git.run(
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--",
            location,
            ref or "HEAD",
        )
        commit = git.run("rev-parse", "--verify", "FETCH_HEAD^{commit}")
    except ModicumError:
        if not _COMMIT.match(ref):
            raise
        commit = _any_commit(git, location, ref)
    git.run("checkout", "--quiet", "--force", "--detach", commit)
    return commit


def _any_commit(git: "_Git", location: str, commit: str) -> str:
    """Not every server hands out any commit by its hash; then all branches and tags are fetched."""
    every = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    git.run("fetch", "--quiet", "--no-recurse-submodules", "--update-head-ok", "--", location, *every)
    return git.run("rev-parse", "--verify", f"{commit}^{{commit}}")


class _Git:
    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self.environ = {name: value for name, value in environ.items() if name not in _LOCAL}
        self.environ |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "LC_ALL": "C"}
        self.environ.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
        self.options = [word for name, value in _OPTIONS.items() for word in ("-c", f"{name}={value}")]

    def run(self, *words: str) -> str:
        """Runs git and returns what it prints; raises ModicumError with all that git complained about."""
        self.folder.mkdir(parents=True, exist_ok=True)
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
            raise ModicumError(
                "git is not installed", remedy="install it, or add a folder instead"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise ModicumError(
                f"git {words[0]} took more than {SECONDS} seconds", remedy="try again later"
            ) from error
        if done.returncode:
            raise ModicumError(
                f"git {words[0]} failed: {_complaint(done.stderr)}",
                remedy="check the address, the ref and your access",
            )
        return done.stdout.decode("utf-8", "replace").strip()


def _complaint(stderr: bytes) -> str:
    """All that git wrote, on one line: it explains over several lines, the cause mostly on the first."""
    text = " ".join(stderr[:_LONGEST_COMPLAINT].decode("utf-8", "replace").split())
    return text.rstrip(".") or "no reason given"
