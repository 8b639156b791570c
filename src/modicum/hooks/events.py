"""Handles the events of hooks: what is done and printed at each, with local memory or a server."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from itertools import takewhile

from modicum.app.session import events, seen_notes
from modicum.app.session.start import (
    FOR_PROMPT,
    SINCE,
    ComposedText,
    SessionFacts,
    looked_at,
    notes_text,
    session_start_text,
    words_of,
)
from modicum.app.specs.open_changes import docs_in, open_changes
from modicum.base import paths
from modicum.base.named_tuple import NamedTuple
from modicum.hooks.contracts import Contract
from modicum.hooks.payload import PRE_COMPACT, PROMPT_SUBMIT, SESSION_END, SESSION_START, SUBAGENT_STOP, Event
from modicum.hooks.servers import HookServer, server_of
from modicum.hooks.sizes import fits, limit_of, measure_of, opening_size, prompt_size

NOTHING = ComposedText()
CORE = "core"
PAGE_MARKS = (
    "<!-- modicum:start:",
    "<!-- written by modicum -->",
)  # as pages have them; targets are too much to load
UNKNOWN = "unknown"  # the session of an agent that does not say which it is
RESUME, COMPACT, MANUAL = "resume", "compact", "manual"  # why a session starts, or why it compacts
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
        return events.memory_of(self.environment)._replace(harness=self.harness)


def context_of(folder: str, harness: str, environment: Mapping[str, str]) -> HookContext:
    """Returns the context of a hook event in this folder, or in the current one if there is none."""
    start = folder if os.path.isdir(folder) else os.getcwd()
    root = paths.find_root(os.path.normpath(start), paths.home_of(environment))
    return HookContext(
        data=paths.folders_of(environment)[1],
        root=root,
        project=events.project_named(environment, root),
        harness=harness,
        environment=environment,
        server=server_of(environment),
    )


def session_start(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Handles a hook's session start event: returns the text for it; a resumed session gets only news."""
    known = seen_notes.is_known(place.data, event.session)
    resumed = event.source == RESUME and known and not contract.forgets
    if contract.opening == PROMPT_SUBMIT and event.session:
        _put_off(event, place, resumed=resumed)
        return NOTHING
    return _news(event, contract, place) if resumed else _opening(event, contract, place)


def _put_off(event: Event, place: HookContext, *, resumed: bool) -> None:
    """Leaves it to the next prompt to tell what a session is due."""
    if event.source == COMPACT:
        seen_notes.set_due(place.data, event.session, seen_notes.AGAIN)
    elif not resumed:
        seen_notes.forget_seen(place.data, event.session)
    elif not seen_notes.due(place.data, event.session):  # else a compaction was announced, and more is due
        seen_notes.set_due(place.data, event.session, seen_notes.NEWS)


def _opening(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Everything that a session hears first; after a compaction, again."""
    configs = _configs(place)
    size = opening_size(place.environment, _choices(configs))
    branch = paths.branch_of(place.root)
    change = open_changes(place.root, branch, docs_in(*configs.values()))
    about = words_of(" ".join((branch, *change[:1]))) - NEVER
    core = _core(place)
    recalled = _recalled(place, looked_at(size, about))
    is_compacted = event.source == COMPACT or seen_notes.due(place.data, event.session) == seen_notes.AGAIN
    told = SessionFacts(recalled, place.project, core, change, about, is_compacted)
    limit = limit_of(size, contract, len(core.encode()))
    found = session_start_text(told, size, measure_of(contract, limit), limit)
    # An agent that forgets the opening when it resumes has the notes of prompts all the same.
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=event.source != RESUME)
    seen_notes.settle(place.data, event.session)
    return found


def _news(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Notes that came after what a resumed session was told."""
    size = opening_size(place.environment, _choices(_configs(place)))
    seen = seen_notes.seen_in(place.data, event.session)
    notes = _unseen(_recalled(place, size.lines), seen)
    limit = limit_of(size, contract)
    found = notes_text(notes, place.project, SINCE, size, measure_of(contract, limit), limit)
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return found


def _recalled(place: HookContext, limit: int) -> events.Brief:
    if place.server:
        return place.server.memory().recalled(place.project, limit)
    return events.recalled(place.memory, place.project, limit)


def _unseen(recalled: events.Brief, seen: frozenset[int]) -> tuple[events.BriefNote, ...]:
    """Pins that were not shown, and the notes that are newer than any that was; none where a source gives no ids."""
    pinned = (noted for noted in recalled.pinned if noted.id and noted.id not in seen)
    newer = takewhile(lambda noted: noted.id and noted.id not in seen, recalled.notes)
    return (*pinned, *newer)


def prompt_submit(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Handles a hook's prompt event: saves the prompt, returns what is due and notes that are new to the session."""
    listens = event.kind in contract.context
    owed = _owed(event, contract, place) if listens else NOTHING
    if len(event.prompt) < SHORTEST_PROMPT or event.prompt.startswith("/"):
        return owed
    size = prompt_size(place.environment, _choices(_configs(place)))
    if not listens:
        size = size._replace(lines=0)
    prompt = events.TypedPrompt(place.project, event.session or UNKNOWN, place.root, event.prompt)
    seen = seen_notes.seen_in(place.data, event.session)
    submit = place.server.memory().submit if place.server else partial(events.keep_prompt, place.memory)
    notes = submit(prompt, seen, size.lines)
    limit = limit_of(size, contract)
    found = notes_text(notes, place.project, FOR_PROMPT, size, measure_of(contract, limit), limit)
    both = "\n\n".join(filter(None, (owed.text, found.text)))
    if owed.text and not fits(both, contract):
        return owed
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return ComposedText(both, (*owed.shown, *found.shown))


def _owed(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """The opening or the news that come with a prompt, because no earlier event could tell them."""
    word = seen_notes.due(place.data, event.session)
    known = not event.session or seen_notes.is_known(place.data, event.session)
    if (contract.opening == PROMPT_SUBMIT and not known) or word == seen_notes.AGAIN:
        return _opening(event, contract, place)
    if not word:
        return NOTHING
    seen_notes.settle(place.data, event.session)
    return _news(event, contract, place)


def session_end(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Handles a hook's session end event: ends the session and keeps its summary."""
    if place.server:
        place.server.memory().finish_session(place.project, event.session)
    else:
        events.finish_session(place.memory, place.project, event.session)
    _remember_newest(event, place)
    return NOTHING


def _remember_newest(event: Event, place: HookContext) -> None:
    """What was saved until now is no news to the session if it is resumed: most of it is its own."""
    if seen_notes.is_known(place.data, event.session):
        newest = _recalled(place, 1)
        ids = tuple(noted.id for noted in (*newest.pinned, *newest.notes))
        seen_notes.remember_seen(place.data, event.session, ids, anew=False)


def subagent_stop(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Handles a hook's sub-agent stop event: saves the learnings that the sub-agent lists."""
    text = event.message or (events.last_message(event.transcript) if event.transcript else "")
    if not text:
        return NOTHING
    if place.server:
        place.server.memory().capture(place.project, event.session or UNKNOWN, text)
    else:
        events.capture(place.memory, place.project, event.session, text)
    return NOTHING


def pre_compact(event: Event, contract: Contract, place: HookContext) -> ComposedText:
    """Handles a hook's compaction event: the session is due everything again; returns it if the agent takes it now."""
    if _is_idle(event, contract):
        return NOTHING
    if event.kind in contract.context:
        return _opening(event, contract, place)
    seen_notes.set_due(place.data, event.session, seen_notes.AGAIN)
    return NOTHING


def _is_idle(event: Event, contract: Contract) -> bool:
    """Whether an agent that announces a compaction at every turn is not going to compact now."""
    if not contract.compacts_at or event.source == MANUAL:
        return False
    return events.last_input_tokens(event.transcript) < contract.compacts_at


def _core(place: HookContext) -> str:
    """The core of the packs, where `modicum setup` has put it because the agent has no instruction file for it."""
    head, _, text = events.text_of(f"{place.data}/{CORE}/{place.harness}.md").partition("\n")
    files = head.removeprefix("unless ").split()
    # A file of the user's alone, such as AGENTS.md, tells nothing of the packs.
    told = any(mark in events.text_of(f"{place.root}/{file}") for file in files for mark in PAGE_MARKS)
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


ANSWERS: dict[str, Callable[[Event, Contract, HookContext], ComposedText]] = {
    SESSION_START: session_start,
    PROMPT_SUBMIT: prompt_submit,
    SESSION_END: session_end,
    SUBAGENT_STOP: subagent_stop,
    PRE_COMPACT: pre_compact,
}
