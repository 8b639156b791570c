"""The model of an adapter: the files that an AI tool reads, their limits, and where its settings are. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

from modicum.base.typing_names import Any
from modicum.base.value import NOTHING, Value
from modicum.targets.agent_facts import (
    Limitation,
    ProgramCost,
    ToolList,
    limitations_from,
    tool_list_from,
)
from modicum.targets.loaders.load import loader_from
from modicum.targets.loaders.model import Loader

TYPES = ("file-inject", "clipboard-export", "file-export")
SCOPES = ("project", "global")
MODES = ("replace-section", "replace-file", "append", "import", "refer")
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
WINDOWS_SHELLS = ("cmd", "powershell")
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
    """A limit of an AI tool in an adapter: a number of bytes, chars, or tokens of a named tokenizer."""

    unit: str
    most: int


class Target(Value):
    """A target of an adapter: a file that an AI tool reads, and how our text is put into it.

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
    if_there: bool = False  # only where the user has such a file, or the one that it imports
    copy_of: str = (
        ""  # a file whose page this one repeats if both are there, because the tool then reads one of them
    )
    nested: bool = False  # also in folders of the project that have instruction files of their own


class Detect(Value):
    """A sign in an adapter that an AI tool is installed: a command on the PATH or a path that exists."""

    command: str = ""
    path: str = ""


class SettingsFile(Value):
    """Where an adapter puts servers or hooks: a settings file, the key in it, and the tool's names of events."""

    scope: str
    path: str
    format: str
    key: tuple[str, ...]
    shape: str
    events: Mapping[str, str] = NOTHING
    if_there: bool = False


class SkillFolder(Value):
    """The folder in an adapter where an AI tool looks for skills."""

    scope: str
    path: str


class HookFile(Value):
    """A file in an adapter that an AI tool runs at an event (script), or that lists what to run at each event."""

    scope: str
    path: str
    shape: str
    event: str = ""


class Permissions(Value):
    """The list in an AI tool's settings file of what the tool may do without asking, and our items for it."""

    scope: str
    path: str
    format: str
    key: tuple[str, ...]
    items: tuple[str, ...]


class Approval(Value):
    """How an adapter marks a server's entry so that its tools need no approval: a word, true, or names."""

    key: str
    value: str


class HookContract(Value):
    """The contract of an AI tool with its hooks in an adapter: fields of the input, shape and size of the reply."""

    reply: str
    session: tuple[str, ...] = ()
    folder: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    transcript: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    session_start_at: str = "session-start"  # the event with which the session start is told
    max_chars: int = 0
    max_tokens: int = 0
    forgets: bool = False  # a resumed session does not have what it heard at its start
    compacts_at: int = 0  # tokens from which it compacts, if it tells a hook so at every turn
    windows: str = "cmd"  # the shell that runs hooks there
    names_shell: bool = False  # a hook's entry may say which shell it is for
    source: str = ""
    checked: str = ""


class Adapter(Value):
    """The adapter of one AI tool: how it is detected, which files it reads, its limits and its settings."""

    id: str
    name: str
    type: str
    also: tuple[str, ...] = ()  # other names that people type for it
    is_foreign: bool = False  # somebody else's file has a part in it, a project's or a source's
    targets: tuple[Target, ...] = ()
    format: str = "markdown"
    verbosity: str = "full"
    fit: str = "thin"
    limits: tuple[Limit, ...] = ()
    export_path: str = ""
    instructions: str = ""
    detect: tuple[Detect, ...] = ()
    reads: Loader | None = None  # what the tool reads; None if nobody knows
    when_empty: str = "remove"
    mcp: tuple[SettingsFile, ...] = ()
    hooks: tuple[SettingsFile, ...] = ()
    skills: tuple[SkillFolder, ...] = ()
    hook_files: tuple[HookFile, ...] = ()
    permissions: tuple[Permissions, ...] = ()
    approval: Approval | None = None
    contract: HookContract | None = None
    hook_trust: str = ""  # the file where the tool records which hooks its user trusts
    tool_list: ToolList | None = None
    first_request: ProgramCost | None = None
    cannot: tuple[Limitation, ...] = ()
    source: str = ""
    checked: str = ""


def limits_of(adapter: Adapter, target: Target | None = None) -> tuple[Limit, ...]:
    """Returns all the limits of an adapter that hold for one of its targets (or for an export)."""
    return tightest((*adapter.limits, *(target.limits if target else ())))


def tightest(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Returns one limit of an adapter for each unit, the smallest, in the order of the units."""
    most: dict[str, int] = {}
    for limit in limits:
        most[limit.unit] = min(limit.most, most.get(limit.unit, limit.most))
    return tuple(Limit(unit, smallest) for unit, smallest in most.items())


def verbosity_of(adapter: Adapter, target: Target | None = None) -> str:
    """Returns the verbosity that the model of a target names, or else that of its adapter (an AI tool)."""
    return (target.verbosity if target else None) or adapter.verbosity


def complaint_about(row: Row) -> str:
    """Returns what is missing in an adapter as a whole; "" if nothing is."""
    match row.get("type", ""):
        case "":
            return f'"type" is missing ({", ".join(TYPES)})'
        case "file-inject" if not row.get("targets"):
            return 'a file-inject adapter needs "targets"'
        case "file-export" if not row.get("export_path"):
            return 'a file-export adapter needs "export_path"'
    return ""


def complaint_about_target(row: Row) -> str:
    """Returns which keys of an adapter's target contradict each other; "" if none do."""
    path, preamble, is_global = tidy_path(row["path"]), row["preamble"], row["scope"] == "global"
    if is_global != _is_outside(path):
        return f'the path "{path}" must {"start with ~/" if is_global else "be within the project"}'
    if ".." in path.split("/"):
        return f'the path "{path}" must not lead out with ".."'
    if row["mode"] in ("import", "refer") and not row["import_path"]:
        return f'the mode {row["mode"]} needs "import_path", the file that the line points at'
    if row["globs"] and not ("{name}" in path and "{globs}" in preamble):
        return 'a target with "globs: true" needs {name} in its path and {globs} in its preamble'
    if not row["globs"] and re.search(PLACEHOLDER, path + preamble):
        return 'placeholders need "globs: true"'
    return ""


def complaint_about_placeholders(text: str) -> str:
    """Returns which placeholder in an adapter's target is never filled in; "" if there is none."""
    unknown = [word for word in re.findall(PLACEHOLDER, text) if word not in PLACEHOLDERS]
    known = ", ".join(f"{{{word}}}" for word in PLACEHOLDERS)
    return f"has the unknown placeholder {{{unknown[0]}}} (known are {known})" if unknown else ""


def complaint_about_path(path: str) -> str:
    """Returns which variable or placeholder in an adapter's path is never filled in; "" if there is none."""
    for found in re.finditer(VARIABLE, path):
        if found[found.lastindex or 0].upper() not in VARIABLES:
            return f"has the unknown variable {found[0]} (known are ~, {', '.join(VARIABLES)})"
    return complaint_about_placeholders(path)


def complaint_about_section(name: str) -> str:
    """Returns why an adapter's region cannot have this name; "" if the name is good."""
    fits = re.fullmatch(_SECTION_NAME, name) is not None
    return "" if fits else "may have letters without accents, digits, spaces and . _ / - only"


def adapter_from(row: Row) -> Adapter:
    """Returns the adapter of an AI tool that checked and merged keys describe."""
    tokenizer = row.get("tokenizer") or TOKENIZERS[0]
    plain = (
        "type",
        "format",
        "fit",
        "export_path",
        "instructions",
        "when_empty",
        "hook_trust",
        "source",
        "checked",
    )
    return Adapter(
        id=row["id"],
        name=row.get("name") or row["id"],
        also=tuple(row.get("also", ())),
        targets=tuple(_target(target, tokenizer) for target in row.get("targets", ())),
        verbosity=row.get("verbosity") or "full",
        limits=_limits(row, tokenizer),
        detect=tuple(Detect(**rule) for rule in row.get("detect", ())),
        reads=loader_from(row["reads"]) if row.get("reads") else None,
        mcp=tuple(_settings(entry, "standard") for entry in _servers(row)),
        hooks=tuple(_settings(entry, "claude") for entry in _hooks(row)),
        skills=tuple(SkillFolder(_scope(entry), tidy_path(entry["path"])) for entry in _skills(row)),
        hook_files=tuple(_hook_file(entry) for entry in row.get("hook_files", ())),
        permissions=tuple(_permissions(entry) for entry in row.get("permissions", ())),
        approval=Approval(**row["approval"]) if row.get("approval") else None,
        contract=_contract(row["hook_contract"]) if row.get("hook_contract") else None,
        tool_list=tool_list_from(row["tool_list"]) if row.get("tool_list") else None,
        first_request=ProgramCost(**row["first_request"]) if row.get("first_request") else None,
        cannot=limitations_from(row.get("cannot", ())),
        **{key: row[key] for key in plain if row.get(key)},
    )


def tidy_path(path: str) -> str:
    """Returns an adapter's path with forward slashes and no "./", so that two spellings of a file are equal."""
    return path.replace("\\", "/").removeprefix("./")


def _target(row: Row, tokenizer: str) -> Target:
    plain = ("scope", "mode", "section", "preamble", "globs", "globs_style")
    places = ("import_path", "if_there", "copy_of", "nested")
    return Target(
        path=tidy_path(row["path"]),
        verbosity=row["verbosity"] or None,
        limits=_limits(row, tokenizer),
        **{key: row[key] for key in (*plain, *places)},
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
