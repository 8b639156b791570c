"""What can be checked on Linux of other systems: modules, functions and locks that Windows does not have."""

import ast
import ntpath
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from modicum.base import extras, files, paths
from modicum.base.errors import ModicumError

ROOT = Path(__file__).parent.parent

# They have branches of their own for each system.
LIBRARIES = "import anyio._backends._asyncio, apsw, click, mcp.client.stdio, mcp.server.lowlevel, mcp.server.stdio, psycopg_pool, uvicorn"

# The standard library of this system has done with them once it is imported. What we import or call afterwards must do without.
WITHOUT = """
import asyncio, concurrent.futures, ctypes, http.client, http.server, logging, multiprocessing, os, pathlib, select, shutil, signal, socket
import subprocess, sys, tempfile, uuid, webbrowser

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refusing())
for module, names in {
    os: "chown fchmod fchown fork forkpty geteuid getgid getgroups getpgid getuid killpg lchown mkfifo nice O_NOFOLLOW O_NONBLOCK "
        "posix_spawn posix_spawnp setsid statvfs uname listxattr setxattr getxattr",
    signal: "SIGALRM SIGHUP SIGKILL SIGUSR1 SIGUSR2",
    socket: "AF_UNIX",
    select: "poll epoll",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""

IMPORT_ALL = """
import importlib
from modicum.cli.main import main
for path in sorted(pathlib.Path(main.__code__.co_filename).parents[1].rglob("*.py")):
    parts = path.relative_to(path.parents[len(path.parts) - path.parts.index("modicum") - 2].parent).with_suffix("").parts
    importlib.import_module(".".join(parts).removesuffix(".__init__"))
print(len([name for name in sys.modules if name.startswith("modicum.")]))
"""

RUN = """
from modicum.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def without(code: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "MODICUM_HOME": str(folder / "data"),
        "USERNAME": "ann",
    }
    (folder / "shop" / ".git").mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder / "shop", env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_every_module_is_imported_without_what_windows_lacks(tmp_path: Path) -> None:
    done = without(f"{LIBRARIES}\n{WITHOUT}\n{IMPORT_ALL}", tmp_path)

    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 400


def test_the_main_commands_run_without_what_windows_lacks(tmp_path: Path, fake_msvcrt: Path) -> None:
    (tmp_path / ".claude").mkdir()
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "CLAUDE.md").write_bytes(b"# Shop\r\n")
    commands = (
        *(
            "init",
            "pack new shop",
            "pack use git",
            "inject",
            "status",
            "see claude-code",
            "explain --tool chatgpt",
        ),
        *("save Queue Redis", "search redis", "recall", "check redis", "setup claude-code", "uninstall"),
    )
    code = f"{WITHOUT}\nsys.path.insert(0, {str(fake_msvcrt)!r})\n{RUN}"

    told = {command: without(code, tmp_path, *command.split()) for command in commands}

    assert {command: done.stderr for command, done in told.items() if done.returncode} == {}
    assert "Queue" in told["search redis"].stdout
    assert (shop / "CLAUDE.md").read_bytes() == b"# Shop\r\n"


@pytest.fixture
def fake_msvcrt(tmp_path: Path) -> Path:
    """A folder with a module msvcrt, whose locks are files."""
    folder = tmp_path / "windows"
    folder.mkdir()
    (folder / "msvcrt.py").write_text(
        "import os\nLK_NBLCK, LK_UNLCK = 2, 0\n\ndef locking(descriptor, mode, count):\n"
        "    path = os.readlink(f'/proc/self/fd/{descriptor}') + '.held'\n"
        "    if mode == LK_UNLCK:\n        return os.unlink(path)\n"
        "    try:\n        os.close(os.open(path, os.O_CREAT | os.O_EXCL))\n"
        "    except FileExistsError:\n        raise PermissionError(13, 'Permission denied') from None\n"
    )
    return folder


class Locks:
    """As much of msvcrt as is used: one lock for each file, refused as Windows refuses it."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.given_back = 0

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        file = Path(f"/proc/self/fd/{descriptor}").stat().st_ino
        if mode == self.LK_UNLCK:
            if self.held.get(file) != descriptor:
                raise PermissionError(13, "Permission denied")
            del self.held[file]
            self.given_back += count
        elif self.held.setdefault(file, descriptor) != descriptor:
            raise PermissionError(13, "Permission denied")


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Locks]:
    locks = Locks()
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    yield locks
    assert locks.held == {}


def test_a_lock_on_windows_is_given_back(tmp_path: Path, locks: Locks) -> None:
    for _ in range(2):
        with files.held(tmp_path / "lock", "it", wait_seconds=0):
            pass

    assert locks.given_back == 2


def test_a_lock_on_windows_keeps_a_second_run_out_and_stays_with_the_first(
    tmp_path: Path, locks: Locks
) -> None:
    with files.held(tmp_path / "lock", "it", wait_seconds=0):
        with (
            pytest.raises(ModicumError, match="another run has been busy"),
            files.held(tmp_path / "lock", "it", wait_seconds=0.05),
        ):
            pass

        assert locks.given_back == 0


@pytest.mark.parametrize(
    ("file", "origin", "command"),
    [
        ("uv-receipt.toml", "{}", "uv tool install --force 'modicum[mcp,meaning]'"),
        ("uv-receipt.toml", '{"url": "file:///my%20code/modicum"}', "uv tool install --force '/my code/modicum[mcp,meaning]'"),
        ("pipx_metadata.json", '{"url": "file:///dist/x.whl", "archive_info": {}}', "pipx install --force '/dist/x.whl[mcp,meaning]'"),
        ("pipx_metadata.json", '{"url": "https://x/y.git", "vcs_info": {"vcs": "git"}}', "pipx install --force 'modicum[mcp,meaning] @ git+https://x/y.git'"),
        ("pipx_metadata.json", '{"url": "https://x/y.whl"}', "pipx install --force 'modicum[mcp,meaning] @ https://x/y.whl'"),
        ("pipx_metadata.json", "{", "pipx install --force 'modicum[mcp,meaning]'"),
        ("pyvenv.cfg", '{"url": "file:///code"}', "pip install 'modicum[meaning]'"),
    ],
)  # fmt: skip
def test_an_extra_is_installed_by_the_installer_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, origin: str, command: str
) -> None:
    """The others that are there stay."""
    (tmp_path / file).touch()
    monkeypatch.setattr(extras, "is_installed", lambda *modules: modules == extras.EXTRAS["mcp"])
    monkeypatch.setattr("importlib.metadata.Distribution.read_text", lambda *_: origin, raising=False)
    monkeypatch.setattr("importlib.metadata.PathDistribution.read_text", lambda *_: origin)

    assert extras.install_command("meaning", str(tmp_path)) == command


def written_as_text(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls that write text to a file: Windows ends its lines otherwise unless they say how."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            words = [word.value for word in node.args[:2] if isinstance(word, ast.Constant)]
            opens = node.func.attr in ("open", "fdopen") and any(word in ("w", "a", "x") for word in words)
            if node.func.attr == "write_text" or opens:
                yield node


def test_every_text_is_written_with_the_same_line_ends_on_every_system() -> None:
    calls = [
        (path.name, call)
        for path in (ROOT / "src").rglob("*.py")
        for call in written_as_text(ast.parse(path.read_text(encoding="utf-8")))
        if "devnull" not in ast.unparse(call)
    ]

    assert len(calls) > 5
    assert [
        f"{name}:{call.lineno}" for name, call in calls if "newline" not in {key.arg for key in call.keywords}
    ] == []


@pytest.fixture
def windows_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "os", SimpleNamespace(path=ntpath, name="nt"))


def test_a_project_is_found_by_paths_of_windows(windows_paths: None, monkeypatch: pytest.MonkeyPatch) -> None:
    home = paths.home_of({"USERPROFILE": r"C:\Users\Ann"})
    there = {r"C:\Users\Ann\shop\.git", r"C:\Users\Ann\.git"}
    monkeypatch.setattr(ntpath, "exists", there.__contains__)

    assert paths.find_root(r"C:\Users\Ann\shop\src\cart", home) == r"C:\Users\Ann\shop"
    assert paths.find_root(r"C:\Users\Ann\other", home) == r"C:\Users\Ann\other"
    assert paths.find_root(r"D:\work", home) == r"D:\work"
    assert paths.name_of(r"C:\Users\Ann\shop") == "shop"


def test_a_project_on_a_share_is_looked_for_up_to_its_root(windows_paths: None) -> None:
    assert paths.find_root(r"\\server\share\shop", r"C:\Users\Ann") == r"\\server\share\shop"
