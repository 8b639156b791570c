"""The screens of sessions: when somebody worked on what, and what a new session would be told."""

from itertools import groupby

from modicum.app.browse.opening import agents_with_hooks, opening_of_agent, opening_of_project
from modicum.base.errors import ModicumError
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Query, Session
from modicum.targets.model import Adapter
from modicum.web.answer import page
from modicum.web.memory.notes import project_asked, projects_of
from modicum.web.tools import project_config

SHOWN = 50


def sessions(request: ApiRequest) -> Reply:
    """Replies with the timeline of sessions, by day."""
    project = project_asked(request)
    found = request.store.sessions(Query(project=project, limit=SHOWN, cursor=request.text("cursor")))
    days = [(day, [*group]) for day, group in groupby(found.items, lambda each: each.active_at[:10])]
    return page(
        request,
        "sessions.html",
        screen="memory",
        tab="sessions",
        days=days,
        most=max((each.notes for each in found.items), default=0),
        next=found.next,
        project_name=project,
        projects=projects_of(request, project),
        is_later=bool(request.text("cursor")),
        minutes=minutes,
    )


def minutes(session: Session) -> str:
    """Returns from when to when a session went, within its day."""
    start, end = session.started_at[11:16], (session.ended_at or session.active_at)[11:16]
    return start if start == end else f"{start}–{end}"


def opening(request: ApiRequest) -> Reply:
    """Replies with what a new session would be told: by each agent's hook, or from a project's notes alone."""
    project = project_asked(request)
    agents: tuple[Adapter, ...] = ()
    chosen = None
    if request.store.who.token or request.config is None:
        text = opening_of_project(request.store, project)
    else:
        config = project_config(request)
        agents = agents_with_hooks(config)
        chosen = _agent(agents, request.text("agent"))
        text = opening_of_agent(config, chosen)
    return page(
        request,
        "opening.html",
        screen="memory",
        tab="opening",
        text=text,
        tokens=_tokens(text),
        agents=agents,
        chosen=chosen,
        project_name=project,
        projects=projects_of(request, project),
    )


def _agent(agents: tuple[Adapter, ...], name: str) -> Adapter:
    chosen = next((each for each in agents if each.id == (name or agents[0].id)), None)
    if chosen is None:
        raise ModicumError(
            f'there is no agent "{name[:60]}" with a hook here', remedy="choose one on the page"
        )
    return chosen


def _tokens(text: str) -> int:
    from modicum.engine.tokens import count

    return count(text)
