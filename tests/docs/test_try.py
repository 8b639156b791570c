"""scripts/try shows on one screen what it says."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ("Claude Code", "Codex (AGENTS.md)", "GitHub Copilot", "Gemini CLI", "OpenCode", "Qwen Code")


def test_try_shows_the_main_job_on_one_screen() -> None:
    program = Path(sys.executable).parent / "modicum"
    said = subprocess.run(
        [ROOT / "scripts" / "try"],
        env={"PATH": os.defpath, "MODICUM": str(program)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    before, after = said.split("$ modicum see\n")[1:]

    assert all(f"\n{tool} " in part for tool in TOOLS for part in (before, after))
    assert "Redis needed a host of its own" in after
    assert "Never use floats for money." in after
    assert said.endswith("Every file has the same bytes as before.\n")
    assert len(said.splitlines()) <= 45
