"""What is read without a question: recent, pinned and neighbouring observations, and how many there are."""

from modicum.memory import observations, sessions
from modicum.memory.database import Database, Transaction
from modicum.memory.model import (
    Context,
    Listing,
    Observation,
    ProjectStats,
    Query,
    Sort,
    Stats,
    Timeline,
)
from modicum.memory.sql import VERSION, Condition, Table, condition, listing, normal, select, unindexed

_SELECT = select(observations.FIELDS, "observations")
_BY = {sort: Table(_SELECT, at=sort.value) for sort in Sort}
_TALLIED = ("project", "scope", "type", "namespace")

BEFORE = "AND (created_at, id) < (:created_at, :id) ORDER BY created_at DESC, id DESC LIMIT :limit"
AFTER = "AND (created_at, id) > (:created_at, :id) ORDER BY created_at, id LIMIT :limit"
_BESIDE = "WHERE session_id = :session_id AND deleted_at = ''"

OF_SESSION = " ".join((_SELECT, _BESIDE, "ORDER BY created_at, id LIMIT :limit"))

PROJECTS = """
SELECT project,
  sum(CASE kind WHEN 'observation' THEN count ELSE 0 END),
  sum(CASE kind WHEN 'session' THEN count ELSE 0 END),
  sum(CASE kind WHEN 'prompt' THEN count ELSE 0 END),
  coalesce((SELECT max(created_at) FROM observations WHERE project = tallies.project AND deleted_at = ''), '')
FROM tallies GROUP BY project HAVING sum(count) > 0
"""

FOLDERS = (
    "SELECT DISTINCT directory FROM sessions WHERE project = :project AND directory <> '' ORDER BY directory"
)


def recent(tx: Transaction, query: Query) -> Listing[Observation]:
    """Observations, newest first."""
    query = normal(query)
    return listing(tx, _BY[query.sort], Observation, _live(query), query)


def pinned(tx: Transaction, query: Query) -> Listing[Observation]:
    """Pinned observations, newest first."""
    query = normal(query)
    # Pins are few, and only their own index is to be used: without statistics no database knows that.
    asked = unindexed(condition(query), always=(observations.LIVE, "pinned = 1"))
    return listing(tx, _BY[Sort.CREATED], Observation, asked, query)


def _live(query: Query) -> Condition:
    return condition(query, always=(observations.LIVE,))


def of_session(tx: Transaction, key: str, limit: int) -> tuple[Observation, ...]:
    """The observations of a session, oldest first."""
    rows = tx.rows(OF_SESSION, {"session_id": key, "limit": limit})
    return tuple(Observation(*row) for row in rows)


def context(
    tx: Transaction, query: Query, *, sessions_limit: int, prompts_limit: int, pinned_limit: int
) -> Context:
    """What a new session should know. Sessions and prompts are of the project and namespace, whatever the scope."""
    broad = Query(project=query.project, namespace=query.namespace)
    return Context(
        sessions=sessions.recent(tx, broad._replace(limit=sessions_limit)).items,
        prompts=sessions.recent_prompts(tx, broad._replace(limit=prompts_limit)).items,
        observations=recent(tx, query).items,
        pinned=pinned(tx, query._replace(limit=pinned_limit, cursor="")).items,
    )


def timeline(tx: Transaction, number: int, *, before: int, after: int) -> Timeline:
    """An observation among its neighbours in the session."""
    focus = observations.require(tx, number)
    session = sessions.get(tx, focus.session_id)
    return Timeline(
        focus,
        _beside(tx, focus, BEFORE, before)[::-1],
        _beside(tx, focus, AFTER, after),
        session,
        session.observations if session else 1,
    )


def _beside(tx: Transaction, focus: Observation, side: str, limit: int) -> tuple[Observation, ...]:
    rows = tx.rows(" ".join((_SELECT, _BESIDE, side)), {**focus._asdict(), "limit": max(0, limit)})
    return tuple(Observation(*row) for row in rows)


def count(tx: Transaction, query: Query) -> int:
    """How many observations a query asks for, from the tallies wherever they can tell."""
    query = normal(query)
    if query.session or query.since or query.until:
        asked, table = _live(query), "observations"
        ((number,),) = tx.rows(select(("count(*)",), table, "WHERE", asked.text), asked.values)
    else:
        asked = condition(query, _TALLIED, always=("kind = 'observation'",))
        ((number,),) = tx.rows(
            select(("coalesce(sum(count), 0)",), "tallies", "WHERE", asked.text), asked.values
        )
    return int(number)


def stats(tx: Transaction) -> Stats:
    """How much there is, from the tallies."""
    projects = [ProjectStats(*row) for row in tx.rows(PROJECTS)]
    named = [project for project in projects if project.name and project.observations]
    named.sort(key=lambda project: project.latest_at, reverse=True)
    return Stats(
        sessions=sum(project.sessions for project in projects),
        observations=sum(project.observations for project in projects),
        prompts=sum(project.prompts for project in projects),
        projects=tuple(project.name for project in named),
    )


def projects(tx: Transaction) -> tuple[ProjectStats, ...]:
    """Every project that has anything, the one with most observations first."""
    found = [ProjectStats(*row) for row in tx.rows(PROJECTS)]
    found = [project._replace(directories=_folders(tx, project.name)) for project in found]
    return tuple(sorted(found, key=lambda project: (-project.observations, project.name)))


def _folders(tx: Transaction, project: str) -> tuple[str, ...]:
    return tuple(folder for (folder,) in tx.rows(FOLDERS, {"project": project}))


def version(database: Database) -> int:
    """A number that is another one after every change."""
    ((number,),) = database.ask(VERSION)
    return int(number)


def get(tx: Transaction, number: int, *, deleted: bool) -> Observation | None:
    """An observation by its id, also a deleted one if asked for."""
    rows = tx.rows(observations.GET if deleted else observations.GET_LIVE, {"id": number})
    return Observation(*rows[0]) if rows else None
