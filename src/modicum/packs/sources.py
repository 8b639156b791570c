"""Installed sources of packs: folders, used in place, and git repositories at a ref, copied into the data folder.

`sources.lock.json` in the data folder lists them in order, each git source with the commit that its copy holds:

    {"version": 1, "sources": [{"name": "team", "location": "https://…/packs.git", "ref": "main", "commit": "1f0c…"},
                               {"name": "mine", "location": "/home/me/packs"}]}

A copy lies in `sources/<name>/<commit>`. It is complete before the lock names it, so the lock alone decides which
copy counts, and an update that fails changes nothing.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.errors import ModicumError
from modicum.base.near_words import nearest
from modicum.base.value import replace
from modicum.packs.load import Layer, load_layers
from modicum.packs.model import BUILT_IN_PROFILES, Source, SourceReport
from modicum.packs.web.fetch_markers import Fetch, has_markers

LOCK = "sources.lock.json"
RESERVED = ("built-in", "user", "project")
_PARTS = ("packs", "profiles", "adapters")
# Compiled when they are first used: hardly any run adds a source.
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*\Z"
_NOT_A_NAME = r"[^A-Za-z0-9._-]+"
_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]*)(://|::)"
_SCP = r"(?:[\w.-]+@)?[\w.-]{2,}:(?![\\/]{2})[^\s]+\Z"
# What a program could take for an option, and what would fool somebody who reads the address on a terminal.
_FOR_A_PROGRAM = r"\A(?:[^/@]*://)?(?:[^/@]*@)?-|[\x00-\x1f\x7f-\x9f]"
_CREDENTIALS = r"(?i)https://[^/]*@|[a-z]+://[^/@]*:[^/@]*@"
# Nothing that git would take for an option or for more than one ref.
_REF = r"(?![-/.])(?!.*(?:\.\.|@\{|//))[^\x00-\x20\x7f~^:?*\[\\]+(?<![./])\Z"
_LAYOUT = "a source has a folder packs, or content/packs, with a folder and its pack.yaml for each pack"
_PATIENCE_SECONDS = 10
_PROTOCOLS = ("https", "ssh", "file")


def installed(data: Path) -> tuple[Source, ...]:
    """Returns the installed sources of packs from sources.lock.json, in order."""
    try:
        rows = json.loads((data / LOCK).read_bytes())["sources"]
        return tuple(_source(data, **row) for row in rows)
    except FileNotFoundError:
        return ()
    except OSError:
        from modicum.base.files import in_words

        with in_words(str(data / LOCK)):
            raise
    except (ValueError, TypeError, KeyError) as error:
        remedy = "remove the file and add your sources again"
        raise ModicumError(f"{data / LOCK} cannot be understood", remedy=remedy) from error


def _source(data: Path, *, name: str, location: str, ref: str = "", commit: str = "") -> Source:
    folder = data / "sources" / name / commit if commit else Path(location)
    return Source(name, location, ref, commit, content_of(folder))


def content_of(folder: Path) -> Path:
    """Returns the folder with the packs in the folder of a source: itself, or `content`."""
    inner = folder / "content"
    return inner if not (folder / "packs").is_dir() and (inner / "packs").is_dir() else folder


def add(data: Path, where: str, *, environ: Mapping[str, str], ref: str = "", name: str = "") -> SourceReport:
    """Installs a folder or git repository as the last source of packs in the lock; it must hold something."""
    before = installed(data)
    location = location_of(where)
    source = _source(data, name=name or derived_name(location), location=location, ref=ref)
    _check_new(source, before)
    if _is_git(location, ref):
        source = copied(source, ref, _copies(data, source), environ)
    try:
        report = usable(inspected(source), where)
        with _alone(data):
            now = installed(data)
            _check_new(source, now)
            _write_lock(data, (*now, source))
    except ModicumError:
        _forget_copy(data, source)
        raise
    waiting = sum(map(_quotes_the_web, source.content.glob("packs/*/context.md")))
    remark = f"{waiting} of its packs quote the web; `modicum source update {source.name}` fetches that text"
    return replace(report, remarks=(remark,) if waiting else ())


def usable(report: SourceReport, where: str) -> SourceReport:
    """Returns the report of a source of packs that was read; raises ModicumError if no pack in it can be used."""
    if report.packs or report.profiles or report.adapters:
        return report
    if report.problems:
        raise ModicumError(
            f"nothing in {where} can be used: {report.problems[0]}",
            remedy="mend it, and add the source again",
        )
    raise ModicumError(f"{where} has no packs", remedy=_LAYOUT)


def _forget_copy(data: Path, source: Source) -> None:
    """Deletes our copy of a repository that was not added, unless a source of that name has it."""
    from shutil import rmtree

    if source.commit and all(other.name != source.name for other in installed(data)):
        rmtree(data / "sources" / source.name, ignore_errors=True)


def _quotes_the_web(file: Path) -> bool:
    try:
        return has_markers(read_bounded(file).decode("utf-8", "replace"))
    except OSError:
        return False  # loading the pack says why


def update(
    data: Path,
    names: Sequence[str] = (),
    *,
    environ: Mapping[str, str],
    ref: str | None = None,
    fetch: Fetch | None = None,
) -> tuple[SourceReport, ...]:
    """Updates installed sources of packs (none named: all) and the lock, at another ref if one is given; one that fails keeps its copy."""
    from modicum.packs.web.download import download

    before = installed(data)
    chosen = [named_source(name, before) for name in names] or before
    if ref is not None:
        for source in chosen:
            _check_movable(source, ref)
    return tuple(
        _updated(data, source, source.ref if ref is None else ref, environ, fetch or download)
        for source in chosen
    )


def _check_movable(source: Source, ref: str) -> None:
    check_name_and_ref(source.name, ref)
    if not source.commit:
        raise ModicumError(
            f'"{source.name}" is a folder, which has no ref', remedy="check out what you want in the folder"
        )


def remove(data: Path, name: str) -> Source:
    """Removes a source of packs from the lock; deletes our copy of a repository, never the user's folder."""
    from shutil import rmtree

    with _alone(data):
        before = installed(data)
        source = named_source(name, before)
        _write_lock(data, [other for other in before if other != source])
    if source.commit:
        rmtree(data / "sources" / source.name, ignore_errors=True)
    return source


def _updated(data: Path, source: Source, ref: str, environ: Mapping[str, str], fetch: Fetch) -> SourceReport:
    from modicum.packs.web.expanded_files import expand_packs

    try:
        newer = copied(source, ref, _copies(data, source), environ) if source.commit else source
        remarks = expand_packs(newer.content, fetch, earlier=source.content)
    except (ModicumError, OSError) as error:
        return replace(inspected(source), failed=str(error))
    if source.commit:
        newer = replace(newer, ref=ref)
        with _alone(data):
            _write_lock(data, [newer if other == source else other for other in installed(data)])
        _clean(data / "sources" / newer.name, newer.commit)
    return replace(inspected(newer), remarks=remarks)


def _copies(data: Path, source: Source) -> Path:
    return data / "sources" / source.name


def _clean(folder: Path, commit: str) -> None:
    from shutil import rmtree

    for copy in folder.iterdir():
        if copy.name != commit:
            rmtree(copy, ignore_errors=True)


def copied(source: Source, ref: str, copies: Path, environ: Mapping[str, str]) -> Source:
    """Copies a git source of packs at a ref into a folder of copies, named by their commits; returns it with its commit."""
    from tempfile import TemporaryDirectory

    from modicum.base.files import in_words
    from modicum.packs import git

    with in_words(str(copies)):
        copies.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".new-", dir=copies.parent) as scratch:
            tree = Path(scratch) / "tree"
            commit = git.copy(source.location, ref, tree, environ)
            (tree / ".git").rename(Path(scratch) / "git")
            if not any((content_of(tree) / part).is_dir() for part in _PARTS):
                raise ModicumError(f"{source.location} has no packs", remedy=_LAYOUT)
            _keep(tree, copies / commit)
    return replace(source, commit=commit, content=content_of(copies / commit))


def _keep(tree: Path, copy: Path) -> None:
    """Puts a copy in its place, unless it is there already or another run puts it there meanwhile."""
    copy.parent.mkdir(exist_ok=True)
    try:
        if not copy.exists():
            tree.rename(copy)
    except OSError:
        if not copy.is_dir():
            raise


def inspected(source: Source) -> SourceReport:
    """Reads the folder of a source of packs; returns a report of what it holds now."""
    library = load_layers([Layer(source.name, source.content)])
    profiles = len(library.profiles) - len(BUILT_IN_PROFILES)
    adapters = sum(path.suffix in (".yaml", ".yml") for path in source.content.glob("adapters/*"))
    return SourceReport(source, len(library.packs), profiles, adapters, library.problems)


def location_of(where: str, root: Path | None = None) -> str:
    """Returns the location of a source: an address, or an absolute path; what git must not be asked for is refused."""
    if not where.strip() or re.search(_FOR_A_PROGRAM, where):
        raise ModicumError(f'"{where}" is not a source', remedy="use https, ssh, or a path")
    scheme = re.match(_SCHEME, where)
    if scheme and (scheme[1].lower() not in _PROTOCOLS or scheme[2] == "::"):
        raise ModicumError(f'"{where}" is not a source', remedy="use https, ssh, or a path")
    if scheme and re.match(_CREDENTIALS, where):
        raise ModicumError("an address must not carry a password", remedy="use a credential helper of git")
    if scheme or (re.match(_SCP, where) and not Path(where).exists()):
        return where
    folder = ((root or Path.cwd()) / where).resolve()
    if not folder.is_dir():
        raise ModicumError(
            f"{where} is not a folder", remedy="name a folder or the address of a git repository"
        )
    return str(folder)


def _is_git(location: str, ref: str) -> bool:
    folder = Path(location)
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    return bool(ref) or bare or not folder.is_dir()


def derived_name(location: str) -> str:
    """Returns the name that a source of packs gets from its location."""
    words = [word for word in re.split(r"[/\\:]", location) if word]
    last = words[-2] if words[-1] == "content" and len(words) > 1 else words[-1]
    return re.sub(_NOT_A_NAME, "-", last.removesuffix(".git")).strip("-._")


def check_name_and_ref(name: str, ref: str) -> None:
    """Raises ModicumError if a source of packs cannot have this name or this ref."""
    if ref and not re.match(_REF, ref):
        raise ModicumError(f'"{ref}" is not a ref', remedy="name a branch, a tag or a full commit hash")
    if not re.match(_NAME, name) or name in RESERVED:
        raise ModicumError(f'"{name}" cannot be the name of a source', remedy="choose one with --name")


def _check_new(source: Source, before: Iterable[Source]) -> None:
    check_name_and_ref(source.name, source.ref)
    for other in before:
        if other.name == source.name:
            raise ModicumError(
                f'there is a source "{source.name}" already', remedy="choose another name with --name"
            )
        if (other.location, other.ref) == (source.location, source.ref):
            raise ModicumError(f'this is installed already, as "{other.name}"', remedy="update that one")


def named_source(name: str, sources: Sequence[Source]) -> Source:
    """Returns the installed source of packs with a name; raises ModicumError with the nearest name if there is none."""
    for source in sources:
        if source.name == name:
            return source
    near = nearest(name, [source.name for source in sources])
    remedy = f'did you mean "{near}"?' if near else "`modicum source list` shows them"
    raise ModicumError(f'there is no source "{name}"', remedy=remedy)


def _alone(data: Path) -> AbstractContextManager[None]:
    """No other run changes the list meanwhile. Copying, which takes long, is done before."""
    from modicum.base.files import held

    return held(data / "state" / "locks" / "sources", LOCK, wait_seconds=_PATIENCE_SECONDS)


def _write_lock(data: Path, sources: Iterable[Source]) -> None:
    data.mkdir(parents=True, exist_ok=True)
    draft = data / f".{LOCK}.{os.getpid()}"
    draft.write_text(lock_text(sources), encoding="utf-8", newline="\n")
    draft.replace(data / LOCK)


def lock_text(sources: Iterable[Source]) -> str:
    """Returns the text of a lock file that lists these sources of packs."""
    rows = [
        {"name": source.name, "location": source.location}
        | ({"ref": source.ref} if source.ref else {})
        | ({"commit": source.commit} if source.commit else {})
        for source in sources
    ]
    return json.dumps({"version": 1, "sources": rows}, indent=2) + "\n"
