"""Other names that people type for an AI tool, such as `claude` for claude-code; every command that takes a tool knows them."""

from collections.abc import Iterable

from modicum.base.config import Config

ALIASES = {
    "claude": "claude-code",
    "claude.ai": "claude-ai",
    "codex-cli": "codex",
    "copilot-cli": "copilot",
    "github-copilot": "copilot",
    "cursor-agent": "cursor",
    "droid": "factory",
    "jetbrains": "jetbrains-ai",
    "kilo-code": "kilo",
    "kilocode": "kilo",
    "kimi-cli": "kimi",
    "qwen-code": "qwen",
    "roo-code": "roo",
    "vscode": "copilot",
}


def tool_ids(config: Config, names: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of AI tools for the names that were typed; a tool that the user or project defines keeps its own."""
    return tuple(name if _is_defined(config, name) else ALIASES.get(name.lower(), name) for name in names)


def _is_defined(config: Config, name: str) -> bool:
    folders = (config.folder, config.project)
    return name.lower() in ALIASES and any(
        (folder / "adapters" / f"{name}.yaml").exists() for folder in folders
    )
