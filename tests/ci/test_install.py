"""The action and the hooks of pre-commit install modicum from this repository, and then check a real one."""

import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

from github_runner import CHECK, INSTALL, ROOT, SUMMARY, Runner
from repositories import ENVIRON, commit_all, git

PRE_COMMIT = Path(sys.executable).parent / "pre-commit"


def a_project(runner: Runner) -> None:
    runner.write(".modicum/config.yaml", "tools: [codex]\n")
    runner.write(".modicum/packs/shop/pack.yaml", "id: shop\n")
    runner.write(".modicum/packs/shop/context.md", "Prices are in cents.\n")


def test_the_action_installs_itself_and_runs(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "no-programs")
    a_project(runner)

    installed = runner.run(INSTALL)
    checked = runner.run(CHECK)
    runner.programs = Path(runner.path.read_text().strip())
    runner.inject()
    runner.event["before"] = commit_all(runner.repository)

    assert installed.returncode == 0, installed.stderr
    assert checked.returncode == 1
    assert "+Prices are in cents." in checked.stdout
    assert runner.run(CHECK).returncode == 0
    assert runner.run(SUMMARY).returncode == 0
    assert "reads as many tokens as before" in runner.summary.read_text()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """This repository as it is now, committed, so that pre-commit can clone it; with the commit."""
    clone = tmp_path_factory.mktemp("hooks") / "modicum"
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            copyfile(ROOT / name, clone / name)
    return clone, commit_all(clone)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps what it has installed, once for all tests."""
    return tmp_path_factory.mktemp("pre-commit")


def pre_commit(runner: Runner, cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = runner.environ() | {"PRE_COMMIT_HOME": str(cache), "PRE_COMMIT_COLOR": "never"}
    return subprocess.run(
        [PRE_COMMIT, *words], cwd=runner.repository, env=environ, capture_output=True, text=True
    )


def test_pre_commit_keeps_a_stale_file_out_of_a_commit(
    tmp_path: Path, hooks: tuple[Path, str], cache: Path
) -> None:
    runner = Runner(tmp_path, Path(sys.executable).parent)
    a_project(runner)
    repository, commit = hooks
    runner.write(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: {repository.as_uri()}\n  rev: {commit}\n  hooks: [{{id: modicum-check}}]\n",
    )
    commit_all(runner.repository)
    assert pre_commit(runner, cache, "install").returncode == 0
    before = git(runner.repository, "rev-parse", "HEAD")
    environ = {**runner.environ(), **ENVIRON, "PRE_COMMIT_HOME": str(cache)}
    command = ["git", "commit", "--all", "--allow-empty", "-m", "x"]

    refused = subprocess.run(command, cwd=runner.repository, env=environ, capture_output=True, text=True)
    runner.inject()
    git(runner.repository, "add", "AGENTS.md")
    taken = subprocess.run(command, cwd=runner.repository, env=environ, capture_output=True, text=True)

    assert refused.returncode == 1
    assert "the files of all AI tools are current" in refused.stderr + refused.stdout
    assert "+Prices are in cents." in refused.stderr + refused.stdout
    assert taken.returncode == 0, taken.stderr
    assert git(runner.repository, "rev-parse", "HEAD~1") == before


def test_pre_commit_lints(tmp_path: Path, hooks: tuple[Path, str], cache: Path) -> None:
    runner = Runner(tmp_path, Path(sys.executable).parent)
    a_project(runner)
    runner.inject()
    commit_all(runner.repository)
    repository, commit = hooks

    said = pre_commit(
        runner, cache, "try-repo", str(repository), "modicum-lint", "--ref", commit, "--all-files"
    )

    assert said.returncode == 0, said.stdout


def test_the_hooks_are_valid(tmp_path: Path, cache: Path) -> None:
    runner = Runner(tmp_path, Path(sys.executable).parent)

    said = pre_commit(runner, cache, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))

    assert (said.returncode, said.stdout) == (0, "")
