"""The sources of packs that a project names: their commits are locked in its repository, their copies are the user's.

`.modicum/sources.lock.json` has the format of the list of installed sources. It keeps the location, the ref and the commit of
each source, so that every machine makes the same files until somebody moves the lock. A copy lies in
`project-sources/<code of the location>/<commit>` of the data folder: two projects may use one name for different sources.

A repository may come from anybody. So nothing is fetched from a location, and no copy of it is used, unless the user has
agreed to that location.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modicum.base.bounded import read_bounded
from modicum.base.config import NamedSource
from modicum.base.errors import ModicumError
from modicum.base.files import code_of, write_own
from modicum.base.value import Value, replace
from modicum.packs import git
from modicum.packs.model import Source, SourceReport
from modicum.packs.sources import (
    LOCK,
    check_name_and_ref,
    content_of,
    copied,
    inspected,
    location_of,
    lock_text,
    usable,
)

COPIES = "project-sources"
_COMMIT = r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z"


class ProjectPlace(Value):
    """Where the sources of one project are: its root, the folder with its config and lock, and the user's data folder."""

    root: Path
    folder: Path
    data: Path
    environ: Mapping[str, str]
    agreed: frozenset[str]  # locations that the user lets projects take packs from

    @property
    def lock(self) -> Path:
        return self.folder / LOCK

    def copies(self, location: str) -> Path:
        """Returns the folder with the copies of a location."""
        return self.data / COPIES / code_of(location)


def resolved(place: ProjectPlace, named: Iterable[NamedSource]) -> tuple[Source, ...]:
    """Returns the sources that a project's config names, each with the commit in the lock ("" if it has none) and its content.

    The location is an address or an absolute path; a relative path in the config file starts at the project's root.
    """
    locked = _locked(place.lock)
    return tuple(_resolved(place, each, locked.get(each.name, {})) for each in named)


def _resolved(place: ProjectPlace, named: NamedSource, row: Mapping[str, Any]) -> Source:
    check_name_and_ref(named.name, named.ref)
    location = location_of(named.location, place.root)
    is_same = (row.get("location"), row.get("ref", "")) == (named.location, named.ref)
    commit = str(row.get("commit", "")) if is_same else ""
    if commit and not re.match(_COMMIT, commit):
        raise _damaged(place.lock)
    copy = place.copies(location) / commit if commit else place.copies(location)
    return Source(named.name, location, named.ref, commit, content_of(copy))


def _locked(lock: Path) -> dict[str, Mapping[str, Any]]:
    try:
        rows = json.loads(read_bounded(lock))["sources"]
        return {row["name"]: row for row in rows if row["location"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(lock) from error


def _damaged(lock: Path) -> ModicumError:
    return ModicumError(
        f"{lock} cannot be understood", remedy="restore it, or remove it and run: modicum source update"
    )


def unusable(place: ProjectPlace, sources: Iterable[Source]) -> Iterator[tuple[Source, str]]:
    """Yields each source of a project that cannot be used now, and why: no agreement, no commit in the lock, or no copy."""
    for source in sources:
        if source.location not in place.agreed:
            yield source, _not_agreed(source)
        elif not source.commit:
            at = f" at {source.ref}" if source.ref else ""
            yield source, f'{LOCK} has no commit for the source "{source.name}"{at}'
        elif not source.content.is_dir():
            yield source, f'the source "{source.name}" has not been copied from {source.location}'


def fetch_locked(place: ProjectPlace, source: Source) -> SourceReport:
    """Copies a source of a project at the commit of its lock; tells if its tag names another commit now."""
    _refuse_strange(place, source)
    try:
        done = copied(source, source.commit, place.copies(source.location), place.environ)
    except ModicumError as error:
        raise _with_move(place, source, error) from error
    if done.commit != source.commit:
        raise ModicumError(
            f'"{source.name}" has no commit {source.commit} at {source.location}',
            remedy=f"take what it has now: modicum source update {source.name}",
        )
    moved = _moved_tag(place, source)
    told = (
        f"the tag {source.ref} names {moved[:12]} now; the lock keeps {source.commit[:12]}" if moved else ""
    )
    return replace(inspected(done), remarks=(told,) if told else ())


def _with_move(place: ProjectPlace, source: Source, error: ModicumError) -> ModicumError:
    """The error of a copy, or a better one if the commit is gone because its tag was moved."""
    if not (moved := _moved_tag(place, source)):
        return error
    return ModicumError(
        f"the tag {source.ref} of {source.location} was moved to {moved[:12]}, and {source.commit[:12]} is gone",
        remedy=f"if that is right, take it: modicum source update {source.name}",
    )


def _moved_tag(place: ProjectPlace, source: Source) -> str:
    """The commit that the tag of a source names now, if it is another one than in the lock."""
    if not source.ref or re.match(_COMMIT, source.ref):
        return ""
    try:
        now = git.tag_commit(source.location, source.ref, place.data, place.environ)
    except (ModicumError, OSError):
        return ""
    return now if now != source.commit else ""


def fetch_newest(place: ProjectPlace, source: Source, ref: str) -> SourceReport:
    """Copies a source of a project at what a ref names now; tells if a tag was moved. The lock stays as it is."""
    _refuse_strange(place, source)
    check_name_and_ref(source.name, ref)
    done = copied(replace(source, ref=ref), ref, place.copies(source.location), place.environ)
    report = usable(inspected(done), source.location)
    if not source.commit or source.ref != ref or done.commit == source.commit:
        return report
    what = "the tag" if _moved_tag(place, source) else "the branch" if ref else "the default branch"
    way = f"from {source.commit[:12]} to {done.commit[:12]}"
    return replace(report, remarks=(f"{what} {ref} moved {way}".replace("  ", " "),))


def _refuse_strange(place: ProjectPlace, source: Source) -> None:
    if source.location not in place.agreed:
        raise ModicumError(_not_agreed(source), remedy=f"modicum source agree {source.location}")


def _not_agreed(source: Source) -> str:
    return f"this project takes packs from {source.location}, and you have not agreed to that"


def lock_sources(place: ProjectPlace, named: Sequence[NamedSource], source: Source | None = None) -> None:
    """Writes the project's lock with a source at its new commit; what the config file does not name is dropped."""
    rows = _locked(place.lock)
    if source:
        location = next(each.location for each in named if each.name == source.name)
        rows[source.name] = {"location": location, "ref": source.ref, "commit": source.commit}
    found = [_row_as_source(place, each.name, rows[each.name]) for each in named if each.name in rows]
    write_own(place.lock, lock_text(found).encode(), private=False, aside=place.data / "state" / "aside")


def _row_as_source(place: ProjectPlace, name: str, row: Mapping[str, Any]) -> Source:
    location, ref, commit = (str(row.get(key, "")) for key in ("location", "ref", "commit"))
    return Source(name, location, ref, commit, place.folder)
