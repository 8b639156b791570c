"""Settings of tools that inject changes so that they read the page: exact undo, whatever happened meanwhile."""

import json

import pytest

from modicum.app.inject.load import load_knowledge
from modicum.app.inject.reading_settings import apply_settings
from modicum.base.config import load_config
from modicum.targets.loaders.carriers import SETTING, Carrier
from modicum.targets.settings import jsonc

pytestmark = pytest.mark.usefixtures("starters")

LONG = "A rule of the user's that takes some room.\n" * 900

# A tool, the user's files, and the settings file with the texts that it may have before.
CASES = {
    "opencode": ("opencode", {"CLAUDE.md": "claude\n"}, "opencode.json", ("codex",)),
    "codex": ("codex", {"AGENTS.md": LONG}, ".codex/config.toml", ()),
    "aider": ("aider", {}, ".aider.conf.yml", ()),
}
BEFORE = {
    "opencode.json": (
        None,
        "{}",
        '{ // mine\r\n  "model": "x", // end\r\n}',
        '{"instructions": ["docs/a.md"]}\n',
    ),
    ".codex/config.toml": (None, "", '# mine\nmodel = "x"\n\n[tools]\nweb = true\n', 'model = "x"\r\n'),
    ".aider.conf.yml": (
        None,
        "# mine\r\nmodel: x\r\n",
        "read: [docs/a.md]\n",
        "read:\n  - docs/a.md # mine\nmodel: x\n",
    ),
}
ROWS = [(case, text) for case, row in CASES.items() for text in BEFORE[row[2]]]


def set_up(world, case: str, text: str | None) -> tuple[str, tuple[str, ...], dict[str, bytes]]:
    tool, files, path, others = CASES[case]
    for name, content in files.items():
        world.write(name, content)
    if text is not None:
        world.write(path, text)
    names = tuple(word for name in (tool, *others) for word in ("--tool", name))
    return path, names, world.files()


@pytest.mark.parametrize(("case", "text"), ROWS)
def test_a_setting_is_changed_once_and_undone_to_the_byte(world, case: str, text: str | None) -> None:
    path, tools, first = set_up(world, case, text)
    said = world.modicum("inject", *tools)

    assert said.code == 0, said.err
    assert f"{path} " in said.out
    made = world.read(path)
    assert made != text
    assert world.modicum("inject", "--check", *tools).code == 0
    world.modicum("inject", *tools)
    assert world.read(path) == made
    assert world.modicum("uninstall").code == 0
    assert world.files() == first


@pytest.mark.parametrize("case", ["opencode", "codex", "aider"])
def test_a_tool_reads_its_page_by_the_setting(world, case: str) -> None:
    path, tools, _ = set_up(world, case, None)
    world.modicum("inject", *tools)
    row = world.modicum("see", CASES[case][0], "--json").json["tools"][0]

    assert row["ours"] > 1_000, path
    assert (row["lost"], row["doubled"]) == (0, 0)


def test_what_the_user_puts_beside_our_setting_stays(world) -> None:
    path, tools, _ = set_up(world, "opencode", '{"instructions": ["docs/a.md"]}\n')
    world.modicum("inject", *tools)
    held = json.loads(world.read(path))
    held["instructions"].append("docs/b.md")
    world.write(path, json.dumps({**held, "model": "x"}))
    assert world.modicum("uninstall").code == 0

    assert json.loads(world.read(path)) == {"instructions": ["docs/a.md", "docs/b.md"], "model": "x"}


def test_a_setting_that_the_user_changed_is_the_users(world) -> None:
    path, tools, _ = set_up(world, "codex", None)
    world.modicum("inject", *tools)
    number = world.read(path).strip().rpartition(" ")[2]
    world.write(path, f"project_doc_max_bytes = {int(number) * 2}\n")
    assert world.modicum("uninstall").code == 0

    assert world.read(path) == f"project_doc_max_bytes = {int(number) * 2}\n"


def test_a_setting_that_the_user_took_out_is_no_trouble(world) -> None:
    path, tools, _ = set_up(world, "aider", "model: x\n")
    world.modicum("inject", *tools)
    world.write(path, "model: y\n")

    assert world.modicum("uninstall").code == 0
    assert world.read(path) == "model: y\n"


def test_uninstall_of_one_tool_leaves_the_setting_of_the_other(world) -> None:
    world.write("AGENTS.md", LONG)
    world.write(".aider.conf.yml", "model: x\n")
    world.modicum("inject", "--tool", "codex", "--tool", "aider")
    raised = world.read(".codex/config.toml")
    assert world.modicum("uninstall", "--tool", "aider").code == 0

    assert world.read(".aider.conf.yml") == "model: x\n"
    assert world.read(".codex/config.toml") == raised
    assert world.modicum("uninstall", "--tool", "codex").code == 0
    assert not world.path(".codex").exists()
    assert world.read("AGENTS.md") == LONG


def test_a_file_that_is_no_settings_file_is_told_and_left_alone(world) -> None:
    path, tools, first = set_up(world, "codex", "= =\n")
    said = world.modicum("inject", *tools)

    assert said.code == 1
    assert ".codex/config.toml: line 1, column 1: this is not TOML" in said.err
    assert world.read(path) == "= =\n"
    world.modicum("uninstall")
    assert world.files() == first


def test_the_wiring_of_servers_in_the_same_file_stays(world) -> None:
    """Setup writes its server into the file in which inject has its setting."""
    path, tools, first = set_up(world, "codex", 'model = "x"\n')
    world.modicum("inject", *tools)
    assert world.modicum("setup", "codex", "--here").code == 0
    assert "[mcp_servers.modicum]" in world.read(path)
    assert "project_doc_max_bytes" in world.read(path)
    assert world.modicum("inject", "--check", *tools).code == 0
    assert world.modicum("uninstall").code == 0

    assert world.files() == first


@pytest.mark.parametrize(
    "text", [None, '{ // mine\r\n  "ui": {}, // end\r\n}', '{"context": {"fileName": ["MINE.md"]}}']
)
def test_the_names_that_gemini_reads_get_one_more_and_lose_it_again(world, text: str | None) -> None:
    if text is not None:
        world.write(".gemini/settings.json", text)
    first, config = world.files(), load_config()
    knowledge = load_knowledge(config)
    gemini = knowledge.adapters["gemini-cli"]
    before = text is not None and "fileName" in text
    names = ["MINE.md", "AGENTS.md"] if before else ["GEMINI.md", "AGENTS.md"]
    carrier = Carrier(
        ".gemini/settings.json", SETTING, "AGENTS.md" if before else "", ("context", "fileName"), names
    )
    dry = apply_settings(config, knowledge, "project", [(gemini, carrier)], dry=True)
    assert world.files() == first
    done = apply_settings(config, knowledge, "project", [(gemini, carrier)], dry=False)

    assert not dry.troubles
    assert not done.troubles
    assert jsonc.read(world.read(".gemini/settings.json"))["context"]["fileName"] == names
    apply_settings(config, knowledge, "project", [], dry=False)
    assert world.files() == first
