"""Completion at the Tab key: scripts for three shells, and names of what there is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from modicum.cli.settings.completion import SHELLS


def completed(world, line: str) -> list[str]:
    """What bash would be told for a line whose last word is begun."""
    words = line.split(" ")
    for name, value in {
        "_MODICUM_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }.items():
        world.patch.setenv(name, value)
    said = world.modicum()
    for name in ("_MODICUM_COMPLETE", "COMP_WORDS", "COMP_CWORD"):
        world.patch.delenv(name)
    assert (said.code, said.err) == (0, "")
    return [each.partition(",")[2] for each in said.out.split("\n") if each]


def test_commands_sub_commands_and_options_are_completed(world) -> None:
    assert completed(world, "modicum un") == ["uninstall", "undo"]
    assert completed(world, "modicum memory se") == ["sessions"]
    assert completed(world, "modicum memory sessions e") == ["end"]
    assert completed(world, "modicum inject --dr") == ["--dry-run"]
    assert completed(world, "modicum --no-c") == ["--no-color"]
    assert "list" in completed(world, "modicum notice ")


def test_a_script_is_printed_without_running_a_shell(world, tmp_path: Path) -> None:
    for name in SHELLS:
        (tmp_path / name).write_text(f"#!/bin/sh\necho ran > {tmp_path}/ran\n")
        (tmp_path / name).chmod(0o755)
    world.patch.setenv("PATH", str(tmp_path))

    assert all(world.modicum("completion", name).out for name in SHELLS)
    assert not (tmp_path / "ran").exists()


def test_names_are_completed(world) -> None:
    world.pack("billing", "words")
    world.modicum("save", "A title", "text")
    world.modicum("change", "new", "--type", "fix", "--size", "small", "Login fails")

    assert completed(world, "modicum inject --tool cod") == ["codex"]
    assert completed(world, "modicum pack use bil") == ["billing"]
    assert completed(world, "modicum inject --profile mi") == ["minimal"]
    assert "1" in completed(world, "modicum delete ")
    assert completed(world, "modicum recall --project pro") == ["project"]
    assert completed(world, "modicum change status log") == ["login-fails"]
    assert completed(world, "modicum config get lan") == ["language"]
    assert {"1", "billing", "login-fails"} <= set(completed(world, "modicum show "))
    assert completed(world, "modicum source remove x") == []


def test_a_tab_key_makes_no_memory_and_tells_no_errors(world) -> None:
    assert completed(world, "modicum delete ") == []
    assert completed(world, "modicum nosuch x") == []
    assert completed(world, "modicum memory nosuch x") == []
    assert not (world.home / ".local/share/modicum/memory.db").exists()
    world.write(".modicum/config.yaml", "oops: [")
    assert completed(world, "modicum inject --tool c") == []


def test_an_unknown_shell_is_told(world) -> None:
    assert world.modicum("completion", "tcsh").code == 2


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_the_script_of_a_shell_is_printed_and_its_shell_reads_it(world, shell: str) -> None:
    world.patch.setenv("PATH", os.defpath)
    said = world.modicum("completion", shell)

    assert said.code == 0
    assert "_MODICUM_COMPLETE" in said.out
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=said.out, text=True, check=True, capture_output=True)


@pytest.mark.skipif(not shutil.which("bash", path=os.defpath), reason="there is no bash")
def test_bash_completes_with_the_printed_script(world) -> None:
    program = Path(sys.executable).parent / "modicum"
    script = f"""
PATH={program.parent}:{os.defpath}
eval "$(modicum completion bash)"
COMP_WORDS=(modicum inject --tool code) COMP_CWORD=3
_modicum_completion modicum
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["/bin/bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )

    assert done.stdout == "codex\n"
