"""Sessions and their prompts in the database: starts, ends, removes and lists them."""

from modicum.memory.engines.database import Transaction
from modicum.memory.filters.model import PROMPT, SESSION, normal
from modicum.memory.model import Listing, NotFound, Prompt, Query, Refused, Session
from modicum.memory.names import project_name, public_line, public_name
from modicum.memory.origins import SYNC
from modicum.memory.tables.batches import forget
from modicum.memory.tables.sql import ListedTable, condition, first, insert, listing, select

FIELDS = Session._fields
GET = select(FIELDS, "sessions", "WHERE id = :id")

# A client that starts a session again may know more of it, and never less.
START = insert(
    "sessions",
    FIELDS,
    """
    ON CONFLICT (id) DO UPDATE SET
      project = CASE WHEN sessions.project = '' THEN excluded.project ELSE sessions.project END,
      directory = CASE WHEN sessions.directory = '' THEN excluded.directory ELSE sessions.directory END,
      namespace = CASE WHEN sessions.namespace = '' THEN excluded.namespace ELSE sessions.namespace END
    """,
    f"RETURNING {', '.join(FIELDS)}",
)

END = f"""
UPDATE sessions SET ended_at = :now, summary = CASE WHEN :summary = '' THEN summary ELSE :summary END,
  told_by = CASE WHEN :summary = '' THEN told_by ELSE :origin END
WHERE id = :id RETURNING {", ".join(FIELDS)}
"""  # noqa: S608 - from our own field names

REMOVE = "DELETE FROM sessions WHERE id = :id"
USES = """
SELECT EXISTS (SELECT 1 FROM notes WHERE session_id = :id), EXISTS (SELECT 1 FROM prompts WHERE session_id = :id)
"""

# What a machine says of a session that nobody here has confirmed is told of that session alone.
_LISTED = [
    name if name != "summary" else f"CASE WHEN told_by LIKE '{SYNC}:%' THEN '' ELSE summary END"
    for name in FIELDS
]
RECENT = ListedTable(select(_LISTED, "sessions"), at="active_at", key=str)
ADD_PROMPT = insert("prompts", Prompt._fields[1:], f"RETURNING {', '.join(Prompt._fields)}")
ADD_PROMPT_AS = insert("prompts", Prompt._fields, "RETURNING id")
REMOVE_PROMPT = "DELETE FROM prompts WHERE id = :id"
GET_PROMPT = select(Prompt._fields, "prompts", "WHERE id = :id")
RECENT_PROMPTS = ListedTable(select(Prompt._fields, "prompts"))


def start(tx: Transaction, session: Session) -> Session:
    """Starts a session in the database, or fills the gaps of the known one; returns it as it is now."""
    return Session(*tx.rows(START, session._asdict())[0])


def ensure_session(tx: Transaction, key: str, project: str, namespace: str, *, now: str, known: bool) -> None:
    """Adds a session to the database if missing; raises NotFound instead if it must be `known`."""
    key, namespace = public_name(key), public_name(namespace)
    if tx.rows("SELECT 1 FROM sessions WHERE id = :id", {"id": key}):
        return
    if known:
        raise NotFound(f'there is no session "{key}"', remedy="start it first")
    start(tx, Session(key, project, namespace=namespace, started_at=now, active_at=now))


def end(tx: Transaction, key: str, summary: str, *, now: str, origin: str) -> Session | None:
    """Ends a session in the database and returns it, or None; without a new summary it keeps the old one, and who told it."""
    values = {"id": public_name(key), "summary": summary, "now": now, "origin": origin}
    return first(tx.rows(END, values), Session)


def get(tx: Transaction, key: str) -> Session | None:
    return first(tx.rows(GET, {"id": public_name(key)}), Session)


def remove(tx: Transaction, key: str) -> bool:
    """Removes a session from the database; returns False if there is none. Refuses a non-empty one."""
    key = public_name(key)
    if any(tx.rows(USES, {"id": key})[0]):
        raise Refused(f'session "{key}" still holds notes or prompts', remedy="delete those for good first")
    removed = bool(tx.run(REMOVE, {"id": key}))
    if removed:
        forget(tx, "session", key)
    return removed


def recent(tx: Transaction, query: Query) -> Listing[Session]:
    """Lists the sessions in the database, the one with the latest activity first."""
    query = normal(query)
    return listing(tx, RECENT, Session, condition(query, SESSION), query)


def add_prompt(tx: Transaction, prompt: Prompt, *, known_session: bool) -> Prompt:
    prompt = prompt._replace(
        session_id=public_name(prompt.session_id), namespace=public_name(prompt.namespace)
    )
    ensure_session(
        tx, prompt.session_id, prompt.project, prompt.namespace, now=prompt.created_at, known=known_session
    )
    return Prompt(*tx.rows(ADD_PROMPT, prompt._asdict())[0])


def remove_prompt(tx: Transaction, number: int) -> bool:
    """Removes a prompt from the database for good; returns False if there is none."""
    removed = bool(tx.run(REMOVE_PROMPT, {"id": number}))
    if removed:
        forget(tx, "prompt", str(number))
    return removed


def get_prompt(tx: Transaction, number: int) -> Prompt | None:
    return first(tx.rows(GET_PROMPT, {"id": number}), Prompt)


def recent_prompts(tx: Transaction, query: Query) -> Listing[Prompt]:
    query = normal(query)
    return listing(tx, RECENT_PROMPTS, Prompt, condition(query, PROMPT), query)


def session_of(key: str, project: str, directory: str, namespace: str, *, now: str) -> Session:
    """Returns a new session for the database that begins now; refuses one without an id."""
    if not key.strip():
        raise Refused("a session needs an id", remedy="give it any name that no other session has")
    names = (public_name(key), project_name(project), public_line(directory), public_name(namespace).strip())
    return Session(*names, started_at=now, active_at=now)
