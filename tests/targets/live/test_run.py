"""A program is run in a copy, with a home of its own and a model on loopback; everything it started is ended."""

import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from modicum.base.errors import ModicumError
from modicum.targets.live import run
from modicum.targets.live.programs import PROMPT, Launch, Program
from modicum.targets.live.run import SentRequest, first_request
from modicum.targets.live.stub import StubModel

FAKE = Path(__file__).parent / "fake_agent.py"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the small program is started as POSIX does")


def asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *arguments: str, seconds: float = 20.0, **more: str
) -> SentRequest:
    def launch(url: str, root: str) -> Launch:
        return Launch((str(FAKE), *arguments, PROMPT), {"STUB_URL": url, **more})

    monkeypatch.setattr(run, "PROGRAMS", {"fake": Program("fake", "fake-agent", launch)})
    environment = {"PATH": os.environ["PATH"], "OPENAI_API_KEY": "secret", "GITHUB_TOKEN": "secret"}
    home, folder = tmp_path / "home", tmp_path / "shop"
    folder.mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    return first_request("fake", folder, home, environment, executable=sys.executable, seconds=seconds)


def test_the_first_request_with_tools_is_returned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
    (tmp_path / "home" / ".codex").mkdir(parents=True)
    (tmp_path / "home" / ".codex" / "AGENTS.md").write_text("Be kind.\n", encoding="utf-8")

    found = asked(monkeypatch, tmp_path)

    system, prompt, left = found.request.parts
    folder = tmp_path.resolve() / "shop"
    assert system.text == f"You are an agent.\nUse tabs.\n\nBe kind.\n\nFolder: {folder}"
    assert prompt.text == PROMPT
    assert left.text == "{}"  # no credentials
    assert [name for name, _ in found.request.tools] == ["read"]
    assert found.files[str(folder / "AGENTS.md")] == "Use tabs.\n"


def test_what_a_program_started_is_ended_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    asked(monkeypatch, tmp_path, "--linger", PID_FILE=str(pid_file))

    child = int(pid_file.read_text())
    assert gone(child)


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().split(")")[1].split()[0] == "Z":
            return True  # ended, and not yet collected by whoever adopted it
        time.sleep(0.05)
    return False


def test_a_program_that_ends_early_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(
        ModicumError, match=r"fake ended \(exit code 1\) .* it said: no licence .*npm install"
    ):
        asked(monkeypatch, tmp_path, "--fail")


def test_a_program_that_asks_nothing_is_ended_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = time.monotonic()

    with pytest.raises(ModicumError, match=r"fake sent nothing within 0.5 seconds \(give it more time"):
        asked(monkeypatch, tmp_path, "--silent", seconds=0.5)

    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("tool", "environment", "words"),
    [
        ("cursor", {}, "cursor cannot be asked what it reads (these can: claude-code, codex,"),
        (
            "codex",
            {"PATH": "/nowhere"},
            "codex is not installed, or not on the PATH (npm install -g @openai/codex)",
        ),
    ],
)
def test_a_program_that_cannot_be_asked_is_named(
    tool: str, environment: Mapping[str, str], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ModicumError) as error:
        first_request(tool, tmp_path, tmp_path, environment)

    assert str(error.value).startswith(words)


def test_a_program_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "codex"
    broken.write_text("no program", encoding="utf-8")

    with pytest.raises(ModicumError, match="codex does not start"):
        first_request("codex", tmp_path, tmp_path, {}, executable=str(broken))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModicumError, match=r"there is no folder .*nowhere"):
        first_request("codex", tmp_path / "nowhere", tmp_path, {})


def test_temporary_files_below_instruction_files_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "AGENTS.md").touch()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))

    with pytest.raises(
        ModicumError, match=r"below .*AGENTS.md, which the program would read as well \(set TMPDIR"
    ):
        first_request("codex", tmp_path, tmp_path, {}, executable="codex")

    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_stub_lets_nothing_through() -> None:
    with StubModel("x") as model:
        proxy = urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{model.port}"})
        opener = urllib.request.build_opener(proxy)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            opener.open("http://example.invalid/v1/messages", data=b"{}", timeout=5)


def test_the_stub_answers_itself_as_a_proxy_and_nobody_else() -> None:
    with StubModel("x") as model, closing(HTTPConnection("127.0.0.1", model.port, timeout=5)) as connection:
        connection.set_tunnel("127.0.0.1", model.port)
        connection.request("POST", "/v1/messages", b'{"a": "x"}')

        assert connection.getresponse().status == 200
        assert model.first() == {"a": "x"}

    with StubModel("x") as model, closing(HTTPConnection("127.0.0.1", model.port, timeout=5)) as connection:
        connection.set_tunnel("example.invalid", 443)

        with pytest.raises(OSError, match="403"):
            connection.request("GET", "/")


@pytest.mark.parametrize(
    ("path", "stream", "holds"),
    [
        ("/v1/messages?beta=true", True, "message_stop"),
        ("/v1/messages/count_tokens", False, "input_tokens"),
        ("/v1/responses", True, "response.completed"),
        ("/v1/chat/completions", True, "[DONE]"),
        ("/v1/chat/completions", False, "chat.completion"),
        ("/v1beta/models/g:streamGenerateContent?alt=sse", False, "candidates"),
        ("/v1beta/models/g:generateContent", False, "candidates"),
        ("/v1beta/models/g:countTokens", False, "totalTokens"),
        ("/telemetry", False, "{}"),
    ],
)
def test_the_stub_speaks_every_protocol(path: str, stream: bool, holds: str) -> None:
    from modicum.targets.live.stub import reply

    assert holds in reply(path, stream=stream)[1]
