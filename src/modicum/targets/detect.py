"""Detects whether an AI tool is installed, by its commands and paths; nothing is run. Pure."""

import re
from collections.abc import Callable, Mapping

from modicum.targets.model import VARIABLE, Adapter, Detect

Which = Callable[[str], str | None]
Exists = Callable[[str], bool]

# Asking a command for its version says no more than that it is there.
_HARMLESS = frozenset(("--version", "-version", "version", "-v", "-V", "--help", "-h", "help"))
_DEFAULTS = {"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_CACHE_HOME": ".cache"}
_VARIABLE = rf"\A~(?=[/\\]|\Z)|{VARIABLE}"


def detected(adapter: Adapter, which: Which, exists: Exists, variables: Mapping[str, str]) -> bool:
    """Returns True if an AI tool is installed: any of its signs (a command or a path) is detected."""
    return sign_of(adapter, which, exists, variables) is not None


def sign_of(adapter: Adapter, which: Which, exists: Exists, variables: Mapping[str, str]) -> Detect | None:
    """Returns the first sign by which an AI tool is detected; relative paths are left to `exists`."""
    for rule in adapter.detect:
        if _is_command(rule.command, which) or _is_there(rule.path, exists, variables):
            return rule
    return None


def expanded(path: str, variables: Mapping[str, str]) -> str | None:
    """Returns a path for detection with ~, $NAME, ${NAME} and %NAME% filled in; None if one is unknown."""
    parts: list[str] = []
    end = 0
    for found in re.finditer(_VARIABLE, path):
        value = _value(found, variables)
        if not value:
            return None
        parts += [path[end : found.start()], value]
        end = found.end()
    return "".join((*parts, path[end:]))


def _value(found: re.Match[str], variables: Mapping[str, str]) -> str:
    if found[0] == "~":
        return _home(variables)
    name = next(filter(None, found.groups()))
    if found[0].startswith("%"):
        return _whatever_case(name, variables)
    return variables.get(name) or _default(name, variables)


def _home(variables: Mapping[str, str]) -> str:
    return (variables.get("HOME") or variables.get("USERPROFILE") or "").rstrip("/\\")


def _default(name: str, variables: Mapping[str, str]) -> str:
    home = _home(variables)
    return f"{home}/{_DEFAULTS[name]}" if home and name in _DEFAULTS else ""


def _whatever_case(name: str, variables: Mapping[str, str]) -> str:
    return next((value for key, value in variables.items() if key.upper() == name.upper()), "")


def _is_command(command: str, which: Which) -> bool:
    name, *arguments = command.split() or [""]
    # Anything else would have to be run to mean something: `gh extension list` is there for everyone who has gh.
    return bool(name) and set(arguments) <= _HARMLESS and which(name) is not None


def _is_there(path: str, exists: Exists, variables: Mapping[str, str]) -> bool:
    place = expanded(path, variables) if path else None
    return place is not None and exists(place)
