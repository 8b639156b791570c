"""Paths of the home, data, project, database and git folders as plain strings, for hooks, which import little."""

import os
import sys
from collections.abc import Mapping

from modicum.base.bounded import read_beginning

PROJECT_FOLDER = ".modicum"
CONFIG_FILE = "config.yaml"
MEMORY_FILE = "memory.db"
PROJECT_VARIABLES = ("MODICUM_PROJECT", "ENGRAM_PROJECT")
POSTGRES = ("postgres://", "postgresql://")

_MOST_READ = 100_000  # bytes of a git file that are looked at


def home_of(environment: Mapping[str, str]) -> str:
    """Returns the path of the home folder that the environment names, or else the user's."""
    named = environment.get("HOME") or environment.get("USERPROFILE")
    return named or os.path.expanduser("~")


def folders_of(environment: Mapping[str, str]) -> tuple[str, str]:
    """Returns the paths of the user's config folder and of modicum's own data folder."""
    if named := environment.get("MODICUM_HOME"):
        return named, named
    if os.name == "posix" and sys.platform != "darwin":
        home = home_of(environment)
        settings = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
        data = environment.get("XDG_DATA_HOME") or f"{home}/.local/share"
        return f"{settings}/modicum", f"{data}/modicum"
    from platformdirs import user_config_dir, user_data_dir

    return user_config_dir("modicum", appauthor=False), user_data_dir("modicum", appauthor=False)


def database_of(environment: Mapping[str, str], own: Mapping[str, str]) -> str:
    """Returns the path or address where the memory database is, by environment or config, if not the usual file."""
    return environment.get("MODICUM_DATABASE_URL", "").strip() or own.get("database", "")


def person_of(environment: Mapping[str, str], own: Mapping[str, str], database: str) -> str:
    """Returns the name of the person at this machine, from the environment or config, as plain text; for a team's database at least the login name."""
    named = environment.get("MODICUM_PERSON", "").strip() or own.get("person", "")
    if named or not database.startswith(POSTGRES):
        return named
    logins = (environment.get(name, "") for name in ("USER", "LOGNAME", "USERNAME"))
    return next(filter(None, logins), "") or _login()


def _login() -> str:
    """Who runs this, as the system has it: in a container or a timer the environment may not say."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return "somebody"


def nearest_root(folder: str, home: str, marks: tuple[str, ...] = (PROJECT_FOLDER, ".git")) -> str:
    """Returns the path of the nearest folder around this one that has one of the marks; "" if there is none."""
    exists = os.path.exists
    return next(
        (each for each in _upwards(folder, home) if any(exists(f"{each}/{mark}") for mark in marks)), ""
    )


def find_root(folder: str, home: str) -> str:
    """Returns the path of the project around a folder: the nearest with `.modicum`, else `.git`, as a string."""
    above = _upwards(folder, home)
    for mark in (PROJECT_FOLDER, ".git"):
        for candidate in above:
            if os.path.exists(os.path.join(candidate, mark)):
                return candidate
    return folder


def _upwards(folder: str, home: str) -> list[str]:
    """The folder and those above it, up to the home folder, which is no project."""
    steps: list[str] = []
    while folder not in (home, *steps[-1:]):
        steps.append(folder)
        folder = os.path.dirname(folder)
    return steps


def project_of(environment: Mapping[str, str], root: str) -> str:
    """Returns the name of the project that a path is in, as a plain string: the one that the environment names, else its own."""
    for variable in PROJECT_VARIABLES:
        if named := environment.get(variable, "").strip():
            return named
    return name_of(root)


def name_of(root: str) -> str:
    """Returns the name that a path gives its project: that of its repository at the origin, else of its folder."""
    return repository_of(root) or os.path.basename(root)


def repository_of(root: str) -> str:
    """Returns the name of the git repository at a path: the last part of its origin's address, or ""."""
    name = (
        origin_address(root)
        .replace("\\", "/")
        .rstrip("/")
        .removesuffix(".git")
        .rstrip("/")
        .replace(":", "/")
        .rpartition("/")[2]
    )
    return "" if name in (".", "..") or "@" in name else name  # a host, and before that maybe a password


def origin_address(root: str) -> str:
    """Returns the address of the origin of the git repository at a path, as its config says it; "" if it has none."""
    inside = False
    for line in map(str.strip, read_text(os.path.join(shared_git_folder(root), "config")).splitlines()):
        head, _, rest = line.partition("]") if line.startswith("[") else ("", "", line)
        if head:
            section, _, name = head[1:].partition('"')
            inside = section.strip().lower() == "remote" and name.rstrip(' "') == "origin"
        word, _, value = rest.partition("=")
        if inside and word.strip().lower() == "url":
            value = value.strip()
            value = (
                value[1:].partition('"')[0]
                if value.startswith('"')
                else value.partition(" ;")[0].partition(" #")[0]
            )
            return value.replace("\\\\", "\\").strip()
    return ""


def branch_of(root: str) -> str:
    """Returns the git branch that is checked out at a path, as a plain string; "" if there is none."""
    head = _first_line(os.path.join(_git_folder(root), "HEAD"))
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else ""


def _git_folder(root: str) -> str:
    """Where git keeps what belongs to this folder: for a worktree and a submodule, a file says where."""
    path = os.path.join(root, ".git")
    elsewhere = _first_line(path)
    if elsewhere.startswith("gitdir: "):
        return os.path.join(root, elsewhere.removeprefix("gitdir: "))
    return path


def shared_git_folder(root: str) -> str:
    """Returns the path where git keeps what all worktrees of the repository at a path share."""
    folder = _git_folder(root)
    return os.path.join(folder, _first_line(os.path.join(folder, "commondir")))


def _first_line(path: str) -> str:
    return read_text(path).partition("\n")[0].strip()


def read_text(path: str) -> str:
    """Returns the text at a path, of a file of git or of modicum; "" if there is none, and of a huge one the beginning."""
    try:
        return read_beginning(path, _MOST_READ).decode("utf-8", "replace")
    except (OSError, ValueError):  # the latter: a name that no file can have
        return ""
