"""The doctor: checks the store, the hooks, the MCP server, and what each agent really loads."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modicum import __version__
from modicum.app.agents.costs import SessionCost, Tell, session_cost
from modicum.app.agents.own_server import ServerAnswer, ask_server
from modicum.app.agents.setup import Launcher, find_launcher, set_up_tools, survey_setup
from modicum.app.agents.wiring import path_of
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.memory.upkeep.meaning import MeaningState, meaning_state
from modicum.app.reading.tool_reading import cut_off_sentences, see_tools, tools_to_see
from modicum.base.bounded import MAX_BYTES, read_beginning
from modicum.base.config import Config
from modicum.base.value import Value
from modicum.engine.tokens import exact
from modicum.memory.store import Store
from modicum.targets.model import Adapter

SCOPES = ("global", "project")
HOOK_SECONDS = 2.0
RECENT_SECONDS = 24 * 60 * 60
ROUGH_TOKENS = "tokens are counted about double, because splintr cannot be imported: pip install splintr-rs"


class Examined(Value):
    """The doctor's result: versions, problems with their remedies (one is enough to fail), figures."""

    versions: Mapping[str, str]
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    server: ServerAnswer | None = None
    loaded: tuple[SessionCost, ...] = ()
    search: MeaningState | None = None
    index_mends: bool = False  # one of the problems is mended by making the search index anew


def examine(config: Config, knowledge: Knowledge, store: Store, tell: Tell = lambda _: None) -> Examined:
    """Runs the doctor: checks the store and the setup of agents, and runs what the agents would run."""
    start = find_launcher()
    adapters = _set_up(config, knowledge)
    found = store.problems()
    if adapters:
        tell("the MCP server")
    server = ask_server(start) if adapters else None
    loaded = tuple(session_cost(config, adapter, "", (start, server), tell) for adapter in adapters)
    failures, search = _failures(config), meaning_state(config, store)
    problems = (
        *(each.sentence for each in found),
        *knowledge.missing,
        *filter(None, [search.problem]),
        *_stale(config, knowledge, start),
        *_untrusted(config, knowledge),
        *([f"the MCP server does not answer: {server.trouble}"] if server and server.trouble else []),
        *_slow(loaded),
        *cut_off_sentences(see_tools(config, tools_to_see(config, knowledge, (), every=False))),
        *([] if exact("o200k_base") else [ROUGH_TOKENS]),
        *_failed(config, failures),
    )
    mends = any(each.index_mends for each in found)
    return Examined(versions(), problems, failures, server, loaded, search, mends)


def versions() -> dict[str, str]:
    """Returns the versions of modicum, Python and SQLite for the doctor."""
    import apsw

    return {
        "modicum": __version__,
        "python": sys.version.split()[0],
        "sqlite": apsw.sqlite_lib_version(),
    }


def _set_up(config: Config, knowledge: Knowledge) -> list[Adapter]:
    known = dict.fromkeys(tool for scope in SCOPES for tool in set_up_tools(config, scope))
    return [knowledge.adapters[tool] for tool in known if tool in knowledge.adapters]


def _stale(config: Config, knowledge: Knowledge, start: Launcher) -> Iterator[str]:
    """Yields a sentence for each file that is not as `modicum setup` would leave it."""
    for scope in SCOPES:
        named = [tool for tool in set_up_tools(config, scope) if tool in knowledge.adapters]
        flag = " --here" if scope == "project" else ""
        if not named:
            continue
        here = config if scope == "project" else config.of_user()
        known = knowledge if scope == "project" else load_knowledge(here)
        adapters = [known.adapters[tool] for tool in named if tool in known.adapters]
        found = survey_setup(here, known, adapters, scope, start)
        yield from found.troubles
        yield from (
            f"{wired.path} is not as it was set up: modicum setup{flag} {' '.join(a.id for a in adapters)}"
            for wired in found.wired
            if wired.change.changed
        )


def _failed(config: Config, failures: Sequence[str]) -> Iterator[str]:
    """Yields what to do about failures of hooks: each is one call, and is told for a day."""
    from modicum.app.session.hook_log import LOG

    if failures:
        yield f"failures of hooks within a day: {len(failures)} (they are in {config.data / LOG}: delete it once the cause is mended)"


def _failures(config: Config) -> tuple[str, ...]:
    from modicum.app.session.hook_log import read_failures

    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - RECENT_SECONDS))
    return tuple(line for line in read_failures(str(config.data)) if line >= since)


def _slow(loaded: Sequence[SessionCost]) -> Iterator[str]:
    for each in loaded:
        if each.hook_seconds > HOOK_SECONDS:
            yield f"the hook of {each.name} took {each.hook_seconds:.1f} s: is the disk, or a server, slow?"


def _untrusted(config: Config, knowledge: Knowledge) -> Iterator[str]:
    """Yields a sentence for each file with hooks of ours that an agent skips without a word."""
    for scope in SCOPES:
        for tool in set_up_tools(config, scope):
            adapter = knowledge.adapters.get(tool)
            if adapter and adapter.hook_trust:
                yield from _skipped_hooks(config, adapter, scope)


def _skipped_hooks(config: Config, adapter: Adapter, scope: str) -> Iterator[str]:
    from modicum.targets.hook_trust import is_trusted_project, untrusted_hooks

    settings = _toml(path_of(config, "global", adapter.hook_trust))
    root = str(config.root)
    if scope == "project" and not is_trusted_project(settings, {root, os.path.realpath(root)}):
        yield f"{adapter.name} reads nothing of this project's setup: start it here, and trust the folder"
        return
    for file in adapter.hooks:
        path = path_of(config, scope, file.path)
        names = {path, os.path.realpath(path)}
        if file.scope == scope and (
            skipped := untrusted_hooks(_json(path), settings, names, f"--harness {adapter.id}")
        ):
            what = f"{len(skipped)} of our hooks in {file.path} until you trust them as they are now"
            yield f"{adapter.name} skips {what}: start it, type /hooks, and trust them ({', '.join(skipped)})"


def _json(path: str) -> dict[str, Any]:
    try:
        found = json.loads(read_beginning(Path(path), MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}  # what is wrong with it is said where the setup is compared
    return found if isinstance(found, dict) else {}


def _toml(path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(read_beginning(Path(path), MAX_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
