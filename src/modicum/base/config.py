"""Loads the configuration: the environment and the config files as one value. Nothing else reads `os.environ`."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from modicum.base import paths
from modicum.base.bounded import read_bounded
from modicum.base.errors import ModicumError
from modicum.base.paths import CONFIG_FILE, PROJECT_FOLDER
from modicum.base.typing_names import Any
from modicum.base.value import Value, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.base.yaml.check import Check, Record

SCOPES = ("project", "global")
HOOK_KEYS = ("lines", "width", "max_bytes", "prompt_lines", "prompt_max_bytes")
# What no project may set, and the variable that sets it besides the user's own file.
OWN = {
    "database": "MODICUM_DATABASE_URL",
    "person": "MODICUM_PERSON",
    "agreed_sources": "MODICUM_AGREED_SOURCES",
    "agreed_adapters": "MODICUM_AGREED_ADAPTERS",
    "meaning": "MODICUM_MEANING",
    "memory": "MODICUM_GATE",
}
# What becomes of agents' notes: they are kept at once, or all wait for a person.
GATES = ("open", "inbox")
AGREEMENTS = (
    "agreed_sources",
    "agreed_adapters",
)  # what of a project, or of a source, its user has agreed to
OF_A_PROJECT = ("tools", "sources")
PACK_LISTS = ("use", "skip")
LISTS = (*PACK_LISTS, "tools", *AGREEMENTS)
DECLARED = "project"  # the name that a project would have in memory
KEYS = ("profile", "language", "scope", "docs", "database", "person", "meaning", *LISTS, "sources", DECLARED)


class NamedSource(Value):
    """An entry in a project's configuration that names a git repository of packs, with the ref that is wanted."""

    name: str
    location: str
    ref: str = ""


class Config(Value):
    """The configuration in force: where the folders are, and what the user has chosen in config files."""

    home: Path
    folder: Path  # the user's packs, profiles, adapters and choices
    data: Path  # what modicum keeps for itself: records of what it wrote, sources, backups
    root: Path  # the project
    environment: Mapping[str, str]
    profile: str = ""
    language: str = ""
    scope: str = "project"
    docs: str = "docs"  # the folder of specs below the project
    here: Path | None = None  # where the user is
    database: str = ""  # where memory is, if not in a file among the data
    person: str = ""  # who keeps notes here, where several people do
    meaning: str = ""  # the file of the sentence model, if not the installed one; "off": none
    gate: str = GATES[0]  # what becomes of the notes that agents save
    own_profile: str = ""  # what the user has chosen, whatever the project says
    own_language: str = ""
    own_use: tuple[str, ...] = ()  # packs that the user has turned on and off
    own_skip: tuple[str, ...] = ()
    project_use: tuple[str, ...] = ()  # and the project
    project_skip: tuple[str, ...] = ()
    has_project: bool = True  # the project's packs, profiles and adapters count, too
    tools: tuple[str, ...] = ()  # the AI tools that the project serves, if it says so
    sources: tuple[NamedSource, ...] = ()  # where the project takes packs from
    agreed_sources: tuple[str, ...] = ()  # the locations that the user lets projects take packs from
    agreed_adapters: tuple[str, ...] = ()  # "HASH NAME PLACE": adapters of others that are in force here
    copied: Path | None = None  # the project that this one is a copy of, in which something is tried

    @property
    def in_git(self) -> Path:
        """Returns the folder in which git is asked what it ignores: a copy of a project has no repository of its own."""
        return self.copied or self.root

    @property
    def is_shared(self) -> bool:
        """Returns True if the config makes the project's files from its repository alone, so that everybody gets the same."""
        return bool(self.tools or self.sources)

    @property
    def project(self) -> Path:
        """Returns the folder of the project's own configuration layer, which need not exist."""
        return self.root / PROJECT_FOLDER

    @property
    def project_file(self) -> Path:
        """Returns the path of the project's config file, which need not exist."""
        return self.project / CONFIG_FILE

    @property
    def user_file(self) -> Path:
        """Returns the path of the user's own config file, which need not exist."""
        return self.folder / CONFIG_FILE

    @property
    def name(self) -> str:
        """Returns the name of the project in the configuration; the environment may name another."""
        return paths.project_of(self.environment, str(self.root))

    @property
    def state(self) -> Path:
        return self.data / "state"

    @property
    def use(self) -> tuple[str, ...]:
        """Returns the value `use` of a configuration: the packs that it turns on; starter packs are on only so."""
        return *self._left_to_user(self.own_use), *self.project_use

    @property
    def kept(self) -> tuple[str, ...]:
        """Returns those packs of this configuration that are on whatever its profile says: those of the project, and the
        user's if the profile is the user's, too."""
        return self.use if self.profile == self.own_profile else self.project_use

    @property
    def skip(self) -> tuple[str, ...]:
        """Returns the value `skip` of a configuration: the packs that it turns off."""
        return *self._left_to_user(self.own_skip), *self.project_skip

    def _left_to_user(self, names: tuple[str, ...]) -> tuple[str, ...]:
        if self.is_shared:
            return ()
        return tuple(name for name in names if name not in (*self.project_use, *self.project_skip))

    def of_user(self) -> "Config":
        """Returns the user's configuration, without the choices and the layer of the project: what holds in every project."""
        return replace(
            self,
            profile=self.own_profile,
            language=self.own_language,
            has_project=False,
            tools=(),
            sources=(),
            project_use=(),
            project_skip=(),
        )


def load_config(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Config:
    """Loads the configuration in force in a folder; by default of the real environment and the current folder."""
    environment = os.environ if environment is None else environment
    home = Path(paths.home_of(environment))
    settings, data = map(Path, paths.folders_of(environment))
    here = folder or _current_folder()
    root = find_root(here, home)
    _refuse_leading_out(root / PROJECT_FOLDER, root)
    of_user, of_project = (
        _own(settings / CONFIG_FILE, data),
        _shared(root / PROJECT_FOLDER / CONFIG_FILE, data),
    )
    own, shared = texts_of(of_user), texts_of(of_project)
    is_shared = any(of_project.get(key) for key in OF_A_PROJECT)
    chosen = shared if is_shared else {**own, **shared}
    database = paths.database_of(environment, own)
    return Config(
        home=home,
        folder=settings,
        data=data,
        root=root,
        environment=environment,
        profile=chosen.get("profile", ""),
        language=chosen.get("language", "") or ("" if is_shared else _language(environment)),
        scope=chosen.get("scope", "project"),
        docs=shared.get("docs") or own.get("docs", "docs"),
        here=here,
        database=database,
        person=paths.person_of(environment, own, database),
        meaning=environment.get("MODICUM_MEANING", "").strip() or own.get("meaning", ""),
        gate=_gate(of_user, environment),
        own_profile=own.get("profile", ""),
        own_language=own.get("language", "") or _language(environment),
        **{f"own_{name}": of_user.get(name, ()) for name in PACK_LISTS},
        **{f"project_{name}": of_project.get(name, ()) for name in PACK_LISTS},
        tools=tuple(dict.fromkeys(of_project.get("tools", ()))),
        sources=_named_sources(of_project),
        agreed_sources=_agreed(of_user, environment, "agreed_sources"),
        agreed_adapters=_agreed(of_user, environment, "agreed_adapters"),
    )


def _refuse_leading_out(layer: Path, root: Path) -> None:
    """Raises ModicumError if the project's `.modicum` is a link to a folder elsewhere: it would be read, and written, as the project's."""
    if layer.is_symlink() and not layer.resolve().is_relative_to(root.resolve()):
        raise ModicumError(
            f"{layer} is a link that leads out of the project", remedy="replace it by a folder of its own"
        )


def find_root(folder: Path, home: Path) -> Path:
    """Returns the root of the project for the configuration: the nearest folder with `.modicum`, else `.git`."""
    return Path(paths.find_root(str(folder), str(home)))


def _language(environment: Mapping[str, str]) -> str:
    """POSIX order: LC_ALL, LC_MESSAGES, LANG; `C` and `POSIX` mean no language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            language = value.split(".")[0].split("@")[0]
            return "" if language in ("C", "POSIX") else language
    return ""


def _shared(path: Path, data: Path | None = None) -> dict[str, Any]:
    if path.is_symlink() or path.parent.is_symlink():
        from modicum.base.files import resolve

        resolve(
            str(path), str(path.parents[1])
        )  # what is outside is not the project's, and no error may quote it
    return check_config(_text(path), path, of_project=True, data=data)


def _own(path: Path, data: Path | None = None) -> dict[str, Any]:
    return check_config(_text(path), path, of_project=False, data=data)


def read_choices(path: Path, *, of_project: bool) -> dict[str, Any]:
    """Returns the choices of one config file by their keys, checked; none if there is no such file."""
    return (_shared if of_project else _own)(path)


def check_config(text: str, path: Path, *, of_project: bool, data: Path | None = None) -> dict[str, Any]:
    """Returns the choices in the text of a config file; raises ModicumError for what this file may not set.

    The choices of a project come with its files: never where somebody's memory is, or who they are. Those of the user
    are none about a single project. If an inject that has its `data` there has checked the same text before, YAML is
    not even loaded.
    """
    chosen = _checked(text, str(path), data) if text else {}
    for name in OWN if of_project else (*OF_A_PROJECT, DECLARED):
        if chosen.get(name):
            raise ModicumError(f"{path}: {_NOT_HERE[of_project].format(name)}", remedy=_where(name))
    return chosen


_NOT_HERE = {True: 'a project may not set "{}"', False: '"{}" is for a single project'}


def _where(name: str) -> str:
    if name in OWN:
        return f"set it in your own {CONFIG_FILE}, or with {OWN[name]}"
    return f"move it to {PROJECT_FOLDER}/{CONFIG_FILE} in the project"


def _named_sources(chosen: Mapping[str, Any]) -> tuple[NamedSource, ...]:
    return tuple(NamedSource(name, **fields) for name, fields in chosen.get("sources", {}).items())


def _gate(own: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    word = environment.get(OWN["memory"], "").strip()
    if word and word not in GATES:
        raise ModicumError(f'{OWN["memory"]} is "{word}"', remedy=f"give one of: {', '.join(GATES)}")
    return word or (own.get("memory") or {}).get("gate") or GATES[0]


def _agreed(own: Mapping[str, Any], environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    return (*own.get(name, ()), *environment.get(OWN[name], "").split())


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise ModicumError(
            "the folder that this was started in is gone", remedy="go to a folder that is there"
        ) from None


def _text(path: Path) -> str:
    try:
        return read_bounded(path).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise ModicumError(f"{path} is not UTF-8 text", remedy="save the file as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModicumError(f"{path} cannot be read: {reason}", remedy="mend or delete it") from error


def _not_below(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    outside = path.startswith(("/", "\\", "~")) or ":" in path or ".." in parts
    return "must be a folder below the project (such as docs or docs/specs)" if outside else ""


def parse_config(text: str, file: str) -> dict[str, str]:
    """Parses the choices in a config file; raises ModicumError with the file, the line and a remedy."""
    return texts_of(_checked(text, file))


def texts_of(chosen: Mapping[str, Any]) -> dict[str, str]:
    """Returns the choices in a configuration that are single words."""
    return {key: value for key, value in chosen.items() if value and isinstance(value, str)}


def parse_hook(text: str, file: str) -> dict[str, int]:
    """Parses what a config file says about hooks: how much they may tell."""
    found: dict[str, int] = _checked(text, file).get("hook") or {}
    return found


def _checked(text: str, file: str, data: Path | None = None) -> dict[str, Any]:
    from modicum.base.cache import YamlCache
    from modicum.base.yaml.check import check

    look = YamlCache.below(data).check if data else check
    chosen, problems = look(text.encode(), _shape(), file)
    if problems:
        raise ModicumError(str(problems[0]), remedy="mend the file")
    return chosen or {}


def _shape() -> "Record":
    from modicum.base.yaml.check import Record, Shape, WholeNumber, choice, list_of, map_of
    from modicum.base.yaml.check import text as words

    hook = Record({name: WholeNumber(least=0) for name in HOOK_KEYS}, sparse=True)
    fields: dict[str, Shape] = {
        DECLARED: words(),
        "profile": words(),
        "language": words(),
        "scope": choice(*SCOPES),
        "docs": words(complaint=_not_below),
        "hook": hook,
        "memory": Record({"gate": choice(*GATES)}, sparse=True),
        "database": words(),
        "person": words(),
        "meaning": words(),
        **{name: list_of(words(required=True)) for name in AGREEMENTS},
        "tools": list_of(words(required=True)),
        "sources": map_of(Record({"location": words(required=True), "ref": words()})),
        **{name: list_of(words()) for name in PACK_LISTS},
    }
    return Record(fields)


def check_again(config: Config, check: "Check") -> None:
    """Checks the config files in force with a cache, so that it knows them when they are loaded the next time."""
    for folder in (config.folder, config.project):
        with suppress(OSError):
            check(read_bounded(folder / CONFIG_FILE), _shape(), CONFIG_FILE)
