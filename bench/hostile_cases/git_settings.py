"""A repository whose settings, attributes and hooks name a program wherever git lets them."""

from pathlib import Path

FILTER = "evil"

# Every setting of git that names a program: `{}` is the command.
SETTINGS = {
    "alias.ls-files": "!{}",
    "alias.rev-parse": "!{}",
    "core.alternateRefsCommand": "{}",
    "core.askPass": "{}",
    "core.editor": "{}",
    "core.fsmonitor": "{}",
    "core.gitProxy": "{}",
    "core.pager": "{}",
    "core.sshCommand": "{}",
    "credential.helper": "!{}",
    "diff.external": "{}",
    f"diff.{FILTER}.command": "{}",
    f"diff.{FILTER}.textconv": "{}",
    f"filter.{FILTER}.clean": "{}",
    f"filter.{FILTER}.process": "{}",
    f"filter.{FILTER}.required": "true",
    f"filter.{FILTER}.smudge": "{}",
    "gpg.program": "{}",
    "gpg.ssh.defaultKeyCommand": "{}",
    "gpg.ssh.program": "{}",
    "gpg.x509.program": "{}",
    "commit.gpgSign": "true",
    "log.showSignature": "true",
    "tag.gpgSign": "true",
    "interactive.diffFilter": "{}",
    f"merge.{FILTER}.driver": "{}",
    "pager.check-ignore": "{}",
    "pager.ls-files": "{}",
    "pager.rev-parse": "{}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "remote.origin.receivepack": "{}",
    "remote.origin.uploadpack": "{}",
    "sequence.editor": "{}",
    "submodule.sub.update": "!{}",
    "submodule.recurse": "true",
    "uploadpack.packObjectsHook": "{}",
    "safe.directory": "*",
    "safe.bareRepository": "all",
}
# Objects that are missing are fetched from here, by a program.
PROMISOR = {
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
}
ADDRESSES = ("ext::{} %S", "ssh://git@localhost/x", "{here}", "canary::x")
HOOKS = (
    *(
        "applypatch-msg",
        "commit-msg",
        "fsmonitor-watchman",
        "post-applypatch",
        "post-checkout",
        "post-commit",
    ),
    *("post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch"),
    *("pre-auto-gc", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "pre-push", "pre-rebase"),
    *("pre-receive", "proc-receive", "push-to-checkout", "query-watchman", "reference-transaction"),
    *("sendemail-validate", "update"),
)
ATTRIBUTES = f"* filter={FILTER} diff={FILTER} merge={FILTER}\n"


def arm(
    repository: Path, command: str, address: str = ADDRESSES[0], *, elsewhere: Path | None = None
) -> None:
    """Puts a command wherever the settings, hooks and attributes of a repository can name one; its files may be said to be elsewhere."""
    git = repository / ".git" if (repository / ".git").is_dir() else repository
    hooks = git / "armed-hooks"
    more = {"core.hooksPath": str(hooks), "remote.origin.url": address.format(command, here=repository)}
    if elsewhere:
        more |= {"core.worktree": str(elsewhere)}
    settings = {**SETTINGS, **PROMISOR, **more}
    lines = [_line(name, value.format(command)) for name, value in settings.items()]
    with (git / "config").open("a", encoding="utf-8") as file:
        file.write("[core]\n\trepositoryformatversion = 1\n" + "".join(lines))
        file.write("[include]\n\tpath = included\n")
    (git / "included").write_text("".join(lines), encoding="utf-8")
    for folder in (hooks, git / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            _program(folder / name, command)
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text(ATTRIBUTES, encoding="utf-8")


def embed(folder: Path, command: str) -> None:
    """Makes a folder what git takes for a bare repository: all of it can be part of a clone."""
    for name in ("objects", "refs/heads"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\tbare = false\n\tworktree = ..\n")
    arm(folder, command)


def _line(name: str, value: str) -> str:
    section, _, key = name.rpartition(".")
    first, _, rest = section.partition(".")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    head = f'{first} "{rest}"' if rest else first
    return f'[{head}]\n\t{key} = "{escaped}"\n'


def _program(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\nexec {command}\n")
    path.chmod(0o755)
