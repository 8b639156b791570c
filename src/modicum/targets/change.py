"""A change of a file: its text before and after, how it stood, and what we remember of it. Values only. Pure."""

from collections.abc import Mapping
from enum import StrEnum

from modicum.base.value import NOTHING, Value


class FileState(StrEnum):
    """How our part of a file stood before a change."""

    CURRENT = "current"  # what we would write now
    STALE = "stale"  # what we wrote once
    EDITED = "edited"  # ours, and changed by somebody since
    ORPHANED = "orphaned"  # markers that do not fit together
    FOREIGN = "foreign"  # a file that is not ours
    ABSENT = "absent"


class TargetFile(Value):
    """A part of a file that is ours: the file's absolute path, and how our part is kept in it."""

    path: str
    mode: str  # replace-section | replace-file | append | import | settings
    section: str = "modicum"
    preamble: str = ""  # front matter, for replace-file
    root: str = ""  # nothing is written outside of it; empty: anywhere
    reference: str = ""  # for import: the path that the region refers to

    @property
    def key(self) -> str:
        """The name of this part among our parts of one file."""
        return f"{KINDS[self.mode]}:{self.section}"


KINDS = {
    "replace-section": "region",
    "import": "region",
    "replace-file": "file",
    "append": "append",
    "settings": "settings",
}


class Existing(Value):
    """What a file holds now: UTF-8 with surrogateescape and its own line ends, so that no byte is lost. None: no file."""

    text: str | None


class FileRecord(Value):
    """What we last wrote to our part of a file."""

    digest: str = ""
    created: bool = False  # the file is there because of us
    appended: str = ""  # for append: exactly what was put in
    original: str | None = None  # for replace-file: what was there before
    tools: tuple[str, ...] = ()
    extra: Mapping[str, object] = NOTHING  # anything that JSON has, for the caller


class FileChange(Value):
    """A planned change of a file. An `after` of None is no file, a `record` of None is nothing to remember."""

    place: TargetFile
    before: str | None
    after: str | None
    state: FileState
    record: FileRecord | None
    note: str = ""

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def settled(self) -> bool:
        """Nothing is to be done here, neither by us nor by the user."""
        return not self.changed and self.state in (FileState.CURRENT, FileState.ABSENT)
