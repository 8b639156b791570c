"""Real git repositories for tests: a project under git, and repositories of packs. The fixture is in conftest.py."""

import os
import subprocess
from pathlib import Path
from shutil import which

PROGRAM = which("git")
WHO = {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
ENVIRON = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **WHO}


def git(folder: Path, *words: str) -> str:
    """Runs git in a folder; returns what it prints."""
    command = [PROGRAM, "-c", "init.defaultBranch=main", "-C", str(folder), *words]
    environ = {"PATH": os.defpath, **ENVIRON}
    return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Commits everything in a folder, which becomes a repository if it is none; returns the commit."""
    if not (folder / ".git" / "HEAD").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


def packs_repository(folder: Path, text: str = "Never round twice.\n", tag: str = "") -> str:
    """A repository with one pack, `billing`, or a further commit of it; returns the commit."""
    pack = folder / "packs" / "billing"
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "pack.yaml").write_text("id: billing\nname: Billing\n")
    (pack / "context.md").write_text(f"## Billing\n\n{text}")
    commit = commit_all(folder)
    if tag:
        git(folder, "tag", "--force", tag)
    return commit


def with_git(world):
    """The world with the git program, and no other one, and with its project as a real repository."""
    programs = world.home.parent / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(PROGRAM)
    for name, value in {**ENVIRON, "PATH": str(programs)}.items():
        world.patch.setenv(name, value)
    git(world.project, "init", "--quiet")
    return world


def fresh_home(world, name: str = "colleague") -> None:
    """Another user on another machine, as far as modicum can tell, who has a clone of the project."""
    clone = world.home.parent / name / "clone"
    clone.parent.mkdir()
    git(world.home.parent, "clone", "--quiet", str(world.project), str(clone))
    world.home, world.project = clone.parent, clone
    world.patch.setenv("HOME", str(world.home))
    world.patch.chdir(clone)
