"""The keys by which a folder finds its project, and the one decision: which project of memory it is. Pure."""

from collections.abc import Iterable, Sequence

from modicum.base.named_tuple import NamedTuple

DECLARED, ORIGIN, ROOT, PLACE = "declared", "origin", "root", "place"
KINDS = (DECLARED, ORIGIN, ROOT, PLACE)  # the strongest first
WITHIN = "#"  # before the path of a package in its repository
_FOLDER = "folder:"  # a word for a project that says a folder's keys
_SAFE = "/:@."
BY_NAME = "by-name"  # the owner that is shown of a project that has only a name


class FolderKeys(NamedTuple):
    """What a folder says about its project: the keys that it has, and the name it would be shown with.

    `named` is the name that its user has given instead. `clone` tells one git repository on this machine from the next one in
    the same folder; `is_cloned`: it came with the folder, and was not begun there.
    """

    name: str
    owner: str = ""
    declared: str = ""
    origin: str = ""
    root: str = ""
    place: str = ""
    clone: str = ""
    is_cloned: bool = False
    named: str = ""

    @property
    def usual_name(self) -> str:
        """Returns the name of the folder's project where keys are not known: the one that its user gave, or its own."""
        return self.named or self.name

    def value(self, kind: str) -> str:
        """Returns the key of a kind that the folder of a project has; "" if it has none."""
        return str(self[self._fields.index(kind)])


class KnownProject(NamedTuple):
    """A project of memory with its keys: declared names, origins, roots, and its user's places with the clone seen at each."""

    id: str
    declared: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()


class FoundProject(NamedTuple):
    """The project that a folder's keys have found, or "", by which key; and the others that one of its keys belongs to."""

    id: str = ""
    by: str = ""
    others: tuple[str, ...] = ()


class NamedProject(NamedTuple):
    """A row of a project: its id, and the name and owner that are shown; without an owner, a name that somebody gave."""

    id: str
    name: str
    owner: str = ""

    @property
    def address(self) -> str:
        """Returns the whole name of a project's row: owner and name."""
        return f"{self.owner or BY_NAME}/{self.name}"


class ProjectKey(NamedTuple):
    """A key of a project in an archive of memory; places are of one machine, and stay there."""

    kind: str
    value: str
    project: str


def decide(keys: FolderKeys, known: Iterable[KnownProject]) -> FoundProject:
    """Decides which project a folder belongs to, by its strongest key; joins nothing that disagrees."""
    projects = sorted(known)
    for kind, finds in _FINDERS:
        if found := next((each for each in projects if keys.value(kind) and finds(keys, each)), None):
            return FoundProject(found.id, kind, _others(keys, projects, found.id))
    return FoundProject(others=_others(keys, projects, ""))


def _others(keys: FolderKeys, projects: Sequence[KnownProject], found: str) -> tuple[str, ...]:
    return tuple(each.id for each in projects if each.id != found and _shares(keys, each))


def _shares(keys: FolderKeys, project: KnownProject) -> bool:
    held = (project.declared, project.origins, project.roots, [place for place, _ in project.places])
    return any(
        keys.value(kind) and keys.value(kind) in values for kind, values in zip(KINDS, held, strict=True)
    )


def _by_declared(keys: FolderKeys, project: KnownProject) -> bool:
    """A wish: the project has to be of the same repository, or of this very folder."""
    if keys.declared not in project.declared or _other_repository(keys, project):
        return False
    same = _same(keys.origin, project.origins) or _same(keys.root, project.roots)
    return same or _is_here(keys, project)


def _by_origin(keys: FolderKeys, project: KnownProject) -> bool:
    return keys.origin in project.origins


def _by_root(keys: FolderKeys, project: KnownProject) -> bool:
    """The same history. A fork and a copy of a template have it, too, so that an origin on the other side has to agree."""
    return keys.root in project.roots and not project.origins


def _by_place(keys: FolderKeys, project: KnownProject) -> bool:
    if _other_repository(keys, project):
        return False
    strangers = (keys.origin and project.origins and keys.origin not in project.origins) or (
        keys.root and project.roots and keys.root not in project.roots
    )
    return not strangers and _is_here(keys, project)


def _is_here(keys: FolderKeys, project: KnownProject) -> bool:
    """Whether the project was in this folder, and the folder has not become another one since."""
    # git may be begun in a folder that has notes; what is cloned into its place makes another folder of it
    begun = not keys.is_cloned and (keys.place, "") in project.places
    return bool(keys.place) and (
        begun or (keys.place, keys.clone) in project.places or _is_moved(keys, project)
    )


def _is_moved(keys: FolderKeys, project: KnownProject) -> bool:
    """Whether this very clone was in another folder of its user's, or is a worktree of it."""
    return bool(keys.clone) and keys.clone in [clone for _, clone in project.places]


def _other_repository(keys: FolderKeys, project: KnownProject) -> bool:
    if keys.origin and project.origins:
        return not _same(keys.origin, project.origins)
    return bool(keys.root and project.roots) and not _same(keys.root, project.roots)


def _same(key: str, others: Iterable[str]) -> bool:
    """Whether a key is of the same repository as one of the others, whichever package in it."""
    return bool(key) and repository_in(key) in map(repository_in, others)


def repository_in(key: str) -> str:
    """Returns the key of the repository in that of a project, which may be a package in it."""
    return key.partition(WITHIN)[0]


_FINDERS = ((DECLARED, _by_declared), (ORIGIN, _by_origin), (ROOT, _by_root), (PLACE, _by_place))


def origin_key(address: str, machine: str = "") -> str:
    """Returns the key of a git repository from the address of its origin: host/owner/name, as all of its addresses have it.

    A repository that is a folder is one of this machine.
    """
    text = address.strip().replace("\\", "/")
    protocol, mark, rest = text.rpartition("://")
    if protocol.lower() == "file" or (not mark and _is_path(text)):
        return _folder_key(rest or text, machine)
    if not mark:
        host, _, path = text.partition(":")
        rest = f"{host}/{path}"
    host, _, path = rest.partition("/")
    host = host.rpartition("@")[2]
    if mark and not host.endswith("]"):
        host = host.partition(":")[0] if host.rpartition(":")[2].isdigit() else host.rstrip(":")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    name = "/".join(parts).removesuffix(".git")
    return f"{host}/{name}".lower() if host and name and ".." not in parts else ""


def _is_path(text: str) -> bool:
    before, mark, _ = text.partition(":")
    return not mark or "/" in before or len(before) == 1


def _folder_key(path: str, machine: str) -> str:
    name = (
        "/".join(part for part in path.split("/") if part not in ("", "."))
        .removesuffix(".git")
        .removesuffix("/")
    )
    return f"folder@{machine}/{name}" if name else ""


def word_of(keys: FolderKeys) -> str:
    """Returns a word for a folder's project that says its keys, for a server elsewhere: `keys_in` reads it."""
    if keys.named:
        return keys.named
    from urllib.parse import urlencode

    said = {name: value for name, value in keys._asdict().items() if value and name != "named"}
    return _FOLDER + urlencode(said, safe=_SAFE)


def keys_in(word: str) -> FolderKeys | None:
    """Returns the keys of a folder that a word for its project says; None for a word that is a name."""
    if not word.startswith(_FOLDER):
        return None
    from urllib.parse import parse_qsl

    from modicum.memory.names import project_name, public_line

    said = {
        name: public_line(value)[:1000]
        for name, value in parse_qsl(word[len(_FOLDER) :])
        if name in FolderKeys._fields
    }
    cloned = bool(said.pop("is_cloned", ""))
    name = project_name(said.pop("name", ""))
    said.pop("named", None)
    return FolderKeys(name, is_cloned=cloned, **said)
