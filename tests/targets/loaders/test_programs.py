"""What six programs read, as seen in their first requests: Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode, Qwen Code."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import modicum
from modicum.targets.load import load_adapters
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import Loader
from modicum.targets.loaders.reading import Reading, reading

ADAPTERS = load_adapters([("built-in", Path(modicum.__file__).parent / "data")]).adapters
LOADERS = {adapter.id: adapter.reads for adapter in ADAPTERS if adapter.reads}
NEW, OLD = "2.1.325", "2.1.197"


def loader(tool: str) -> Loader:
    return LOADERS[tool]


def read(
    tool: str, texts: Mapping[str, str], folder: str = "", version: str = NEW, **more: object
) -> Reading:
    return reading(loader(tool), ProjectFiles(texts, **more), folder, version)


def paths(
    tool: str, texts: Mapping[str, str], folder: str = "", version: str = NEW, **more: object
) -> list[str]:
    """The files of the passages, in order; parts of one file that follow each other count once."""
    found = [passage.path for passage in read(tool, texts, folder, version, **more).passages]
    return [path for before, path in zip(["", *found], found, strict=False) if path != before]


def text(tool: str, texts: Mapping[str, str], folder: str = "", **more: object) -> str:
    return read(tool, texts, folder, NEW, **more).text(ProjectFiles(texts, **more))


def own(*names: str) -> dict[str, str]:
    """Files that hold their own names."""
    return {name: f"{name}\n" for name in names}


class TestClaudeCode:
    def test_folders_are_read_from_above_the_project_down_to_the_start(self) -> None:
        files = own("CLAUDE.md", "../CLAUDE.md", "../../CLAUDE.md", "pkg/CLAUDE.md", "pkg/in/CLAUDE.md")

        expected = ["../../CLAUDE.md", "../CLAUDE.md", "CLAUDE.md", "pkg/CLAUDE.md"]
        assert paths("claude-code", files, "pkg") == expected
        assert paths("claude-code", files, "pkg", is_repository=False) == expected

    def test_a_worktree_inside_its_repository_does_not_read_what_that_has(self) -> None:
        above = [
            "../../../../CLAUDE.md",
            "../../../CLAUDE.md",
            "../../../.claude/rules/r.md",
            "../../CLAUDE.md",
        ]
        files = own(*above, "../../../CLAUDE.local.md", "CLAUDE.md", ".claude/rules/r.md")
        read = [above[0], "../../../CLAUDE.local.md", "CLAUDE.md", ".claude/rules/r.md"]

        assert paths("claude-code", files, main="../../..") == read
        assert paths("claude-code", own("../AGENTS.md", "AGENTS.md"), main="..") == ["AGENTS.md"]
        inner = own("../CLAUDE.md", "CLAUDE.md", "../../CLAUDE.md")
        assert paths("claude-code", inner, main="../..", repository="..") == ["../CLAUDE.md", "CLAUDE.md"]

    def test_home_comes_first_and_rules_stand_between_the_files_of_their_folder(self) -> None:
        names = ["~/.claude/CLAUDE.md", "~/.claude/rules/h.md"]
        names += ["CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/a.md", "CLAUDE.local.md", "pkg/CLAUDE.md"]

        assert paths("claude-code", own(*reversed(names)), "pkg") == names

    def test_agents_md_is_read_after_the_rules_of_its_folder(self) -> None:
        names = [
            ".claude/rules/r.md",
            "AGENTS.md",
            ".claude/AGENTS.md",
            "pkg/.claude/rules/r.md",
            "pkg/AGENTS.md",
        ]

        assert paths("claude-code", own(*names), "pkg") == names
        assert paths("claude-code", own(*names), "pkg", OLD) == [names[0], names[3]]

    @pytest.mark.parametrize(
        "other", ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "pkg/CLAUDE.md", "../CLAUDE.md"]
    )
    def test_any_claude_md_on_the_way_switches_every_agents_md_off(self, other: str) -> None:
        found = read("claude-code", own("AGENTS.md", "pkg/AGENTS.md", other), "pkg")

        assert {passage.path for passage in found.passages} == {other}
        assert {each.path for each in found.unread} == {"AGENTS.md", "pkg/AGENTS.md"}
        assert other in found.unread[0].why

    @pytest.mark.parametrize("empty", ["", " \n", "<!-- nothing -->\n", "---\na: b\n---\n"])
    def test_a_claude_md_without_content_switches_nothing_off(self, empty: str) -> None:
        assert paths("claude-code", {"AGENTS.md": "A", "CLAUDE.md": empty}) == ["AGENTS.md"]

    def test_files_at_home_below_or_excluded_switch_nothing_off(self) -> None:
        files = own("AGENTS.md", "~/.claude/CLAUDE.md", "pkg/CLAUDE.md", "CLAUDE.md")
        settings = {".claude/settings.json": {"claudeMdExcludes": ["**/proj/CLAUDE.md"]}}

        found = paths("claude-code", files, settings=settings, root="/home/me/proj")

        assert found == ["~/.claude/CLAUDE.md", "AGENTS.md"]

    def test_the_home_file_does_not_count_where_the_project_is_below_home(self) -> None:
        links = {"../.claude/CLAUDE.md": "~/.claude/CLAUDE.md"}

        found = paths("claude-code", own("AGENTS.md", "~/.claude/CLAUDE.md"), links=links)

        assert found == ["~/.claude/CLAUDE.md", "AGENTS.md"]

    def test_an_agents_md_that_repeats_a_rule_is_left_out_but_not_one_that_repeats_another(self) -> None:
        files = {".claude/rules/r.md": "same\n", "AGENTS.md": "\nsame", "pkg/AGENTS.md": "x", "AGENT.md": ""}

        assert paths("claude-code", files, "pkg") == [".claude/rules/r.md", "pkg/AGENTS.md"]
        assert paths("claude-code", {"AGENTS.md": "x", "pkg/AGENTS.md": "x"}, "pkg") == [
            "AGENTS.md",
            "pkg/AGENTS.md",
        ]

    def test_excludes_count_in_the_folder_of_the_start_and_at_home_together(self) -> None:
        files = own("CLAUDE.md", ".claude/rules/p.md", ".claude/rules/q.md")
        settings = {
            ".claude/settings.json": {"claudeMdExcludes": ["**/CLAUDE.md"]},
            "~/.claude/settings.json": {"claudeMdExcludes": ["**/p.md"]},
        }

        assert paths("claude-code", files, settings=settings) == [".claude/rules/q.md"]
        assert paths("claude-code", files, "pkg", settings=settings) == ["CLAUDE.md", ".claude/rules/q.md"]

    def test_a_file_with_two_names_is_read_once(self) -> None:
        assert paths("claude-code", own("AGENTS.md"), links={"CLAUDE.md": "AGENTS.md"}) == ["AGENTS.md"]

    def test_a_rule_that_leads_out_of_the_folder_is_not_read(self) -> None:
        links = {".claude/rules/l.md": "docs/x.md", "CLAUDE.md": "docs/c.md"}

        assert paths("claude-code", own("docs/x.md", "docs/c.md"), links=links) == ["docs/c.md", "docs/x.md"]
        assert paths("claude-code", own("docs/x.md", "docs/c.md"), "pkg", links=links) == ["docs/c.md"]

    @pytest.mark.parametrize(
        ("head", "is_read"),
        [
            ("paths: src/**", False),
            ("paths: '**'", True),
            ("paths: ['**']", True),
            ("paths: '/**'", True),
            ("paths:", True),
            ("paths: ''", True),
            ("paths: '**/*'", False),
            ("paths: '*'", False),
            ("paths: '**,src/**'", False),
            ("paths:\n  - src/**", False),
            ("paths: [a: b", False),
            ("description: paths", True),
        ],
    )
    def test_a_file_for_some_paths_is_read_later(self, head: str, is_read: bool) -> None:
        found = read("claude-code", {".claude/rules/r.md": f"---\n{head}\n---\nrule\n"})

        assert [passage.path for passage in found.passages] == [".claude/rules/r.md"] * is_read
        assert text("claude-code", {"CLAUDE.md": f"---\n{head}\n---\nrule\n"}) == "rule"
        assert [each.kind for each in found.unread] == ["later"] * (not is_read)

    def test_front_matter_comments_and_outer_white_space_do_not_arrive(self) -> None:
        body = "\ufeff---\na: b\n---\n\n<!-- x -->\n\n first\n<!-- y -->\nsecond <!-- z -->\n\n"

        assert text("claude-code", {"CLAUDE.md": body}) == "first\nsecond <!-- z -->"

    def test_an_import_follows_its_file_and_is_read_once(self) -> None:
        files = {
            "CLAUDE.md": "c @a.md",
            "a.md": "a @b.md @CLAUDE.md",
            "b.md": "b",
            ".claude/rules/r.md": "@b.md",
        }

        assert paths("claude-code", files) == ["CLAUDE.md", "a.md", "b.md", ".claude/rules/r.md"]

    def test_a_rule_that_was_imported_is_not_read_again(self) -> None:
        files = {"CLAUDE.md": "c @.claude/rules/r.md", **own(".claude/rules/r.md", "CLAUDE.local.md")}

        assert paths("claude-code", files) == ["CLAUDE.md", ".claude/rules/r.md", "CLAUDE.local.md"]

    def test_imports_are_followed_four_levels_deep(self) -> None:
        chain = {f"{n}.md": f"{n} @{n + 1}.md" for n in range(1, 7)}

        assert paths("claude-code", {"CLAUDE.md": "@1.md", **chain}) == ["CLAUDE.md", *list(chain)[:4]]

    def test_imports_stay_within_the_folder_of_the_start_except_at_home(self) -> None:
        files = {
            "CLAUDE.md": "@AGENTS.md @pkg/x.md",
            "~/.claude/CLAUDE.md": "@~/y.md",
            **own("AGENTS.md", "pkg/x.md", "~/y.md"),
        }

        assert paths("claude-code", files) == [
            "~/.claude/CLAUDE.md",
            "~/y.md",
            "CLAUDE.md",
            "AGENTS.md",
            "pkg/x.md",
        ]
        assert paths("claude-code", files, "pkg") == [
            "~/.claude/CLAUDE.md",
            "~/y.md",
            "CLAUDE.md",
            "pkg/x.md",
        ]

    def test_imports_in_comments_and_front_matter_are_none(self) -> None:
        files = {"CLAUDE.md": "---\na: @x.md\n---\n<!-- @x.md -->\nc", **own("x.md")}

        assert paths("claude-code", files) == ["CLAUDE.md"]

    def test_a_file_of_more_than_four_megabytes_is_not_read(self) -> None:
        found = read("claude-code", {"CLAUDE.md": "x" * 4_194_305, "CLAUDE.local.md": "x" * 4_194_304})

        assert [passage.path for passage in found.passages] == ["CLAUDE.local.md"]
        assert [(each.path, each.kind) for each in found.unread] == [("CLAUDE.md", "cut")]

    def test_names_are_exact(self) -> None:
        assert paths("claude-code", own("Claude.md", "agents.md", ".claude/rules/r.txt")) == []


class TestCodex:
    def test_the_first_name_of_each_folder_is_read_and_an_override_hides_its_own_folder_only(self) -> None:
        files = own("AGENTS.md", "AGENTS.override.md", "pkg/AGENTS.md", "../AGENTS.md", "CLAUDE.md")

        assert paths("codex", files, "pkg") == ["AGENTS.override.md", "pkg/AGENTS.md"]
        assert paths("codex", {**files, "AGENTS.override.md": ""}, "pkg") == ["pkg/AGENTS.md"]

    def test_at_home_an_override_needs_content(self) -> None:
        files = own("~/.codex/AGENTS.md", "~/.codex/AGENTS.override.md")

        assert paths("codex", files) == ["~/.codex/AGENTS.override.md"]
        assert paths("codex", {**files, "~/.codex/AGENTS.override.md": " \n"}) == ["~/.codex/AGENTS.md"]

    def test_without_a_repository_only_the_folder_is_read(self) -> None:
        assert paths("codex", own("AGENTS.md", "pkg/AGENTS.md"), "pkg", is_repository=False) == [
            "pkg/AGENTS.md"
        ]

    def test_other_names_are_read_where_settings_say_so(self) -> None:
        settings = {".codex/config.toml": {"project_doc_fallback_filenames": ["CLAUDE.md"]}}

        found = paths("codex", own("AGENTS.md", "pkg/CLAUDE.md"), "pkg", settings=settings)

        assert found == ["AGENTS.md", "pkg/CLAUDE.md"]

    def test_the_chain_of_project_files_is_cut_at_its_end(self) -> None:
        files = {
            "~/.codex/AGENTS.md": "h" * 40_000,
            "AGENTS.md": "a" * 32_767,
            "pkg/AGENTS.md": "bb",
            "pkg/in/AGENTS.md": "c",
        }

        found = read("codex", files, "pkg/in")

        assert [(each.path, each.end) for each in found.passages] == [
            ("~/.codex/AGENTS.md", 40_000),
            ("AGENTS.md", 32_767),
            ("pkg/AGENTS.md", 1),
        ]
        assert [(each.path, each.start, each.end) for each in found.unread] == [
            ("pkg/AGENTS.md", 1, 2),
            ("pkg/in/AGENTS.md", 0, 1),
        ]
        assert found.used == {"project files": 32_770}
        assert all(each.is_cut for each in found.unread)

    def test_blank_files_cost_nothing_and_a_character_is_not_cut_in_two(self) -> None:
        files = {"AGENTS.md": " " * 20_000, "pkg/AGENTS.md": "x" * 32_767 + "é"}

        found = read("codex", files, "pkg")

        assert [(each.path, each.end) for each in found.passages] == [("pkg/AGENTS.md", 32_767)]

    @pytest.mark.parametrize(
        ("most", "arrives"), [(0, 0), (10, 10), (65_536, 40_000), (True, 32_768), ("9", 32_768)]
    )
    def test_the_limit_is_a_setting_of_which_the_nearest_counts(self, most: object, arrives: int) -> None:
        settings = {
            "~/.codex/config.toml": {"project_doc_max_bytes": 5},
            ".codex/config.toml": {"project_doc_max_bytes": 7},
            "pkg/.codex/config.toml": {"project_doc_max_bytes": most},
        }

        found = read("codex", {"AGENTS.md": "x" * 40_000}, "pkg/in", settings=settings)

        assert sum(each.end - each.start for each in found.passages) == arrives

    def test_without_a_repository_settings_count_in_the_folder_only(self) -> None:
        settings = {".codex/config.toml": {"project_doc_max_bytes": 1}}

        assert text("codex", {"pkg/AGENTS.md": "abc"}, "pkg", settings=settings, is_repository=False) == "abc"

    def test_a_link_is_a_file_of_its_own(self) -> None:
        found = read("codex", own("AGENTS.md"), "pkg", links={"pkg/AGENTS.md": "AGENTS.md"})

        assert [passage.path for passage in found.passages] == ["AGENTS.md", "AGENTS.md"]

    def test_nothing_is_dropped_or_trimmed_in_a_project(self) -> None:
        body = "\n\n---\na: b\n---\n<!-- x -->\r\n@x.md \n"

        assert text("codex", {"AGENTS.md": body, "x.md": "x"}) == body


class TestCopilot:
    def test_the_groups_are_read_in_their_order(self) -> None:
        every = [
            ".github/copilot-instructions.md",
            "AGENTS.md",
            "CLAUDE.md",
            ".claude/CLAUDE.md",
            "GEMINI.md",
        ]
        every += [".github/instructions/i.instructions.md", ".claude/rules/d/n.md", ".claude/rules/r.md"]
        folders = ["", "a/", "a/b/", "a/b/c/"]
        home = ["~/.copilot/copilot-instructions.md", "~/.copilot/instructions/h.instructions.md"]

        found = paths(
            "copilot", own(*home, *(f"{folder}{name}" for folder in folders for name in every)), "a/b/c"
        )

        start = "a/b/c/"
        assert found == [
            home[0],
            *(f"{folder}.github/copilot-instructions.md" for folder in ("", start)),
            *(
                f"{folder}{name}"
                for folder in ("", start)
                for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
            ),
            *(f"{folder}{name}" for folder in ("a/b/", "a/") for name in every[:5]),
            home[1],
            *(f"{folder}{name}" for folder in ("", start) for name in every[5:]),
        ]

    def test_twins_of_the_first_group_arrive_once_and_those_of_the_second_always(self) -> None:
        same = [
            "~/.copilot/copilot-instructions.md",
            "AGENTS.md",
            "CLAUDE.md",
            ".claude/rules/a.md",
            ".github/instructions/x.instructions.md",
        ]

        found = read("copilot", {**dict.fromkeys(same, "same\n"), "GEMINI.md": "same"})

        assert [passage.path for passage in found.passages] == [same[0], "GEMINI.md", same[4], same[3]]
        assert [(each.path, each.kind) for each in found.unread] == [
            ("AGENTS.md", "twin"),
            ("CLAUDE.md", "twin"),
        ]

    def test_twins_are_compared_with_what_they_import(self) -> None:
        files = {
            **dict.fromkeys(["AGENTS.md", "CLAUDE.md", "pkg/AGENTS.md"], "A\n@x.md\n"),
            **own("x.md", "pkg/x.md"),
        }

        assert paths("copilot", files, "pkg") == ["AGENTS.md", "x.md", "pkg/AGENTS.md", "pkg/x.md"]

    def test_an_import_follows_its_mention_except_in_gemini_md_and_rules(self) -> None:
        files = {"AGENTS.md": "a @x.md b", "GEMINI.md": "g @x.md", "x.md": "X"}
        inner = {
            ".github/copilot-instructions.md": "c @a.md",
            ".github/a.md": "A",
            ".claude/rules/r.md": "@a.md",
        }

        assert text("copilot", files) == "a @x.md\n\nX\n\n b\n\ng @x.md"
        assert text("copilot", inner) == "c @a.md\n\nA\n\n@a.md"

    def test_an_import_is_followed_once_in_a_file(self) -> None:
        files = {"AGENTS.md": "@x.md @x.md\n", "CLAUDE.md": "@x.md\n", "x.md": "X @AGENTS.md"}

        found = [passage.path for passage in read("copilot", files).passages]

        assert found.count("x.md") == 2
        assert paths("copilot", {"AGENTS.md": "@../x.md @~/x.md", **own("../x.md", "~/x.md")}) == [
            "AGENTS.md"
        ]

    def test_without_a_repository_imports_stay_in_the_folder_of_the_start(self) -> None:
        files = {"p/.github/copilot-instructions.md": "c @../x.md @../../y.md", **own("p/x.md", "y.md")}

        found = paths("copilot", files, "p", is_repository=False)

        assert found == ["p/.github/copilot-instructions.md", "p/x.md", "p/.github/copilot-instructions.md"]

    def test_names_may_be_spelt_in_any_case(self) -> None:
        assert paths("copilot", own("agents.md", "Claude.md")) == ["agents.md", "Claude.md"]

    @pytest.mark.parametrize(
        ("head", "is_read"),
        [
            ("applyTo: '**'", True),
            ("applyTo: ''", True),
            ("applyTo: '*'", True),
            ('applyTo: "**/*"', True),
            ("paths: ['**/*']", True),
            ("applyTo: 'src/**'", False),
            ("applyTo: '**/*.py, **'", False),
            ("paths: src/**", False),
            ("description: x", True),
        ],
    )
    def test_instructions_for_some_files_are_only_listed(self, head: str, is_read: bool) -> None:
        body = f"---\n{head}\n---\nrule\n"

        assert text("copilot", {".github/instructions/a.instructions.md": body}) == body * is_read

    def test_a_rule_that_is_a_link_to_a_file_of_the_first_group_is_read_again(self) -> None:
        links = {"CLAUDE.md": "AGENTS.md", ".claude/rules/r.md": "AGENTS.md"}

        assert len(read("copilot", own("AGENTS.md"), links=links).passages) == 2

    def test_a_link_between_rules_is_read_once(self) -> None:
        links = {
            ".claude/rules/b.md": ".claude/rules/a.md",
            ".github/instructions/b.instructions.md": ".claude/rules/a.md",
        }

        assert len(read("copilot", own(".claude/rules/a.md"), links=links).passages) == 1


class TestGeminiCli:
    def test_the_names_of_settings_are_read_beside_gemini_md_in_the_order_of_paths(self) -> None:
        files = own(
            "GEMINI.md",
            "AGENTS.md",
            "pkg/GEMINI.md",
            "pkg/AGENTS.md",
            "~/.gemini/GEMINI.md",
            "~/.gemini/AGENTS.md",
        )
        settings = {"pkg/.gemini/settings.json": {"context": {"fileName": "AGENTS.md"}}}

        assert paths("gemini-cli", files, "pkg", settings=settings) == [
            *("~/.gemini/AGENTS.md", "~/.gemini/GEMINI.md"),
            *("AGENTS.md", "GEMINI.md", "pkg/AGENTS.md", "pkg/GEMINI.md"),
        ]

    def test_settings_count_in_the_folder_of_the_start_and_at_home_only(self) -> None:
        files = own("GEMINI.md", "AGENTS.md", "X.md")
        home = {"~/.gemini/settings.json": {"context": {"fileName": ["AGENTS.md"]}}}
        root = {".gemini/settings.json": {"context": {"fileName": ["X.md"]}}}

        assert paths("gemini-cli", files, "pkg", settings=root) == ["GEMINI.md"]
        assert paths("gemini-cli", files, "pkg", settings=home | root) == ["AGENTS.md", "GEMINI.md"]
        assert paths("gemini-cli", files, settings=home | root) == ["GEMINI.md", "X.md"]

    def test_a_file_with_two_names_is_read_once(self) -> None:
        settings = {".gemini/settings.json": {"context": {"fileName": "AGENTS.md"}}}

        assert paths("gemini-cli", own("AGENTS.md"), links={"GEMINI.md": "AGENTS.md"}, settings=settings) == [
            "AGENTS.md"
        ]

    def test_an_import_takes_the_place_of_its_mention(self) -> None:
        files = {"GEMINI.md": "a @./x.md b `@x.md`", "x.md": "X"}

        found = read("gemini-cli", files)

        assert [files[each.path][each.start : each.end] for each in found.passages] == [
            "a ",
            "X",
            " b `@x.md`",
        ]
        assert [files[each.path][each.start : each.end] for each in found.dropped] == ["@./x.md"]

    def test_imports_may_repeat_but_not_go_round(self) -> None:
        files = {"GEMINI.md": "g\n@./a.md\n@./a.md\n", "a.md": "a\n@./GEMINI.md\n"}

        found = [passage.path for passage in read("gemini-cli", files).passages]

        assert [path for path in found if path == "a.md"] == ["a.md"] * 2
        assert found == ["GEMINI.md", "a.md", "GEMINI.md", "a.md", "GEMINI.md"]

    def test_imports_stay_in_the_project_or_beside_the_home_file(self) -> None:
        files = {"pkg/GEMINI.md": "g @../x.md @../../y.md", "~/.gemini/GEMINI.md": "h @../z.md @./k.md"}
        files |= own("x.md", "../y.md", "~/z.md", "~/.gemini/k.md")

        found = paths("gemini-cli", files, "pkg")

        assert found == ["~/.gemini/GEMINI.md", "~/.gemini/k.md", "pkg/GEMINI.md", "x.md", "pkg/GEMINI.md"]
        assert paths("gemini-cli", files, "pkg", is_repository=False)[2:] == ["pkg/GEMINI.md"]

    def test_imports_are_followed_five_levels_deep(self) -> None:
        chain = {f"{n}.md": f"{n} @./{n + 1}.md" for n in range(1, 8)}

        assert paths("gemini-cli", {"GEMINI.md": "g @./1.md", **chain}) == ["GEMINI.md", *list(chain)[:5]]


class TestOpenCode:
    def test_the_first_name_that_is_anywhere_wins_and_the_nearest_file_comes_first(self) -> None:
        files = own("CLAUDE.md", "pkg/CLAUDE.md", "CONTEXT.md", "pkg/in/x.md")

        assert paths("opencode", files, "pkg") == ["pkg/CLAUDE.md", "CLAUDE.md"]
        assert paths("opencode", {**files, "AGENTS.md": "A"}, "pkg") == ["AGENTS.md"]
        assert paths("opencode", {**files, "AGENTS.md": ""}, "pkg") == []

    def test_one_file_at_home_is_read(self) -> None:
        both = own("~/.config/opencode/AGENTS.md", "~/.claude/CLAUDE.md")

        assert paths("opencode", both) == ["~/.config/opencode/AGENTS.md"]
        assert paths("opencode", own("~/.claude/CLAUDE.md")) == ["~/.claude/CLAUDE.md"]

    def test_without_a_repository_the_folders_above_are_read(self) -> None:
        files = own("AGENTS.md", "pkg/AGENTS.md", "../AGENTS.md")

        assert paths("opencode", files, "pkg") == ["pkg/AGENTS.md", "AGENTS.md"]
        assert paths("opencode", files, "pkg", is_repository=False) == [
            "pkg/AGENTS.md",
            "AGENTS.md",
            "../AGENTS.md",
        ]

    def test_instructions_of_all_settings_are_read_name_by_name(self) -> None:
        settings = {
            "~/.config/opencode/opencode.json": {"instructions": ["four.md"]},
            "opencode.json": {"instructions": ["one.md", "two.md"]},
            "pkg/opencode.json": {"instructions": ["three.md", "AGENTS.md", "docs/*.md"]},
        }
        names = [
            "AGENTS.md",
            "four.md",
            "pkg/one.md",
            "one.md",
            "pkg/two.md",
            "two.md",
            "pkg/three.md",
            "docs/a.md",
            "docs/b.md",
        ]

        assert paths("opencode", own(*reversed(names)), "pkg", settings=settings) == names

    def test_nothing_is_dropped_trimmed_or_imported_and_a_link_is_a_file_of_its_own(self) -> None:
        body = "\n<!-- x -->\n@x.md\n"

        assert text("opencode", {"AGENTS.md": body, "x.md": "x"}) == body
        assert (
            len(read("opencode", own("AGENTS.md"), "pkg", links={"pkg/AGENTS.md": "AGENTS.md"}).passages) == 2
        )


class TestQwenCode:
    def test_all_files_of_one_name_are_read_before_those_of_the_next(self) -> None:
        names = [
            f"{folder}{name}"
            for name in ("QWEN.md", "AGENTS.md")
            for folder in ("~/.qwen/", "../", "", "pkg/")
        ]
        rest = [
            "~/.qwen/output-language.md",
            ".qwen/QWEN.local.md",
            "~/.qwen/rules/h.md",
            ".qwen/rules/d/n.md",
            ".qwen/rules/r.md",
        ]

        files = own(
            *reversed([*names, *rest]), "../../QWEN.md", "pkg/.qwen/rules/r.md", "pkg/.qwen/QWEN.local.md"
        )

        assert paths("qwen", files, "pkg") == [*names, *rest]
        assert ".qwen/QWEN.local.md" not in paths("qwen", files, is_repository=False)
        assert paths("qwen", files, "pkg", is_repository=False)[:3] == [
            "~/.qwen/QWEN.md",
            "../../QWEN.md",
            "../QWEN.md",
        ]

    def test_settings_of_the_folder_of_the_start_replace_the_names(self) -> None:
        settings = {".qwen/settings.json": {"context": {"fileName": ["X.md"]}}}
        files = own("QWEN.md", "AGENTS.md", "X.md", "~/.qwen/X.md")

        assert paths("qwen", files, settings=settings) == ["~/.qwen/X.md", "X.md"]
        assert paths("qwen", files, "pkg", settings=settings) == ["QWEN.md", "AGENTS.md"]

    def test_a_file_with_two_names_is_read_once_and_twins_twice(self) -> None:
        assert paths("qwen", own("AGENTS.md"), links={"QWEN.md": "AGENTS.md"}) == ["AGENTS.md"]
        assert paths("qwen", {"AGENTS.md": "x", "QWEN.md": "x"}) == ["QWEN.md", "AGENTS.md"]

    def test_a_rule_that_is_a_link_is_not_read(self) -> None:
        assert paths("qwen", own("x.md"), links={".qwen/rules/r.md": "x.md"}) == []

    def test_rules_lose_front_matter_and_every_comment_and_are_read_later_with_paths(self) -> None:
        files = {
            ".qwen/rules/a.md": "---\ndescription: x\n---\nr <!-- x --> s\n",
            ".qwen/rules/b.md": "---\npaths: '**'\n---\nb",
            ".qwen/rules/c.md": "---\npaths: []\n---\nc",
        }

        assert text("qwen", files) == "r  s\n\nc"

    def test_an_import_takes_the_place_of_its_mention_and_may_repeat(self) -> None:
        files = {"QWEN.md": "q\n@./a.md\n@./a.md\n", "a.md": "a\n@./QWEN.md\n"}

        assert [each.path for each in read("qwen", files).passages] == ["QWEN.md", "a.md", "a.md"]
