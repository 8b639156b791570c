"""Setting agents up and out again: everything is in, a second run changes nothing, and every byte comes back."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.agents import setup
from modicum.app.agents.setup import Launcher, perform_setup, remove_setup, set_up_tools, survey_setup
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.base.config import Config, load_config
from modicum.base.errors import WrongUsage
from modicum.base.value import replace
from modicum.packs.model import Library, McpServer, Pack
from modicum.targets.model import Adapter

START = Launcher("/opt/modicum/bin/modicum")
AGENTS = (
    *("claude-code", "codex", "gemini-cli", "qwen", "opencode", "cursor", "copilot", "windsurf", "kiro"),
    *("cline", "zed", "goose", "factory"),
)
SCOPES = ("global", "project")


def test_a_setup_is_for_those_named_or_those_that_have_it_or_all_that_are_here(tmp_path: Path) -> None:
    config = new_config(tmp_path)
    knowledge = load_knowledge(config)
    (tmp_path / "home" / ".codex").mkdir()

    def chosen(*names: str, every: bool = False, remove: bool = False) -> list[str]:
        found = setup.choose_agents(config, knowledge, names, "global", every=every, remove=remove)
        return [adapter.id for adapter in found]

    assert chosen("codex", "claude-code", "codex") == ["codex", "claude-code"]
    assert chosen(every=True) == ["codex"]
    assert chosen(remove=True) == []
    perform_setup(config, knowledge, [knowledge.adapters["codex"]], "global", START)
    assert chosen(remove=True) == ["codex"]
    with pytest.raises(WrongUsage, match=r"which agent\?.*found here: codex"):
        chosen()
    with pytest.raises(WrongUsage, match="cannot be set up"):
        chosen("chatgpt")


def new_config(folder: Path) -> Config:
    (folder / "home" / "shop" / ".git").mkdir(parents=True)
    home = folder / "home"
    found = load_config({"HOME": str(home), "MODICUM_HOME": str(folder / "data")}, home / "shop")
    return replace(found, own_use=("git", "modicum", "reviews", "testing"))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return new_config(tmp_path)


@pytest.fixture
def knowledge(config: Config) -> Knowledge:
    return load_knowledge(config)


def adapters(knowledge: Knowledge, *names: str) -> list[Adapter]:
    return [knowledge.adapters[name] for name in names or AGENTS]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


@pytest.mark.parametrize("scope", SCOPES)
def test_all_agents_are_set_up_once_and_come_out_without_a_trace(
    config: Config, knowledge: Knowledge, scope: str
) -> None:
    before = files(config.home), sorted(path for path in config.home.rglob("*"))

    done = perform_setup(config, knowledge, adapters(knowledge), scope, START)
    made = files(config.home)
    again = perform_setup(config, knowledge, adapters(knowledge), scope, START)
    known = set_up_tools(config, scope)
    removed = remove_setup(config, knowledge, (), scope)

    assert done.troubles == again.troubles == removed.troubles == ()
    assert not any(wired.change.changed for wired in again.wired)
    assert files(config.home) == before[0]
    assert sorted(path for path in config.home.rglob("*")) == before[1]
    assert len(made) > 25 if scope == "global" else len(made) > 20
    assert set(known) == set(AGENTS)


def test_an_agent_gets_the_server_the_hooks_the_permissions_and_the_skill(
    config: Config, knowledge: Knowledge
) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "claude-code"), "global", START)
    servers = json.loads((config.home / ".claude.json").read_bytes())
    settings_file = json.loads((config.home / ".claude" / "settings.json").read_bytes())

    assert servers == {"mcpServers": {"modicum": {"command": START.command, "args": ["mcp"]}}}
    assert {
        event: groups[0]["hooks"][0]["command"]
        .removeprefix(START.command)
        .removesuffix(" 2>/dev/null || true")
        .strip()
        for event, groups in settings_file["hooks"].items()
    } == {
        "SessionStart": "hook session-start --harness claude-code",
        "UserPromptSubmit": "hook prompt-submit --harness claude-code",
        "SessionEnd": "hook session-end --harness claude-code",
        "SubagentStop": "hook subagent-stop --harness claude-code",
        "PreCompact": "hook pre-compact --harness claude-code",
    }
    assert settings_file["permissions"]["allow"] == [f"mcp__modicum__{tool}" for tool in setup.TOOLS]
    assert "mem_search" in (config.home / ".claude/skills/modicum-memory/SKILL.md").read_text()


def test_each_agent_gets_it_in_its_own_words(config: Config, knowledge: Knowledge) -> None:
    perform_setup(config, knowledge, adapters(knowledge), "global", START)
    perform_setup(config, knowledge, adapters(knowledge, "kiro", "copilot"), "project", START)
    read = {name: (config.home / name).read_text() for name in files(config.home)}

    assert 'default_tools_approval_mode = "approve"' in read[".codex/config.toml"]
    assert json.loads(read[".gemini/settings.json"])["mcpServers"]["modicum"]["trust"] is True
    assert json.loads(read[".gemini/settings.json"])["hooks"]["BeforeAgent"]
    assert list(json.loads(read[".factory/hooks.json"])) == [
        *("SessionStart", "UserPromptSubmit", "SessionEnd", "SubagentStop", "PreCompact"),
    ]
    assert json.loads(read["shop/.kiro/hooks/modicum.json"]) == {
        "version": "v1",
        "hooks": [
            {
                "name": f"modicum-{moment}",
                "trigger": trigger,
                "action": {
                    "type": "command",
                    "command": f"{START.command} hook {moment} --harness kiro 2>/dev/null || true",
                },
            }
            for moment, trigger in (("session-start", "SessionStart"), ("prompt-submit", "UserPromptSubmit"))
        ],
    }
    assert yaml.safe_load(read[".config/goose/config.yaml"])["extensions"]["modicum"]["cmd"] == START.command
    assert read["Documents/Cline/Hooks/TaskStart"].endswith(
        "hook session-start --harness cline 2>/dev/null || true\n"
    )
    assert f'const COMMAND = ["{START.command}"]' in read[".config/opencode/plugins/modicum.js"]
    assert "mem_search" in read[".codeium/windsurf/memories/global_rules.md"]
    assert "name: modicum-memory" not in read[".codeium/windsurf/memories/global_rules.md"]


@pytest.mark.skipif(os.name == "nt", reason="rights are another matter there")
def test_a_script_may_be_run(config: Config, knowledge: Knowledge) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "cline"), "global", START)

    assert os.access(config.home / "Documents/Cline/Hooks/TaskStart", os.X_OK)


def test_a_dry_run_changes_nothing_and_tells_the_same(config: Config, knowledge: Knowledge) -> None:
    before = files(config.home)

    surveyed = survey_setup(config, knowledge, adapters(knowledge), "global", START)

    assert files(config.home) == before
    done = perform_setup(config, knowledge, adapters(knowledge), "global", START)
    assert [wired.path for wired in surveyed.wired] == [wired.path for wired in done.wired]


def test_what_an_agent_does_not_have_in_a_scope_is_told(config: Config, knowledge: Knowledge) -> None:
    done = survey_setup(config, knowledge, adapters(knowledge, "kiro", "zed", "goose"), "global", START)

    assert done.warnings == ("Kiro has no hooks here: try --here",)


def test_one_agent_goes_and_the_others_stay(config: Config, knowledge: Knowledge) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "codex", "goose"), "global", START)
    shared = config.home / ".agents/skills/modicum-memory/SKILL.md"

    remove_setup(config, knowledge, ("codex",), "global")
    assert shared.exists()
    assert not (config.home / ".codex").exists()
    remove_setup(config, knowledge, ("goose",), "global")
    assert not shared.exists()


def test_a_new_place_of_modicum_replaces_the_old_one(config: Config, knowledge: Knowledge) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "claude-code"), "global", START)
    perform_setup(config, knowledge, adapters(knowledge, "claude-code"), "global", Launcher("/new/modicum"))

    text = (config.home / ".claude" / "settings.json").read_text()
    assert START.command not in text
    assert text.count("/new/modicum hook") == 5
    remove_setup(config, knowledge, (), "global")
    assert not (config.home / ".claude").exists()


def test_packs_that_are_wired_and_a_setup_do_not_disturb_each_other(
    config: Config, knowledge: Knowledge
) -> None:
    from modicum.app.agents.wiring import perform_wiring, remove_wiring
    from modicum.app.inject.destination import InjectRequest

    server = McpServer("docs", "Docs", command="docs")
    with_pack = replace(knowledge, library=Library((Pack("docs", servers=(server,)),)))
    before = files(config.home)
    request = InjectRequest(tools=("claude-code",), scope="global")

    perform_setup(config, with_pack, adapters(with_pack, "claude-code"), "global", START)
    perform_wiring(config, with_pack, request)
    both = json.loads((config.home / ".claude.json").read_bytes())["mcpServers"]
    remove_setup(config, with_pack, ("claude-code",), "global")
    packs = json.loads((config.home / ".claude.json").read_bytes())["mcpServers"]
    remove_wiring(config, with_pack, request)

    assert (list(both), list(packs)) == (["modicum", "docs"], ["docs"])
    assert files(config.home) == before


JSONS = (
    "",
    "{}",
    '{"a":1}\r\n',
    '\ufeff{\n\t"b" : [1.0] // mine\n}',
    '{\n  // hooks of mine\n  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]},],},\n}\n',
    '{"permissions": {"allow": ["Bash(ls)"], "deny": []}, "mcpServers": {"own": {}}}',
    '{"hooks": {}, "mcpServers": {}, "permissions": {}}',
)
TEXTS = {
    ".claude.json": JSONS,
    ".claude/settings.json": JSONS,
    ".gemini/settings.json": JSONS,
    ".cursor/hooks.json": (*JSONS, '{"version": 1}'),
    ".factory/hooks.json": JSONS,
    ".codex/config.toml": ("", "a = 1", "[mcp_servers.own]\ncommand = 'x' # c\r\n", "# only\r\n"),
    ".config/goose/config.yaml": ("", "extensions:\n  own: {enabled: true}\n", "# c\r\nGOOSE: x\r\n"),
    ".codeium/windsurf/memories/global_rules.md": ("", "# Mine", "# Mine\r\n\r\ntext\r\n"),
    "Documents/Cline/Hooks/TaskStart": ("#!/bin/sh\necho mine\n",),
}


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    return load_knowledge(new_config(tmp_path_factory.mktemp("knowledge")))


@given(
    chosen=st.fixed_dictionaries(
        {}, optional={path: st.sampled_from(texts) for path, texts in TEXTS.items()}
    ),
    order=st.permutations(
        ("claude-code", "gemini-cli", "cursor", "codex", "goose", "windsurf", "cline", "factory")
    ),
)
@settings(max_examples=4)
def test_removing_gives_back_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, built_in: Knowledge, chosen: dict[str, str], order: list[str]
) -> None:
    config, knowledge = new_config(tmp_path_factory.mktemp("setup")), built_in
    for path, text in chosen.items():
        (config.home / path).parent.mkdir(parents=True, exist_ok=True)
        (config.home / path).write_bytes(text.encode())
    before = files(config.home)

    for name in order:
        perform_setup(config, knowledge, adapters(knowledge, name), "global", START)
    made = files(config.home)
    for name in order:
        perform_setup(config, knowledge, adapters(knowledge, name), "global", START)

    assert files(config.home) == made
    for name in order[::2]:
        remove_setup(config, knowledge, (name,), "global")
    removed = remove_setup(config, knowledge, (), "global")
    assert removed.troubles == ()
    assert files(config.home) == before


def test_the_core_of_the_packs_is_kept_for_an_agent_without_a_file_and_goes_again(
    config: Config, knowledge: Knowledge
) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "cursor", "claude-code"), "global", START)

    core = config.data / "core"
    assert [path.name for path in core.iterdir()] == ["cursor.md"]
    assert (
        core.joinpath("cursor.md")
        .read_text()
        .startswith("unless .cursor/rules/modicum.mdc AGENTS.md .cursorrules\n")
    )
    assert len(core.joinpath("cursor.md").read_bytes()) <= setup.CORE_BYTES + 100
    remove_setup(config, knowledge, ("cursor",), "global")
    assert list(core.iterdir()) == []


def test_the_core_of_packs_that_are_turned_off_is_not_told_any_more(
    config: Config, knowledge: Knowledge
) -> None:
    perform_setup(config, knowledge, adapters(knowledge, "cursor"), "global", START)
    without = replace(config, own_use=())
    perform_setup(without, load_knowledge(without), adapters(knowledge, "cursor"), "global", START)

    assert list((config.data / "core").iterdir()) == []


def test_visual_studio_code_is_set_up_where_it_is(config: Config, knowledge: Knowledge) -> None:
    folder = config.home / ".config" / "Code" / "User"
    folder.mkdir(parents=True)
    perform_setup(config, knowledge, adapters(knowledge, "copilot"), "global", START)

    assert json.loads((folder / "mcp.json").read_bytes())["servers"]["modicum"]["args"] == ["mcp"]
    assert not (config.home / "Library").exists()
    assert not (config.root / "%APPDATA%").exists()


def test_a_launcher_is_an_absolute_path_that_a_shell_can_run() -> None:
    found = setup.find_launcher()

    assert Path(found.command).is_absolute()
    assert Path(found.command).parent == Path(sys.executable).absolute().parent


def test_a_launcher_imports_nothing_of_the_folder_that_it_is_started_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text("print('of the project')\n")
    python = tmp_path / "elsewhere" / "python"  # beside which there is no script
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(python))
    found = setup.find_launcher()
    monkeypatch.undo()

    words = [sys.executable, *found.args, "help", "inject"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert found.command == str(python)
    assert (done.returncode, done.stderr) == (0, "")
    assert "of the project" not in done.stdout


def commands(value: object) -> list[str]:
    """Every command of a hook in a settings file."""
    if isinstance(value, list):
        return [found for each in value for found in commands(each)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("command", "bash") if isinstance(value.get(key), str)]
    return [*own, *(found for key, each in value.items() if key != "mcpServers" for found in commands(each))]


@pytest.mark.skipif(os.name == "nt", reason="for sh")
@pytest.mark.parametrize("scope", SCOPES)
def test_every_hook_that_is_written_runs_its_program_and_does_nothing_where_that_is_gone(
    config: Config, knowledge: Knowledge, tmp_path: Path, scope: str
) -> None:
    program = tmp_path / "it's my tools" / "modicum"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\ncat; printf " %s" "$@"\n')
    program.chmod(0o755)
    tools = [each for each in knowledge.adapters.values() if each.contract]
    perform_setup(config, knowledge, tools, scope, Launcher(str(program)))
    made = {name: (config.home / name).read_text() for name in files(config.home)}
    texts = [
        text for text in made.values() if " hook " in text and "harness" in text and not text.startswith("//")
    ]
    lines = [
        line
        for text in texts
        if text.startswith("{")
        for line in commands(json.loads(text))
        if " hook " in line
    ]
    lines += [
        shlex.quote(str(config.home / name)) for name, text in made.items() if text.startswith("#!/bin/sh")
    ]

    def said(line: str) -> tuple[int, str, str]:
        done = subprocess.run(["sh", "-c", line], input="told", capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert len(lines) > 30
    assert all(re.fullmatch("told hook [a-z-]+ --harness [a-z-]+", said(line)[1]) for line in lines)
    program.unlink()
    assert {said(line) for line in lines} == {(0, "", "")}


ASK = """
const { Modicum } = await import(process.argv[1])
const plugin = await Modicum({ directory: "/shop" })
const parts = [{ id: "prt_1", sessionID: "s", messageID: "m", type: "text", text: "why is the cart slow?" }]
const output = { parts, output: "done" }
await plugin["chat.message"]({ sessionID: "s" }, output)
await plugin["chat.message"]({ sessionID: "s" }, { parts: [] })
await plugin["experimental.session.compacting"]({ sessionID: "s" }, { context: [] })
await plugin["tool.execute.after"]({ sessionID: "s", tool: "task" }, output)
await plugin.event({ event: { type: "session.deleted", properties: { info: { id: "s" } } } })
console.log(JSON.stringify(parts))
"""


@pytest.mark.skipif(not shutil.which("node"), reason="the plugin is JavaScript")
def test_the_plugin_for_opencode_adds_to_the_users_message_and_does_nothing_where_modicum_is_gone(
    config: Config, knowledge: Knowledge, tmp_path: Path
) -> None:
    program = tmp_path / "it's my tools" / "modicum"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\ncat > /dev/null; [ "$2" != prompt-submit ] || printf "A note"\n')
    program.chmod(0o755)
    perform_setup(config, knowledge, adapters(knowledge, "opencode"), "global", Launcher(str(program)))
    plugin = tmp_path / "modicum.mjs"
    plugin.write_bytes((config.home / ".config/opencode/plugins/modicum.js").read_bytes())

    def parts() -> list[dict[str, object]]:
        words = ["node", "--input-type=module", "-e", ASK, plugin.as_uri()]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert done.stderr == ""
        return json.loads(done.stdout)

    (typed, added) = parts()
    assert added == {**typed, "id": "prt_1m", "text": "A note", "synthetic": True}
    program.unlink()
    assert parts() == [typed]


def test_each_agent_gets_hooks_for_its_own_shell_on_windows(
    config: Config, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("C:/x y/modicum.exe", "hook", "session-start", "--harness", "x")
    monkeypatch.setattr(setup.os, "name", "nt")
    made = {
        name: setup._command(each, words, "claude")
        for name, each in knowledge.adapters.items()
        if each.contract
    }
    by_powershell = {name for name, (line, _) in made.items() if line.startswith("if (Test-Path")}
    names_it = {name for name, (_, extra) in made.items() if extra == {"shell": "powershell"}}

    assert by_powershell == {"claude-code", "qwen", "gemini-cli", "cline"}
    assert names_it == {"claude-code", "qwen"}
    assert all(
        line.startswith("cmd /d /c if exist ")
        for name, (line, _) in made.items()
        if name not in by_powershell
    )
    assert setup._command(knowledge.adapters["copilot"], words, "copilot")[1]["powershell"].startswith(
        "if (Test-Path"
    )
