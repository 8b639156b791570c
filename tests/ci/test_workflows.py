"""The workflows: actions by the hash of a commit, few rights, and the versions of Python that the package names."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
# Where an action of ours or of others is used, or shown to be copied.
USING = (*WORKFLOWS, ROOT / "action.yml", *sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
PINNED = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40} +# v\d+\.\d+\.\d+")
OURS = re.compile(r"OWNER/modicum@COMMIT +# v\d+\.\d+\.\d+")  # its hash is known when it is released


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def used_in(path: Path) -> list[str]:
    """What is used in a file, with the comment behind it."""
    return re.findall(r"^[ \t-]*[\"']?uses[\"']?:[ \t]*(.+?)[ \t]*$", path.read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_few_rights_and_scripts_no_expression(path: Path) -> None:
    used = [step["uses"] for step in steps(path) if "uses" in step]

    assert used
    assert len(used) == len(used_in(path))
    assert [step for step in steps(path) if "${{" in step.get("run", "")] == []
    assert read(path)["permissions"] == {"contents": "read"}


def test_every_action_is_named_by_the_hash_of_a_commit_with_its_version_as_a_comment() -> None:
    used = [line for path in USING for line in used_in(path)]
    loose = [line for line in used if not PINNED.fullmatch(line) and not OURS.fullmatch(line)]

    assert len(used) > len(WORKFLOWS)
    assert loose == []


def test_an_action_is_the_same_commit_everywhere() -> None:
    pins = {line for path in USING for line in used_in(path)}

    assert len({line.partition("@")[0] for line in pins}) == len(pins)


def test_only_the_job_that_publishes_may_sign_and_it_runs_nothing_of_the_repository() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]

    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["publish"]
    assert not [
        step for step in jobs["publish"]["steps"] if "run" in step or "checkout" in step.get("uses", "")
    ]
    assert jobs["publish"]["needs"] == "build"


def test_the_tests_run_on_every_python_that_the_package_names() -> None:
    (job,) = (
        job
        for job in read(ROOT / ".github/workflows/test.yml")["jobs"].values()
        if {"run": "scripts/test"} in job["steps"]
    )
    named = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())

    assert set(named) <= set(job["strategy"]["matrix"]["python"])


def test_a_release_needs_the_tag_of_its_version_and_an_owner(tmp_path: Path) -> None:
    (script,) = (
        step["run"]
        for step in steps(ROOT / ".github/workflows/release.yml")
        if "OWNER" in step.get("run", "")
    )
    (tmp_path / "src/modicum").mkdir(parents=True)
    (tmp_path / "src/modicum/__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "README.md").write_text("x\n")

    def code(tag: str, name: str) -> int:
        (tmp_path / "server.json").write_text(name)
        words = ["bash", "-e", "-c", script]
        return subprocess.run(
            words, cwd=tmp_path, env={"TAG": tag, "PATH": "/usr/bin:/bin"}, capture_output=True
        ).returncode

    assert code("v1.2.3", "io.github.ann/modicum") == 0
    assert code("v1.2.4", "io.github.ann/modicum") == 1
    assert code("v1.2.3", "io.github.OWNER/modicum") == 1
