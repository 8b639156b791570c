"""Servers, hooks and skills in the words of each tool."""

import pytest

from modicum.base.value import replace
from modicum.targets.model import HOOK_SHAPES, SERVER_SHAPES, Adapter, SettingsFile, SkillFolder
from modicum.targets.wiring.entries import (
    HOOKS,
    SERVERS,
    HookEntry,
    ServerEntry,
    SkillEntry,
    SkillFile,
    Wanted,
    skill_files,
    wanted_by,
)

LOCAL = ServerEntry("docs", command="npx", args=("-y", "docs mcp"), env={"KEY": "1"}, description="Docs")
PLAIN = ServerEntry("docs", command="docs")
HTTP = ServerEntry("docs", url="https://x.test/mcp", headers={"Auth": "a"})
SSE = replace(HTTP, headers={}, is_sse=True)

START = {"command": "npx", "args": ["-y", "docs mcp"], "env": {"KEY": "1"}}
URL, HEADERS = "https://x.test/mcp", {"Auth": "a"}

SHAPES = {
    "standard": (
        START,
        {"command": "docs", "args": []},
        {"type": "http", "url": URL, "headers": HEADERS},
        {"type": "sse", "url": URL},
    ),
    "cline": (
        START,
        {"command": "docs", "args": []},
        {"type": "streamableHttp", "url": URL, "headers": HEADERS},
        {"type": "sse", "url": URL},
    ),
    "roo": (
        START,
        {"command": "docs", "args": []},
        {"type": "streamable-http", "url": URL, "headers": HEADERS},
        {"type": "sse", "url": URL},
    ),
    "codex": (START, {"command": "docs", "args": []}, {"url": URL, "http_headers": HEADERS}, None),
    "copilot": (
        {"type": "local", **START, "tools": ["*"]},
        {"type": "local", "command": "docs", "args": [], "tools": ["*"]},
        {"type": "http", "url": URL, "headers": HEADERS, "tools": ["*"]},
        {"type": "sse", "url": URL, "tools": ["*"]},
    ),
    "gemini": (
        START,
        {"command": "docs", "args": []},
        {"httpUrl": URL, "headers": HEADERS},
        {"url": URL},
    ),
    "windsurf": (
        START,
        {"command": "docs", "args": []},
        {"serverUrl": URL, "headers": HEADERS},
        {"serverUrl": URL},
    ),
    "opencode": (
        {
            "type": "local",
            "command": ["npx", "-y", "docs mcp"],
            "environment": {"KEY": "1"},
            "enabled": True,
        },
        {"type": "local", "command": ["docs"], "enabled": True},
        {"type": "remote", "url": URL, "headers": HEADERS, "enabled": True},
        {"type": "remote", "url": URL, "enabled": True},
    ),
    "goose": (
        {
            "enabled": True,
            "name": "docs",
            "description": "Docs",
            "type": "stdio",
            "cmd": "npx",
            "args": ["-y", "docs mcp"],
            "envs": {"KEY": "1"},
            "timeout": 300,
        },
        {
            "enabled": True,
            "name": "docs",
            "description": "",
            "type": "stdio",
            "cmd": "docs",
            "args": [],
            "envs": {},
            "timeout": 300,
        },
        {
            "enabled": True,
            "name": "docs",
            "description": "",
            "type": "streamable_http",
            "uri": URL,
            "headers": HEADERS,
        },
        {"enabled": True, "name": "docs", "description": "", "type": "sse", "uri": URL},
    ),
    "list": (
        {"name": "docs", **START},
        {"name": "docs", "command": "docs", "args": []},
        {
            "name": "docs",
            "type": "streamable-http",
            "url": URL,
            "requestOptions": {"headers": HEADERS},
        },
        {"name": "docs", "type": "sse", "url": URL},
    ),
}


def tool(**fields: object) -> Adapter:
    return Adapter("tool", "Tool", "file-inject", **fields)  # type: ignore[arg-type]


def settings(shape: str, *, key: tuple[str, ...] = ("servers",), scope: str = "project") -> SettingsFile:
    events = {"sessionStart": "SessionStart", "stop": "agentStop"}
    return SettingsFile(scope, "a.json", "json", key, shape, events)


@pytest.mark.parametrize("shape", SERVERS)
def test_a_server_is_written_as_the_tool_reads_it(shape: str) -> None:
    assert tuple(SERVERS[shape](server) for server in (LOCAL, PLAIN, HTTP, SSE)) == SHAPES[shape]


def test_the_shapes_that_an_adapter_may_name_are_the_ones_that_are_known() -> None:
    assert set(SERVER_SHAPES) == SERVERS.keys()
    assert set(HOOK_SHAPES) == HOOKS.keys()


def test_a_server_stands_under_its_id() -> None:
    wanted, warnings = wanted_by(tool(mcp=(settings("standard", key=("a.b", "c")),)), "project", [PLAIN], [])

    value = {"command": "docs", "args": []}
    assert wanted == (
        Wanted("a.json", "json", ("a.b", "c", "docs"), value, False, 'the server "docs"', ("tool",)),
    )
    assert warnings == ()


def test_a_list_of_servers_names_each_and_the_file_gets_the_head_that_its_tool_insists_on() -> None:
    wanted, _ = wanted_by(tool(mcp=(settings("list"),)), "project", [PLAIN], [])

    assert [(each.keys, each.value, each.is_item, each.name) for each in wanted] == [
        (("name",), "Local Config", False, ""),
        (("version",), "1.0.0", False, ""),
        (("schema",), "v1", False, ""),
        (("servers",), {"name": "docs", "command": "docs", "args": []}, True, 'the server "docs"'),
    ]


def test_a_server_that_a_tool_cannot_use_is_left_out_with_a_sentence() -> None:
    wanted, warnings = wanted_by(tool(mcp=(settings("codex"),)), "project", [SSE], [])

    assert wanted == ()
    assert warnings == ('Tool cannot use the server "docs": it has no servers of the type sse',)


def test_only_the_tools_that_are_named_and_the_scope_that_is_meant_are_wired() -> None:
    adapter = tool(mcp=(settings("standard"), settings("standard", scope="global")))
    others, mine = replace(PLAIN, tools=("other",)), replace(PLAIN, id="mine", tools=("other", "tool"))

    wanted, warnings = wanted_by(adapter, "project", [others, mine], [])

    assert [each.keys for each in wanted] == [("servers", "mine")]
    assert warnings == ()


COMMAND = """say "it's  time" && echo $HOME"""


@pytest.mark.parametrize(
    ("shape", "head", "item"),
    [
        ("claude", [], {"hooks": [{"type": "command", "command": COMMAND}]}),
        ("cursor", [(("version",), 1)], {"type": "command", "command": COMMAND}),
        ("copilot", [(("version",), 1)], {"type": "command", "bash": COMMAND, "powershell": COMMAND}),
    ],
)
def test_a_hook_is_an_item_of_its_own_under_the_event_with_its_command_verbatim(
    shape: str, head: list[object], item: object
) -> None:
    hook = HookEntry("tip", "stop", COMMAND)

    wanted, _ = wanted_by(tool(hooks=(settings(shape, key=("hooks",)),)), "project", [], [hook])

    assert [(each.keys, each.value) for each in wanted] == [*head, (("hooks", "agentStop"), item)]
    assert [each.is_item for each in wanted] == [*(False for _ in head), True]


def test_events_may_stand_at_the_top_of_a_file() -> None:
    hook = HookEntry("tip", "sessionStart", "tip")

    wanted, _ = wanted_by(tool(hooks=(settings("claude", key=()),)), "project", [], [hook])

    assert [each.keys for each in wanted] == [("SessionStart",)]


def test_a_hook_for_an_event_that_a_tool_does_not_have_is_left_out_with_a_sentence() -> None:
    hook = HookEntry("tip", "preCompact", "tip")

    answer = wanted_by(tool(hooks=(settings("claude"),)), "project", [], [hook])

    assert answer == ((), ('Tool has no event preCompact: the hook "tip" is left out',))


SKILL = SkillEntry("tidy", "---\nname: tidy\n---\nText\n", files=(("more/a.md", "A"), ("SKILL.md", "no")))
FOLDERS = (SkillFolder("project", ".tool/skills/"), SkillFolder("global", "~/.tool/skills"))


def test_a_skill_is_its_main_file_and_those_beside_it() -> None:
    assert skill_files(tool(skills=FOLDERS), "project", SKILL) == (
        SkillFile(".tool/skills/tidy", "SKILL.md", SKILL.text, "", ("tool",)),
        SkillFile(".tool/skills/tidy", "more/a.md", "A", "", ("tool",)),
    )


@pytest.mark.parametrize(
    ("fields", "about"),
    [
        ({"description": 'Says: "hi"\n there', "name": "N"}, r'"Says: \"hi\" there"'),
        ({"name": "Name"}, '"Name"'),
        ({}, '"tidy"'),
    ],
)
def test_a_skill_without_front_matter_gets_one(fields: dict[str, str], about: str) -> None:
    skill = SkillEntry("tidy", "Just text", **fields)

    files = skill_files(tool(skills=FOLDERS), "global", skill)

    assert [file.preamble for file in files] == [f"---\nname: tidy\ndescription: {about}\n---\n"]  # type: ignore[union-attr]


def test_a_skill_for_other_tools_is_no_file() -> None:
    assert skill_files(tool(skills=FOLDERS), "project", replace(SKILL, tools=("other",))) == ()


@pytest.mark.parametrize(
    "name", ["..", ".", "", "../a", "a/../../b", "/a", "a//b", "a\\b", "C:a", "a\0", "a\n", "a/.."]
)
def test_a_skill_stays_inside_its_folder(name: str) -> None:
    for skill in (replace(SKILL, id=name), replace(SKILL, files=((name, "x"),))):
        answer = skill_files(tool(skills=FOLDERS), "project", skill)

        assert answer == f'the skill "{skill.id}" is left out: "{name}" does not stay inside its folder'


def test_a_hook_in_a_list_says_its_event_itself() -> None:
    file = SettingsFile("project", "h.json", "json", ("hooks",), "kiro", {"sessionStart": "SessionStart"})
    adapter = Adapter("k", "K", "file-inject", hooks=(file,))

    wanted, cannot = wanted_by(adapter, "project", (), (HookEntry("tip", "sessionStart", "run"),))

    action = {"type": "command", "command": "run"}
    assert cannot == ()
    assert wanted == (
        Wanted("h.json", "json", ("version",), "v1", tools=("k",)),
        Wanted(
            "h.json",
            "json",
            ("hooks",),
            {"name": "tip", "trigger": "SessionStart", "action": action},
            True,
            'the hook "tip"',
            ("k",),
        ),
    )


def test_what_only_one_tool_understands_stands_beside_the_command() -> None:
    file = SettingsFile("project", "m.json", "json", ("mcp",), "standard")
    server = replace(PLAIN, extra={"trust": True})

    wanted, _ = wanted_by(Adapter("k", "K", "file-inject", mcp=(file,)), "project", (server,), ())

    assert wanted[0].value == {"command": "docs", "args": [], "trust": True}
