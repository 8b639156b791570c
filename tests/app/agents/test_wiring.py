"""Wiring from packs to the settings of tools and back, on a real disk."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.agents.wiring import (
    Wired,
    Wiring,
    perform_wiring,
    remove_wiring,
    survey_unwiring,
    survey_wiring,
    suspicious_wiring,
)
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import Knowledge
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.packs.model import Hook, Library, McpServer, Pack, Skill
from modicum.targets.change import FileState
from modicum.targets.model import Adapter, SettingsFile, SkillFolder

EVENTS = {"sessionStart": "SessionStart"}
CLAUDE = Adapter(
    "claude",
    "Claude",
    "file-inject",
    mcp=(
        SettingsFile("project", ".mcp.json", "json", ("mcpServers",), "standard"),
        SettingsFile("global", "~/.claude.json", "json", ("mcpServers",), "standard"),
    ),
    hooks=(SettingsFile("project", ".claude/settings.json", "json", ("hooks",), "claude", EVENTS),),
    skills=(SkillFolder("project", ".claude/skills"),),
)
CODEX = Adapter(
    "codex",
    "Codex",
    "file-inject",
    mcp=(SettingsFile("project", ".codex/config.toml", "toml", ("mcp_servers",), "codex"),),
    skills=(SkillFolder("project", ".agents/skills"),),
)
WARP = Adapter(
    "warp",
    "Warp",
    "file-inject",
    mcp=(SettingsFile("project", ".mcp.json", "json", ("mcpServers",), "standard"),),
    skills=(SkillFolder("project", ".agents/skills"),),
)
CONTINUE = Adapter(
    "continue",
    "Continue",
    "file-inject",
    mcp=(SettingsFile("project", ".continue/config.yaml", "yaml", ("mcpServers",), "list"),),
)
SERVER = McpServer("docs", "Docs", command="npx", args=("-y", "docs"))
HOOK = Hook("tip", "sessionStart", 'say "hi there"')
SKILL = Skill(
    "tidy",
    "Tidy",
    file="skills/tidy/SKILL.md",
    text="---\nname: tidy\n---\nTidy up.\n",
    files=(("scripts/a.sh", "echo a\n"),),
)
PACK = Pack("base", servers=(SERVER,), hooks=(HOOK,), skills=(SKILL,))
EVERY = InjectRequest(all_tools=True)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return new_config(tmp_path)


def new_config(folder: Path) -> Config:
    home, root = folder / "home", folder / "project"
    home.mkdir()
    root.mkdir()
    return Config(home, home / ".config", home / ".data", root, {})


def knowledge(*packs: Pack, tools: Sequence[Adapter] = (CLAUDE, CODEX, WARP, CONTINUE)) -> Knowledge:
    return Knowledge(Library(packs), {tool.id: tool for tool in tools}, (), ())


def files(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder; a folder has no bytes."""
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


def read(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(wiring: Wiring) -> list[tuple[str, str, bool]]:
    return [(wired.tool, wired.path, wired.change.changed) for wired in wiring.wired]


def test_a_pack_is_wired_into_every_tool_once(config: Config) -> None:
    wiring = perform_wiring(config, knowledge(PACK), EVERY)

    assert rows(wiring) == [
        ("Claude, Warp", ".mcp.json", True),
        ("Claude", ".claude/settings.json", True),
        ("Codex", ".codex/config.toml", True),
        ("Continue", ".continue/config.yaml", True),
        ("Claude", ".claude/skills/tidy/SKILL.md", True),
        ("Claude", ".claude/skills/tidy/scripts/a.sh", True),
        ("Codex, Warp", ".agents/skills/tidy/SKILL.md", True),
        ("Codex, Warp", ".agents/skills/tidy/scripts/a.sh", True),
    ]
    assert (wiring.warnings, wiring.troubles) == ((), ())
    assert read(config.root / ".mcp.json") == {
        "mcpServers": {"docs": {"command": "npx", "args": ["-y", "docs"]}}
    }
    assert read(config.root / ".claude/settings.json") == {
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": 'say "hi there"'}]}]}
    }
    assert (config.root / ".codex/config.toml").read_text() == (
        '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\n'
    )
    assert (config.root / ".agents/skills/tidy/scripts/a.sh").read_text() == "echo a\n"


def test_a_survey_writes_nothing_and_says_what_would_change(config: Config) -> None:
    surveyed = survey_wiring(config, knowledge(PACK), EVERY)

    assert files(config.root) == {}
    assert rows(surveyed) == rows(perform_wiring(config, knowledge(PACK), EVERY))


def test_a_second_run_changes_nothing(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), EVERY)
    before = files(config.root)

    wiring = perform_wiring(config, knowledge(PACK), EVERY)

    assert {wired.change.state for wired in wiring.wired} == {FileState.CURRENT}
    assert files(config.root) == before


def test_uninstall_leaves_no_trace(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), EVERY)

    surveyed = survey_unwiring(config, knowledge(), InjectRequest())
    removed = remove_wiring(config, knowledge(tools=()), InjectRequest())

    assert [row[1:] for row in rows(removed)] == [row[1:] for row in rows(surveyed)]
    assert all(wired.change.changed for wired in removed.wired)
    assert files(config.root) == {}
    assert remove_wiring(config, knowledge(), InjectRequest()) == Wiring()


def test_what_vanishes_from_the_packs_is_taken_out(config: Config) -> None:
    more = replace(PACK, servers=(SERVER, replace(SERVER, id="more")), skills=(SKILL, replace(SKILL, id="x")))
    perform_wiring(config, knowledge(more), EVERY)

    perform_wiring(config, knowledge(PACK), EVERY)
    some = files(config.root)
    perform_wiring(config, knowledge(), EVERY)

    assert ".claude/skills/x" not in some
    assert (
        read(config.root / ".mcp.json") if (config.root / ".mcp.json").exists() else files(config.root) == {}
    )


def test_a_changed_server_is_replaced(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), EVERY)

    perform_wiring(config, knowledge(replace(PACK, servers=(replace(SERVER, args=()),))), EVERY)

    assert read(config.root / ".mcp.json") == {"mcpServers": {"docs": {"command": "npx", "args": []}}}
    remove_wiring(config, knowledge(), InjectRequest())
    assert files(config.root) == {}


def test_one_tool_goes_and_the_one_that_shares_its_files_keeps_them(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), EVERY)

    remove_wiring(config, knowledge(), InjectRequest(tools=("warp",)))
    kept = files(config.root)
    remove_wiring(config, knowledge(), InjectRequest(tools=("claude", "codex", "continue")))

    assert ".mcp.json" in kept
    assert ".agents/skills/tidy/SKILL.md" in kept
    assert files(config.root) == {}


def test_a_run_for_one_tool_leaves_the_wiring_of_others(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), EVERY)
    before = files(config.root)

    perform_wiring(config, knowledge(PACK), InjectRequest(tools=("warp",)))
    perform_wiring(config, knowledge(), InjectRequest(tools=("warp",)))

    assert files(config.root) == before


def test_a_tool_that_was_wired_before_is_kept_up_though_it_is_not_found_here(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), InjectRequest(tools=("codex",)))

    wiring = perform_wiring(config, knowledge(replace(PACK, skills=())), InjectRequest())

    assert rows(wiring) == [
        ("Codex", ".codex/config.toml", False),
        ("Codex", ".agents/skills/tidy/SKILL.md", True),
        ("Codex", ".agents/skills/tidy/scripts/a.sh", True),
    ]


def test_a_file_beside_a_skill_that_the_reader_has_is_not_ours(config: Config) -> None:
    folder = config.root / ".claude/skills/tidy/scripts"
    folder.mkdir(parents=True)
    (folder / "a.sh").write_text("echo a\n")
    perform_wiring(config, knowledge(PACK), InjectRequest(tools=("claude",)))

    remove_wiring(config, knowledge(), InjectRequest())

    assert files(folder) == {"a.sh": b"echo a\n"}


def test_only_the_chosen_scope_is_written_to(config: Config) -> None:
    wiring = perform_wiring(config, knowledge(PACK), InjectRequest(all_tools=True, scope="global"))

    assert rows(wiring) == [("Claude", "~/.claude.json", True)]
    assert files(config.root) == {}
    assert remove_wiring(config, knowledge(), InjectRequest()) == Wiring()
    assert rows(remove_wiring(config, knowledge(), InjectRequest(scope="global"))) == [
        ("Claude", "~/.claude.json", True)
    ]
    assert not (config.home / ".claude.json").exists()


def test_a_file_that_cannot_be_edited_does_not_stop_the_others(config: Config) -> None:
    (config.root / ".mcp.json").write_text('{"mcpServers": []}')

    wiring = perform_wiring(config, knowledge(PACK), EVERY)

    assert len(wiring.troubles) == 1
    assert wiring.troubles[0].startswith(f"Claude, Warp: {config.root / '.mcp.json'}: line 1")
    assert "is a list, not an object" in wiring.troubles[0]
    assert (config.root / ".mcp.json").read_text() == '{"mcpServers": []}'
    assert (config.root / ".codex/config.toml").exists()


def test_a_skill_of_the_reader_is_left_alone_with_all_its_folder(config: Config) -> None:
    mine = config.root / ".claude/skills/tidy/SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("Mine.\n")

    wiring = perform_wiring(config, knowledge(PACK), InjectRequest(tools=("claude",)))

    skill = wiring.wired[-1]
    assert (skill.path, skill.change.state) == (".claude/skills/tidy/SKILL.md", FileState.FOREIGN)
    assert "not written by modicum" in skill.note
    assert files(mine.parent) == {"SKILL.md": b"Mine.\n"}
    forced = perform_wiring(config, knowledge(PACK), InjectRequest(tools=("claude",), force=True))
    assert rows(forced)[-1] == ("Claude", ".claude/skills/tidy/scripts/a.sh", True)
    remove_wiring(config, knowledge(), InjectRequest())
    assert files(mine.parent) == {"SKILL.md": b"Mine.\n"}


def test_a_skill_that_the_reader_edited_stays_at_uninstall(config: Config) -> None:
    perform_wiring(config, knowledge(PACK), InjectRequest(tools=("claude",)))
    file = config.root / ".claude/skills/tidy/SKILL.md"
    file.write_text("Mine.\n")

    removed = remove_wiring(config, knowledge(), InjectRequest())

    assert [w.path for w in removed.wired if "you edited this file" in w.note] == [
        ".claude/skills/tidy/SKILL.md"
    ]
    assert files(file.parent) == {"SKILL.md": b"Mine.\n"}


def test_a_skill_behind_a_file_is_one_trouble(config: Config) -> None:
    (config.root / ".claude").write_text("in the way")

    wiring = perform_wiring(
        config, knowledge(replace(PACK, servers=(), hooks=())), InjectRequest(tools=("claude",))
    )

    assert len(wiring.troubles) == 1


def test_tools_that_share_a_folder_by_a_link_share_a_skill(config: Config) -> None:
    (config.root / ".agents/skills").mkdir(parents=True)
    (config.root / ".claude").mkdir()
    (config.root / ".claude/skills").symlink_to("../.agents/skills")
    before = files(config.root)
    perform_wiring(config, knowledge(PACK), EVERY)

    remove_wiring(config, knowledge(), InjectRequest(tools=("codex", "warp")))
    assert (config.root / ".claude/skills/tidy/SKILL.md").exists()
    remove_wiring(config, knowledge(), InjectRequest(tools=("claude", "continue")))

    assert files(config.root) == before


def test_what_cannot_be_wired_is_told(config: Config) -> None:
    pack = Pack(
        "p",
        servers=(McpServer("s", "S", type="sse", url="https://x.test"),),
        hooks=(Hook("h", "stop", "x"),),
        skills=(replace(SKILL, id=".."),),
    )
    twin = Pack("q", skills=(replace(SKILL, id="..", text="other"),))

    wiring = perform_wiring(config, knowledge(pack, twin), InjectRequest(tools=("claude", "codex")))

    assert wiring.warnings == (
        'Claude has no event stop: the hook "h" is left out',
        'Codex cannot use the server "s": it has no servers of the type sse',
        'the skill ".." is in two packs, and the first is used',
        'the skill ".." is left out: ".." does not stay inside its folder',
    )


def test_what_the_reader_has_is_noted_beside_the_file(config: Config) -> None:
    (config.root / ".mcp.json").write_text('{"mcpServers": {"docs": {"command": "mine"}}}')

    wiring = perform_wiring(config, knowledge(PACK), EVERY)

    assert wiring.wired[0] == Wired("Claude, Warp", ".mcp.json", wiring.wired[0].change)
    assert wiring.wired[0].note == (
        'the server "docs" is there with other settings, not from modicum: left as it is'
    )
    assert not wiring.wired[0].change.changed


def test_a_tool_that_nobody_knows_is_an_error(config: Config) -> None:
    with pytest.raises(ModicumError, match='no tool "clod"'):
        perform_wiring(config, knowledge(PACK), InjectRequest(tools=("clod",)))


def test_hidden_characters_and_secrets_are_found_in_all_that_is_wired() -> None:
    pack = Pack(
        "p",
        servers=(replace(SERVER, env={"API_KEY": "abcdefgh12345678"}),),
        hooks=(replace(HOOK, command="a\u200bb"),),
        skills=(replace(SKILL, text="a\u202eb", files=(("x.md", "\nb\u2060c"),)),),
    )

    found = suspicious_wiring([pack])

    assert [sentence.split(": ")[0] for sentence in found] == [
        "p/mcp.yaml, docs:5",
        "p/hook.yaml, tip:1",
        "p/skills/tidy/SKILL.md:1",
        "p/tidy/x.md:2",
    ]


def test_the_built_in_tools_are_wired_and_unwired_without_a_trace(config: Config) -> None:
    from modicum.app.inject.load import load_knowledge

    built_in = replace(load_knowledge(config), library=Library((PACK,)))
    for scope in ("project", "global"):
        before = files(config.root), files(config.home)

        wiring = perform_wiring(config, built_in, InjectRequest(all_tools=True, scope=scope))
        surveyed = survey_wiring(config, built_in, InjectRequest(all_tools=True, scope=scope))
        removed = remove_wiring(config, built_in, InjectRequest(scope=scope))

        assert wiring.troubles == removed.troubles == ()
        assert len(wiring.wired) > 15
        assert all(wired.change.settled for wired in surveyed.wired)
        after = files(config.root), {k: v for k, v in files(config.home).items() if not k.startswith(".data")}
        assert after == (before[0], {k: v for k, v in before[1].items() if not k.startswith(".data")})


TEXTS = {
    ".mcp.json": ["", "{}", '{"a":1,"mcpServers":{"own":{}}}\r\n', '\ufeff{\n\t"b" : [1.0]\n}', "\n"],
    ".codex/config.toml": ["", "a = 1", "[mcp_servers.own]\ncommand = 'x' # c\n", "# only\r\n"],
    ".continue/config.yaml": ["", "name: me\n", "mcpServers:\n- name: own\n  command: x\n", "# c\n"],
    ".claude/settings.json": ["", '{"hooks": {"SessionStart": [{"hooks": []}]}}', '{"hooks": {}}'],
}


@given(
    chosen=st.fixed_dictionaries({}, optional={path: st.sampled_from(texts) for path, texts in TEXTS.items()})
)
@settings(max_examples=10)
def test_wire_and_uninstall_gives_back_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, chosen: dict[str, str]
) -> None:
    config = new_config(tmp_path_factory.mktemp("wire"))
    for path, text in chosen.items():
        (config.root / path).parent.mkdir(exist_ok=True)
        (config.root / path).write_bytes(text.encode())
    before = files(config.root)

    perform_wiring(config, knowledge(PACK), EVERY)
    perform_wiring(config, knowledge(replace(PACK, servers=(replace(SERVER, command="x"),))), EVERY)
    removed = remove_wiring(config, knowledge(), InjectRequest())

    assert removed.troubles == ()
    assert files(config.root) == before
