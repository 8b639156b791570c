"""What a new session would be told: by the hook of an agent on this machine, or from the notes of a project alone."""

from modicum.app.agents.own_server import run_hook, text_for_model
from modicum.app.agents.see import tools_to_see
from modicum.app.agents.setup import find_launcher
from modicum.app.inject.load import load_knowledge
from modicum.app.session.start import SessionFacts, Size, session_start_text
from modicum.base.config import Config
from modicum.memory.store import Store
from modicum.targets.model import Adapter


def agents_with_hooks(config: Config) -> tuple[Adapter, ...]:
    """Returns the AI tools of this machine whose hooks can tell a new session something; without any, all of them."""
    knowledge = load_knowledge(config)
    every = [each for each in tools_to_see(config, knowledge, (), every=True) if each.contract]
    here = {each.id for each in tools_to_see(config, knowledge, (), every=False)}
    return tuple(each for each in every if each.id in here) or tuple(every)


def opening_of_agent(config: Config, adapter: Adapter) -> str:
    """Runs the hook of an agent as at the start of a session; returns the text that the model would get."""
    printed, _ = run_hook(config, adapter, find_launcher())
    return text_for_model(printed)


def opening_of_project(store: Store, project: str) -> str:
    """Returns what any agent would be told of a project's notes, as far as the person may see them."""
    size = Size()
    told = SessionFacts(store.recalled(project, size.lines), project)
    return session_start_text(
        told, size, lambda text: len(text.encode("utf-8", "replace")), size.max_bytes
    ).text
