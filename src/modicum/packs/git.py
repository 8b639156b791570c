"""Copies a git repository of packs at a ref with the `git` program: no shell, prompts, hooks or links."""

import re
from collections.abc import Mapping
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.git import Git, begin, own_git

_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z")
_OPTIONS = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.ssh.allow": "always",
    "protocol.file.allow": "always",
    # A link in somebody else's repository must not lead to the user's files.
    "core.symlinks": "false",
    "core.autocrlf": "false",
    "advice.detachedHead": "false",
}


def copy(location: str, ref: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Copies a git repository of packs at a ref (none: default branch) to a folder; returns the commit."""
    git = _git(folder, environ)
    begin(git)
    try:
        git.run(
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--",
            location,
            ref or "HEAD",
        )
        commit = git.run("rev-parse", "--verify", "FETCH_HEAD^{commit}")
    except ModicumError:
        if not _COMMIT.match(ref):
            raise
        commit = _any_commit(git, location, ref)
    git.run("checkout", "--quiet", "--force", "--detach", commit)
    return commit


def tag_commit(location: str, tag: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Returns the commit that a tag of a git repository of packs names now; "" if it has no such tag."""
    names = (f"refs/tags/{tag}", f"refs/tags/{tag}^{{}}")
    rows = _git(folder, environ).run("ls-remote", "--", location, *names).splitlines()
    commits = dict(row.split("\t")[::-1] for row in rows)
    return commits.get(names[1]) or commits.get(names[0], "")


def _any_commit(git: Git, location: str, commit: str) -> str:
    """Not every server hands out any commit by its hash; then all branches and tags are fetched."""
    every = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    git.run("fetch", "--quiet", "--no-recurse-submodules", "--update-head-ok", "--", location, *every)
    return git.run("rev-parse", "--verify", f"{commit}^{{commit}}")


def _git(folder: Path, environ: Mapping[str, str]) -> Git:
    return own_git(folder, environ, options=_OPTIONS, remedy="check the address, the ref and your access")
