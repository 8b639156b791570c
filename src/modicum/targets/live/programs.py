"""How each agent program is started for one question, and which of its settings concern what it reads. Pure."""

import json
from collections.abc import Callable, Mapping

from modicum.base.value import NOTHING, Value

PROMPT = "modicum asks for one word"


class Launch(Value):
    """How a program is started for one question: arguments, environment, and files for its home (JSON is merged into them)."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    settings: Mapping[str, Mapping[str, object]] = NOTHING  # JSON files in the home
    lines: Mapping[str, str] = NOTHING  # text that is added to a file in the home


class Program(Value):
    """An agent program that can be asked what it reads: its command, its npm package, and how it is started.

    `launch` takes the address of a model and the project's root.
    """

    command: str
    package: str
    launch: Callable[[str, str], Launch]


Keys = tuple[tuple[str, ...], ...]


class KeptSettings(Value):
    """A settings file of a program that is run live, in a project's folder or the home, and the keys in it about reading, or servers."""

    path: str
    format: str
    reading: Keys = ()
    servers: Keys = ()


def _claude(url: str, root: str) -> Launch:
    return Launch(
        ("-p", PROMPT),
        {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "stub",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    )


def _codex(url: str, root: str) -> Launch:
    provider = f'{{name="stub",base_url="{url}/v1",wire_api="responses",env_key="STUB_KEY"}}'
    chosen = ("-c", 'model="stub"', "-c", 'model_provider="stub"', "-c", f"model_providers.stub={provider}")
    trust = f'[projects.{json.dumps(root, ensure_ascii=False)}]\ntrust_level = "trusted"\n'
    return Launch(
        ("exec", "--skip-git-repo-check", *chosen, PROMPT),
        {"STUB_KEY": "stub"},
        lines={".codex/config.toml": trust},
    )


def _copilot(url: str, root: str) -> Launch:
    return Launch(
        ("-p", PROMPT, "--allow-all-tools"),
        {
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "stub",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
        },
    )


def _gemini(url: str, root: str) -> Launch:
    # A named model, for else it first asks which one is to answer.
    return Launch(
        ("-m", "gemini-2.5-flash", "-p", PROMPT),
        {"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": url},
        {
            ".gemini/settings.json": {"security": {"auth": {"selectedType": "gemini-api-key"}}},
            ".gemini/trustedFolders.json": {root: "TRUST_FOLDER"},
        },
    )


def _opencode(url: str, root: str) -> Launch:
    options = {"baseURL": f"{url}/v1", "apiKey": "stub"}
    stub = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"stub": {}}}
    settings = {"provider": {"stub": stub}, "model": "stub/stub", "autoupdate": False, "share": "disabled"}
    return Launch(
        ("run", "--model", "stub/stub", PROMPT),
        {
            "OPENCODE_CONFIG_CONTENT": json.dumps(settings),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
    )


def _qwen(url: str, root: str) -> Launch:
    return Launch(
        ("-p", PROMPT, "--yolo"),
        {"OPENAI_API_KEY": "stub", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "stub"},
        {".qwen/settings.json": {"security": {"auth": {"selectedType": "openai"}}}},
    )


PROGRAMS: Mapping[str, Program] = {
    "claude-code": Program("claude", "@anthropic-ai/claude-code", _claude),
    "codex": Program("codex", "@openai/codex", _codex),
    "copilot": Program("copilot", "@github/copilot", _copilot),
    "gemini-cli": Program("gemini", "@google/gemini-cli", _gemini),
    "opencode": Program("opencode", "opencode-ai", _opencode),
    "qwen": Program("qwen", "@qwen-code/qwen-code", _qwen),
}

_AGENTS_MD = ("pluginConfigs", "cc-plugin-agents-md@builtin")
_CLAUDE_SERVERS = (("hooks",), ("enableAllProjectMcpServers",), ("enabledMcpjsonServers",))
_OPENCODE = ((("instructions",),), (("mcp",),))
_CODEX = (("project_doc_max_bytes",), ("project_doc_fallback_filenames",), ("project_root_markers",))

SETTINGS: tuple[KeptSettings, ...] = (
    KeptSettings(".claude/settings.json", "jsonc", (("claudeMdExcludes",), _AGENTS_MD), _CLAUDE_SERVERS),
    KeptSettings(".claude/settings.local.json", "jsonc", (("claudeMdExcludes",),), _CLAUDE_SERVERS),
    KeptSettings(".claude.json", "jsonc", (), (("mcpServers",),)),
    KeptSettings(".mcp.json", "jsonc", (), (("mcpServers",),)),
    KeptSettings(".codex/config.toml", "toml", _CODEX, (("mcp_servers",),)),
    KeptSettings(".copilot/mcp-config.json", "jsonc", (), (("mcpServers",),)),
    KeptSettings(".gemini/settings.json", "jsonc", (("context",),), (("mcpServers",), ("hooks",))),
    KeptSettings(".qwen/settings.json", "jsonc", (("context",),), (("mcpServers",), ("hooks",))),
    *(
        KeptSettings(f"{folder}{name}", "jsonc", *_OPENCODE)
        for folder in ("", ".opencode/", ".config/opencode/")
        for name in ("opencode.json", "opencode.jsonc")
    ),
)

# Instruction files of any of the programs, in a folder on the way down to where it is started; names in any case.
NAMES = frozenset(
    ("agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "qwen.md", "context.md")
)
IN_FOLDERS = (
    ".claude/CLAUDE.md",
    ".claude/AGENTS.md",
    ".claude/rules/**/*.md",
    ".github/copilot-instructions.md",
    ".github/instructions/**/*.md",
    ".qwen/QWEN.local.md",
    ".qwen/rules/**/*.md",
)
IN_HOME = (
    ".claude/CLAUDE.md",
    ".claude/rules/**/*.md",
    ".codex/*.md",
    ".gemini/*.md",
    ".qwen/*.md",
    ".qwen/rules/**/*.md",
    ".copilot/copilot-instructions.md",
    ".copilot/instructions/**/*.md",
    ".config/opencode/*.md",
)
ELSEWHERE = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME", ".config": "XDG_CONFIG_HOME"}
ROOT_MARKS = (".git", ".hg", ".jj", ".svn")


def kept(settings: object, keys: Keys) -> dict[str, object]:
    """Returns what the settings of an agent program have under the given keys, and nothing else."""
    found: dict[str, object] = {}
    for path in keys:
        value = _under(settings, path)
        if value is not None:
            found = merged(found, _nested(path, value))
    return found


def names_in(settings: object) -> tuple[str, ...]:
    """Returns the further instruction files that a program which is run live finds in its settings: file names, or globs for OpenCode."""
    paths = (("context", "fileName"), ("project_doc_fallback_filenames",), ("instructions",))
    found = (_under(settings, path) for path in paths)
    several = (each if isinstance(each, list) else [each] for each in found)
    return tuple(name for names in several for name in names if isinstance(name, str))


def merged(settings: Mapping[str, object], more: Mapping[str, object]) -> dict[str, object]:
    """Returns settings of an agent program with others over them, table by table."""
    found = dict(settings)
    for key, value in more.items():
        own = found.get(key)
        found[key] = merged(own, value) if isinstance(own, dict) and isinstance(value, dict) else value
    return found


def _under(settings: object, path: tuple[str, ...]) -> object:
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def _nested(path: tuple[str, ...], value: object) -> dict[str, object]:
    first, *rest = path
    return {first: _nested(tuple(rest), value) if rest else value}
