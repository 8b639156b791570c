"""What an adapter that is not built in may name."""

from pathlib import Path

import pytest

import modicum
from modicum.base.yaml.check import check
from modicum.targets.bounds.foreign import complaint_about_foreign
from modicum.targets.bounds.paths import is_text_at_home, is_text_in_project
from modicum.targets.load import ADAPTER

BUILT_IN = sorted((Path(modicum.__file__).parent / "data" / "adapters").glob("*.yaml"))


def row_of(text: str) -> dict[str, object]:
    checked = check(text, ADAPTER, "adapters/x.yaml")
    assert not checked.problems, checked.problems
    return checked.value


@pytest.mark.parametrize("file", BUILT_IN, ids=lambda file: file.stem)
def test_every_file_of_the_built_in_adapters_is_on_the_closed_lists(file) -> None:
    assert complaint_about_foreign(row_of(file.read_text())) == ""


TARGET = "id: x\ntype: file-inject\ntargets: [{scope: %s, path: '%s', mode: %s, import_path: '%s'}]\n"


def refused(text: str) -> bool:
    return complaint_about_foreign(row_of(text)) != ""


CODE = (
    *(
        ".git/hooks/pre-commit",
        ".git/config",
        ".GIT/hooks/pre-commit",
        ".Git./x.md",
        ".git /x.md",
        "git~1/x.md",
    ),
    *(
        ".git::$INDEX_ALLOCATION/x.md",
        ".g\u200cit/x.md",
        "a/../.git/x.md",
        ".git\\\\hooks\\\\x.md",
        "sub/.git/x.md",
    ),
    *(
        ".husky/pre-commit",
        ".husky/x.md",
        "Makefile",
        "package.json",
        "setup.py",
        "conftest.py",
        "x.sh",
        ".envrc",
    ),
    *("requirements.txt", "CMakeLists.txt", "x.mdx", ".github/workflows/x.md", ".github/workflows/ci.yml"),
    *(".claude/commands/x.md", ".claude/agents/x.md", ".claude/skills/x/SKILL.md", ".Claude/Commands/x.md"),
    *(".vscode/tasks.json", ".vscode/x.md", ".ssh/x.md", "AGENTS.md:x", "AGENTS.md.", "AGENTS.md ", "CON.md"),
    *("../AGENTS.md", "x/../../AGENTS.md", "a//b.md", "AGENTS.md\x7f", "docs/..", ".", ""),
)


@pytest.mark.parametrize("path", CODE)
def test_a_target_in_the_project_is_a_text_for_tools(path: str) -> None:
    assert not is_text_in_project(path)


AT_HOME = (
    *(
        "~/.profile",
        "~/.zshenv",
        "~/.bashrc",
        "~/x.md",
        "~/.ssh/x.md",
        "~/.config/x.md",
        "~/.config/fish/x.md",
    ),
    *(
        "~/.claude/../.zshenv",
        "~/.claude/commands/x.md",
        "~/.claude/skills/x/SKILL.md",
        "~/.claude/settings.json",
    ),
    *("/etc/x.md", "$HOME/.zshenv", "$HOME/.claude/x.md", "%APPDATA%/x.md", "~root/.claude/x.md", "C:/x.md"),
    *("~/.claude/.git/x.md", "~//.claude/x.md", "~/modicum-../x.md", "~", "~/"),
)


@pytest.mark.parametrize("path", AT_HOME)
def test_outside_of_the_project_only_folders_of_tools_are_named(path: str) -> None:
    assert not is_text_at_home(path)
    assert refused(f"id: x\ntype: file-export\nexport_path: '{path}'\n") or not path.strip("~/")


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "docs/ai.md", ".claude/rules/x.md", "sub/.roo/rules/x.txt", ".rules"]
)
def test_texts_for_tools_may_be_named(path: str) -> None:
    assert is_text_in_project(path)
    assert not refused(TARGET % ("project", path, "append", ""))


@pytest.mark.parametrize(
    "reference", ["~/.ssh/id_rsa", "/etc/passwd", "../x.md", "../../x.md", ".git/config", "x.py"]
)
@pytest.mark.parametrize("mode", ["import", "refer"])
def test_a_line_that_imports_a_file_stays_in_the_project(reference: str, mode: str) -> None:
    assert refused(TARGET % ("project", "CLAUDE.md", mode, reference))
    assert refused(TARGET % ("global", "~/.claude/CLAUDE.md", mode, f"../{reference}"))


@pytest.mark.parametrize(
    "keys",
    [
        "mcp: [{scope: project, path: .vscode/tasks.json, key: tasks}]",
        "mcp: [{scope: project, path: package.json, key: scripts}]",
        "mcp: [{scope: project, path: .claude/settings.json, key: hooks}]",
        "mcp: [{scope: project, path: .mcp.json, key: mcpServers, format: yaml}]",
        "mcp: [{scope: global, path: ~/.gitconfig, key: core}]",
        "mcp_config: {path: .vscode/settings.json, key: x}",
        "extra_mcp_configs: [{path: .vscode/settings.json, key: x}]",
        "hooks: [{scope: project, path: .vscode/tasks.json, key: tasks, events: {stop: Stop}}]",
        "hook_config: {path: package.json, key: scripts.postinstall}",
        "permissions: [{scope: project, path: .claude/settings.json, key: hooks, items: [x]}]",
        "skills: [{scope: project, path: .git/hooks}]",
        "skill_config: {path: ~/.config/autostart}",
        "hook_files: [{scope: project, path: .git/hooks/pre-commit, event: session-start}]",
        "hook_files: [{scope: project, path: .husky/pre-commit, event: session-start}]",
        "approval: {key: command, value: /tmp/x}",
        "hook_trust: ~/.ssh/config",
        "reads: {source: s, rules: [{folders: root, files: [../../../etc/passwd]}]}",
        "reads: {source: s, rules: [{folders: root, files: [/etc/passwd]}]}",
        "reads: {source: s, rules: [{folders: home, files: [.ssh/id_rsa]}]}",
        "reads: {source: s, rules: [{folders: home, files: ['.ssh/*.md']}]}",
        "reads: {source: s, rules: [{folders: home, files: [.claude/x.md], unless: [.netrc]}]}",
        "reads: {source: s, rules: [{folders: root, home: ~/.ssh, files: [x.md]}]}",
        "reads: {source: s, rules: [{folders: root, files: [x.md], names: {paths: [~/.netrc], key: a}}]}",
        "reads: {source: s, excludes: {paths: [/etc/shadow], key: a}}",
        "reads: {source: s, settings: [{path: .codex/config.toml, format: toml, key: notify, add: sh}]}",
        "reads: {source: s, settings: [{path: .aider.conf.yml, format: yaml, key: read, add: ../../.ssh/id_rsa}]}",
        "targets: [{scope: project, path: X.md, mode: append, copy_of: ../x.md}]",
    ],
)
def test_nothing_else_that_an_adapter_can_name_leads_out_or_into_programs(keys: str) -> None:
    assert refused(f"id: claude-code\n{keys}\n")


@pytest.mark.parametrize(
    "keys",
    [
        "mcp: [{scope: project, path: .mcp.json, key: mcpServers}]",
        "hook_config: {path: .claude/settings.json, key: hooks.SessionStart}",
        "skills: [{scope: project, path: .agents/skills}]",
        "max_chars: 900",
    ],
)
def test_the_settings_of_the_tools_that_are_known_may_be_named(keys: str) -> None:
    assert not refused(f"id: x\n{keys}\n")


def test_a_complaint_says_what_to_do_and_shows_no_control_characters() -> None:
    said = complaint_about_foreign({"hook_trust": "x\x1b[2J\u202ey"})

    assert "docs/adapters.md" in said
    assert said.isprintable()


def test_a_path_at_home_keeps_its_import_at_home() -> None:
    assert not refused(TARGET % ("global", "~/.claude/CLAUDE.md", "refer", "rules/x.md"))
    assert not refused(TARGET % ("project", "CLAUDE.md", "refer", "./AGENTS.md"))
    assert not refused(TARGET % ("project", "GEMINI.md", "import", ".gemini/x.md"))
    assert refused(TARGET % ("project", "sub\\\\AGENTS.md".replace("\\\\", "\\"), "append", ""))
