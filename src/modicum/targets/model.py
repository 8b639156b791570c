"""What an adapter is: the files that an AI tool reads, how much of them, and where its settings are. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from modicum.base.value import NOTHING, Value

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
LIST_FORMATS = (
    "json",
    "jsonc",
    "yaml",
)  # hooks and permissions are items of lists, which are not edited in TOML
SERVER_SHAPES = (
    *("standard", "cline", "codex", "copilot", "gemini", "goose", "list", "opencode", "roo", "windsurf"),
)
HOOK_SHAPES = ("claude", "copilot", "cursor", "kiro")
HOOK_FILE_SHAPES = ("script", "opencode")
REPLY_SHAPES = ("claude", "cursor", "copilot", "cline", "text")
EVENTS = (
    "sessionStart",
    "userPromptSubmit",
    "preToolUse",
    "postToolUse",
    "subagentStop",
    "preCompact",
    "stop",
    "sessionEnd",
)
MOMENTS = ("session-start", "prompt-submit", "session-end", "subagent-stop", "pre-compact")
VARIABLES = (
    *("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
)
PLACEHOLDERS = ("name", "globs", "description")
SECTION = "modicum"

LIMIT_KEYS = ("max_bytes", "max_chars", "max_tokens")

Row = Mapping[str, Any]

VARIABLE = r"%(\w+)%|\$\{(\w+)\}|\$(\w+)"
PLACEHOLDER = r"\{([a-z_]+)\}"
_OUTSIDE = re.compile(r"[~$%/\\]|[A-Za-z]:")
_SECTION_NAME = r"[A-Za-z0-9 ._/-]+"
_DOT = r"(?<!\\)\."


class Limit(Value):
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
    if_there: bool = False


class SkillFolder(Value):
    """Where a tool looks for skills."""

    scope: str
    path: str


class HookFile(Value):
    """A file that a tool runs at an event (script), or that tells it what to run at every one."""

    scope: str
    path: str
    shape: str
    event: str = ""


class Permissions(Value):
    """The list in a settings file in which a tool keeps what it may do without asking, and what is to be in it."""

    scope: str
    path: str
    format: str
    key: tuple[str, ...]
    items: tuple[str, ...]


class Approval(Value):
    """How a server's own entry says that its tools may be used without asking. A value: a word, true, or names."""

    key: str
    value: str


class HookContract(Value):
    """What a tool tells a hook and takes from it: paths of fields, the shape of a reply, where it listens, how much."""

    reply: str
    session: tuple[str, ...] = ()
    folder: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    transcript: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    max_chars: int = 0
    max_tokens: int = 0
    source: str = ""
    checked: str = ""


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
    skills: tuple[SkillFolder, ...] = ()
    hook_files: tuple[HookFile, ...] = ()
    permissions: tuple[Permissions, ...] = ()
    approval: Approval | None = None
    contract: HookContract | None = None
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
    if not row["globs"] and re.search(PLACEHOLDER, path + preamble):
        return 'placeholders need "globs: true"'
    return ""


def complaint_about_placeholders(text: str) -> str:
    """Which placeholder nobody fills, or nothing."""
    unknown = [word for word in re.findall(PLACEHOLDER, text) if word not in PLACEHOLDERS]
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
        skills=tuple(SkillFolder(_scope(entry), tidy_path(entry["path"])) for entry in _skills(row)),
        hook_files=tuple(_hook_file(entry) for entry in row.get("hook_files", ())),
        permissions=tuple(_permissions(entry) for entry in row.get("permissions", ())),
        approval=Approval(**row["approval"]) if row.get("approval") else None,
        contract=_contract(row["hook_contract"]) if row.get("hook_contract") else None,
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
        if_there=row.get("if_there", False),
    )


def _hook_file(row: Row) -> HookFile:
    return HookFile(_scope(row), tidy_path(row["path"]), row["shape"], row["event"])


def _permissions(row: Row) -> Permissions:
    path = tidy_path(row["path"])
    return Permissions(_scope(row), path, row["format"], _keys(row["key"]), tuple(row["items"]))


def _contract(row: Row) -> HookContract:
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return HookContract(**fields)


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
