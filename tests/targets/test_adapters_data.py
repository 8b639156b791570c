"""The adapters that come with modicum: complete, consistent, and each limit with its source."""

import re
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest
import yaml

import modicum
from modicum.targets.globs import for_globs
from modicum.targets.load import load_adapters
from modicum.targets.model import Adapter, Limit, Target, limits_of

DATA = Path(modicum.__file__).parent / "data"
LOADED = load_adapters([("built-in", DATA)])
ADAPTERS = {adapter.id: adapter for adapter in LOADED.adapters}
FILES = sorted((DATA / "adapters").glob("*.yaml"))
TARGETS = [(adapter, target) for adapter in LOADED.adapters for target in adapter.targets]
EXPECTED = {
    "claude-code",
    "codex",
    "copilot",
    "kimi",
    "cursor",
    "windsurf",
    "antigravity",
    "gemini-cli",
    "cline",
    "kiro",
    "zed",
    "junie",
    "jetbrains-ai",
    "amp",
    "opencode",
    "goose",
    "roo",
    "aider",
    "qwen",
    "augment",
    "continue",
    "factory",
    "warp",
    "chatgpt",
    "claude-ai",
}

every_adapter = pytest.mark.parametrize("adapter", LOADED.adapters, ids=lambda adapter: adapter.id)
every_target = pytest.mark.parametrize(
    ("adapter", "target"), TARGETS, ids=lambda value: getattr(value, "path", None)
)


def has_limit(adapter: Adapter) -> bool:
    return any(limits_of(adapter, target) for target in (None, *adapter.targets))


def test_every_adapter_loads_without_a_problem() -> None:
    assert LOADED.problems == ()
    assert LOADED.changed_limits == ()
    assert sorted(f"{adapter.id}.yaml" for adapter in LOADED.adapters) == [path.name for path in FILES]


def test_the_promised_tools_are_there() -> None:
    assert set(ADAPTERS) >= EXPECTED


@every_adapter
def test_an_adapter_has_what_its_type_needs(adapter: Adapter) -> None:
    assert adapter.name != adapter.id
    assert bool(adapter.targets) == (adapter.type == "file-inject")
    assert bool(adapter.detect) == (adapter.type == "file-inject")
    assert bool(adapter.export_path) == (adapter.type == "file-export")
    assert adapter.type == "file-inject" or adapter.instructions


@every_adapter
def test_every_limit_has_a_source_and_a_date(adapter: Adapter) -> None:
    assert bool(adapter.source) == bool(adapter.checked)
    assert adapter.source or not has_limit(adapter)
    assert not adapter.source or is_a_source(adapter.source)


def is_a_source(words: str) -> bool:
    return words.startswith("https://") or bool(re.match(r"run on \d{4}-\d\d-\d\d with .*\d", words))


@every_adapter
def test_what_was_seen_of_an_agent_has_a_source(adapter: Adapter) -> None:
    assert all(is_a_source(each.source) for each in adapter.cannot)
    assert not adapter.tool_list or is_a_source(adapter.tool_list.source)


@pytest.mark.parametrize(
    "name", ["claude-code", "codex", "gemini-cli", "qwen", "opencode", "copilot", "kimi"]
)
def test_the_cost_of_tools_was_measured_for_the_agents_that_can_be_run(name: str) -> None:
    (adapter,) = (each for each in LOADED.adapters if each.id == name)

    assert adapter.tool_list is not None


def test_no_file_of_cline_has_one_name_at_home_and_in_a_project() -> None:
    paths = [target.path for adapter, target in TARGETS if adapter.id == "cline"]

    assert len({path.rpartition("/")[2] for path in paths}) == len(paths) == 6


@every_target
def test_paths_stay_in_their_scope(adapter: Adapter, target: Target) -> None:
    assert target.path.startswith("~/") == (target.scope == "global")
    assert not target.path.startswith(("/", "$", "%", ".."))


@every_adapter
def test_settings_stay_in_their_scope(adapter: Adapter) -> None:
    settings = [(place.scope, place.path) for place in (*adapter.mcp, *adapter.hooks)]
    folders = [(place.scope, place.path) for place in adapter.skills]

    assert all(
        path.startswith(("~/", "$", "%")) == (scope == "global") for scope, path in (*settings, *folders)
    )


@every_adapter
def test_settings_have_the_format_of_their_file(adapter: Adapter) -> None:
    kinds = {"json": ("json", "jsonc"), "jsonc": ("jsonc",), "toml": ("toml",), "yaml": ("yaml",)}

    assert all(
        place.format in kinds[place.path.rsplit(".", 1)[-1]] for place in (*adapter.mcp, *adapter.hooks)
    )


def test_no_two_adapters_do_different_things_to_one_file() -> None:
    uses = defaultdict(set)
    for _, target in TARGETS:
        if target.mode != "refer":
            uses[target.scope, target.path].add((target.mode, target.section, target.preamble))

    assert [path for path, ways in uses.items() if len(ways) > 1] == []


def test_no_two_adapters_write_settings_of_one_file_differently() -> None:
    uses = defaultdict(set)
    for adapter in LOADED.adapters:
        for place in (*adapter.mcp, *adapter.hooks):
            uses[place.scope, place.path].add(place.format)

    assert [path for path, formats in uses.items() if len(formats) > 1] == []


def test_tools_that_share_agents_md_share_one_region() -> None:
    sharing = {
        adapter.id for adapter, target in TARGETS if (target.scope, target.path) == ("project", "AGENTS.md")
    }

    assert {"codex", "amp", "opencode", "warp", "factory", "zed", "junie"} <= sharing


def test_tools_that_read_agents_md_can_be_reached_there_after_their_own_file() -> None:
    paths = {
        adapter.id: [t.path for t in adapter.targets if t.scope == "project"] for adapter in LOADED.adapters
    }

    for tool in ("cursor", "antigravity", "kiro", "cline", "windsurf", "goose", "roo", "augment", "continue"):
        assert paths[tool][0] != "AGENTS.md"
        assert "AGENTS.md" in paths[tool]


@every_target
def test_a_region_is_named_and_a_file_of_our_own_is_recognisable(adapter: Adapter, target: Target) -> None:
    assert target.mode in ("replace-section", "replace-file", "refer")
    assert target.section == "modicum"
    assert target.mode != "replace-file" or "modicum" in target.path.rsplit("/", 1)[-1]


@every_target
def test_front_matter_is_closed_and_has_no_placeholder_left(adapter: Adapter, target: Target) -> None:
    filled = for_globs(target, name="Web App", globs=["src/**/*.ts", "*.css"], description="Rules: the web")

    assert not re.search(r"\{[a-z]+\}", filled.path + filled.preamble)
    assert not filled.preamble or filled.preamble.startswith("---\n")
    assert not filled.preamble or filled.preamble.endswith("\n---")


@every_target
def test_front_matter_names_the_globs_as_the_tool_reads_them(adapter: Adapter, target: Target) -> None:
    if not target.globs:
        return
    preamble = for_globs(target, name="web", globs=["src/*.ts", "a/b.css"], description="Some words").preamble
    # A bare glob such as *.ts is no YAML, and Cursor and its kin read it without; these two happen to be both.
    words = yaml.safe_load(preamble.strip("-"))
    globs = next(
        words[key] for key in ("globs", "paths", "applyTo", "patterns", "fileMatchPattern") if key in words
    )

    assert globs == (["src/*.ts", "a/b.css"] if target.globs_style == "yaml-list" else "src/*.ts,a/b.css")


# The facts of the tools, as they were in November 2026


@pytest.mark.parametrize(
    ("tool", "path", "limit"),
    [
        ("codex", "AGENTS.md", ()),
        ("codex", "~/.codex/AGENTS.md", ()),
        ("windsurf", ".devin/rules/modicum.md", (Limit("chars", 12000),)),
        ("windsurf", "~/.codeium/windsurf/memories/global_rules.md", (Limit("chars", 6000),)),
        ("antigravity", ".agents/rules/modicum.md", (Limit("bytes", 24000), Limit("chars", 12000))),
        ("copilot", ".github/copilot-instructions.md", ()),
        ("claude-code", "CLAUDE.md", ()),
        ("gemini-cli", "GEMINI.md", ()),
    ],
)
def test_limits_are_in_the_unit_of_the_tool(tool: str, path: str, limit: tuple[Limit, ...]) -> None:
    target = next(target for target in ADAPTERS[tool].targets if target.path == path)

    assert limits_of(ADAPTERS[tool], target) == limit


@pytest.mark.parametrize(
    ("tool", "limits"),
    [
        ("codex", {"project files": (32768, "bytes", "")}),
        ("factory", {"instructions": (80000, "chars", "")}),
        ("copilot", {"review": (4000, "chars", "code review")}),
        ("gemini-cli", {}),
    ],
)
def test_limits_on_all_that_a_tool_reads_are_those_of_its_loader(
    tool: str, limits: dict[str, tuple[int, str, str]]
) -> None:
    loader = ADAPTERS[tool].reads
    assert loader is not None

    assert {limit.name: (limit.most, limit.unit, limit.feature) for limit in loader.limits} == limits


def test_chatgpt_gets_what_its_limit_holds_and_in_plain_prose() -> None:
    chatgpt = ADAPTERS["chatgpt"]

    assert (chatgpt.type, chatgpt.verbosity, chatgpt.format) == ("file-export", "full", "plain-prose")
    assert chatgpt.limits == (Limit("bytes", 1400),)
    assert chatgpt.export_path == "~/modicum-chatgpt-context.md"


@pytest.mark.parametrize(
    ("tool", "scope", "path", "key", "shape"),
    [
        ("claude-code", "global", "~/.claude.json", ("mcpServers",), "standard"),
        ("claude-code", "project", ".mcp.json", ("mcpServers",), "standard"),
        ("codex", "global", "~/.codex/config.toml", ("mcp_servers",), "codex"),
        ("copilot", "project", ".vscode/mcp.json", ("servers",), "standard"),
        ("amp", "global", "~/.config/amp/settings.json", ("amp.mcpServers",), "standard"),
        ("opencode", "project", "opencode.json", ("mcp",), "opencode"),
        ("zed", "project", ".zed/settings.json", ("context_servers",), "standard"),
        ("goose", "global", "~/.config/goose/config.yaml", ("extensions",), "goose"),
        ("continue", "global", "~/.continue/config.yaml", ("mcpServers",), "list"),
    ],
)
def test_servers_go_where_the_tool_looks(
    tool: str, scope: str, path: str, key: tuple[str, ...], shape: str
) -> None:
    assert (scope, path, key, shape) in [(s.scope, s.path, s.key, s.shape) for s in ADAPTERS[tool].mcp]


def test_a_start_of_session_hook_is_known_by_the_name_that_the_tool_uses() -> None:
    starts = {
        adapter.id: {hook.events["sessionStart"] for hook in adapter.hooks} for adapter in LOADED.adapters
    }

    assert starts["claude-code"] == {"SessionStart"}
    assert starts["cursor"] == {"sessionStart"}
    assert starts["antigravity"] == set()


@pytest.mark.parametrize("common", ["gh", "zed", "goose", "copilot", "amp", "pi", "code"])
def test_a_command_that_other_programs_share_is_no_sign(common: str) -> None:
    assert common not in {sign.command for adapter in LOADED.adapters for sign in adapter.detect}


def test_no_tool_is_detected_by_a_folder_that_we_write() -> None:
    written = {target.path for _, target in TARGETS}

    assert not {sign.path for adapter in LOADED.adapters for sign in adapter.detect} & (
        # Files that no other tool would make somebody write; AGENTS.md says nothing, because many tools read it.
        written - {".github/copilot-instructions.md", "CLAUDE.md"}
    )


def calls_to_load(folder: Path) -> int:
    """How many functions are called to load the adapters of a folder: the work, whatever the machine does meanwhile."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        load_adapters([("built-in", folder)])
    finally:
        sys.setprofile(before)
    return calls


def test_loading_takes_work_in_proportion_to_the_adapters(tmp_path: Path) -> None:
    names = sorted(path.name for path in (DATA / "adapters").glob("*.yaml"))
    folders = [tmp_path / "one", tmp_path / "three"]
    for folder, copies in zip(folders, (1, 3), strict=True):
        (folder / "adapters").mkdir(parents=True)
        for name, copy in product(names, range(copies)):
            text = (DATA / "adapters" / name).read_text(encoding="utf-8")
            told = re.sub(r"(?m)^id: (.*)$", rf"id: \g<1>-{copy}", text, count=1)
            (folder / "adapters" / f"{copy}-{name}").write_text(told, encoding="utf-8")
    once, thrice = map(calls_to_load, folders)

    assert thrice < 3.3 * once


HARNESSES = {
    *(
        "claude-code",
        "codex",
        "cursor",
        "copilot",
        "gemini-cli",
        "qwen",
        "factory",
        "cline",
        "kiro",
        "opencode",
    ),
}


def test_every_promised_agent_has_a_contract_for_hooks_and_a_place_for_them() -> None:
    able = {adapter.id for adapter in LOADED.adapters if adapter.contract}

    assert able >= HARNESSES
    assert all(ADAPTERS[name].hooks or ADAPTERS[name].hook_files for name in able)


@every_adapter
def test_a_contract_has_a_source_and_a_date(adapter: Adapter) -> None:
    contract = adapter.contract

    assert contract is None or contract.source.startswith("https://")
    assert contract is None or re.fullmatch(r"\d{4}-\d\d", contract.checked)
