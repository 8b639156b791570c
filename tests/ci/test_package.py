"""The wheel and the sdist, built as for a release: what is in them, and what they say of themselves."""

import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import modicum

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
BUILD = "import sys; from hatchling.build import build_sdist, build_wheel; print({}(sys.argv[1]))"


def built(kind: str, folder: Path) -> Path:
    """Builds by the build backend in an environment of its own: it is not among the libraries of the tests."""
    room = folder / "build"
    subprocess.run([sys.executable, "-m", "venv", room], check=True)
    python = room / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "hatchling>=1.25,<2"], check=True)
    words = [python, "-c", BUILD.format(kind), folder]
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    return folder / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZipFile]:
    with ZipFile(built("build_wheel", tmp_path_factory.mktemp("wheel"))) as file:
        yield file


@pytest.fixture(scope="module")
def about(wheel: ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: ZipFile) -> None:
    ours = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "modicum").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    info = f"modicum-{modicum.__version__}.dist-info"
    beside = {
        f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }

    assert set(wheel.namelist()) == ours | beside
    assert {
        "modicum/py.typed",
        "modicum/data/adapters/codex.yaml",
        "modicum/memory/engines/sqlite.sql",
    } <= ours


def test_the_version_is_that_of_the_library(about: Message) -> None:
    assert about["Version"] == modicum.__version__


def test_what_it_says_of_itself_is_complete(about: Message) -> None:
    classifiers = about.get_all("Classifier") or []

    assert about["Requires-Python"] == ">=3.11"
    assert about["License-Expression"] == "Apache-2.0"
    assert about["Description-Content-Type"] == "text/markdown"
    assert {"mcp", "postgres", "meaning"} <= set(about.get_all("Provides-Extra") or ())
    assert [f"Programming Language :: Python :: 3.{minor}" in classifiers for minor in (11, 12, 13)] == [
        True
    ] * 3
    assert "mcp-name:" in str(about.get_payload())


def test_the_core_does_not_need_the_library_for_mcp(about: Message) -> None:
    core = [line for line in about.get_all("Requires-Dist") or () if "extra ==" not in line]

    assert not [line for line in core if line.startswith(("mcp", "cryptography", "pydantic"))]


def test_the_sdist_holds_what_the_tests_need_and_no_caches(tmp_path: Path) -> None:
    with tarfile.open(built("build_sdist", tmp_path)) as file:
        names = {name.partition("/")[2] for name in file.getnames()}

    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "tests/conftest.py",
        "scripts/test",
        "plugin/.mcp.json",
    } <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", ".git/", ".ci"))]


def test_the_manual_says_what_every_library_is_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name != "dev"}
    lines = (*project["dependencies"], *(line for each in extras.values() for line in each))
    manual = (ROOT / "docs" / "install.md").read_text()

    names = [re.split(r"[\[<>=]", line)[0] for line in lines]

    assert [name for name in names if not re.search(rf"[|, ] ?{re.escape(name)}[,| ]", manual)] == []
    assert [name for name in extras if f"`modicum[{name}]`" not in manual] == []
