"""The GitHub action: its steps run in a real repository, with the variables that GitHub sets."""

import re
import sys
from pathlib import Path

import pytest

from github_runner import ACTION, CHECK, LINT, ROOT, STEPS, SUMMARY, Runner
from repositories import commit_all, git, packs_repository

NO_COMMIT = "0" * 40


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner on which modicum is installed already, with a project for Codex and Claude Code."""
    runner = Runner(tmp_path, Path(sys.executable).parent)
    runner.write(".modicum/config.yaml", "tools: [codex, claude-code]\n")
    runner.write(".modicum/packs/shop/pack.yaml", "id: shop\n")
    runner.write(".modicum/packs/shop/context.md", "Prices are in cents.\n")
    runner.write("AGENTS.md", "# Rules\n\nNever push to main.\n")
    runner.write("CLAUDE.md", "# For Claude\n\nThink twice.\n")
    runner.inject()
    runner.event["pull_request.base.sha"] = commit_all(runner.repository)
    return runner


def test_every_input_is_described_and_used() -> None:
    text = (ROOT / "action.yml").read_text()

    assert all(each["description"] for each in ACTION["inputs"].values())
    assert all(f"inputs.{name}" in text for name in ACTION["inputs"])
    assert [step.get("if", "") for step in STEPS.values()] == [
        *("", "", "${{ !cancelled() && inputs.lint == 'true' }}", "${{ !cancelled() }}")
    ]


def test_no_expression_stands_in_a_script_where_it_could_become_a_command() -> None:
    assert not [name for name, step in STEPS.items() if "${{" in step["run"]]


def test_a_correct_commit_passes_in_a_fresh_home(runner: Runner) -> None:
    said = runner.run(CHECK)

    assert said.returncode == 0, said.stdout + said.stderr


def test_a_stale_file_fails_with_its_tools_and_what_differs(runner: Runner) -> None:
    runner.write(".modicum/packs/shop/context.md", "Prices are in euros.\n")

    said = runner.run(CHECK)

    assert said.returncode == 1
    assert "+Prices are in euros." in said.stdout
    assert "Codex" in said.stdout
    assert "Claude Code" in said.stdout


def test_lint_passes_where_nothing_contradicts_itself(runner: Runner) -> None:
    said = runner.run(LINT)

    assert said.returncode == 0, said.stdout + said.stderr


def test_lint_is_the_command_of_its_step() -> None:
    assert STEPS[LINT]["run"] == "modicum lint"


def test_the_summary_says_what_each_tool_reads_and_which_lines_no_longer_arrive(runner: Runner) -> None:
    runner.write("AGENTS.md", f"{'word ' * 7000}\n\n{(runner.repository / 'AGENTS.md').read_text()}")

    said = runner.run(SUMMARY)

    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("::warning::Lines of your instruction files no longer reach every AI tool")
    summary = runner.summary.read_text()
    assert re.search(
        r"- \*\*Codex \(AGENTS\.md\)\*\* reads [\d,]+ tokens more \([\d,]+ before, [\d,]+ now\)\.", summary
    )
    assert "- These lines no longer reach Codex (AGENTS.md), although they are in the files:" in summary
    assert "- `Never push to main.` (`AGENTS.md`; in AGENTS.md: it is behind the 32,768 bytes" in summary
    assert "- **Claude Code** reads as many tokens as before" in summary


def test_a_summary_without_losses_has_no_warning(runner: Runner) -> None:
    runner.write("AGENTS.md", (runner.repository / "AGENTS.md").read_text() + "\nUse pnpm.\n")

    said = runner.run(SUMMARY)

    assert (said.returncode, said.stdout) == (0, "")
    assert "- **Codex (AGENTS.md)** reads 4 tokens more (" in runner.summary.read_text()


def test_a_shallow_clone_fetches_what_it_compares_with(runner: Runner) -> None:
    runner.write("AGENTS.md", (runner.repository / "AGENTS.md").read_text() + "\nUse pnpm.\n")
    commit_all(runner.repository)
    shallow = runner.folder / "shallow"
    git(runner.folder, "clone", "--quiet", "--depth=1", runner.repository.as_uri(), str(shallow))
    runner.repository = shallow

    said = runner.run(SUMMARY)

    assert said.returncode == 0, said.stderr
    assert "- **Codex (AGENTS.md)** reads 4 tokens more (" in runner.summary.read_text()


def test_a_push_is_compared_with_what_was_there_before(runner: Runner) -> None:
    runner.event = {"pull_request.base.sha": "", "before": runner.event["pull_request.base.sha"]}
    runner.run(SUMMARY)

    assert "reads as many tokens as before" in runner.summary.read_text()


@pytest.mark.parametrize("before", ["", NO_COMMIT])
def test_without_anything_to_compare_with_there_is_no_summary(runner: Runner, before: str) -> None:
    runner.event = {"pull_request.base.sha": "", "before": before}

    said = runner.run(SUMMARY)

    assert (said.returncode, said.stdout, runner.summary.read_text()) == (0, "", "")


def test_a_commit_that_is_gone_is_a_warning(runner: Runner) -> None:
    runner.event["pull_request.base.sha"] = "1" * 40

    said = runner.run(SUMMARY)

    assert said.returncode == 0
    assert "cannot be fetched, so there is no summary" in said.stdout


def test_sources_of_the_project_are_fetched_where_the_workflow_agrees(runner: Runner) -> None:
    packs = runner.folder / "packs"
    commit = packs_repository(packs, tag="v1")
    row = f'{{"name": "team", "location": "{packs.as_uri()}", "ref": "v1", "commit": "{commit}"}}'
    runner.write(".modicum/sources.lock.json", f'{{"version": 1, "sources": [{row}]}}\n')
    runner.write(
        ".modicum/config.yaml",
        f"tools: [codex]\nsources:\n  team:\n    location: {packs.as_uri()}\n    ref: v1\n",
    )

    refused = runner.run(CHECK)
    runner.inputs["agreed-sources"] = packs.as_uri()
    stale = runner.run(CHECK)

    assert refused.returncode == 4
    assert "you have not agreed to that" in refused.stderr
    assert "+Never round twice." in stale.stdout


def test_the_project_may_be_below_the_root_of_the_repository(runner: Runner) -> None:
    inner = runner.repository / "app"
    inner.mkdir()
    for name in (".modicum", "AGENTS.md", "CLAUDE.md"):
        (runner.repository / name).rename(inner / name)
    runner.event["pull_request.base.sha"] = commit_all(runner.repository)
    runner.inputs["working-directory"] = "app"

    assert runner.run(CHECK).returncode == 0
    assert runner.run(SUMMARY).returncode == 0
    assert "reads as many tokens as before" in runner.summary.read_text()
