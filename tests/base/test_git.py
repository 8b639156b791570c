"""The one way in which git is started: in a repository of anybody's it runs nothing that is named there."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.base import git as git_module
from modicum.base.errors import ModicumError
from modicum.base.git import LOOKING, begin, find_program, git_in, own_git, repository_around
from repositories import ENVIRON, PROGRAM, git

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "bench"))

from hostile_cases.git_settings import ADDRESSES, ATTRIBUTES, arm, embed  # noqa: E402

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs of the tests are scripts")
ENVIRONMENT = {"PATH": f"{Path(PROGRAM or 'git').parent}:/usr/bin:/bin", **ENVIRON}
MISSING = "1" * 40
LOOKS = (
    ("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
    ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", "CLAUDE.md"),
    ("check-ignore", "-v", "-z", "--stdin"),
    ("check-ignore", "-z", "--stdin", "--no-index"),
    *(
        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        for name in ("HEAD", MISSING)
    ),
    ("rev-list", "--max-parents=0", "HEAD"),
    ("rev-parse", "--show-prefix"),
    ("rev-parse", "--git-path", "objects"),
    ("rev-parse", "--show-object-format"),
)


class Trap:
    """A program that says it was run, and a repository that names it everywhere."""

    def __init__(self, folder: Path) -> None:
        self.log, self.program = folder / "run.log", folder / "canary"
        self.program.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.log}\nexit 1\n')
        self.program.chmod(0o755)
        for name in ("git-remote-canary", "ssh", "true", "cat", "less"):
            (folder / "bin").mkdir(exist_ok=True)
            (folder / "bin" / name).symlink_to(self.program)
        (folder / "bin" / "git").symlink_to(PROGRAM or "git")
        self.repository = folder / "clone"
        self.repository.mkdir()
        (self.repository / "CLAUDE.md").write_text("Rules.\n")
        (self.repository / ".gitattributes").write_text(ATTRIBUTES)
        self.commit = git_commit(self.repository)
        self.environment = {**ENVIRONMENT, "PATH": str(folder / "bin"), "HOME": str(folder / "home")}

    @property
    def ran(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def plainly(self, *words: str) -> None:
        """What a plain git does here."""
        command = [PROGRAM or "git", "-C", str(self.repository), *words]
        subprocess.run(command, env=self.environment, capture_output=True, input=b"CLAUDE.md\0")


def git_commit(folder: Path) -> str:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


@pytest.mark.parametrize("words", [("ls-files", "--others"), ("status",), ("checkout-index", "-f", "--all")])
def test_a_plain_git_runs_what_the_settings_name(trap: Trap, words: tuple[str, ...]) -> None:
    arm(trap.repository, str(trap.program))

    trap.plainly(*words)

    assert str(trap.program) in trap.ran


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_plain_git_fetches_what_is_missing_by_a_program(trap: Trap, address: str) -> None:
    arm(trap.repository, str(trap.program), address)

    trap.plainly("rev-parse", "--verify", f"{MISSING}^{{commit}}")

    assert trap.ran


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("words", LOOKS, ids=lambda words: " ".join(words)[:40])
def test_looking_runs_nothing(trap: Trap, words: tuple[str, ...], address: str) -> None:
    arm(trap.repository, str(trap.program), address)
    looking = git_in(trap.repository, trap.environment)
    assert looking

    looking.answer(*words, given=b"CLAUDE.md\0")
    try:
        looking.run(*words)
    except ModicumError as error:
        assert words[0] in error.message  # noqa: PT017 - some words find nothing

    assert trap.ran == ""


def test_what_is_looked_at_is_what_the_repository_holds(trap: Trap) -> None:
    arm(trap.repository, str(trap.program))
    (trap.repository / "new.md").write_text("x\n")
    looking = git_in(trap.repository, trap.environment)
    assert looking

    names = looking.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    assert {"CLAUDE.md", ".gitattributes", "new.md"} == set(names) - {""}
    assert looking.run("rev-parse", "HEAD") == trap.commit


def test_the_settings_cannot_say_that_the_files_are_elsewhere(trap: Trap, tmp_path: Path) -> None:
    elsewhere = tmp_path / "home"
    elsewhere.mkdir()
    (elsewhere / "secret.txt").write_text("x\n")
    arm(trap.repository, str(trap.program), elsewhere=elsewhere)
    looking = git_in(trap.repository, trap.environment)
    assert looking

    assert "secret.txt" not in looking.run("ls-files", "--others")


def test_a_folder_in_a_clone_that_looks_like_a_repository_is_none(trap: Trap) -> None:
    inside = trap.repository / "packages" / "app"
    embed(inside, str(trap.program))
    (trap.repository / ".gitignore").write_text("*.log\n")
    looking = git_in(inside, trap.environment)
    assert looking

    told = looking.answer("check-ignore", "-z", "--stdin", given=b"x.log\0")
    assert trap.ran == ""
    assert told in (b"", b"x.log\0")  # nothing with a git that finds no other way to refuse it


def test_an_embedded_repository_without_one_around_it_is_not_asked(tmp_path: Path) -> None:
    embed(tmp_path / "clone", "/bin/false")

    assert git_in(tmp_path / "clone", ENVIRONMENT) is None


def test_a_broken_repository_is_not_taken_for_the_one_around_it(trap: Trap) -> None:
    arm(trap.repository, str(trap.program))
    inner = trap.repository / "inner"
    (inner / ".git").mkdir(parents=True)
    looking = git_in(inner, trap.environment)
    assert looking

    assert looking.answer("ls-files", "--others", "-z") == b""
    with pytest.raises(ModicumError, match="not a git repository"):
        looking.run("rev-parse", "HEAD")


def test_worktrees_submodules_and_sub_folders_are_looked_at(tmp_path: Path) -> None:
    first = tmp_path / "first"
    (first / "sub folder").mkdir(parents=True)
    (first / "sub folder" / "a.md").write_text("x\n")
    commit = git_commit(first)
    git(first, "worktree", "add", "--quiet", str(tmp_path / "second"), "-b", "other")
    git(first, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(first), "module")

    for folder in (first / "sub folder", tmp_path / "second" / "sub folder", first / "module" / "sub folder"):
        looking = git_in(folder, ENVIRONMENT)
        assert looking
        assert looking.run("rev-parse", "HEAD") == commit
        assert looking.run("ls-files") == "a.md"
        assert looking.run("rev-parse", "--show-prefix") == "sub folder/"


@pytest.mark.parametrize(
    "word", ["status", "diff", "log", "add", "hash-object", "checkout", "config", "ls-remote"]
)
def test_in_a_repository_that_is_there_only_words_that_look_are_said(trap: Trap, word: str) -> None:
    looking = git_in(trap.repository, trap.environment)
    assert looking

    with pytest.raises(ValueError, match=f"git {word} could run"):
        looking.run(word)
    with pytest.raises(ValueError, match=f"git {word} could run"):
        looking.answer(word)
    for words in (
        ("ls-files", "--modified"),
        ("rev-list", "--format=%G?", "HEAD"),
        ("rev-list", "HEAD", "--pretty"),
    ):
        with pytest.raises(ValueError, match="could run"):
            looking.run(*words)


def test_what_the_environment_says_to_git_does_not_reach_a_repository_that_is_there(trap: Trap) -> None:
    evil = {
        "GIT_DIR": "/nonexistent",
        "GIT_INDEX_FILE": "/nonexistent",
        "GIT_SSH_COMMAND": str(trap.program),
        "GIT_EXTERNAL_DIFF": str(trap.program),
        "GIT_TRACE": str(trap.log),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap.program),
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={trap.program}'",
    }
    looking = git_in(trap.repository, {**trap.environment, **evil})
    assert looking

    assert looking.run("ls-files") == ".gitattributes\nCLAUDE.md"
    assert trap.ran == ""


def test_a_checkout_of_ours_runs_no_filter(trap: Trap, tmp_path: Path) -> None:
    settings = tmp_path / "user"
    for word in ("smudge", "clean", "process"):
        git(trap.repository, "config", "--file", str(settings), f"filter.evil.{word}", str(trap.program))
    own = own_git(tmp_path / "own", {**trap.environment, "GIT_CONFIG_GLOBAL": str(settings)}, remedy="")
    begin(own)

    own.run("fetch", "--quiet", "--", str(trap.repository), "HEAD")
    own.run("checkout", "--quiet", "--detach", "FETCH_HEAD")

    assert (tmp_path / "own" / "CLAUDE.md").read_text() == "Rules.\n"
    assert trap.ran == ""


def test_a_copy_of_an_armed_repository_runs_nothing(trap: Trap, tmp_path: Path) -> None:
    arm(trap.repository, str(trap.program))
    own = own_git(tmp_path / "own", trap.environment, remedy="")
    begin(own)

    own.run("fetch", "--quiet", "--depth=1", "--", str(trap.repository), "HEAD")
    own.run("checkout", "--quiet", "--detach", "FETCH_HEAD")

    assert trap.ran == ""


@pytest.mark.parametrize("address", ["ext::{} %S", "canary::x", "http://localhost:1/x"])
def test_other_protocols_are_not_spoken(trap: Trap, tmp_path: Path, address: str) -> None:
    own = own_git(tmp_path / "own", trap.environment, remedy="")
    begin(own)

    with pytest.raises(ModicumError):
        own.run("fetch", "--quiet", "--", address.format(trap.program), "HEAD")
    assert trap.ran == ""


def test_a_long_question_is_answered_as_a_short_one(trap: Trap) -> None:
    (trap.repository / ".gitignore").write_text("*.log\n")
    looking = git_in(trap.repository, trap.environment)
    assert looking
    names = [f"{number:04}-{'x' * 40}.log" for number in range(2_000)]
    asked = "".join(f"{name}\0" for name in names).encode()

    assert looking.answer("check-ignore", "-z", "--stdin", given=asked) == asked
    assert looking.answer("check-ignore", "-z", "--stdin", given=asked[:4_750]) == asked[:4_750]


def test_without_a_program_nothing_is_answered(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    looking = git_in(trap.repository, {"PATH": "/nonexistent"})
    assert looking

    assert looking.answer("ls-files") == b""
    assert looking.answer("check-ignore", "--stdin", given=b"x" * 20_000) == b""
    with pytest.raises(ModicumError, match="git is not installed"):
        looking.run("ls-files")


def test_the_repository_around_a_folder_is_the_nearest(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / ".git").write_text("gitdir: /nonexistent\n")

    assert repository_around(inner) == tmp_path / "a"
    assert repository_around(tmp_path) == tmp_path


def test_a_program_is_taken_only_from_an_absolute_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    assert find_program("git", {"PATH": str(program.parent)}) is None  # it cannot be run
    program.chmod(0o755)

    assert find_program("git", {"PATH": f"bin{os.pathsep}."}) is None
    assert find_program("git", {"PATH": ""}) is None
    assert find_program("git", {}) is None
    assert find_program("git", {"PATH": f"bin{os.pathsep}{program.parent}"}) == str(program)


# Who may start a program, and which.
STARTERS = {
    "app.agents.own_server": "our own server and our own hook",
    "base.git": "git",
    "targets.clipboard": "the program of the clipboard, named by us",
    "targets.live.run": "an agent program that somebody asked to run, in a throw-away copy",
    "cli.agents.open": "the browser",
    "cli.inject.adopt": "the editor",
    "cli.page_text": "the pager",
    "cli.settings.config": "the editor",
}
MODULES = (
    "subprocess",
    "multiprocessing",
    "pty",
    "webbrowser",
    "asyncio.subprocess",
    "concurrent.futures.process",
)
CALLS = re.compile(
    r"os\.(system|popen|exec\w*|spawn\w*|posix_spawn\w*|fork\w*|startfile)|(anyio|asyncio)\.(open_process|run_process|create_subprocess_\w+)"
    r"|click\.(edit|launch|echo_via_pager)|\w+\.(stdio_client|subprocess_exec|subprocess_shell)"
)
NAMES = {"stdio_client", "system", "popen", "posix_spawn", "posix_spawnp", "echo_via_pager", "launch", "edit"}


def starts(path: Path) -> Iterator[str]:
    """What in a module can start a program."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "" for _ in [0] if node.module in MODULES)
            foreign = not (node.module or "").startswith("modicum")
            yield from (alias.name for alias in node.names if foreign and alias.name in NAMES)
        elif isinstance(node, ast.Attribute) and CALLS.fullmatch(ast.unparse(node)):
            yield ast.unparse(node)


def modules() -> dict[str, Path]:
    source = ROOT / "src" / "modicum"
    return {".".join(path.relative_to(source).with_suffix("").parts): path for path in source.rglob("*.py")}


def test_nothing_else_starts_a_program() -> None:
    found = {name: sorted(set(starts(path))) for name, path in modules().items()}

    assert sorted(name for name, what in found.items() if what) == sorted(STARTERS)


def words_of(path: Path) -> Iterator[str]:
    """Every text in a module that could be the first word of a command, or a line for a shell."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.List | ast.Tuple) and node.elts and isinstance(node.elts[0], ast.Constant):
            yield str(node.elts[0].value)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def test_nothing_else_names_git_as_a_program() -> None:
    named = {
        name
        for name, path in modules().items()
        if name in STARTERS or "find_program" in path.read_text(encoding="utf-8")
        for word in words_of(path)
        if re.match(r"(.*/)?git(\.exe)?( |\Z)", word) and not word.startswith("git is not")
    }

    assert named == {"base.git"}


def test_every_word_of_git_that_looks_is_known_to_run_nothing() -> None:
    """A further word belongs into the tests above first: each one here is tried in an armed repository."""
    assert {words[0] for words in LOOKS} == LOOKING


def test_a_git_that_is_too_slow_is_ended(trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setattr(git_module, "SECONDS", 0.2)
    looking = git_in(trap.repository, {"PATH": str(slow)})
    assert looking

    assert looking.answer("ls-files", seconds=0.2) == b""
    assert looking.answer("check-ignore", "--stdin", given=b"x" * 20_000, seconds=0.2) == b""
    with pytest.raises(ModicumError, match=r"took more than 0\.2 seconds"):
        looking.run("ls-files")


@pytest.mark.parametrize("file", ["plugin/hooks/*.json", ".pre-commit-hooks.yaml"])
def test_what_runs_in_the_repositories_of_users_starts_modicum_alone(file: str) -> None:
    texts = [path.read_text() for path in ROOT.glob(file)]
    commands = [
        line
        for text in texts
        for line in re.findall(r'(?:"command"|entry): *"?(.+?)"?,?$', text, re.MULTILINE)
    ]
    ours = r"(\[ -z \\\"\$GEMINI_SESSION_ID\\\" \] \|\| )?modicum [\w -]+( 2>/dev/null \|\| true)?|echo '.*'"

    assert commands
    assert [line for line in commands if not re.fullmatch(ours, line)] == []
