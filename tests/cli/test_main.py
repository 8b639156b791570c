"""The seam of the command line: what goes wrong becomes words and an exit code."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest

from modicum import __version__
from modicum.base.errors import ModicumError
from modicum.cli import commands, main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run a command whose body is the function given."""

    def runner(body, *arguments: str) -> tuple[int, str, str]:
        module = ModuleType("modicum_probe")
        module.command = click.command("probe")(body)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "modicum_probe", module)
        monkeypatch.setitem(commands.COMMANDS, "probe", commands.Command("modicum_probe", "tests the seam"))
        code = main.main(["probe", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return runner


def test_a_command_that_works_exits_with_zero(run) -> None:
    assert run(lambda: click.echo("done")) == (0, "done\n", "")


def test_a_command_may_choose_its_exit_code(run) -> None:
    assert run(lambda: 1)[0] == 1


def test_expected_trouble_is_one_line_with_a_remedy(run) -> None:
    def body() -> None:
        raise ModicumError("cap/pack.yaml: weight must be a number", remedy="remove the quotes")

    assert run(body) == (4, "", "modicum: cap/pack.yaml: weight must be a number (remove the quotes)\n")


def test_a_wrong_option_is_one_line_that_names_the_help(run) -> None:
    code, _, error = run(lambda: None, "--wrong")

    assert code == 2
    assert error.startswith("modicum: No such option")
    assert error.endswith("(see: modicum probe --help)\n")


def test_a_missing_option_of_a_sub_command_points_to_the_help_of_that_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.main(["memory", "projects", "merge", "shop"]) == 2
    assert capsys.readouterr().err == (
        "modicum: Missing option '--into'. (see: modicum memory projects merge --help)\n"
    )


def test_help_of_a_command_exits_with_zero(run) -> None:
    code, out, _ = run(lambda: None, "--help")

    assert code == 0
    assert out.startswith("Usage: modicum probe")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, click.Abort])
def test_an_interrupt_exits_with_130(run, stop: type[BaseException]) -> None:
    def body() -> None:
        raise stop

    assert run(body)[0] == 130


def test_a_bug_exits_with_three_and_leaves_a_log_to_paste(run) -> None:
    def body() -> None:
        raise ZeroDivisionError("surprise")

    code, _, error = run(body)
    found = re.search(r"report it with (.+\.log)\)", error)

    assert code == 3
    assert found is not None
    log = Path(found[1])
    assert "ZeroDivisionError: surprise" in log.read_text(encoding="utf-8")
    log.unlink()


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str], run) -> None:
    run(lambda: None)

    assert main.main(["prob"]) == 2
    assert capsys.readouterr().err == 'modicum: there is no command "prob" (did you mean "probe"?)\n'
    assert main.main(["xyzzy"]) == 2
    assert capsys.readouterr().err == 'modicum: there is no command "xyzzy" (see: modicum help)\n'


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ((), "modicum gives"),
        (("--help",), "modicum gives"),
        (("-V",), "modicum 0"),
        (("version",), "modicum 0"),
        (("--quiet", "--version"), "modicum 0"),
    ],
)
def test_help_and_version_are_answered_at_once(
    arguments: tuple[str, ...], first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(arguments) == 0
    assert capsys.readouterr().out.startswith(first)


def test_the_installed_program_tells_its_version_without_importing_the_command_line_library() -> None:
    code = "import sys; from modicum.cli.main import main; main(['--version']); assert 'click' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == f"modicum {__version__}\n"


@pytest.mark.parametrize("command", [["inject", "--tool", "codex"], ["see"]])
def test_inject_and_see_load_neither_typing_nor_the_database(command: list[str], tmp_path: Path) -> None:
    code = "import sys; from modicum.cli.main import main; assert not main(); sys.stderr.write(' '.join(sys.modules))"
    (tmp_path / "project" / ".modicum").mkdir(parents=True)
    homes = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=tmp_path / "project",
        env=homes,
        capture_output=True,
        text=True,
        check=True,
    )

    assert (
        set(done.stderr.split()) & {"typing", "apsw", "sqlite3", "mcp", "rich", "starlette", "splintr"}
        == set()
    )


def test_a_reader_that_goes_away_is_no_bug() -> None:
    command = f"{sys.executable} -m modicum.cli.main --help | true"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)

    assert "Traceback" not in done.stderr


def test_a_full_disk_is_one_line(run) -> None:
    def body() -> None:
        raise OSError(28, "No space left on device")

    assert run(body) == (
        4,
        "",
        "modicum: there is no room left to write to (free some space, then try again)\n",
    )


@pytest.mark.parametrize(
    "line", ["backup", "import", "backup --restore", "export", "export --format markdown", "source add"]
)
def test_a_name_that_is_too_long_is_one_line(world, line: str) -> None:
    name = "x" * 300
    said = world.modicum(*line.split(), name)

    assert said.code == 4
    assert re.fullmatch(rf"modicum: \S*{name}\b.* \(.*\)\n", said.err)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_answer_that_cannot_be_written_is_one_line() -> None:
    command = [sys.executable, "-m", "modicum.cli.main", "help"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        4, "modicum: there is no room left to write to (free some space, then try again)\n"
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_error_as_json_that_cannot_be_written_is_one_line() -> None:
    command = [sys.executable, "-m", "modicum.cli.main", "unheard", "--json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        4, "modicum: there is no room left to write to (free some space, then try again)\n"
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("tool list >&-", 0),
        ("tool list --json >&-", 0),
        ("unheard --json >&-", 2),
        ("unheard 2>&-", 2),
        ("save Title - <&-", 4),
        ("tool list <&- >&- 2>&-", 0),
    ],
)
def test_a_closed_stream_is_no_bug(line: str, code: int, tmp_path: Path) -> None:
    done = _in_a_shell(line, tmp_path)

    assert done.returncode == code
    assert "bug" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("line", ["tool list", "unheard --json", "help"])
def test_output_that_nobody_reads_ends_with_the_code_for_could_not(line: str, tmp_path: Path) -> None:
    done = _in_a_shell(
        f"{line} >{tmp_path}/pipe", tmp_path, before=f"mkfifo {tmp_path}/pipe; : <{tmp_path}/pipe &"
    )

    assert (done.returncode, done.stderr) == (4, "")


def _in_a_shell(line: str, home: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    script = f"{before}\n'{sys.executable}' -m modicum.cli.main {line}"
    environment = {"HOME": str(home), "MODICUM_HOME": str(home / "data"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        ["sh", "-c", script], cwd=home, env=environment, capture_output=True, text=True, check=False
    )


def test_a_message_cannot_steer_the_terminal(run) -> None:
    def body() -> None:
        raise ModicumError("\x1b[2Jgone", remedy="")

    assert run(body)[2] == "modicum: \\x1b[2Jgone\n"


@pytest.mark.parametrize("words", [("team",), ("memory", "sessions")], ids=" ".join)
def test_a_group_without_a_command_is_its_help(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(words) == 0
    said = capsys.readouterr()

    assert said.out.startswith(f"Usage: modicum {' '.join(words)}")
    assert said.err == ""
