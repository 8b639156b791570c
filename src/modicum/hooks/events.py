"""Handles the events of hooks: what is done and printed at each, with local memory or a server."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from modicum.app.session import events, seen_notes
from modicum.app.session.start import SessionFacts, looked_at, prompt_text, session_start_text, words_of
from modicum.app.specs.open_changes import docs_in, open_changes
from modicum.base import paths
from modicum.hooks.contracts import Contract
from modicum.hooks.payload import PRE_COMPACT, PROMPT_SUBMIT, SESSION_END, SESSION_START, SUBAGENT_STOP, Event
from modicum.hooks.servers import HookServer, server_of
from modicum.hooks.sizes import limit_of, measure_of, opening_size, prompt_size

CORE = "core"
UNKNOWN = "unknown"  # the session of an agent that does not say which it is
SHORTEST_PROMPT = 12  # characters: "yes" and "go on" are not worth keeping
# Words of branches and changes that say nothing of what they are about.
NEVER = frozenset(
    ("feature", "main", "master", "develop", "release", "hotfix", "bugfix", "chore", "docs", "open", "change")
)


class HookContext(NamedTuple):
    """The context of a hook event: data folder, project, agent, environment, and the server if any."""

    data: str
    root: str
    project: str
    harness: str
    environment: Mapping[str, str]
    server: HookServer | None = None

    @property
    def memory(self) -> events.Memory:
        return events.memory_of(self.environment)


def context_of(folder: str, harness: str, environment: Mapping[str, str]) -> HookContext:
    """Returns the context of a hook event in this folder, or in the current one if there is none."""
    start = folder if os.path.isdir(folder) else os.getcwd()
    root = paths.find_root(os.path.normpath(start), paths.home_of(environment))
    return HookContext(
        data=paths.folders_of(environment)[1],
        root=root,
        project=events.project_of(root),
        harness=harness,
        environment=environment,
        server=server_of(environment),
    )


def session_start(event: Event, contract: Contract, place: HookContext) -> str:
    """Handles a hook's session start event: returns the text for it; a resumed session gets only news."""
    configs = _configs(place)
    size = opening_size(place.environment, _choices(configs))
    branch = paths.branch_of(place.root)
    change = open_changes(place.root, branch, docs_in(*configs.values()))
    about = words_of(" ".join((branch, *change[:1]))) - NEVER
    core = _core(place)
    recalled = _recalled(place, looked_at(size, about))
    resumed = event.source == "resume" and bool(seen := seen_notes.seen_in(place.data, event.session))
    if resumed:
        recalled = _unseen(recalled, seen)
        if not (recalled.pinned or recalled.notes):
            return ""
    told = SessionFacts(recalled, place.project, core, change, about, is_compacted=event.source == "compact")
    limit = limit_of(size, contract, len(core.encode()))
    found = session_start_text(told, size, measure_of(contract, limit), limit)
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=not resumed)
    return found.text


def _recalled(place: HookContext, limit: int) -> events.Brief:
    if place.server:
        return place.server.memory().recalled(place.project, limit)
    return events.recalled(place.memory, place.project, limit)


def _unseen(recalled: events.Brief, seen: frozenset[int]) -> events.Brief:
    pinned, notes = (
        tuple(noted for noted in each if noted.id not in seen) for each in (recalled.pinned, recalled.notes)
    )
    return events.Brief(pinned, notes, "", recalled.total)


def prompt_submit(event: Event, contract: Contract, place: HookContext) -> str:
    """Handles a hook's prompt event: saves the prompt, returns notes for it that are new to the session."""
    if len(event.prompt.strip()) < SHORTEST_PROMPT or event.prompt.startswith("/"):
        return ""
    size = prompt_size(place.environment, _choices(_configs(place)))
    if event.kind not in contract.context:
        size = size._replace(lines=0)
    prompt = events.TypedPrompt(place.project, event.session or UNKNOWN, place.root, event.prompt)
    seen = seen_notes.seen_in(place.data, event.session)
    submit = place.server.memory().submit if place.server else partial(events.keep_prompt, place.memory)
    notes = submit(prompt, seen, size.lines)
    limit = limit_of(size, contract)
    found = prompt_text(notes, place.project, size, measure_of(contract, limit), limit)
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return found.text


def session_end(event: Event, contract: Contract, place: HookContext) -> str:
    """Handles a hook's session end event: ends the session and keeps its summary."""
    if place.server:
        place.server.memory().finish_session(place.project, event.session)
    else:
        events.finish_session(place.memory, place.project, event.session)
    seen_notes.forget_seen(place.data, event.session)
    return ""


def subagent_stop(event: Event, contract: Contract, place: HookContext) -> str:
    """Handles a hook's sub-agent stop event: saves the learnings that the sub-agent lists."""
    text = event.message or (events.last_message(event.transcript) if event.transcript else "")
    if not text:
        return ""
    if place.server:
        place.server.memory().capture(place.project, event.session or UNKNOWN, text)
    else:
        events.capture(place.memory, place.project, event.session, text)
    return ""


def pre_compact(event: Event, contract: Contract, place: HookContext) -> str:
    """Handles a hook's compaction event: clears seen notes, returns the start text if the agent takes one."""
    seen_notes.forget_seen(place.data, event.session)
    return session_start(event, contract, place) if event.kind in contract.context else ""


def _core(place: HookContext) -> str:
    """The core of the packs, where `modicum setup` has put it because the agent has no instruction file for it."""
    head, _, text = events.text_of(f"{place.data}/{CORE}/{place.harness}.md").partition("\n")
    files = head.removeprefix("unless ").split()
    told = any(os.path.exists(f"{place.root}/{file}") for file in files)
    return "" if told else text.strip()


def _configs(place: HookContext) -> Mapping[str, str]:
    """The texts of the user's own config file and of the project's."""
    settings = paths.folders_of(place.environment)[0]
    files = (
        f"{settings}/{paths.CONFIG_FILE}",
        f"{place.root}/{paths.PROJECT_FOLDER}/{paths.CONFIG_FILE}",
    )
    return {file: events.text_of(file) for file in files}


def _choices(configs: Mapping[str, str]) -> Mapping[str, int]:
    """What the configs say about hooks. Reading YAML takes time, so only those are read that have the word."""
    texts = {file: text for file, text in configs.items() if "hook" in text}
    if not texts:
        return {}
    from modicum.base.config import parse_hook

    return {name: value for file, text in texts.items() for name, value in parse_hook(text, file).items()}


ANSWERS: dict[str, Callable[[Event, Contract, HookContext], str]] = {
    SESSION_START: session_start,
    PROMPT_SUBMIT: prompt_submit,
    SESSION_END: session_end,
    SUBAGENT_STOP: subagent_stop,
    PRE_COMPACT: pre_compact,
}
