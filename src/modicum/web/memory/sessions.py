"""The screens of sessions: when somebody worked on what, and what a new session would be told."""

from itertools import groupby

from modicum.app.workbench.projects import projects_to_choose
from modicum.app.workbench.session_start import told_session_start
from modicum.app.workbench.sessions import recent_sessions
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Session
from modicum.web.answer import page
from modicum.web.memory.notes import project_asked


def sessions(request: ApiRequest) -> Reply:
    """Replies with the screen of sessions: a timeline of them, by day."""
    project = project_asked(request)
    found = recent_sessions(request.store, project, request.text("cursor"))
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
        projects=projects_to_choose(request.store, project),
        is_later=bool(request.text("cursor")),
        minutes=minutes,
    )


def minutes(session: Session) -> str:
    """Returns from when to when a session went on its day, for the screen of sessions."""
    start, end = session.started_at[11:16], (session.ended_at or session.active_at)[11:16]
    return start if start == end else f"{start}–{end}"


def session_start(request: ApiRequest) -> Reply:
    """Replies with the screen of what a new session would be told: by each agent's hook, or from a project's notes alone."""
    project = project_asked(request)
    told = told_session_start(request.store, request.config, project, request.text("agent"))
    return page(
        request,
        "session_start.html",
        screen="memory",
        tab="session-start",
        project_name=project,
        projects=projects_to_choose(request.store, project),
        **told._asdict(),
    )
