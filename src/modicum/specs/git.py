"""Reads the git branch of a project for specs, from git's own files, without starting git."""

from pathlib import Path

from modicum.base.bounded import MAX_BYTES, read_beginning

_MOST = 4096


def git_folder(root: Path) -> Path | None:
    """Returns the folder in which git says which branch a project's specs are on; None without a repository."""
    for folder in (root, *root.parents):
        mark = folder / ".git"
        if mark.is_dir():
            return mark
        if mark.is_file():
            word, _, path = _read(mark).partition(":")
            return (folder / path.strip()) if word == "gitdir" and path.strip() else None
    return None


def current_branch(root: Path) -> str:
    """Returns the git branch of a project's specs; "" without a repository or with a detached commit."""
    git = git_folder(root)
    head = _read(git / "HEAD") if git else ""
    return head.removeprefix("ref: refs/heads/").strip() if head.startswith("ref: refs/heads/") else ""


def has_branch(root: Path, branch: str) -> bool:
    """Returns True if the project's git repository has this branch, also if it has no commit yet."""
    git = git_folder(root)
    if git is None or current_branch(root) == branch:
        return True
    shared = _read(git / "commondir").strip()
    common = git / shared if shared else git
    if (common / "refs" / "heads" / branch).exists():
        return True
    packed = _read(common / "packed-refs", most=MAX_BYTES)
    return any(line.endswith(f" refs/heads/{branch}") for line in packed.splitlines())


def _read(path: Path, most: int = _MOST) -> str:
    try:
        return read_beginning(path, most).decode("utf-8", "replace")
    except (OSError, ValueError):  # the latter: a name that no file can have
        return ""
