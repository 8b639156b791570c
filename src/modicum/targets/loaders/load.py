"""Loads what an adapter says about reading: the shape of `reads` in its YAML file, and the loader that it describes. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping

from modicum.base.typing_names import Any
from modicum.base.yaml.check import Record, Shape, WholeNumber, choice, flag, list_of, text
from modicum.targets.loaders.model import (
    DROPS,
    FOLDERS,
    IMPORTED_ONCE,
    IMPORTS,
    LINKS,
    ORDERS,
    OUTSIDE,
    PICKS,
    SETTING_FOLDERS,
    UNITS,
    Loader,
    ReadCondition,
    ReadingSetting,
    ReadLimit,
    ReadRule,
    SettingKey,
)

Row = Mapping[str, Any]

_FORMATS = ("json", "jsonc", "toml", "yaml")


def _version_complaint(version: str) -> str:
    return "" if re.fullmatch(r"\d+(\.\d+)*", version) else "must be a version such as 2.1.277"


_VERSION = text(complaint=_version_complaint)
_SETTING = Record(
    {
        "paths": list_of(text()),
        "key": text(required=True),
        "folders": choice(*SETTING_FOLDERS),
        "merge": flag(),
    },
    sparse=True,
)
_CONDITION = Record(
    {"key": text(required=True), "always": list_of(text()), "absent": flag(default=True)}, sparse=True
)
# What holds for all rules unless one of them says otherwise.
_MANNER: dict[str, Shape] = {
    "imports": choice(*IMPORTS),
    "within": choice("folder"),
    "drops": list_of(choice(*DROPS)),
    "trim": flag(default=True),
    "links": choice(*LINKS),
    "conditional": list_of(_CONDITION),
    "limit": text(),
    "needs": text(),
}
_RULE = Record(
    {
        "folders": choice(*FOLDERS, required=True),
        "files": list_of(text()),
        "home": text(),
        "outside": choice(*OUTSIDE),
        "order": choice(*ORDERS),
        "pick": choice(*PICKS),
        "names": _SETTING,
        "more": _SETTING,
        "own_tree": flag(),
        "unless": list_of(text()),
        "since": _VERSION,
        "until": _VERSION,
        **_MANNER,
    },
    sparse=True,
)
_LIMIT = Record(
    {
        "name": text(required=True),
        "unit": choice(*UNITS, required=True),
        "most": WholeNumber(required=True, least=0),
        "each": flag(),
        "whole": flag(),
        "setting": _SETTING,
        "feature": text(),
    },
    sparse=True,
)
_OPTION = Record(
    {
        "path": text(required=True),
        "format": choice(*_FORMATS, required=True),
        "key": text(required=True),
        "add": text(),
        "names": list_of(text()),
        "raises": text(),
        "if_there": flag(),
        "needs": text(),
    },
    sparse=True,
)
READS = Record(
    {
        "rules": list_of(_RULE),
        "limits": list_of(_LIMIT),
        "settings": list_of(_OPTION),
        "imported_once": choice(*IMPORTED_ONCE),
        "any_case": flag(),
        "depth": WholeNumber(least=0),
        "excludes": _SETTING,
        "source": text(required=True),
        **_MANNER,
    },
    sparse=True,
)


def loader_from(row: Row) -> Loader:
    """Returns the loader of an AI tool: what the tool reads, as the key `reads` of its adapter says."""
    manner = {key: row[key] for key in _MANNER if key in row}
    plain = ("imported_once", "any_case", "depth", "source")
    return Loader(
        rules=tuple(_rule({**manner, **rule}) for rule in row.get("rules", ())),
        limits=tuple(_limit(limit) for limit in row.get("limits", ())),
        settings=tuple(_reading_setting(option) for option in row.get("settings", ())),
        excludes=_setting(row.get("excludes")),
        **{key: row[key] for key in plain if key in row},
    )


def _rule(row: Row) -> ReadRule:
    made: dict[str, Callable[[Any], object]] = {
        "names": _setting,
        "more": _setting,
        "conditional": _conditions,
    }
    fields: dict[str, Any] = {key: made[key](value) if key in made else value for key, value in row.items()}
    return ReadRule(**fields)


def _conditions(rows: Iterable[Row]) -> tuple[ReadCondition, ...]:
    return tuple(ReadCondition(**row) for row in rows)


def _limit(row: Row) -> ReadLimit:
    plain = {key: value for key, value in row.items() if key != "setting"}
    return ReadLimit(**plain, setting=_setting(row.get("setting")))


def _reading_setting(row: Row) -> ReadingSetting:
    plain = {key: row[key] for key in ("path", "format", "add", "raises", "if_there", "needs") if key in row}
    return ReadingSetting(keys=tuple(row["key"].split(".")), names=tuple(row.get("names", ())), **plain)


def _setting(row: Row | None) -> SettingKey | None:
    if not row:
        return None
    plain = {key: row[key] for key in ("folders", "merge") if key in row}
    return SettingKey(tuple(row["paths"]), tuple(row["key"].split(".")), **plain)
