"""What the tools read whose loaders are documented: one case for each that is unlike the others."""

from pathlib import Path

import pytest

import modicum
from modicum.targets.load import load_adapters
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.reading import reading
from modicum.targets.model import Adapter

ADAPTERS = {a.id: a for a in load_adapters([("built-in", Path(modicum.__file__).parent / "data")]).adapters}


def paths(tool: str, *names: str, folder: str = "", **more: object) -> list[str]:
    files = ProjectFiles({name: f"{name}\n" for name in names}, **more)
    return [passage.path for passage in reading(ADAPTERS[tool].reads, files, folder).passages]


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=lambda adapter: adapter.id)
def test_every_tool_with_files_has_a_loader_with_a_source(adapter: Adapter) -> None:
    assert bool(adapter.reads) == (adapter.type == "file-inject")
    if adapter.reads:
        assert adapter.reads.source.startswith(("https://", "run on 20"))
        assert {rule.limit for rule in adapter.reads.rules} <= {
            "",
            *(limit.name for limit in adapter.reads.limits),
        }
        assert {s.raises for s in adapter.reads.settings} <= {
            "",
            *(limit.name for limit in adapter.reads.limits),
        }


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=lambda adapter: adapter.id)
def test_a_tool_reads_each_of_its_own_files_where_nothing_else_is(adapter: Adapter) -> None:
    # A setting or an import names them.
    named_elsewhere = {
        ("aider", "CONVENTIONS.md"),
        *(("gemini-cli", name) for name in ("AGENTS.md", ".gemini/modicum.md")),
    }
    for target in adapter.targets:
        if not target.globs and target.mode != "refer" and (adapter.id, target.path) not in named_elsewhere:
            files = ProjectFiles({target.path: f"{target.preamble}\nours"})
            versions = adapter.reads.versions
            assert reading(adapter.reads, files, "", versions[-1]).passages, target.path


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=lambda adapter: adapter.id)
def test_a_file_for_some_globs_is_not_read_at_the_start(adapter: Adapter) -> None:
    for target in adapter.targets:
        if target.globs:
            head = target.preamble.format(globs="src/**", description="x", name="x")
            files = ProjectFiles({target.path.format(name="x"): f"{head}\nours"})
            found = reading(adapter.reads, files)
            assert [each.kind for each in found.unread] == ["later"], target.path
            assert not found.passages


def test_zed_and_junie_read_the_first_of_a_list() -> None:
    every = (".rules", ".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md")

    assert (
        [paths("zed", *every[n:])[0] for n in range(5)]
        == [paths("zed", name)[0] for name in every]
        == [*every]
    )
    assert paths("junie", ".junie/guidelines.md", "AGENTS.md", ".junie/AGENTS.md") == [".junie/AGENTS.md"]
    assert paths("junie", ".junie/guidelines.md", "AGENTS.md") == ["AGENTS.md"]


def test_kimi_reads_its_own_file_beside_agents_md_in_each_folder() -> None:
    names = (".kimi-code/AGENTS.md", "AGENTS.md", "a/.kimi-code/AGENTS.md", "a/agents.md")

    assert paths("kimi", *names, "~/.agents/AGENTS.md", folder="a") == ["~/.agents/AGENTS.md", *names]


def test_grok_reads_the_files_of_claude_code_as_well_and_every_rule() -> None:
    names = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md")
    rules = (".grok/rules/a.md", ".claude/rules/b.md", "a/AGENTS.md", "~/.claude/CLAUDE.md")

    assert paths("grok", *names, *rules, folder="a") == [*names, *rules]
    assert paths("grok", ".grok/rules/deep/a.md", ".cursor/rules/a.mdc", "GEMINI.md") == []
    same = ProjectFiles(
        {
            "AGENTS.md": "same\n",
            "CLAUDE.md": "same\n",
            ".claude/rules/s.md": "---\npaths: src/**\n---\nrule\n",
        }
    )
    assert reading(ADAPTERS["grok"].reads, same).text(same) == "same\n\nsame\n\nrule"


def test_droid_reads_claude_md_first_and_80_000_characters_in_all() -> None:
    files = ProjectFiles({"AGENTS.md": "a" * 50_000, "CLAUDE.md": "é" * 50_000})
    found = reading(ADAPTERS["factory"].reads, files)

    assert [(each.path, each.end) for each in found.passages] == [
        ("CLAUDE.md", 50_000),
        ("AGENTS.md", 30_000),
    ]
    assert [(each.path, each.start, each.kind) for each in found.unread] == [("AGENTS.md", 30_000, "cut")]


@pytest.mark.parametrize("linked", ["AGENTS.md", "CLAUDE.md"])
def test_droid_skips_links_and_reads_the_file_that_one_means(linked: str) -> None:
    (other,) = {"AGENTS.md", "CLAUDE.md"} - {linked}
    files = ProjectFiles({other: "a", "docs/all.md": "b"}, links={linked: other})
    elsewhere = ProjectFiles({"docs/all.md": "b"}, links={linked: "docs/all.md"})

    assert [each.path for each in reading(ADAPTERS["factory"].reads, files).passages] == [other]
    found = reading(ADAPTERS["factory"].reads, elsewhere)
    assert [each.why for each in found.unread] == ["it is a link, and links are skipped"]
    assert not found.passages


def test_a_rule_of_windsurf_or_antigravity_is_cut_by_itself() -> None:
    for tool, folder in (("windsurf", ".devin/rules"), ("antigravity", ".agents/rules")):
        files = ProjectFiles({f"{folder}/{name}.md": "x" * 13_000 for name in "ab"})
        assert [each.end for each in reading(ADAPTERS[tool].reads, files).passages] == [12_000, 12_000]


def test_roo_reads_its_old_file_where_there_are_no_rules() -> None:
    assert paths("roo", ".roorules", "AGENTS.md") == ["AGENTS.md", ".roorules"]
    assert paths("roo", ".roorules", ".roo/rules/d/x.md") == [".roo/rules/d/x.md"]


def test_warp_reads_the_root_and_the_folder_and_prefers_its_own_name() -> None:
    names = ("AGENTS.md", "a/AGENTS.md", "a/b/AGENTS.md", "a/b/WARP.md")

    assert paths("warp", *names, folder="a/b") == ["AGENTS.md", "a/b/WARP.md"]


def test_aider_reads_what_its_settings_name() -> None:
    for value in ("CONVENTIONS.md", ["CONVENTIONS.md"]):
        settings = {".aider.conf.yml": {"read": value}}
        assert paths("aider", "CONVENTIONS.md", "AGENTS.md", settings=settings) == ["CONVENTIONS.md"]
    assert paths("aider", "CONVENTIONS.md", "AGENTS.md") == []


def test_pi_and_amp_read_one_file_of_each_folder_from_above() -> None:
    names = ("../CLAUDE.md", "AGENTS.md", "CLAUDE.md", "a/CLAUDE.md")

    assert (
        paths("pi", *names, folder="a")
        == paths("amp", *names, folder="a")
        == ["../CLAUDE.md", "AGENTS.md", "a/CLAUDE.md"]
    )


def test_kilo_reads_the_home_file_of_claude_code() -> None:
    assert paths("kilo", "AGENTS.md", "CLAUDE.md", "~/.claude/CLAUDE.md") == [
        "~/.claude/CLAUDE.md",
        "AGENTS.md",
    ]
