"""A machine of GitHub's on which tests run the steps of action.yml, with bash and the variables that GitHub sets."""

import os
import re
import subprocess
from pathlib import Path

import yaml

from repositories import ENVIRON

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
INSTALL, CHECK, LINT, SUMMARY = STEPS


class Runner:
    """A machine of GitHub's: a checked-out repository, a home folder, and the files that steps write to."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.repository, self.summary, self.path = (
            folder / "repository",
            folder / "summary.md",
            folder / "path",
        )
        self.inputs: dict[str, str] = {}
        self.event = {"pull_request.base.sha": "", "before": ""}
        for each in (self.repository, folder / "home", folder / "temp"):
            each.mkdir(parents=True)
        self.summary.touch()
        self.path.touch()

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Runs a step of the action as GitHub does: with bash, which stops at the first error."""
        step = STEPS[name]
        assert step["shell"] == "bash"
        where = self.repository / self.filled(step.get("working-directory", "."))
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        variables = {key: self.filled(value) for key, value in step.get("env", {}).items()}
        return subprocess.run(
            command, cwd=where, env=self.environ() | variables, capture_output=True, text=True
        )

    def environ(self) -> dict[str, str]:
        added = self.path.read_text().splitlines()
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        return {
            **kept,
            **ENVIRON,
            "PATH": os.pathsep.join((*added, str(self.programs), "/usr/local/bin", "/usr/bin", "/bin")),
            "HOME": str(self.folder / "home"),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(self.repository),
            "GITHUB_PATH": str(self.path),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.folder / "temp"),
        }

    def filled(self, text: str) -> str:
        """A text of the action with its expressions filled in; one that is not known here is a failure."""
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: self.value(found[1]), text)

    def value(self, expression: str) -> str:
        for part in expression.split(" || "):
            kind, _, name = part.partition(".")
            if kind == "inputs":
                found = self.inputs.get(name) or self.filled(ACTION["inputs"][name]["default"])
            else:
                assert kind == "github", part
                found = self.event[name.removeprefix("event.")]
            if found:
                return found
        return ""

    def write(self, path: str, text: str) -> None:
        file = self.repository / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def inject(self) -> None:
        """What somebody does on their own machine before they commit."""
        home = {"HOME": str(self.folder / "developer")}
        modicum = [str(self.programs / "modicum"), "inject"]
        subprocess.run(
            modicum, cwd=self.repository, env=self.environ() | home, check=True, capture_output=True
        )
