"""Scans a project's folder for manifests, conventions, decisions, tests and source files; never outside of it."""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from modicum.base.bounded import read_beginning
from modicum.base.errors import ModicumError
from modicum.specs.check.sources import CONVENTIONS, without_regions
from modicum.specs.files import Workspace, adr_files, is_adr
from modicum.specs.project.facts import ProjectFacts, ProjectFile
from modicum.text.snippets import snippet

MANIFESTS = frozenset(
    (
        "package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml",
        "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "Package.swift", "CMakeLists.txt",
        "Makefile", "deno.json", "pubspec.yaml",
    )
)  # fmt: skip
SETTINGS = frozenset(
    (
        "Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yaml", "tsconfig.json", "vite.config.ts",
        "next.config.js", "ruff.toml", ".eslintrc.json", ".editorconfig", ".pre-commit-config.yaml", "tox.ini", "pytest.ini",
        "Jenkinsfile", ".gitlab-ci.yml", "Procfile", "fly.toml", "vercel.json", "openapi.yaml", "openapi.json", "schema.prisma",
        "schema.sql", "alembic.ini",
    )
)  # fmt: skip
SKIPPED = frozenset(
    (
        "node_modules", "__pycache__", "vendor", "dist", "build", "target", "venv", "coverage", "htmlcov", "site-packages",
    )
)  # fmt: skip
SOURCES = frozenset(
    (
        "py", "js", "ts", "tsx", "jsx", "go", "rs", "java", "kt", "rb", "php", "cs", "c", "h", "cpp", "hpp", "swift", "scala",
        "ex", "exs", "dart", "sql", "vue", "svelte", "lua", "sh",
    )
)  # fmt: skip
MOST_FILES = 20_000
LONGEST_SHOWN = 200  # characters of a path in a message
MOST_BYTES = 100_000


def scanned_folder(workspace: Workspace, path: str) -> Path:
    """Returns the folder that a scan of a project reads; raises ModicumError if it is outside of the project."""
    top = Path(os.path.realpath(workspace.root))
    wanted, shown = _resolved(workspace.root / path), snippet(path, LONGEST_SHOWN)
    if wanted and not wanted.is_relative_to(top):
        raise ModicumError(
            f"{shown} is outside of the project {workspace.root}", remedy="name a folder inside of it"
        )
    if wanted is None or not os.path.isdir(wanted):  # noqa: PTH112 - False for a name that is too long
        raise ModicumError(f"{shown} is no folder", remedy=f"name a folder in {workspace.root}")
    return wanted


def _resolved(path: Path) -> Path | None:
    """Returns a path without links; None if no path can be like this, as one with a NUL."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def walk(folder: Path) -> Iterator[tuple[str, int]]:
    """Yields the files that a scan of a project sees, with sizes; links, pipes, hidden and generated ones are skipped."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and not name.startswith("."))
        for name in sorted(files):
            path = f"{here}{os.sep}{name}"
            with suppress(OSError):
                status = os.lstat(path)
                if stat.S_ISREG(status.st_mode):  # no link, no pipe
                    yield path, status.st_size


def scan(workspace: Workspace, path: str = "") -> ProjectFacts:
    """Scans a project, or a folder in it; returns the facts that were found."""
    folder = scanned_folder(workspace, path)
    manifests, settings, tests = list[ProjectFile](), list[ProjectFile](), list[str]()
    folders, languages = Counter[str](), Counter[str]()
    count = 0
    for file, size in walk(folder):
        count += 1
        if count > MOST_FILES:
            break
        shown = Path(file).relative_to(folder).as_posix()
        name, ending = shown.rpartition("/")[2], shown.rpartition(".")[2].lower()
        if name in MANIFESTS:
            manifests.append(ProjectFile(shown, size, _text(file, size)))
        elif name in SETTINGS:
            settings.append(ProjectFile(shown, size))
        if ending in SOURCES:
            languages[ending] += 1
            folders["/".join(shown.split("/")[:-1][:2]) or "."] += 1
            tests += [shown] if _is_test(shown) else []
    return ProjectFacts(
        root=folder.name,
        manifests=tuple(manifests),
        settings=tuple(settings),
        conventions=tuple(_conventions(folder)),
        decisions=tuple(_decisions(workspace, folder)),
        tests=tuple(tests),
        folders=tuple(folders.most_common()),
        languages=tuple(languages.most_common()),
        files=min(count, MOST_FILES),
        cut=count > MOST_FILES,
    )


def _text(file: str, size: int) -> str:
    if size > MOST_BYTES:
        return ""
    try:
        return read_beginning(file, MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _is_test(path: str) -> bool:
    *folders, name = path.lower().split("/")
    words = ("test_", "_test.", ".test.", ".spec.", "_spec.", "tests.")
    return any(word in name for word in words) or any(
        each in ("test", "tests", "spec", "__tests__") for each in folders
    )


def _conventions(folder: Path) -> Iterator[ProjectFile]:
    rules = (
        sorted((folder / ".cursor" / "rules").glob("*")) if (folder / ".cursor" / "rules").is_dir() else []
    )
    for path in (*(folder / name for name in CONVENTIONS), *rules):
        if path.is_file() and not path.is_symlink():
            size = path.stat().st_size
            yield ProjectFile(
                path.relative_to(folder).as_posix(), size, without_regions(_text(str(path), size))
            )


def _decisions(workspace: Workspace, folder: Path) -> Iterator[ProjectFile]:
    for path in adr_files(workspace):
        real = Path(os.path.realpath(path))
        if is_adr(path.name) and real.is_relative_to(folder):
            yield ProjectFile(real.relative_to(folder).as_posix(), path.stat().st_size)


def mentions(folder: Path, wanted: frozenset[str]) -> dict[str, list[str]]:
    """Scans the source files of a project that has no specs yet for some words; returns the files that mention each word."""
    found: dict[str, list[str]] = {word: [] for word in sorted(wanted)}
    for number, (file, size) in enumerate(walk(folder)):
        if number >= MOST_FILES:
            break
        if file.rpartition(".")[2].lower() in SOURCES and size <= MOST_BYTES:
            text = _text(file, size)
            shown = Path(file).relative_to(folder).as_posix()
            for word in found:
                if word in text:
                    found[word].append(shown)
    return found
