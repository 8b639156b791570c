"""`modicum see --live` ends the program that it runs, whatever ends modicum."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_program_ends_with_the_command_that_runs_it(tmp_path: Path) -> None:
    """The small program says who it is and asks nothing, so that modicum waits for it."""
    pid_file = tmp_path / "pid"
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ > {pid_file}.new\nmv {pid_file}.new {pid_file}\nexec sleep 300\n")
    program.chmod(0o755)
    (tmp_path / "tmp").mkdir()
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    command = [sys.executable, "-m", "modicum.cli.main", "see", "codex", "--live"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
    try:
        child = int(_soon(pid_file))
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    finally:
        process.kill()
        process.wait()

    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert not [*(tmp_path / "tmp").iterdir()]


def _soon(path: Path) -> str:
    end = time.monotonic() + 30
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    return path.read_text()
