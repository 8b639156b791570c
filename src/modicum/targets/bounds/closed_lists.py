"""The closed lists of what an adapter that is not built in may name: texts for AI tools, and their own settings. Data. Pure.

What is not on them is refused, so a name that nobody thought of is refused, too. A test holds that every file of the
built-in adapters is on them.
"""

TEXT_ENDINGS = (".md", ".mdc")
RULE_ENDINGS = (
    ".txt",
)  # in the folder `rules` of a tool; elsewhere requirements.txt and CMakeLists.txt are run
# Texts without an ending that tells so.
TEXT_NAMES = (
    *(".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".roorules"),
    *(".goosehints", ".augment-guidelines"),
)
# Hidden folders that AI tools read; a text in any other hidden folder is not for them.
TOOL_FOLDERS = (
    *(".agent", ".agents", ".ai", ".aiassistant", ".amazonq", ".amp", ".augment", ".claude", ".clinerules"),
    *(".cline", ".codeium", ".codex", ".continue", ".copilot", ".cursor", ".devin", ".factory", ".gemini"),
    *(".goose", ".grok", ".junie", ".kilo", ".kilocode", ".kimi-code", ".kiro", ".opencode", ".openhands"),
    *(".pi", ".qwen", ".roo", ".trae", ".warp", ".windsurf", ".zed"),
)
# Of a folder that others use, too: only these, and what is below those that end in "/".
SHARED_FOLDERS = {".github": ("copilot-instructions.md", "instructions/")}
# Of a tool's folder not these: a text there is more than read, because tools run what is between its marks.
RUN_FOLDERS = (
    *("agents", "commands", "extensions", "hooks", "modes", "output-styles"),
    *("plugins", "prompts", "scripts", "skills", "tools", "workflows"),
)
# Outside of the project: below these folders at home, and nowhere else.
HOME_FOLDERS = (
    *(folder for folder in TOOL_FOLDERS if folder not in (".clinerules", ".ai")),
    *(f".config/{tool}" for tool in ("amp", "devin", "goose", "kilo", "opencode", "zed")),
    "Documents/Cline/Rules",
)
HOME_FILES = (".config/AGENTS.md",)
# An export is a text that a person uploads: `~/modicum-team.md`.
EXPORT = r"modicum-[a-z0-9][a-z0-9-]*\.md"

# Settings of tools, by the key at which something may be put: servers, …
SERVERS = {
    "amp\\.mcpServers": (
        ".amp/settings.json",
        "~/.config/amp/settings.json",
    ),
    "context_servers": (
        ".zed/settings.json",
        "~/.config/zed/settings.json",
    ),
    "extensions": ("~/.config/goose/config.yaml",),
    "mcp": (
        "kilo.jsonc",
        "opencode.json",
        "~/.config/opencode/opencode.json",
    ),
    "mcpServers": (
        ".agents/mcp_config.json",
        ".ai/mcp/mcp.json",
        ".cursor/mcp.json",
        ".devin/mcp_config.json",
        ".factory/mcp.json",
        ".gemini/settings.json",
        ".junie/mcp/mcp.json",
        ".kimi-code/mcp.json",
        ".kiro/settings/mcp.json",
        ".mcp.json",
        ".qwen/settings.json",
        ".roo/mcp.json",
        ".warp/.mcp.json",
        "~/.ai/mcp/mcp.json",
        "~/.augment/settings.json",
        "~/.claude.json",
        "~/.cline/data/settings/cline_mcp_settings.json",
        "~/.codeium/windsurf/mcp_config.json",
        "~/.continue/config.yaml",
        "~/.copilot/mcp-config.json",
        "~/.cursor/mcp.json",
        "~/.factory/mcp.json",
        "~/.gemini/config/mcp_config.json",
        "~/.gemini/settings.json",
        "~/.junie/mcp/mcp.json",
        "~/.kimi-code/mcp.json",
        "~/.kiro/settings/mcp.json",
        "~/.qwen/settings.json",
        "~/.warp/.mcp.json",
    ),
    "mcp_servers": (
        ".codex/config.toml",
        ".grok/config.toml",
        "~/.codex/config.toml",
        "~/.grok/config.toml",
    ),
    "servers": (
        "$XDG_CONFIG_HOME/Code/User/mcp.json",
        "%APPDATA%/Code/User/mcp.json",
        ".vscode/mcp.json",
        "~/Library/Application Support/Code/User/mcp.json",
    ),
}
# … what is run at an event, …
HOOKS = {
    "": (
        ".devin/hooks.v1.json",
        ".factory/hooks.json",
        "~/.factory/hooks.json",
    ),
    "hooks": (
        ".agents/plugins/modicum/hooks/hooks.json",
        ".augment/settings.json",
        ".claude/settings.json",
        ".codex/hooks.json",
        ".cursor/hooks.json",
        ".gemini/settings.json",
        ".github/hooks/modicum.json",
        ".grok/hooks/modicum.json",
        ".kiro/hooks/modicum.json",
        ".qwen/settings.json",
        "~/.augment/settings.json",
        "~/.claude/settings.json",
        "~/.codex/hooks.json",
        "~/.config/devin/config.json",
        "~/.copilot/hooks/modicum.json",
        "~/.cursor/hooks.json",
        "~/.gemini/settings.json",
        "~/.qwen/settings.json",
    ),
}
# … what needs no question, …
PERMISSIONS = {
    "permissions.allow": (
        ".claude/settings.json",
        "~/.claude/settings.json",
    ),
}
# … and which files are read.
READING = {
    "context.fileName": (".gemini/settings.json",),
    "instructions": (
        "kilo.jsonc",
        "opencode.json",
    ),
    "project_doc_fallback_filenames": (".codex/config.toml",),
    "project_doc_max_bytes": (".codex/config.toml",),
    "read": (".aider.conf.yml",),
}
SETTINGS = (SERVERS, HOOKS, PERMISSIONS, READING)
SKILLS = (
    ".agents/skills",
    ".augment/skills",
    ".claude/skills",
    ".cline/skills",
    ".cursor/skills",
    ".devin/skills",
    ".factory/skills",
    ".github/skills",
    ".junie/skills",
    ".kiro/skills",
    ".opencode/skills",
    ".qwen/skills",
    ".roo/skills",
    "~/.agents/skills",
    "~/.augment/skills",
    "~/.claude/skills",
    "~/.cline/skills",
    "~/.config/amp/skills",
    "~/.config/opencode/skills",
    "~/.copilot/skills",
    "~/.cursor/skills",
    "~/.factory/skills",
    "~/.gemini/skills",
    "~/.junie/skills",
    "~/.kiro/skills",
    "~/.qwen/skills",
    "~/.roo/skills",
)
HOOK_FILES = (
    ".clinerules/hooks/PreCompact",
    ".clinerules/hooks/TaskComplete",
    ".clinerules/hooks/TaskResume",
    ".clinerules/hooks/TaskStart",
    ".clinerules/hooks/UserPromptSubmit",
    ".opencode/plugins/modicum.js",
    "~/.config/opencode/plugins/modicum.js",
    "~/Documents/Cline/Hooks/PreCompact",
    "~/Documents/Cline/Hooks/TaskComplete",
    "~/Documents/Cline/Hooks/TaskResume",
    "~/Documents/Cline/Hooks/TaskStart",
    "~/Documents/Cline/Hooks/UserPromptSubmit",
)
# How a server is marked so that its tools need no question, as a key and a value of its entry.
APPROVALS = (("autoApprove", "names"), ("default_tools_approval_mode", "approve"), ("trust", "true"))
# The files in which a tool writes down which hooks its user trusts; they are only read.
HOOK_TRUST = ("~/.codex/config.toml",)
# Settings that decide what a tool reads; they are only looked into.
READ_SETTINGS = (
    *("~/.aider.conf.yml", ".aider.conf.yml", "~/.codex/config.toml", ".codex/config.toml"),
    *("~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"),
    *("~/.gemini/settings.json", ".gemini/settings.json", "~/.qwen/settings.json", ".qwen/settings.json"),
    *("~/.config/kilo/kilo.json", "~/.config/kilo/kilo.jsonc", "kilo.jsonc", "kilo.json"),
    *(f"~/.config/opencode/{name}" for name in ("config.json", "opencode.json", "opencode.jsonc")),
    *("opencode.jsonc", "opencode.json", ".opencode/opencode.jsonc", ".opencode/opencode.json"),
)
