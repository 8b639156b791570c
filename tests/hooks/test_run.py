"""The whole process: what it imports, and that nothing which goes wrong troubles the agent."""

import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from modicum.app.session.hook_log import read_failures
from modicum.hooks.run import HookCommand, parse, patience

# All of ours that a session start may import. Whoever adds to it looks at bench/hook.py first.
OURS = {
    "modicum",
    "modicum.app",
    "modicum.app.session",
    "modicum.app.specs",
    "modicum.base",
    "modicum.base.bounded",
    "modicum.base.named_tuple",
    "modicum.base.plain_words",
    "modicum.engine",
    "modicum.memory.brief",
    "modicum.memory.origins",
    "modicum.app.session.events",
    "modicum.app.session.provenance",
    "modicum.app.session.start_text",
    "modicum.app.session.seen_notes",
    "modicum.app.session.sizes",
    "modicum.app.session.start",
    "modicum.app.specs.change_names",
    "modicum.cli",
    "modicum.cli.main",
    "modicum.hooks",
    "modicum.hooks.contracts",
    "modicum.hooks.payload",
    "modicum.hooks.replies",
    "modicum.hooks.run",
    "modicum.hooks.servers",
    "modicum.app.session.handed_log",
    "modicum.engine.layout",
    "modicum.memory",
    "modicum.memory.brief.query",
    "modicum.memory.brief.lines",
    "modicum.memory.names",
    "modicum.memory.projects",
    "modicum.memory.projects.folder",
    "modicum.memory.projects.keys",
    "modicum.memory.projects.rows",
    "modicum.engine.offers",
    "modicum.engine.page",
    "modicum.text",
    "modicum.text.orders",
    "modicum.text.orders.quote",
    "modicum.base.paths",
    "modicum.base.value",
}
HEAVY = {
    *("click", "yaml", "pathlib", "logging", "argparse", "asyncio", "http", "urllib", "sqlite3", "datetime"),
    *("mcp", "starlette", "msgspec", "anyio", "splintr", "platformdirs", "subprocess", "tempfile", "hashlib"),
    *("dataclasses", "inspect", "typing"),
}


def run(place, *words: str, told: bytes = b"{}", **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **place.environment, **variables}
    environment.pop("COVERAGE_PROCESS_START", None)
    return subprocess.run(
        [sys.executable, "-c", CODE, "hook", *words],
        input=told,
        env=environment,
        cwd=place.project,
        capture_output=True,
        timeout=60,
        check=False,
    )


CODE = "import sys; from modicum.cli.main import main; code = main(); sys.stderr.write(' '.join(sys.modules)); sys.exit(code)"


def test_a_session_start_imports_almost_nothing(place) -> None:
    place.note("Use SQLite")
    done = run(
        place, "session-start", told=json.dumps({"session_id": "s", "cwd": str(place.project)}).encode()
    )
    modules = done.stderr.decode().split()

    assert re.search(r"- n-[0-9a-z]{6} [0-9-]{10} \[decision\] “Use SQLite", done.stdout.decode())
    assert {name for name in modules if name.startswith("modicum")} <= OURS
    assert {name.split(".")[0] for name in modules} & HEAVY == set()


def test_a_prompt_loads_neither_the_whole_search_nor_typing(place) -> None:
    place.note("Login of the shop fails after a deploy")
    told = {
        "session_id": "s",
        "cwd": str(place.project),
        "prompt": "why does the login fail after the deploy?",
    }
    done = run(place, "prompt-submit", told=json.dumps(told).encode())
    modules = set(done.stderr.decode().split())

    assert " [decision] “Login of the shop" in done.stdout.decode()
    assert modules & {"typing", "calendar", "dataclasses", "inspect", "modicum.memory.find.search"} == set()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("session-start",), b"{not json"),
        (("session-start",), b"\xff\xfe\x00"),
        (("session-start",), b"[" * 100_000),
        (("session-start", "--harness", "clod"), b"{}"),
        (("stop",), b"{}"),
        ((), b"{}"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_whatever_goes_wrong_is_silent_and_in_the_log(place, words: tuple[str, ...], told: bytes) -> None:
    done = run(place, *words, told=told)

    assert (done.returncode, done.stdout) == (0, b"")
    assert len(read_failures(str(place.data))) == 1


def test_a_damaged_store_is_silent_and_in_the_log(place) -> None:
    place.data.mkdir()
    (place.data / "memory.db").write_bytes(b"no database at all" * 100)

    done = run(place, "session-start")

    assert (done.returncode, done.stdout) == (0, b"")
    assert "NotADBError" in read_failures(str(place.data))[0]


def test_nothing_told_is_answered_all_the_same(place) -> None:
    for told in (b"", b"\xef\xbb\xbf{}", b" \r\n"):
        assert b"mem_search" in run(place, "session-start", told=told).stdout


def test_an_answer_that_takes_too_long_is_given_up(place) -> None:
    began = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        done = run(
            place, "session-start", "--harness=cline", MODICUM_SERVER=address, MODICUM_HOOK_SECONDS="0.5"
        )

    assert (done.returncode, done.stdout) == (0, b'{"cancel":false}')
    assert "no answer within 0.5 s" in read_failures(str(place.data))[0]
    assert time.monotonic() - began < 30


def test_a_full_or_read_only_data_folder_does_not_matter(place) -> None:
    place.data.write_text("a file, not a folder")

    done = run(place, "prompt-submit", told=json.dumps({"prompt": "please look at the cart"}).encode())

    assert (done.returncode, done.stdout) == (0, b"")


def test_the_words_of_the_command() -> None:
    assert parse(("session-start", "--harness", "codex")) == HookCommand("session-start", "codex")
    assert parse(("--harness=qwen", "pre-compact")) == HookCommand("pre-compact", "qwen")
    assert parse(("session-end",)) == HookCommand("session-end", "claude-code")
    assert parse(("session-end", "--harness")) == HookCommand("session-end", "")
    assert [patience({"MODICUM_HOOK_SECONDS": word}) for word in ("", "x", "nan", "-1", "3", "1e9")] == [
        2.0, 2.0, 2.0, 0.0, 3.0, 600.0,
    ]  # fmt: skip
