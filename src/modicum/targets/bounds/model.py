"""The model of agreements to adapters that somebody else wrote: by name and by the hash of the file, for one project or everywhere. Pure."""

from collections.abc import Collection, Iterator, Mapping

from modicum.base.hashes import sha256
from modicum.base.typing_names import Any
from modicum.base.value import Value

EVERYWHERE = "everywhere"  # the place of an agreement to an adapter of the user's own source
HASH_LENGTH = 32
_MOST_TOLD = 12  # places in one line; --json has all of them
_SETTINGS = ("mcp", "hooks", "permissions", "mcp_config", "extra_mcp_configs", "hook_config")
_FILES = ("hook_files", "skills", "skill_config")

Row = Mapping[str, Any]


class WaitingAdapter(Value):
    """An adapter that is not in force, because its user has not agreed to it: whose it is, its hash, and what it would write."""

    id: str
    layer: str  # "project", or the name of a source
    place: str  # the project's root, or everywhere
    file: str
    hash: str
    writes: tuple[str, ...]  # a line for each file that it names, and for all that is put there beside texts

    @property
    def agreement(self) -> str:
        """Returns what is kept of an agreement to this adapter."""
        return f"{self.hash} {self.id} {self.place}"

    @property
    def whose(self) -> str:
        """Returns whose an adapter is that waits for an agreement, in words."""
        return "this project" if self.layer == "project" else f'the source "{self.layer}"'

    def in_one_line(self) -> str:
        """Returns one sentence for a person: that the adapter is not in force, where it would write, and how to agree."""
        places = ", ".join(self.writes[:_MOST_TOLD]) + (
            f" and {len(self.writes) - _MOST_TOLD} more" if self.writes[_MOST_TOLD:] else ""
        )
        told = f"it would write {places}" if places else "it names no file"
        return (
            f'the adapter "{self.id}" of {self.whose} is not in force, because you have not agreed to it: {told} '
            f"(agree: modicum inject --trust {self.hash})"
        )


def hash_of(content: bytes) -> str:
    """Returns the hash of an adapter's file, to which its user agrees."""
    return sha256(content).hexdigest()[:HASH_LENGTH]


def is_agreed(agreed: Collection[str], *, code: str, name: str, place: str) -> bool:
    """Returns True if there is an agreement to an adapter: for this place, or a bare hash, as a variable of CI gives it."""
    return f"{code} {name} {place}" in agreed or code in agreed


def moved_agreements(agreed: Collection[str], old: str, new: str) -> tuple[str, ...]:
    """Returns agreements to adapters with those for one project kept for a copy of it in another folder."""
    return tuple(
        f"{each.removesuffix(f' {old}')} {new}" if each.endswith(f" {old}") else each for each in agreed
    )


def writes_of(row: Row) -> Iterator[str]:
    """Yields a line for each place that an adapter's own keys name for writing, with what would be put there beside texts."""
    yield from dict.fromkeys(_places(row))


def _places(row: Row) -> Iterator[str]:
    for target in row.get("targets", ()):
        yield target["path"]
        if target["mode"] == "import":
            yield target["import_path"]
    if row.get("export_path"):
        yield row["export_path"]
    for key in _SETTINGS:
        found = row.get(key) or ()
        for entry in (found,) if isinstance(found, Mapping) else found:
            items = f": {', '.join(entry['items'])}" if entry.get("items") else ""
            yield f"{entry['path']} ({_KINDS[key]}{items})"
    for key in _FILES:
        found = row.get(key) or ()
        for entry in (found,) if isinstance(found, Mapping) else found:
            yield f"{entry['path']} ({_KINDS[key]})"
    for setting in (row.get("reads") or {}).get("settings", ()):
        yield f"{setting['path']} (setting {setting['key']})"


_KINDS = {
    **dict.fromkeys(("mcp", "mcp_config", "extra_mcp_configs"), "servers, which are programs"),
    **dict.fromkeys(("hooks", "hook_config"), "commands that the tool runs"),
    "hook_files": "a program that the tool runs",
    "permissions": "permissions",
    **dict.fromkeys(("skills", "skill_config"), "skills"),
}
