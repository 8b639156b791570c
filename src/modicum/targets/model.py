"""Adapters: what an AI tool reads, how much of it, and where its settings are. A tool is data, not code."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from modicum.value import NOTHING, Value, replace

TYPES = ("file-inject", "clipboard-export", "file-export")
SCOPES = ("project", "global")
MODES = ("replace-section", "replace-file", "append", "import")
FORMATS = ("markdown", "plain-prose")
FITS = ("thin", "whole")
WHEN_EMPTY = ("remove", "keep")
VERBOSITIES = ("minimal", "standard", "full")
VERBOSITY_SPELLINGS = {"summary": "minimal", "compact": "minimal", "concise": "minimal", "detailed": "full"}
TOKENIZERS = ("o200k_base", "cl100k_base", "claude", "approx")
GLOBS_STYLES = ("comma", "quoted-comma", "yaml-list")
SETTINGS_FORMATS = ("json", "jsonc", "toml", "yaml")
SERVER_SHAPES = (
    *("standard", "cline", "codex", "copilot", "gemini", "goose", "list", "opencode", "roo", "windsurf"),
)
HOOK_SHAPES = ("claude", "copilot", "cursor")
EVENTS = ("sessionStart", "userPromptSubmit", "preToolUse", "postToolUse", "preCompact", "stop", "sessionEnd")
VARIABLES = (
    *("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
)
PLACEHOLDERS = ("name", "globs", "description")
SECTION = "modicum"

LIMIT_KEYS = ("max_bytes", "max_chars", "max_tokens")

Row = Mapping[str, Any]

VARIABLE = r"%(\w+)%|\$\{(\w+)\}|\$(\w+)"
_PLACEHOLDER = r"\{([a-z_]+)\}"
_OUTSIDE = re.compile(r"[~$%/\\]|[A-Za-z]:")
_SECTION_NAME = r"[A-Za-z0-9 ._/-]+"
_DOT = r"(?<!\\)\."
_BRACES = r"\{([^{}]*)\}"
_PLAIN_WORDS = r"[A-Za-z0-9][^:#\"'\\]* [^:#\"'\\]*\Z"
_NOT_A_NAME = r"[\W_]+"
_LONGEST_NAME = 80
_MOST_GLOBS = 100


class Limit(NamedTuple):
    """At most so many of a unit: bytes, chars, or the tokens of a named tokenizer. 0 is a limit."""

    unit: str
    most: int


class Target(Value):
    """A file of a tool, and what is done to it.

    Targets of several adapters with one scope, path and section are one region, written once within the tightest limits.
    """

    scope: str
    path: str
    mode: str
    section: str = SECTION
    preamble: str = ""
    verbosity: str | None = None
    limits: tuple[Limit, ...] = ()
    globs: bool = False
    globs_style: str = "comma"
    import_path: str = ""


class Detect(Value):
    """A sign that a tool is installed: a command on the PATH or a path that exists."""

    command: str = ""
    path: str = ""


class SettingsFile(Value):
    """Where servers or hooks go. The key leads to their map or list; events are a hook's names in the tool's words."""

    scope: str
    path: str
    format: str
    key: tuple[str, ...]
    shape: str
    events: Mapping[str, str] = NOTHING


class Folder(Value):
    """Where a tool looks for skills."""

    scope: str
    path: str


class Adapter(Value):
    """One AI tool."""

    id: str
    name: str
    type: str
    targets: tuple[Target, ...] = ()
    format: str = "markdown"
    verbosity: str = "full"
    fit: str = "thin"
    limits: tuple[Limit, ...] = ()
    export_path: str = ""
    instructions: str = ""
    detect: tuple[Detect, ...] = ()
    also_reads: tuple[str, ...] = ()
    when_empty: str = "remove"
    mcp: tuple[SettingsFile, ...] = ()
    hooks: tuple[SettingsFile, ...] = ()
    skills: tuple[Folder, ...] = ()
    source: str = ""
    checked: str = ""


def limits_of(adapter: Adapter, target: Target | None = None) -> tuple[Limit, ...]:
    """All the limits that hold for a target (or for an export)."""
    return tightest((*adapter.limits, *(target.limits if target else ())))


def tightest(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """One limit for each unit, the smallest, in the order in which the units first appear."""
    most: dict[str, int] = {}
    for limit in limits:
        most[limit.unit] = min(limit.most, most.get(limit.unit, limit.most))
    return tuple(Limit(unit, smallest) for unit, smallest in most.items())


def verbosity_of(adapter: Adapter, target: Target | None = None) -> str:
    """What the target asks for, or else the adapter."""
    return (target.verbosity if target else None) or adapter.verbosity


def for_globs(target: Target, *, name: str, globs: Sequence[str], description: str = "") -> Target:
    """The target for one set of globs: its path and front matter without placeholders."""
    words = {
        "name": file_name(name),
        "globs": written_globs(globs, target.globs_style),
        "description": _scalar(description or name),
    }
    return replace(target, path=_filled(target.path, words), preamble=_filled(target.preamble, words))


def file_name(name: str) -> str:
    """Any name as part of a file name."""
    return re.sub(_NOT_A_NAME, "-", name.casefold())[:_LONGEST_NAME].strip("-") or "rules"


def written_globs(globs: Sequence[str], style: str) -> str:
    """The globs in a tool's own notation, on one line."""
    tidy = [" ".join(glob.split()) for glob in globs]
    if style == "yaml-list":
        return f"[{', '.join(map(_quoted, tidy))}]"
    # A comma within braces would end the glob.
    joined = ",".join(single for glob in tidy for single in _without_braces(glob))
    return _quoted(joined) if style == "quoted-comma" else joined


def complaint_about(row: Row) -> str:
    """What a whole adapter lacks, or nothing."""
    match row.get("type", ""):
        case "":
            return f'"type" is missing ({", ".join(TYPES)})'
        case "file-inject" if not row.get("targets"):
            return 'a file-inject adapter needs "targets"'
        case "file-export" if not row.get("export_path"):
            return 'a file-export adapter needs "export_path"'
    return ""


def complaint_about_target(row: Row) -> str:
    """What does not go together in a target, or nothing."""
    path, preamble, is_global = tidy_path(row["path"]), row["preamble"], row["scope"] == "global"
    if is_global != _is_outside(path):
        return f'the path "{path}" must {"start with ~/" if is_global else "be within the project"}'
    if ".." in path.split("/"):
        return f'the path "{path}" must not lead out with ".."'
    if row["mode"] == "import" and not row["import_path"]:
        return 'the mode import needs "import_path", the file that the line points at'
    if row["globs"] and not ("{name}" in path and "{globs}" in preamble):
        return 'a target with "globs: true" needs {name} in its path and {globs} in its preamble'
    if not row["globs"] and re.search(_PLACEHOLDER, path + preamble):
        return 'placeholders need "globs: true"'
    return ""


def complaint_about_placeholders(text: str) -> str:
    """Which placeholder nobody fills, or nothing."""
    unknown = [word for word in re.findall(_PLACEHOLDER, text) if word not in PLACEHOLDERS]
    known = ", ".join(f"{{{word}}}" for word in PLACEHOLDERS)
    return f"has the unknown placeholder {{{unknown[0]}}} (known are {known})" if unknown else ""


def complaint_about_path(path: str) -> str:
    """Which variable or placeholder nobody fills, or nothing."""
    for found in re.finditer(VARIABLE, path):
        if found[found.lastindex or 0].upper() not in VARIABLES:
            return f"has the unknown variable {found[0]} (known are ~, {', '.join(VARIABLES)})"
    return complaint_about_placeholders(path)


def complaint_about_section(name: str) -> str:
    """Why a region cannot have this name, or nothing."""
    fits = re.fullmatch(_SECTION_NAME, name) is not None
    return "" if fits else "may have letters without accents, digits, spaces and . _ / - only"


def adapter_from(row: Row) -> Adapter:
    """The adapter that checked and merged keys describe."""
    tokenizer = row.get("tokenizer") or TOKENIZERS[0]
    plain = ("type", "format", "fit", "export_path", "instructions", "when_empty", "source", "checked")
    return Adapter(
        id=row["id"],
        name=row.get("name") or row["id"],
        targets=tuple(_target(target, tokenizer) for target in row.get("targets", ())),
        verbosity=row.get("verbosity") or "full",
        limits=_limits(row, tokenizer),
        detect=tuple(Detect(**rule) for rule in row.get("detect", ())),
        also_reads=tuple(row.get("also_reads", ())),
        mcp=tuple(_settings(entry, "standard") for entry in _servers(row)),
        hooks=tuple(_settings(entry, "claude") for entry in _hooks(row)),
        skills=tuple(Folder(_scope(entry), tidy_path(entry["path"])) for entry in _skills(row)),
        **{key: row[key] for key in plain if row.get(key)},
    )


def tidy_path(path: str) -> str:
    """The path with forward slashes and nothing idle in front, so that two spellings of a file are one."""
    return path.replace("\\", "/").removeprefix("./")


def _target(row: Row, tokenizer: str) -> Target:
    fields = ("scope", "mode", "section", "preamble", "globs", "globs_style", "import_path")
    return Target(
        path=tidy_path(row["path"]),
        verbosity=row["verbosity"] or None,
        limits=_limits(row, tokenizer),
        **{key: row[key] for key in fields},
    )


def _limits(row: Row, tokenizer: str) -> tuple[Limit, ...]:
    units = ("bytes", "chars", row.get("tokenizer") or tokenizer)
    amounts = [(unit, row.get(key)) for unit, key in zip(units, LIMIT_KEYS, strict=True)]
    return tuple(Limit(unit, most) for unit, most in amounts if most is not None)


def _settings(row: Row, shape: str) -> SettingsFile:
    return SettingsFile(
        scope=_scope(row),
        path=tidy_path(row["path"]),
        format=row["format"],
        key=_keys(row["key"]),
        shape=row.get("shape") or shape,
        events=row.get("events", {}),
    )


def _scope(row: Row) -> str:
    return row.get("scope") or ("global" if _is_outside(row["path"]) else "project")


def _keys(key: str) -> tuple[str, ...]:
    parts = re.split(_DOT, key) if "\\" in key else key.split(".")
    return tuple(part.replace(r"\.", ".") for part in parts) if key else ()


# The older keys, with one file each, say less than the present ones and only count where those are absent.


def _servers(row: Row) -> Sequence[Row]:
    return row["mcp"] if "mcp" in row else (*_one(row, "mcp_config"), *row.get("extra_mcp_configs", ()))


def _hooks(row: Row) -> Sequence[Row]:
    return row["hooks"] if "hooks" in row else [_with_event(entry) for entry in _one(row, "hook_config")]


def _skills(row: Row) -> Sequence[Row]:
    return row["skills"] if "skills" in row else _one(row, "skill_config")


def _one(row: Row, key: str) -> tuple[Row, ...]:
    return (row[key],) if key in row else ()


def _with_event(row: Row) -> Row:
    # The older key ends in the tool's name for the one event there was.
    *way, event = re.split(_DOT, row["key"])
    return {**row, "key": ".".join(way), "events": {"sessionStart": event}}


def _is_outside(path: str) -> bool:
    return _OUTSIDE.match(path) is not None


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(_PLACEHOLDER, lambda found: words.get(found[1], found[0]), text)


def _scalar(text: str) -> str:
    line = " ".join(text.split())
    return line if re.match(_PLAIN_WORDS, line) else _quoted(line)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _without_braces(glob: str) -> Iterable[str]:
    parts = re.split(_BRACES, glob)
    options = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
    if prod(map(len, options)) > _MOST_GLOBS:
        return [glob]
    return map("".join, product(*options))
