"""A change of a tool's file: its text before and after, its state, and our record of it. Values only. Pure."""

from collections.abc import Mapping
from enum import StrEnum

from modicum.base.value import NOTHING, Value


class FileState(StrEnum):
    """The state of our text in a tool's file before a change: it is current, or stale, or edited by somebody, or not there, …"""

    CURRENT = "current"  # what we would write now
    STALE = "stale"  # what we wrote once
    EDITED = "edited"  # ours, and changed by somebody since
    ORPHANED = "orphaned"  # markers that do not fit together
    FOREIGN = "foreign"  # a file that is not ours
    ABSENT = "absent"


class Position(StrEnum):
    """Where a new region goes in a file with text of the user's, before any change of it."""

    TOP = "top"  # away from the end, where people add, so that merges seldom conflict
    END = (
        "end"  # below all else: a limit that is reached already cuts off our region, and not the user's text
    )
    ABOVE = "above"  # on top although a limit then cuts off the user's text: somebody asked for it


class TargetFile(Value):
    """Where a change of a tool's file goes, the part that is ours: the file's absolute path, and how our part is kept in it."""

    path: str
    mode: str  # replace-section | replace-file | append | import | settings
    section: str = "modicum"
    preamble: str = ""  # front matter, for replace-file
    root: str = ""  # nothing is written outside of it; empty: anywhere
    reference: str = ""  # for import: the path that the region refers to
    position: Position = Position.TOP
    is_home: bool = False  # the root is the home folder, where links are the user's own
    is_foreign: bool = False  # an adapter names it that is not built in

    @property
    def key(self) -> str:
        """Returns the key of the part that a change goes to, among our parts of one tool's file."""
        return f"{KINDS[self.mode]}:{self.section}"


KINDS = {
    "replace-section": "region",
    "import": "region",
    "replace-file": "file",
    "append": "append",
    "settings": "settings",
}


class Existing(Value):
    """The text of a tool's file before a change, with its own line ends and every byte; None if there is no file."""

    text: str | None


class FileRecord(Value):
    """What is recorded of a change of a tool's file: what we last wrote to our part of it."""

    digest: str = ""
    created: bool = False  # the file is there because of us
    appended: str = ""  # for append: exactly what was put in
    original: str | None = None  # for replace-file: what was there before
    tools: tuple[str, ...] = ()
    extra: Mapping[str, object] = NOTHING  # anything that JSON has, for the caller


class FileChange(Value):
    """A planned change of a tool's file. An `after` of None is no file; a `record` of None is no record."""

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
        """Returns True if the file needs no change, neither by us nor by the user."""
        return not self.changed and self.state in (FileState.CURRENT, FileState.ABSENT)
