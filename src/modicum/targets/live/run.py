"""Starts an agent program in a throw-away copy, with a home of its own and a model on loopback, and returns its first request."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.git import find_program
from modicum.base.value import Value
from modicum.targets.live.model import AgentRequest
from modicum.targets.live.programs import PROGRAMS, PROMPT, Program
from modicum.targets.live.request import taken_apart
from modicum.targets.live.throwaway import ThrowawayCopy, copied, in_the_way, prepare_home
from modicum.targets.program_version import version_of

SECONDS = 60.0
ENDING_SECONDS = 2.0  # what was ended and is never collected stays in its group
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "COMSPEC", "PATHEXT")
_SAID = 300  # characters of a program's last words in an error


class SentRequest(Value):
    """What a run of a program gave: its first request, the text of each copied file by its path, the version and the seconds."""

    request: AgentRequest
    files: Mapping[str, str]
    version: str
    seconds: float


def first_request(
    tool: str,
    folder: Path,
    home: Path,
    environment: Mapping[str, str],
    *,
    executable: str = "",
    servers: bool = False,
    seconds: float = SECONDS,
) -> SentRequest:
    """Runs an installed program on a copy of what it reads here, and returns its first request to a model.

    Nothing of the user's is changed, and no credentials are handed on. With `servers` its MCP servers and hooks run too.
    """
    program = _known(tool)
    if not folder.is_dir():
        raise ModicumError(f"there is no folder {folder}", remedy="name the folder to start the program in")
    path = executable or _found(program, environment)
    with tempfile.TemporaryDirectory(prefix="modicum-", ignore_cleanup_errors=True) as top:
        _refuse_company(Path(top))
        copy = copied(folder, home, Path(top), environment, servers=servers)
        started = time.monotonic()
        body = ask_program(program, path, copy, environment, seconds)
        took = time.monotonic() - started
    return SentRequest(taken_apart(body, without=str(copy.top)), copy.files, version_of(path), took)


def _known(tool: str) -> Program:
    if tool in PROGRAMS:
        return PROGRAMS[tool]
    raise ModicumError(
        f"{tool} cannot be asked what it reads", remedy=f"these can: {', '.join(sorted(PROGRAMS))}"
    )


def _refuse_company(top: Path) -> None:
    other = in_the_way(top)
    if other is not None:
        raise ModicumError(
            f"the folder for temporary files lies below {other}, which the program would read as well",
            remedy="set TMPDIR to another folder",
        )


def _found(program: Program, environment: Mapping[str, str]) -> str:
    path = find_program(program.command, environment)
    if path:
        return path
    raise ModicumError(
        f"{program.command} is not installed, or not on the PATH",
        remedy=f"npm install -g {program.package}",
    )


def ask_program(
    program: Program, path: str, copy: ThrowawayCopy, environment: Mapping[str, str], seconds: float
) -> Mapping[str, object]:
    from modicum.targets.live.stub import StubModel

    with StubModel(PROMPT) as model:
        url = f"http://127.0.0.1:{model.port}"
        launch = program.launch(url, str(copy.root))
        prepare_home(copy, launch)
        variables = {**_variables(copy, environment, url), **launch.environment}
        output = copy.top / "output"
        with _started([path, *launch.arguments], copy.folder, variables, output) as process:
            end = time.monotonic() + seconds
            while time.monotonic() < end and not model.arrived.wait(0.05) and process.poll() is None:
                pass
            ended = process.poll()
        body = model.first()
    if body is not None:
        return body
    raise _silent(program, ended, _last_words(output), seconds)


def _variables(copy: ThrowawayCopy, environment: Mapping[str, str], proxy: str) -> dict[str, str]:
    temporary = copy.top / "tmp"
    temporary.mkdir(exist_ok=True)
    home = str(copy.home)
    passed = {name: environment[name] for name in _PASSED_ON if environment.get(name)}
    own = {
        "HOME": home,
        "USERPROFILE": home,
        "TMPDIR": str(temporary),
        "TEMP": str(temporary),
        "TERM": "dumb",
    }
    # The stub is the proxy, and refuses every other address.
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), proxy)
    around = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {**passed, **own, **proxies, **around}


@contextmanager
def _started(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], output: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    with ExitStack() as ends:
        with _end_from_outside_waits():
            process = _start(command, folder, variables, output)
            ends.callback(_end, process)
        yield process


def _start(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], output: Path
) -> "subprocess.Popen[bytes]":
    try:
        with output.open("wb") as file:
            return subprocess.Popen(  # noqa: S603 - the program that was asked for, without a shell
                command, cwd=folder, env=dict(variables), stdin=subprocess.DEVNULL, stdout=file,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
    except OSError as error:
        raise ModicumError(
            f"{command[0]} does not start: {error.strerror or error}", remedy="install the program again"
        ) from error


@contextmanager
def _end_from_outside_waits() -> Iterator[None]:
    """Lets a SIGTERM wait until a program that is being started is known as one to be ended."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if caught:
            signal.raise_signal(signal.SIGTERM)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program and everything that it started (a process group of its own), and waits until nobody writes any more."""
    if sys.platform == "win32":
        command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a command of the system
        process.wait()
        return
    import signal

    end = time.monotonic() + ENDING_SECONDS
    with suppress(ProcessLookupError):  # as soon as the group is empty
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while time.monotonic() < end:
            os.killpg(process.pid, 0)
            time.sleep(0.01)
    process.wait()


def _last_words(output: Path) -> str:
    text = output.read_bytes()[-4 * _SAID :].decode("utf-8", "replace")
    return " ".join(text.split())[-_SAID:]


def _silent(program: Program, code: int | None, said: str, seconds: float) -> ModicumError:
    name = program.command
    if code is None:
        return ModicumError(
            f"{name} sent nothing within {seconds:g} seconds", remedy="give it more time with --seconds"
        )
    words = f"; it said: {said}" if said else ""
    return ModicumError(
        f"{name} ended (exit code {code}) before it asked a model{words}",
        remedy=f"run `{name} --version`, and install it again if that fails: npm install -g {program.package}",
    )
