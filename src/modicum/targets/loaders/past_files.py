"""The files that AI tools could read at an earlier commit: checked out into a throw-away folder, then collected."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from modicum.base.errors import ModicumError
from modicum.base.git import Git, begin, git_in, own_git
from modicum.base.value import replace
from modicum.targets.loaders.collect import collect
from modicum.targets.loaders.files import ProjectFiles, is_below
from modicum.targets.loaders.model import Loader

_LAST_WORDS = "run it in a clone of the repository, in which this commit is"
Kept = TypeVar("Kept")


def past_files(
    now: ProjectFiles,
    commit: str,
    home: Path,
    environ: Mapping[str, str],
    loaders: Sequence[Loader],
    folders: Iterable[str],
) -> ProjectFiles:
    """Returns the past files of a project, as tools could read them at a commit; those that git does not keep are as they are now."""
    git = git_in(Path(now.root), environ, remedy=_LAST_WORDS)
    if git is None:
        raise ModicumError(f"{now.root} is not a git repository", remedy=_LAST_WORDS)
    found = _full_hash(git, commit)
    with _checked_out(git, found, environ) as root:
        then = collect(root, home, loaders, folders)
    stays = {path for path in now.texts if not is_below(path, now.repository)} | _ignored(git, now)
    return replace(
        now,
        texts=_mixed(now.texts, then.texts, now, stays),
        settings=_mixed(now.settings, then.settings, now, stays),
        links=_mixed(now.links, then.links, now, stays),
    )


def _full_hash(git: Git, commit: str) -> str:
    try:
        return git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    except ModicumError as error:
        remedy = "name a commit, a tag or a branch; in a shallow clone fetch it first: git fetch origin REF"
        if "not a git repository" in error.message or "not installed" in error.message:
            raise
        raise ModicumError(f'there is no commit "{commit}" here', remedy=remedy) from error


@contextmanager
def _checked_out(git: Git, commit: str, environ: Mapping[str, str]) -> Iterator[Path]:
    """A throw-away folder with all files of a commit; yields the project's folder in it."""
    inner, objects = git.run("rev-parse", "--show-prefix"), git.run("rev-parse", "--git-path", "objects")
    with TemporaryDirectory(prefix="modicum-") as scratch:
        tree = Path(scratch, "tree")
        (tree / ".git").mkdir(parents=True)  # marks the root of the repository, and holds nothing
        # The settings and the attributes of the repository may name programs: only its objects are used.
        apart = own_git(Path(scratch, "apart"), environ, remedy=_LAST_WORDS)
        hashes = git.run("rev-parse", "--show-object-format")
        begin(apart, *(() if hashes == "sha1" else (f"--object-format={hashes}",)))
        others = apart.folder / ".git" / "objects" / "info" / "alternates"
        others.parent.mkdir(exist_ok=True)
        others.write_text(
            f"{Path(git.folder, objects).resolve()}\n",
            encoding="utf-8",
            errors="surrogateescape",
            newline="\n",
        )
        apart.run("read-tree", commit)
        apart.run("checkout-index", "--all", "--quiet", f"--prefix={tree}/")
        (tree / inner).mkdir(parents=True, exist_ok=True)  # it may not have been there
        yield tree / inner


def _ignored(git: Git, now: ProjectFiles) -> set[str]:
    inside = [path for path in (*now.texts, *now.settings, *now.links) if is_below(path, now.repository)]
    if not inside:
        return set()
    words = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *dict.fromkeys(inside))
    return {name for name in git.run(*words).split("\0") if name}


def _mixed(
    now: Mapping[str, Kept], then: Mapping[str, Kept], files: ProjectFiles, stays: set[str]
) -> dict[str, Kept]:
    past = {path: it for path, it in then.items() if is_below(path, files.repository) and path not in stays}
    kept = {path: it for path, it in now.items() if path in stays or not is_below(path, files.repository)}
    return {**kept, **past}
