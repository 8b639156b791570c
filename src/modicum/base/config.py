"""Loads the configuration: the environment and the config files as one value. Nothing else reads `os.environ`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modicum.base import paths
from modicum.base.bounded import read_bounded
from modicum.base.errors import ModicumError
from modicum.base.paths import CONFIG_FILE, PROJECT_FOLDER
from modicum.base.value import Value, replace

SCOPES = ("project", "global")
HOOK_KEYS = ("lines", "width", "max_bytes", "prompt_lines", "prompt_max_bytes")
OWN = ("database", "person")


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
    own_profile: str = ""  # what the user has chosen, whatever the project says
    own_language: str = ""
    has_project: bool = True  # the project's packs, profiles and adapters count, too

    @property
    def project(self) -> Path:
        """Returns the folder of the project's own configuration layer, which need not exist."""
        return self.root / PROJECT_FOLDER

    @property
    def name(self) -> str:
        """Returns the name of the project in the configuration."""
        return paths.name_of(str(self.root))

    @property
    def state(self) -> Path:
        return self.data / "state"

    def of_user(self) -> "Config":
        """Returns the configuration without the choices and the layer of the project: what holds in every project."""
        return replace(self, profile=self.own_profile, language=self.own_language, has_project=False)


def load_config(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Config:
    """Loads the configuration in force in a folder; by default of the real environment and the current folder."""
    environment = os.environ if environment is None else environment
    home = Path(paths.home_of(environment))
    settings, data = map(Path, paths.folders_of(environment))
    here = folder or Path.cwd()
    root = find_root(here, home)
    own = _read(settings / CONFIG_FILE)
    chosen = {**own, **_shared(root / PROJECT_FOLDER / CONFIG_FILE)}
    database = paths.database_of(environment, own)
    return Config(
        home=home,
        folder=settings,
        data=data,
        root=root,
        environment=environment,
        profile=chosen.get("profile", ""),
        language=chosen.get("language", "") or _language(environment),
        scope=chosen.get("scope", "project"),
        docs=chosen.get("docs", "docs"),
        here=here,
        database=database,
        person=paths.person_of(environment, own, database),
        own_profile=own.get("profile", ""),
        own_language=own.get("language", "") or _language(environment),
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


def _shared(path: Path) -> dict[str, str]:
    """The choices of a project, which come with its files: never where somebody's memory is, or who they are."""
    chosen = _read(path)
    for name in OWN:
        if name in chosen:
            remedy = f"set it in your own {CONFIG_FILE}, or with MODICUM_DATABASE_URL and MODICUM_PERSON"
            raise ModicumError(f'{path}: a project may not set "{name}"', remedy=remedy)
    return chosen


def _read(path: Path) -> dict[str, str]:
    try:
        text = read_bounded(path).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ModicumError(f"{path} cannot be read: {reason}", remedy="mend or delete it") from error
    return parse_config(text, str(path))


def _not_below(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    outside = path.startswith(("/", "\\", "~")) or ":" in path or ".." in parts
    return "must be a folder below the project (such as docs or docs/specs)" if outside else ""


def parse_config(text: str, file: str) -> dict[str, str]:
    """Parses the choices in a config file; raises ModicumError with the file, the line and a remedy."""
    return {key: value for key, value in _checked(text, file).items() if value and key != "hook"}


def parse_hook(text: str, file: str) -> dict[str, int]:
    """Parses the section of a config file about how much hooks may say."""
    found: dict[str, int] = _checked(text, file).get("hook") or {}
    return found


def _checked(text: str, file: str) -> dict[str, Any]:
    from modicum.base.yaml_check import Record, Shape, WholeNumber, check, choice
    from modicum.base.yaml_check import text as words

    hook = Record({name: WholeNumber(least=0) for name in HOOK_KEYS}, sparse=True)
    fields: dict[str, Shape] = {
        "profile": words(),
        "language": words(),
        "scope": choice(*SCOPES),
        "docs": words(complaint=_not_below),
        "hook": hook,
        **{name: words() for name in OWN},
    }
    chosen, problems = check(text.encode(), Record(fields), file)
    if problems:
        raise ModicumError(str(problems[0]), remedy="mend the file")
    return chosen or {}
