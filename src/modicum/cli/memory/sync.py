"""The command modicum sync."""

import sys
from typing import TYPE_CHECKING

import click

from modicum.app.counted import counted, enumerated
from modicum.app.memory.exchange import check_chunks, left_at_home, open_sync
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.options import json_option, project_option
from modicum.cli.store import open_memory, warn_of_others

if TYPE_CHECKING:
    from modicum.memory.sync.model import Counts, OnProgress, Synced


@click.command()
@click.option("--status", is_flag=True, help="Say what would come and go, and do nothing.")
@click.option("--check", "check_only", is_flag=True, help="Read every chunk, without any memory: for CI.")
@click.option("--prompts", is_flag=True, help="Share what users typed, too.")
@click.option(
    "--trust",
    default="",
    metavar="MACHINE",
    help="Believe a machine from now on: its people speak as people here.",
)
@click.option("--distrust", default="", metavar="MACHINE", help="Believe a machine no longer.")
@click.option("--personal", is_flag=True, help="Share personal notes, too.")
@project_option
@json_option
def command(
    *, status: bool, check_only: bool, prompts: bool, personal: bool, trust: str, distrust: str, project: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Share a project's notes through git, as files in .modicum/memory that never conflict.

    What others have done comes in, what you have done goes out; edits, pins, relations and deletions, too.
    What a machine that you have not confirmed says a person said comes in as sync:person, and does not lead a session;
    --trust confirms a machine, your own second one, too. Commit the folder as you commit code. Exit 1 if a file is damaged: it is named, and the rest comes in.

    \b
    Examples:
      modicum sync
      modicum sync --status
      modicum sync && git add .modicum/memory
      modicum sync --trust m-3f9a1c0b7e
    """
    if check_only:
        return _check(as_json=as_json)
    with open_memory() as (config, store):
        sync = open_sync(
            config, store, project, prompts=prompts, personal=personal, on_progress=_bar(), writing=not status
        )
        for machine, trusted in ((trust, True), (distrust, False)):
            if machine:
                sync.trust(machine, trusted=trusted)
        done = sync.status() if status else sync.run()
        others, shown = left_at_home(store, sync.home), store.shown_projects().get(sync.home, sync.home)
        warn_of_others(config, store, project)
    _end_bar()
    if as_json:
        output.say_json(_as_json(done, shown))
    else:
        words = ("would come into", "would go out of") if status else ("came into", "went out of")
        _say(done, words, shown)
        _say_machines(done, status=status)
    for name, number in others:
        output.warn(f"not sent: {counted(number, 'note')} of {name}, which is another project")
    return _code(done)


def _check(*, as_json: bool) -> int:
    found = check_chunks(load_config())
    if as_json:
        output.say_json({"found": found.came._asdict(), "troubles": _troubles(found)})
    else:
        output.say(f"{_counted(found.came)} in {counted(found.came.chunks, 'chunk')}.")
        _warn(found)
    return _code(found)


def _code(done: "Synced") -> int:
    return FOUND if done.troubles else DONE


def _say(done: "Synced", words: tuple[str, str], project: str) -> None:
    for counts, word in zip((done.came, done.went), words, strict=True):
        output.say(f"{_counted(counts)} {word} {project}.")
    _warn(done)


def _say_machines(done: "Synced", *, status: bool) -> None:
    if status and done.machine:
        output.say(f"This machine is {done.machine} there.")
    for name in done.unconfirmed:
        output.say(
            f"{name} is not confirmed: what it says a person said is sync:person here (modicum sync --trust {name})."
        )


def _counted(counts: "Counts") -> str:
    return enumerated({name: number for name, number in counts._asdict().items() if name != "chunks"})


def _warn(done: "Synced") -> None:
    for trouble in done.troubles:
        output.warn(f"{trouble.chunk}: {trouble.reason}")


def _troubles(done: "Synced") -> list[dict[str, str]]:
    return [trouble._asdict() for trouble in done.troubles]


def _as_json(done: "Synced", project: str) -> dict[str, object]:
    counts: dict[str, object] = {
        "came": done.came._asdict(),
        "went": done.went._asdict(),
        "troubles": _troubles(done),
    }
    counts |= {"machine": done.machine or None, "unconfirmed": list(done.unconfirmed)}
    return {"project": project, **counts}


def _bar() -> "OnProgress":
    """One line that is written over, where a person looks."""
    if not sys.stderr.isatty():
        return lambda *_: None

    def tell(what: str, number: int, total: int) -> None:
        words = {"in": "Reading chunks", "out": "Looking at changes"}[what]
        sys.stderr.write(f"\r{words} {number}/{total}\x1b[K")
        sys.stderr.flush()

    return tell


def _end_bar() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
