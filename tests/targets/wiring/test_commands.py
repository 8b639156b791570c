"""The command of a hook works in its agent's shell, and does nothing where its program is gone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from modicum.targets.wiring.commands import CMD, POWERSHELL, SH, hook_command, hook_script

WORDS = ("hook", "session-start", "--harness", "codex")
SHELLS = [
    found
    for words in (
        ("sh",),
        ("bash",),
        ("bash", "--posix"),
        ("dash",),
        ("busybox", "sh"),
        ("zsh",),
        ("ksh",),
        ("fish",),
    )
    if (found := (shutil.which(words[0]), *words[1:]))[0]
]
FOLDERS = (
    "plain",
    "my tools",
    "it's",
    'say "hi"',
    "$HOME",
    "a&b;c|d",
    "bäckup 中",
    "back\\slash",
    "*?[x]",
    "-x",
    "`id`",
    "new\nline",
)


def program(folder: Path, text: str = '#!/bin/sh\ncat; printf " %s" "$@"\n') -> Path:
    folder.mkdir(parents=True)
    path = folder / "modicum"
    path.write_text(text)
    path.chmod(0o755)
    return path


def run(shell: tuple[str, ...], command: str) -> tuple[int, str, str]:
    done = subprocess.run([*shell, "-c", command], input="told", capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_hook_runs_its_program_wherever_that_is(
    tmp_path: Path, folder: str, shell: tuple[str, ...]
) -> None:
    path = program(tmp_path / folder)
    command = hook_command((str(path), *WORDS), SH)

    assert run(shell, command) == (0, "told hook session-start --harness codex", "")
    path.unlink()
    assert run(shell, command) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_hook_does_nothing_where_the_program_cannot_run(tmp_path: Path, shell: tuple[str, ...]) -> None:
    without_interpreter = program(tmp_path / "venv", "#!/gone/python\n")
    without_rights = program(tmp_path / "rights")
    without_rights.chmod(0o644)
    failing = program(tmp_path / "failing", "#!/bin/sh\necho trouble >&2\nexit 2\n")

    for path in (without_interpreter, without_rights, failing, tmp_path):
        assert run(shell, hook_command((str(path), *WORDS), SH)) == (0, "", "")


def test_a_script_is_a_hook_in_a_file(tmp_path: Path) -> None:
    path = program(tmp_path / "my tools")
    script = tmp_path / "TaskStart"
    script.write_text(hook_script((str(path), *WORDS), SH))
    script.chmod(0o755)

    def said() -> tuple[int, str, str]:
        done = subprocess.run([script], input="told", capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert said() == (0, "told hook session-start --harness codex", "")
    path.unlink()
    assert said() == (0, "", "")


def test_an_agent_that_splits_a_command_runs_the_hook_all_the_same() -> None:
    import shlex

    from modicum.hooks.run import HookCommand, parse

    _, _, *words = shlex.split(hook_command(("/my tools/modicum", *WORDS), SH))

    assert parse(words) == HookCommand("session-start", "codex")


@pytest.mark.parametrize(
    ("path", "command"),
    [
        (r"C:\x\modicum.exe", r"cmd /d /c if exist C:\x\modicum.exe C:\x\modicum.exe hook session-start --harness codex"),
        (r"C:\a b\modicum.exe", r'cmd /d /c if exist "C:\a b\modicum.exe" "C:\a b\modicum.exe" hook session-start --harness codex'),
    ],
)  # fmt: skip
def test_the_command_for_cmd_looks_for_its_program_first(path: str, command: str) -> None:
    assert hook_command((path, *WORDS), CMD) == command


@pytest.mark.parametrize(
    ("path", "shown"), [(r"C:\x\modicum.exe", r"'C:\x\modicum.exe'"), (r"C:\it's\m.exe", r"'C:\it''s\m.exe'")]
)  # fmt: skip
def test_the_command_for_powershell_looks_for_its_program_first(path: str, shown: str) -> None:
    command = hook_command((path, "-m", "x", *WORDS), POWERSHELL)

    assert command == (
        f"if (Test-Path -LiteralPath {shown}) {{ & {shown} -m x hook session-start --harness codex }}"
    )


def test_a_script_for_powershell_has_no_line_for_sh() -> None:
    assert hook_script(("modicum", *WORDS), POWERSHELL).splitlines()[0].startswith("# modicum setup")
