"""Starts the `git` program, which nothing else does: in anybody's repository, and nothing that it names is run.

A repository may come from anybody, with its folder `.git`: from an archive, a shared disk, a container. Its settings name programs
for nearly everything, so there are two kinds of git, each with the words that it may say:

- In a repository that is there, words that only look. None of them runs a filter, a textconv, a diff or merge program, an editor
  or a signature check, as `status`, `diff`, `log`, `add`, `hash-object`, `checkout` and `archive` do. What they do run (fsmonitor,
  hooks, a fetch of objects that are missing) is off.
- In a repository of our own, which has no settings but ours and the user's: copies, checkouts, the network.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.value import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import CompletedProcess

SECONDS = 120
LOOKING = frozenset({"check-ignore", "ls-files", "rev-list", "rev-parse"})
_RUNNING = {
    "ls-files": ("-m", "--modified"),  # reads files through their filter
    "rev-list": ("--format", "--pretty", "--show-signature"),  # may check signatures by a program
}
WORKING = frozenset({"checkout", "checkout-index", "fetch", "init", "ls-remote", "read-tree", "rev-parse"})
_LONGEST_COMPLAINT = 2_000  # bytes
_IN_A_PIPE = 16_000  # bytes: as much can be written before anybody reads
_OFF = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    # A folder that looks like one, somewhere in a clone, is no repository.
    "safe.bareRepository": "explicit",
}
# Of what the environment says to git: which settings are the user's. And for the network, how to get there.
_THEIRS = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_NETWORK = (
    *("GIT_SSH", "GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_", "GIT_EXEC_PATH"),
    *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"),
)
# An empty name of a program: git asks nobody. (A list of protocols that is empty lets none through.)
_ALONE = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
_NO_NETWORK = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
_PROTOCOLS = {"GIT_ALLOW_PROTOCOL": "https:ssh:file", "GIT_NO_LAZY_FETCH": "1"}
_BY_SSH = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}


class Git:
    """The git program in one folder, with what it may do there, and what to do if it complains."""

    def __init__(
        self,
        folder: Path,
        words: frozenset[str],
        environ: Mapping[str, str],
        options: Mapping[str, str],
        remedy: str,
    ) -> None:
        self.folder, self.words, self.environ, self.remedy = folder, words, environ, remedy
        self.options = [
            word for name, value in {**options, **_OFF}.items() for word in ("-c", f"{name}={value}")
        ]

    def run(self, *words: str) -> str:
        """Runs git and returns what it prints; raises ModicumError with all that git complained about."""
        import subprocess

        try:
            done = self._done(words, b"", SECONDS)
        except subprocess.TimeoutExpired as error:
            raise ModicumError(
                f"git {words[0]} took more than {SECONDS} seconds", remedy="try again later"
            ) from error
        if done is None:
            raise ModicumError("git is not installed", remedy="install it, and try again")
        if done.returncode:
            raise ModicumError(f"git {words[0]} failed: {_complaint(done.stderr)}", remedy=self.remedy)
        return done.stdout.decode("utf-8", "surrogateescape").strip("\r\n")

    def answer(self, *words: str, given: bytes = b"", seconds: float = SECONDS) -> bytes:
        """Returns what git prints when it is given a text; nothing if it is not installed, or takes too long."""
        if len(given) <= _IN_A_PIPE and hasattr(os, "posix_spawn"):
            command = self._command(words)
            return _answered(command, given, self.environ, seconds) if command else b""
        import subprocess

        try:
            done = self._done(words, given, seconds)
        except (OSError, ValueError, subprocess.SubprocessError):
            return b""
        return done.stdout if done else b""

    def _done(self, words: Sequence[str], given: bytes, seconds: float) -> "CompletedProcess[bytes] | None":
        import subprocess

        if not (command := self._command(words)):
            return None
        return subprocess.run(  # noqa: S603 (no shell; what comes from outside stands behind "--")
            command, env=dict(self.environ), input=given, capture_output=True, timeout=seconds, check=False
        )

    def _command(self, words: Sequence[str]) -> list[str]:
        running = _RUNNING.get(words[0], ())
        if words[0] not in self.words or any(running and word.startswith(running) for word in words):
            raise ValueError(f"git {words[0]} could run what this repository names")
        program = find_program("git", self.environ)
        return [program, "--no-pager", *self.options, "-C", str(self.folder), *words] if program else []


def git_in(folder: Path, environ: Mapping[str, str], *, remedy: str = "") -> Git | None:
    """Returns git in the repository around a folder, where it can only look; None if there is none."""
    top = repository_around(folder)
    if top is None:
        return None
    # Its settings may say that its files are elsewhere; and where it is damaged, the one around it is not meant.
    place = {"GIT_WORK_TREE": str(top), "GIT_CEILING_DIRECTORIES": str(top.parent)}
    own = {**_kept(environ, _THEIRS), **_ALONE, **_NO_NETWORK, **place}
    return Git(folder, LOOKING, own, {"protocol.allow": "never"}, remedy)


def own_git(
    folder: Path, environ: Mapping[str, str], *, remedy: str, options: Mapping[str, str] = NOTHING
) -> Git:
    """Returns git in a folder of our own, which is made, for words that need no repository, or one that `begin` made."""
    folder.mkdir(parents=True, exist_ok=True)
    place = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    own = {**_BY_SSH, **_kept(environ, (*_THEIRS, *_NETWORK)), **_ALONE, **_PROTOCOLS, **place}
    return Git(folder, WORKING, own, options, remedy)


def begin(git: Git, *options: str) -> None:
    """Makes the folder of a git of our own a repository in which no attribute of a file names a filter."""
    git.run("init", "--quiet", "--template=", *options, "--", str(git.folder))
    attributes = git.folder / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* -filter\n", encoding="utf-8", newline="\n")


def find_program(name: str, environ: Mapping[str, str]) -> str | None:
    """Returns the path of an installed program, git or another one, from an absolute folder of the PATH; None if there is none.

    With `.` or `bin` on the PATH, a repository of somebody else could bring a program of its own.
    """
    endings = environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else [""]
    for folder in environ.get("PATH", "").split(os.pathsep):
        for ending in endings if os.path.isabs(folder) else ():  # noqa: PTH117 - pathlib is slow to start
            path = os.path.join(folder, name + ending)  # noqa: PTH118
            if os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113
                return path
    return None


def repository_around(folder: Path) -> Path | None:
    """Returns the nearest folder upward with a `.git`; None if there is none."""
    real = folder.resolve()
    return next((each for each in (real, *real.parents) if os.path.lexists(each / ".git")), None)


def _kept(environ: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {
        name: value
        for name, value in environ.items()
        if not name.startswith("GIT_") or name.startswith(names)
    }


def _complaint(stderr: bytes) -> str:
    """All that git wrote, on one line: it explains over several lines, the cause mostly on the first."""
    text = " ".join(stderr[:_LONGEST_COMPLAINT].decode("utf-8", "replace").split())
    return text.rstrip(".") or "no reason given"


def _answered(command: Sequence[str], given: bytes, environ: Mapping[str, str], seconds: float) -> bytes:
    """What a command prints, without the library for processes, which starts slowly."""
    (asking_out, asking_in), (answer_out, answer_in) = os.pipe(), os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, asking_out, 0),
        (os.POSIX_SPAWN_DUP2, answer_in, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        os.write(asking_in, given)
        process = os.posix_spawn(command[0], [*command], dict(environ), file_actions=actions)
    except (OSError, ValueError):
        process = 0
    for end in (asking_in, asking_out, answer_in):
        os.close(end)
    try:
        return _read(answer_out, process, seconds) if process else b""
    finally:
        os.close(answer_out)


def _read(answer: int, process: int, seconds: float) -> bytes:
    from select import select

    parts: list[bytes] = []
    while select([answer], [], [], seconds)[0]:
        if not (part := os.read(answer, _IN_A_PIPE)):
            break
        parts.append(part)
    else:
        from signal import SIGKILL

        with suppress(ProcessLookupError):
            os.kill(process, SIGKILL)
        parts = []
    os.waitpid(process, 0)
    return b"".join(parts)
