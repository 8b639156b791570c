"""engram's later routes: relations told as judged conflicts, reviews, the doctor, the current project, rescues.

Nothing here is ever pending or due, for memory keeps no such state; where a route would need it, the reply says so.
"""

from datetime import datetime
from http import HTTPStatus

from modicum.app.memory.notes import current_project as find_project
from modicum.compat.engram.go_json import BadBody, decode, int_or, parse_int
from modicum.compat.engram.http import NO_SYNC
from modicum.compat.engram.text import plain_time
from modicum.http.replies import Fault, Reply, RequestParts, ok
from modicum.memory.model import Note, Query, Refused
from modicum.memory.names import project_name, storable
from modicum.memory.store import Store
from modicum.memory.tables import relations
from modicum.memory.tables.relations import TitledRelation
from modicum.memory.tables.rescue import MISSING, Lost, NotMoved
from modicum.memory.times import parse_time

JUDGED = "judged"
LIMIT, MOST = 50, 500
MOST_SCANNED = 100
ALIKE = 3  # candidates looked for beside each observation
MOST_WORDS = 4_000
NOTHING_TO_RESCUE = (
    "invalid ownership rescue request: provide a target project and at least one positive record ID "
    "or non-blank session ID"
)

# Their verbs, and ours where we have a word of our own.
VERBS = {
    "related": "relates_to",
    "conflicts_with": "contradicts",
    "supersedes": "supersedes",
    "compatible": "compatible",
    "scoped": "scoped",
    "not_conflict": "not_conflict",
}
_THEIRS = {ours: theirs for theirs, ours in VERBS.items()}


def _told(found: TitledRelation) -> dict[str, object]:
    return {
        "id": found.id,
        "sync_id": f"rel-{found.id}",
        "relation": _THEIRS.get(found.type, found.type),
        "judgment_status": JUDGED,
        "source_id": found.from_sync_id,
        "source_title": found.from_title,
        "target_id": found.to_sync_id,
        "target_title": found.to_title,
        "created_at": plain_time(found.created_at),
        "updated_at": plain_time(found.created_at),
    }


def conflicts(store: Store, asked: RequestParts) -> Reply:
    limit, offset = min(asked.whole("limit", LIMIT), MOST), max(0, int_or(asked.text("offset"), 0))
    project, since = asked.text("project"), _since(asked.text("since"))
    if asked.text("status") not in ("", JUDGED):
        return ok({"limit": limit, "offset": offset, "relations": [], "total": 0})
    with store.reading() as tx:
        found = relations.titled(tx, project, since, limit=limit, offset=offset)
        total = sum(relations.counted(tx, project, since).values())
    return ok({"limit": limit, "offset": offset, "relations": list(map(_told, found)), "total": total})


def _since(word: str) -> str:
    if not word:
        return ""
    try:
        return parse_time(datetime.fromisoformat(word).isoformat())
    except ValueError:
        message = "invalid since parameter: must be RFC3339"
        raise Fault(HTTPStatus.BAD_REQUEST, message) from None


def conflict(store: Store, asked: RequestParts) -> Reply:
    number = asked.number("invalid relation_id: must be an integer")
    with store.reading() as tx:
        found = relations.titled_one(tx, number)
    if found is None:
        raise Fault(HTTPStatus.NOT_FOUND, f"relation {number} not found")
    told = _told(found)
    titles = {"source_snippet": told.pop("source_title"), "target_snippet": told.pop("target_title")}
    return ok(dict(sorted({**told, **titles, "relation_id": told.pop("id")}.items())))


def conflict_stats(store: Store, asked: RequestParts) -> Reply:
    with store.reading() as tx:
        counts = relations.counted(tx, asked.text("project"))
    by_relation: dict[str, int] = {}
    for ours, number in counts.items():
        theirs = _THEIRS.get(ours, ours)
        by_relation[theirs] = by_relation.get(theirs, 0) + number
    told = {
        "by_judgment_status": {JUDGED: sum(counts.values())} if counts else {},
        "by_relation": dict(sorted(by_relation.items())),
        "dead": 0,
        "deferred": 0,
        "project": asked.text("project"),
    }
    return ok(told)


def deferred(store: Store, asked: RequestParts) -> Reply:
    return ok({"limit": min(asked.whole("limit", LIMIT), MOST), "rows": [], "total": 0})


def replay_deferred(store: Store, asked: RequestParts) -> Reply:
    return ok({"dead": 0, "failed": 0, "retried": 0, "succeeded": 0})


def scan(store: Store, asked: RequestParts) -> Reply:
    """Pairs that may contradict each other. They are counted and never kept: a guess is no relation."""
    project = _text(_fields(asked), "project")
    if not project:
        raise Fault(HTTPStatus.BAD_REQUEST, "project is required")
    query = Query(project=project, limit=MOST_SCANNED)
    inspected = store.recent(query).items
    pairs = {pair for note in inspected for pair in _alike(store, note)}
    known = sum(_related(store, *pair) for pair in pairs)
    counts = ("inserted", "semantic_errors", "semantic_judged", "semantic_skipped")
    told = {
        "already_related": known,
        "candidates_found": len(pairs) - known,
        "capped": False,
        "dry_run": True,
        "inspected": len(inspected),
        "project": project,
        **dict.fromkeys(counts, 0),
    }
    return ok(dict(sorted(told.items())))


def _alike(store: Store, note: Note) -> set[tuple[int, int]]:
    query = Query(project=note.project, scope=note.scope, limit=ALIKE + 1)
    found = [hit.note.id for hit in store.search(note.title, query).items if not hit.nearby]
    return {(min(note.id, each), max(note.id, each)) for each in found if each != note.id}


def _related(store: Store, one: int, other: int) -> bool:
    return any(other in (edge.from_id, edge.to_id) for edge in store.relations(one))


def judge(store: Store, asked: RequestParts) -> Reply:
    body = _fields(asked)
    name = _text(body, "judgment_id")
    for field in ("judgment_id", "relation"):
        if not _text(body, field):
            raise Fault(HTTPStatus.BAD_REQUEST, f"{field} is required")
    _verb(body)
    _confidence(body)
    message = f"no judgment is pending under {name[:80]}: record one with POST /conflicts/compare"
    raise Fault(HTTPStatus.BAD_REQUEST, message)


def compare(store: Store, asked: RequestParts) -> Reply:
    """A verdict on two observations, kept as a relation."""
    body = _fields(asked)
    one, other = (_number(body, field) for field in ("memory_id_a", "memory_id_b"))
    verb, reasoning = _verb(body), _text(body, "reasoning")
    if not reasoning:
        raise Fault(HTTPStatus.BAD_REQUEST, "reasoning is required")
    confidence = _confidence(body)
    if confidence is None:
        raise Fault(HTTPStatus.BAD_REQUEST, "confidence is required")
    if _found(store, one).project != _found(store, other).project:
        raise Fault(HTTPStatus.BAD_REQUEST, "the observations are of different projects")
    by = ", ".join(filter(None, (f"confidence {confidence:g}", _text(body, "model"))))
    return ok({"sync_id": f"rel-{_edge(store, one, other, verb, f'{reasoning} ({by})')}"})


def _edge(store: Store, one: int, other: int, verb: str, note: str) -> int:
    same = (
        edge.id
        for edge in store.relations(one)
        if (edge.from_id, edge.to_id, edge.type) == (one, other, verb)
    )
    known = next(same, None)
    return store.relate(one, other, verb, note=note)[0].id if known is None else known


def _found(store: Store, number: int) -> Note:
    found = store.get(number)
    if found is None:
        raise Fault(HTTPStatus.NOT_FOUND, f"observation id={number} not found: sql: no rows in result set")
    return found


def review(store: Store, asked: RequestParts) -> Reply:
    """What is due for a review: nothing, for notes have no date on which they stop being true."""
    return ok({"count": 0, "observations": []})


def mark_reviewed(store: Store, asked: RequestParts) -> Reply:
    body = _fields(asked)
    number = _whole(body.get("observation_id")) or _whole(body.get("id"))
    if not number:
        raise Fault(HTTPStatus.BAD_REQUEST, "observation_id is required")
    found = store.get(number)
    if found is None:
        raise Fault(HTTPStatus.NOT_FOUND, "observation not found")
    told = {
        "id": found.id,
        "state": "active",
        "sync_id": found.sync_id,
        "title": found.title,
        "type": found.type,
    }
    return ok(dict(sorted({**told, **({"project": found.project} if found.project else {})}.items())))


def doctor(store: Store, asked: RequestParts) -> Reply:
    problems = store.problems()
    checks = [{"check": "file", "message": problem, "status": "error"} for problem in problems]
    status = "error" if problems else "ok"
    whole = [{"check": "file", "message": "the file and its indexes are whole", "status": "ok"}]
    return ok({"checks": checks or whole, "project": asked.text("project"), "status": status})


def current_project(store: Store, asked: RequestParts) -> Reply:
    found = find_project(asked.text("cwd").strip())
    told = {
        "available_projects": [],
        "cwd": found.folder,
        "project": found.name,
        "project_path": found.root,
        "project_source": found.source,
    }
    return ok(told)


def rescue(store: Store, asked: RequestParts) -> Reply:
    """Bring what belongs to no project into one, item by item; what belongs to another stays there."""
    project, lost = _claim(asked)
    done = store.rescue(lost, project)
    missing = sum(left.reason == MISSING for left in done.left)
    told = {
        "status": "partially_rescued" if done.left else "rescued",
        "complete": not done.left,
        "blocked": [_left(left) for left in done.left],
        "target_project": project,
        **{f"rescued_{_kind(kind)}s": done.count(kind) for kind in ("note", "session", "prompt")},
        "conflicting_records": len(done.left) - missing,
        "skipped_records": done.there + missing,
        "journaled_local": False,  # there is no journal, and nothing waits to be sent
        "reconciliation_status": NO_SYNC,
    }
    return ok(dict(sorted(told.items())))


def _kind(kind: str) -> str:
    return "observation" if kind == "note" else kind


def _left(left: NotMoved) -> dict[str, str]:
    item = left.item
    return {"kind": _kind(item.kind), "id": str(item.id), "reason": left.reason, "owned_by": left.owner}


def _claim(asked: RequestParts) -> tuple[str, Lost]:
    try:
        body = _fields(asked)
        project, confirmed = project_name(_text(body, "target_project")), _flag(body, "confirmed")
        lost = Lost(
            tuple(storable(_text({"id": key}, "id")) for key in _several(body, "session_ids")),
            *(tuple(map(_whole, _several(body, name))) for name in ("observation_ids", "prompt_ids")),
        )
    except BadBody:
        raise Fault(HTTPStatus.BAD_REQUEST, "invalid JSON") from None
    if not project:
        raise Fault(HTTPStatus.BAD_REQUEST, "target_project is required")
    if not confirmed:
        raise Fault(HTTPStatus.BAD_REQUEST, "confirmed must be true")
    numbers = (*lost.notes, *lost.prompts)
    if not any(lost) or not all(lost.sessions) or any(number <= 0 for number in numbers):
        raise Fault(HTTPStatus.BAD_REQUEST, NOTHING_TO_RESCUE)
    return project, lost


# Bodies: as tolerant as theirs, and no more.


def _fields(asked: RequestParts) -> dict[str, object]:
    value = decode(asked.body)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadBody("cannot unmarshal the value into an object")
    return {str(name).lower(): given for name, given in value.items()}


def _text(body: dict[str, object], field: str) -> str:
    given = body.get(field)
    if given is not None and not isinstance(given, str):
        raise BadBody(f"cannot unmarshal the value into field {field} of type string")
    return (given or "").strip()[:MOST_WORDS]


def _flag(body: dict[str, object], field: str) -> bool:
    given = body.get(field) or False
    if not isinstance(given, bool):
        raise BadBody(f"cannot unmarshal the value into field {field} of type bool")
    return given


def _several(body: dict[str, object], field: str) -> list[object]:
    given = body.get(field)
    if given is not None and not isinstance(given, list):
        raise BadBody(f"cannot unmarshal the value into field {field} of type slice")
    return given or []


def _whole(given: object) -> int:
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int) or parse_int(str(given)) is None:
        raise BadBody("cannot unmarshal the value into a field of type int64")
    return given


def _number(body: dict[str, object], field: str) -> int:
    if not (number := _whole(body.get(field))):
        raise Fault(HTTPStatus.BAD_REQUEST, f"{field} is required")
    return number


def _verb(body: dict[str, object]) -> str:
    verb = _text(body, "relation")
    if not verb:
        raise Fault(HTTPStatus.BAD_REQUEST, "relation is required")
    if verb not in VERBS:
        raise Refused(f"there is no relation {verb[:40]}", remedy=f"use one of: {', '.join(VERBS)}")
    return VERBS[verb]


def _confidence(body: dict[str, object]) -> float | None:
    given = body.get("confidence")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadBody("cannot unmarshal the value into field confidence of type float64")
    if not 0 <= given <= 1:
        raise Fault(HTTPStatus.BAD_REQUEST, "confidence must be between 0.0 and 1.0")
    return float(given)
