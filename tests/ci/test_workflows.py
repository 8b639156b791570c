"""The workflows: actions by a version, few rights, and the versions of Python that the package names."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_have_a_version_and_scripts_no_expression(path: Path) -> None:
    used = [step["uses"] for step in steps(path) if "uses" in step]

    assert used
    assert [name for name in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@v\d+(\.\d+){0,2}", name)] == []
    assert [step for step in steps(path) if "${{" in step.get("run", "")] == []
    assert read(path)["permissions"] == {"contents": "read"}


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
