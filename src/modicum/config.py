"""Environment and files become one value; nothing else reads `os.environ`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from modicum.errors import ModicumError

PROJECT_FOLDER = ".modicum"
CONFIG_FILE = "config.yaml"
SCOPES = ("project", "global")
OWN = ("database", "person")
POSTGRES = ("postgres://", "postgresql://")


@dataclass(frozen=True, slots=True)
class Config:
    """Where things are, and what the user has chosen."""

    home: Path
    folder: Path  # the user's packs, profiles, adapters and choices
    data: Path  # what modicum keeps for itself: records of what it wrote, sources, backups
    root: Path  # the project
    environment: Mapping[str, str]
    profile: str = ""
    language: str = ""
    scope: str = "project"
    database: str = ""  # where memory is, if not in a file among the data
    person: str = ""  # who keeps notes here, where several people do

    @property
    def project(self) -> Path:
        """The project's own layer, which need not exist."""
        return self.root / PROJECT_FOLDER

    @property
    def state(self) -> Path:
        return self.data / "state"


def load_config(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Config:
    """The configuration in force in a folder; by default the real environment and the current folder."""
    environment = os.environ if environment is None else environment
    home = _home(environment)
    settings, data = _folders(environment, home)
    root = find_root(folder or Path.cwd(), home)
    own = _read(settings / CONFIG_FILE)
    chosen = {**own, **_shared(root / PROJECT_FOLDER / CONFIG_FILE)}
    database = environment.get("MODICUM_DATABASE_URL", "").strip() or own.get("database", "")
    return Config(
        home=home,
        folder=settings,
        data=data,
        root=root,
        environment=environment,
        profile=chosen.get("profile", ""),
        language=chosen.get("language", "") or _language(environment),
        scope=chosen.get("scope", "project"),
        database=database,
        person=environment.get("MODICUM_PERSON", "").strip()
        or own.get("person", "")
        or _login(environment, database),
    )


def find_root(folder: Path, home: Path) -> Path:
    """The project around a folder: the nearest one with `.modicum`, else the nearest with `.git`, else the folder."""
    inside = [folder, *folder.parents]
    above = inside[: inside.index(home)] if home in inside else inside
    for mark in (PROJECT_FOLDER, ".git"):
        for candidate in above:
            if (candidate / mark).exists():
                return candidate
    return folder


def _home(environment: Mapping[str, str]) -> Path:
    named = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(named) if named else Path.home()


def _folders(environment: Mapping[str, str], home: Path) -> tuple[Path, Path]:
    if named := environment.get("MODICUM_HOME"):
        return Path(named), Path(named)
    if os.name == "posix" and not _is_mac():
        settings = environment.get("XDG_CONFIG_HOME") or home / ".config"
        data = environment.get("XDG_DATA_HOME") or home / ".local" / "share"
        return Path(settings) / "modicum", Path(data) / "modicum"
    from platformdirs import user_config_path, user_data_path

    return user_config_path("modicum", appauthor=False), user_data_path("modicum", appauthor=False)


def _is_mac() -> bool:
    import sys

    return sys.platform == "darwin"


def _language(environment: Mapping[str, str]) -> str:
    """POSIX order: LC_ALL, LC_MESSAGES, LANG; `C` and `POSIX` mean no language."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name, ""):
            language = value.split(".")[0].split("@")[0]
            return "" if language in ("C", "POSIX") else language
    return ""


def _login(environment: Mapping[str, str], database: str) -> str:
    """The name of whoever is logged in, where memory is a team's. A file needs no name."""
    if not database.startswith(POSTGRES):
        return ""
    names = (environment.get(name, "") for name in ("USER", "LOGNAME", "USERNAME"))
    return next(filter(None, names), "") or "somebody"


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
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ModicumError(f"{path} cannot be read: {error}", remedy="mend or delete it") from error
    return parse_config(text, str(path))


def parse_config(text: str, file: str) -> dict[str, str]:
    """The choices in a config file; what is wrong names the file, the line and the remedy."""
    from modicum.yamlcheck import Record, check, choice
    from modicum.yamlcheck import text as words

    own = {name: words() for name in OWN}
    fields = Record({"profile": words(), "language": words(), "scope": choice(*SCOPES), **own})
    chosen, problems = check(text.encode(), fields, file)
    if problems:
        raise ModicumError(str(problems[0]), remedy="mend the file")
    return {key: value for key, value in (chosen or {}).items() if value}
