"""What is done and said at each event, with the memory of this machine or behind a server."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from modicum.app.session import events, seen_notes
from modicum.app.session.start import SessionFacts, looked_at, prompt_text, session_start_text
from modicum.app.specs.in_progress import docs_in, open_changes
from modicum.base import paths
from modicum.hooks.contracts import Contract
from modicum.hooks.payload import PRE_COMPACT, PROMPT_SUBMIT, SESSION_END, SESSION_START, SUBAGENT_STOP, Event
from modicum.hooks.sizes import limit_of, measure_of, opening_size, prompt_size
from modicum.memory.brief.lines import Brief, words_of

if TYPE_CHECKING:
    from modicum.hooks.remote import Remote

CORE = "core"
UNKNOWN = "unknown"  # the session of an agent that does not say which it is
SHORTEST_PROMPT = 12  # characters: "yes" and "go on" are not worth keeping
# Words of branches and changes that say nothing of what they are about.
NEVER = frozenset(
    ("feature", "main", "master", "develop", "release", "hotfix", "bugfix", "chore", "docs", "open", "change")
)


class HookContext(NamedTuple):
    """Where a hook works, for which project, and the server if there is one."""

    data: str
    root: str
    project: str
    harness: str
    environment: Mapping[str, str]
    server: str = ""

    @property
    def memory(self) -> events.Memory:
        return events.memory_of(self.environment)


def context_of(folder: str, harness: str, environment: Mapping[str, str]) -> HookContext:
    """The place of a session in a folder; without one, in the current folder."""
    start = folder if os.path.isdir(folder) else os.getcwd()
    root = paths.find_root(os.path.normpath(start), paths.home_of(environment))
    server = environment.get("MODICUM_SERVER") or environment.get("ENGRAM_URL") or ""
    return HookContext(
        data=paths.folders_of(environment)[1],
        root=root,
        project=events.project_of(root),
        harness=harness,
        environment=environment,
        server=server.strip(),
    )


def session_start(event: Event, contract: Contract, place: HookContext) -> str:
    """The opening. A session that is resumed has heard the rest, so that only what is new is told."""
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


def _recalled(place: HookContext, limit: int) -> Brief:
    if place.server:
        return _remote(place).recalled(place.project, limit)
    return events.recalled(place.memory, place.project, limit)


def _unseen(recalled: Brief, seen: frozenset[int]) -> Brief:
    pinned, notes = (
        tuple(noted for noted in each if noted.id not in seen) for each in (recalled.pinned, recalled.notes)
    )
    return Brief(pinned, notes, "", recalled.total)


def prompt_submit(event: Event, contract: Contract, place: HookContext) -> str:
    """Keep the prompt; add the notes that it calls for, if the agent listens, and only those that it has not seen."""
    if len(event.prompt.strip()) < SHORTEST_PROMPT or event.prompt.startswith("/"):
        return ""
    size = prompt_size(place.environment, _choices(_configs(place)))
    if event.kind not in contract.context:
        size = size._replace(lines=0)
    prompt = events.TypedPrompt(place.project, event.session or UNKNOWN, place.root, event.prompt)
    seen = seen_notes.seen_in(place.data, event.session)
    submit = _remote(place).submit if place.server else partial(events.keep_prompt, place.memory)
    notes = submit(prompt, seen, size.lines)
    limit = limit_of(size, contract)
    found = prompt_text(notes, place.project, size, measure_of(contract, limit), limit)
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return found.text


def session_end(event: Event, contract: Contract, place: HookContext) -> str:
    """End the session and keep its summary."""
    if place.server:
        _remote(place).finish_session(place.project, event.session)
    else:
        events.finish_session(place.memory, place.project, event.session)
    seen_notes.forget_seen(place.data, event.session)
    return ""


def subagent_stop(event: Event, contract: Contract, place: HookContext) -> str:
    """Keep what a sub-agent has learnt."""
    text = event.message or (events.last_message(event.transcript) if event.transcript else "")
    if not text:
        return ""
    if place.server:
        _remote(place).capture(place.project, event.session or UNKNOWN, text)
    else:
        events.capture(place.memory, place.project, event.session, text)
    return ""


def pre_compact(event: Event, contract: Contract, place: HookContext) -> str:
    """What was shown will be forgotten. An agent that listens here is told what to keep."""
    seen_notes.forget_seen(place.data, event.session)
    return session_start(event, contract, place) if event.kind in contract.context else ""


def _remote(place: HookContext) -> "Remote":
    from modicum.hooks.remote import Remote

    token = place.environment.get("MODICUM_TOKEN") or place.environment.get("ENGRAM_HTTP_TOKEN") or ""
    return Remote(place.server, token.strip())


def _core(place: HookContext) -> str:
    """The core of the packs, where `modicum setup` has put it because an agent has no instruction file to hold it."""
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
    """What they say about hooks. They are YAML, which takes its time, so only if they say anything."""
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
