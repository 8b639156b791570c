"""Without splintr, tokens are only bounded: the doctor says so with a remedy, and so does the unit beside every count."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "splintr.py").write_text("raise ImportError('not for this machine')")
    told = {"HOME": str(folder), "MODICUM_HOME": str(folder / "modicum"), "PYTHONPATH": str(folder)}
    (folder / "project").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "modicum.cli.main", *words]
    return subprocess.run(
        command, cwd=folder / "project", env={**os.environ, **told}, capture_output=True, encoding="utf-8"
    )


def test_the_doctor_says_that_tokens_are_counted_about_double(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor")

    assert done.returncode == 1
    assert "tokens are counted about double" in done.stdout
    assert "pip install splintr-rs" in done.stdout


def test_the_unit_says_that_counts_are_an_upper_bound(tmp_path: Path) -> None:
    run(tmp_path, "save", "Use WAL", "Readers go on.")
    page = json.loads(run(tmp_path, "recall", "--json").stdout)
    injected = json.loads(run(tmp_path, "inject", "--tool", "claude-code", "--dry-run", "--json").stdout)

    assert page["unit"] == "o200k_base (upper bound)"
    assert "o200k_base" not in {each["unit"] for each in injected["pages"]}
