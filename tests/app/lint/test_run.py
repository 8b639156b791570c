"""Lint in a project: which texts count together, for which tools, and what is silenced."""

import subprocess

import pytest

from modicum.app.lint.repository import repository_content
from modicum.app.lint.run import LintReport, find_finding, lint_project
from modicum.app.lint.silenced import read_silenced, silence
from modicum.app.memory.notes import open_store
from modicum.app.whose import project_of
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.memory.model import NoteDraft

NEVER, ALWAYS = "- Never use barrel files.\n", "- Always use barrel files.\n"


def linted(*tools: str) -> LintReport:
    return lint_project(load_config(), None, tools)


def told(report: LintReport) -> list[tuple[str, tuple[str, ...]]]:
    return [(str(each.kind), tuple(str(place) for place, _ in each.sentences)) for each in report.findings]


@pytest.fixture(autouse=True)
def only_own(world) -> None:
    world.write("~/.config/modicum/config.yaml", "profile: minimal\n")


def test_files_that_one_tool_reads_together_are_compared(world) -> None:
    world.write("CLAUDE.md", f"# Mine\n{NEVER}\n@AGENTS.md\n")
    world.write("AGENTS.md", ALWAYS)
    report = linted("claude-code", "codex")

    assert told(report) == [("contradiction", ("AGENTS.md:1", "CLAUDE.md:2"))]
    assert report.findings[0].tools == ("claude-code",)
    assert [(each.tool, each.directives) for each in report.tools] == [("claude-code", 2), ("codex", 1)]


def test_files_of_tools_that_do_not_read_each_others_are_not(world) -> None:
    world.write("GEMINI.md", NEVER)
    world.write(".windsurf/rules/a.md", ALWAYS)

    assert linted().findings == ()


def test_rules_with_globs_are_bound_by_them(world) -> None:
    world.write(".cursor/rules/a.mdc", f"---\nglobs: **/*.ts\nalwaysApply: false\n---\n{NEVER}")
    world.write(".cursor/rules/b.mdc", f"---\nglobs: **/*.vue\nalwaysApply: false\n---\n{ALWAYS}")
    world.write(".cursor/rules/c.mdc", f"---\nglobs: **/*.ts\nalwaysApply: false\n---\n\n{ALWAYS}")

    assert told(linted("cursor")) == [("contradiction", (".cursor/rules/a.mdc:5", ".cursor/rules/c.mdc:6"))]


def test_a_nested_file_may_say_otherwise_for_its_folder(world) -> None:
    world.write("AGENTS.md", NEVER)
    world.write("web/AGENTS.md", ALWAYS + NEVER.replace("Never", "Do not ever"))

    assert ("contradiction", ("web/AGENTS.md:1", "web/AGENTS.md:2")) in told(linted("codex"))
    assert ("contradiction", ("AGENTS.md:1", "web/AGENTS.md:1")) not in told(linted("codex"))


def test_packs_notices_notes_and_decisions_count_too(world) -> None:
    world.write("AGENTS.md", ALWAYS)
    world.pack("own", header="base: true", context=NEVER)
    world.modicum("notice", "add", "Do not use barrel files today")
    world.write(
        "docs/adrs/001-x.md", f"# 1. X\n\n- Status: accepted\n\n## Context\n{ALWAYS}\n## Decision\n\n{NEVER}"
    )
    world.write("docs/adrs/002-y.md", f"# 2. Y\n\n- Status: superseded by 1\n\n## Decision\n\n{NEVER}")
    config = load_config()
    store = open_store(config)
    mine = project_of(store, config, writing=True)
    saved = store.save(NoteDraft("Barrels", "Barrel files must not be used.", project=mine))
    store.pin(saved.id)
    name = store.get(saved.id).public_id
    against = {place for _, places in told(lint_project(config, store, ("codex",))) for place in places}
    store.close()

    assert {
        ".modicum/packs/own/context.md:1",
        "notice:1:1",
        "docs/adrs/001-x.md:10",
        f"note:{name}:1",
    } <= against
    assert not any("002-y" in place or "001-x.md:6" in place for place in against)


def test_what_inject_wrote_is_not_compared_with_the_pack_that_it_comes_from(world) -> None:
    world.pack("own", header="base: true", context=NEVER)
    world.write("AGENTS.md", "- Keep functions short, below 40 lines.\n")
    world.modicum("inject", "--tool", "codex")

    assert "barrel" in world.read("AGENTS.md")
    assert linted("codex").findings == ()


def test_what_is_wrong_within_a_pack_of_others_alone_is_not_told(world) -> None:
    world.write("~/.config/modicum/config.yaml", "profile: all\n")
    world.write("AGENTS.md", "- Keep functions short, below 40 lines.\n")

    assert linted("codex").findings == ()


def test_too_many_instructions_are_told_by_tool(world) -> None:
    world.write(
        "AGENTS.md",
        "".join(f"- Keep the value of sensor{n} below {n} degrees at zone{n}.\n" for n in range(151)),
    )
    (finding,) = linted("codex").findings

    assert (str(finding.kind), finding.tools) == ("too-many", ("codex",))
    assert "151" in finding.why


def test_a_finding_is_silenced_for_good(world) -> None:
    world.write("AGENTS.md", NEVER + ALWAYS)
    config, before = load_config(), linted("codex")
    kept = silence(config, find_finding(before, before.findings[0].id[:4]), "  both \n hold ")
    world.write("AGENTS.md", f"# Moved\n\n{ALWAYS}{NEVER}")
    after = linted("codex")

    assert after.findings == ()
    assert [(each.kind, reason.reason) for each, reason in after.silenced] == [("contradiction", "both hold")]
    assert read_silenced(config) == (kept,)
    assert silence(config, before.findings[0], "again").id == kept.id
    assert len(read_silenced(config)) == 1


@pytest.mark.parametrize("text", ["silenced: 4\n", "silenced:\n- id: x\n", "- a\n"])
def test_a_broken_file_of_silenced_findings_is_told(world, text: str) -> None:
    world.write(".modicum/silenced.yaml", text)

    with pytest.raises(ModicumError, match=r"silenced\.yaml"):
        linted()


def test_silence_needs_a_reason_and_a_finding(world) -> None:
    world.write("AGENTS.md", NEVER + ALWAYS)
    report = linted("codex")

    with pytest.raises(ModicumError, match="reason"):
        silence(load_config(), report.findings[0], " ")
    with pytest.raises(ModicumError, match="no finding"):
        find_finding(report, "zz")


def test_what_git_ignores_need_not_be_there(world) -> None:
    world.patch.setenv("PATH", "/usr/bin:/bin:/usr/local/bin")
    subprocess.run(["git", "init", "-q", str(world.project)], check=True)
    world.write(".gitignore", "gen/\n")
    world.write("src/app.ts", "")
    world.write("Makefile", "build:\n")
    world.write(
        "AGENTS.md", "- Look at `gen/api.ts`, `src/app.ts` and `src/gone.ts`; `make build`, `make gone`.\n"
    )

    assert [each.why for each in linted("codex").findings] == [
        "there is no `make gone` here",
        "there is no src/gone.ts here",
    ]


def test_a_folder_that_is_no_repository_is_walked(world) -> None:
    world.write("src/deep/app.ts", "")
    content = repository_content(load_config(), ())

    assert {"src", "src/deep", "src/deep/app.ts"} <= content.paths


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\r\n",
        "- Nutze immer Tabs und nicht der Rest.\r\n",
        "- 禁止使用制表符。\n- 使用制表符。\n",
        "\0\xff",
    ],
)
def test_empty_and_foreign_files_have_no_findings(world, text: str) -> None:
    world.write("AGENTS.md", text.encode("latin-1", "replace") if "\xff" in text else text)

    assert linted("codex").findings == ()


def test_line_ends_of_windows_count_as_lines(world) -> None:
    world.write("AGENTS.md", (f"# A\n\n{NEVER}{ALWAYS}").replace("\n", "\r\n"))

    assert told(linted("codex")) == [("contradiction", ("AGENTS.md:3", "AGENTS.md:4"))]
