"""The session start of a new session, to look at: what the hook of an agent here tells it, or the notes of a project alone."""

from typing import NamedTuple

from modicum.app.agents.own_server import run_hook, text_for_model
from modicum.app.agents.setup import find_launcher
from modicum.app.inject.load import load_knowledge
from modicum.app.reading.tool_reading import tools_to_see
from modicum.app.session.start_text import SessionFacts, Size, session_start_text
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.engine.tokens import count
from modicum.memory.store import Store
from modicum.targets.model import Adapter


class ToldSessionStart(NamedTuple):
    """A session-start text and its tokens; the agents to choose from and the one that is chosen, if it is by an agent's hook."""

    text: str
    tokens: int
    agents: tuple[Adapter, ...] = ()
    chosen: Adapter | None = None


def told_session_start(
    store: Store, config: Config | None, project: str, agent: str = ""
) -> ToldSessionStart:
    """Returns what the workbench shows of a session's start: what an agent's hook ("": the first agent's) would tell it.

    Who has a token of their own, or asks a server of memory only, gets what is told of the project's notes.
    """
    if store.who.token or config is None:
        text = _text_of_project(store, project)
        return ToldSessionStart(text, count(text))
    config = load_config(config.environment, config.here)  # as its files are now
    agents = _agents_with_hooks(config)
    chosen = next((each for each in agents if each.id == (agent or agents[0].id)), None)
    if chosen is None:
        raise ModicumError(
            f'there is no agent "{agent[:60]}" with a hook here', remedy="choose one on the page"
        )
    printed, _ = run_hook(config, chosen, find_launcher())
    text = text_for_model(printed)
    return ToldSessionStart(text, count(text), agents, chosen)


def _agents_with_hooks(config: Config) -> tuple[Adapter, ...]:
    """The AI tools of this machine whose hooks can tell a new session something; without any, all of them."""
    knowledge = load_knowledge(config)
    every = [each for each in tools_to_see(config, knowledge, (), every=True) if each.contract]
    here = {each.id for each in tools_to_see(config, knowledge, (), every=False)}
    return tuple(each for each in every if each.id in here) or tuple(every)


def _text_of_project(store: Store, project: str) -> str:
    """What any agent would be told of a project's notes, as far as the person may see them."""
    size = Size()
    told = SessionFacts(store.recalled(project, size.lines), project)
    return session_start_text(
        told, size, lambda text: len(text.encode("utf-8", "replace")), size.max_bytes
    ).text
