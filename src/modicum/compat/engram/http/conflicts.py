"""engram's routes for conflicts: our relations as judged conflicts. No conflict is ever pending."""

from datetime import datetime
from http import HTTPStatus

from modicum.compat.engram.context_text import plain_time
from modicum.compat.engram.go_json import BadBody, int_or
from modicum.compat.engram.http.fields import Fields, body_fields, needed_integer, parse_id, text, whole
from modicum.compat.engram.http.replies import EngramError, ok
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Note, Query, Refused
from modicum.memory.store import Store
from modicum.memory.tables import relations as relation_table
from modicum.memory.tables.relations import TitledRelation
from modicum.memory.times import parse_time

JUDGED = "judged"
LIMIT, MOST = 50, 500
MOST_SCANNED = 100
ALIKE = 3  # candidates looked for beside each observation

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


def _conflict_json(found: TitledRelation) -> dict[str, object]:
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


def conflicts(request: ApiRequest) -> Reply:
    limit = min(whole(request, "limit", LIMIT), MOST)
    offset = max(0, int_or(request.text("offset"), 0))
    project, since = request.text("project"), _since(request.text("since"))
    if request.text("status") not in ("", JUDGED):
        return ok({"limit": limit, "offset": offset, "relations": [], "total": 0})
    with request.store.reading() as tx:
        found = relation_table.titled(tx, project, since, limit=limit, offset=offset)
        total = sum(relation_table.counted(tx, project, since).values())
    relations = list(map(_conflict_json, found))
    return ok({"limit": limit, "offset": offset, "relations": relations, "total": total})


def _since(word: str) -> str:
    if not word:
        return ""
    try:
        return parse_time(datetime.fromisoformat(word).isoformat())
    except ValueError:
        message = "invalid since parameter: must be RFC3339"
        raise EngramError(HTTPStatus.BAD_REQUEST, message) from None


def conflict(request: ApiRequest) -> Reply:
    number = parse_id(request.path["id"], "invalid relation_id: must be an integer")
    with request.store.reading() as tx:
        found = relation_table.titled_one(tx, number)
    if found is None:
        raise EngramError(HTTPStatus.NOT_FOUND, f"relation {number} not found")
    relation = _conflict_json(found)
    snippets = {
        "source_snippet": relation.pop("source_title"),
        "target_snippet": relation.pop("target_title"),
    }
    return ok(dict(sorted({**relation, **snippets, "relation_id": relation.pop("id")}.items())))


def conflict_stats(request: ApiRequest) -> Reply:
    with request.store.reading() as tx:
        counts = relation_table.counted(tx, request.text("project"))
    by_relation: dict[str, int] = {}
    for ours, number in counts.items():
        theirs = _THEIRS.get(ours, ours)
        by_relation[theirs] = by_relation.get(theirs, 0) + number
    stats = {
        "by_judgment_status": {JUDGED: sum(counts.values())} if counts else {},
        "by_relation": dict(sorted(by_relation.items())),
        "dead": 0,
        "deferred": 0,
        "project": request.text("project"),
    }
    return ok(stats)


def scan(request: ApiRequest) -> Reply:
    """Answers engram's route that scans for conflicts: counts the likely pairs, and saves none."""
    project = text(body_fields(request), "project")
    if not project:
        raise EngramError(HTTPStatus.BAD_REQUEST, "project is required")
    inspected = request.store.recent(Query(project=project, limit=MOST_SCANNED)).items
    pairs = {pair for note in inspected for pair in _alike(request.store, note)}
    known = sum(_related(request.store, *pair) for pair in pairs)
    counts = ("inserted", "semantic_errors", "semantic_judged", "semantic_skipped")
    scanned = {
        "already_related": known,
        "candidates_found": len(pairs) - known,
        "capped": False,
        "dry_run": True,
        "inspected": len(inspected),
        "project": project,
        **dict.fromkeys(counts, 0),
    }
    return ok(dict(sorted(scanned.items())))


def _alike(store: Store, note: Note) -> set[tuple[int, int]]:
    query = Query(project=note.project, scope=note.scope, limit=ALIKE + 1)
    found = [hit.note.id for hit in store.search(note.title, query).items if not hit.nearby]
    return {(min(note.id, each), max(note.id, each)) for each in found if each != note.id}


def _related(store: Store, one: int, other: int) -> bool:
    return any(other in (edge.from_id, edge.to_id) for edge in store.relations(one))


def compare(request: ApiRequest) -> Reply:
    """Answers engram's route that saves a verdict on a conflict of two observations, as a relation."""
    body = body_fields(request)
    one, other = (needed_integer(body, field) for field in ("memory_id_a", "memory_id_b"))
    verb, reasoning = _verb(body), text(body, "reasoning")
    if not reasoning:
        raise EngramError(HTTPStatus.BAD_REQUEST, "reasoning is required")
    confidence = _confidence(body)
    if confidence is None:
        raise EngramError(HTTPStatus.BAD_REQUEST, "confidence is required")
    if _note(request.store, one).project != _note(request.store, other).project:
        raise EngramError(HTTPStatus.BAD_REQUEST, "the observations are of different projects")
    by = ", ".join(filter(None, (f"confidence {confidence:g}", text(body, "model"))))
    number = _relation(request.store, one, other, verb, f"{reasoning} ({by})")
    return ok({"sync_id": f"rel-{number}"})


def _relation(store: Store, one: int, other: int, verb: str, note: str) -> int:
    same = (
        edge.id
        for edge in store.relations(one)
        if (edge.from_id, edge.to_id, edge.type) == (one, other, verb)
    )
    known = next(same, None)
    return store.relate(one, other, verb, note=note)[0].id if known is None else known


def _note(store: Store, number: int) -> Note:
    found = store.get(number)
    if found is None:
        message = f"observation id={number} not found: sql: no rows in result set"
        raise EngramError(HTTPStatus.NOT_FOUND, message)
    return found


def _verb(body: Fields) -> str:
    verb = text(body, "relation")
    if not verb:
        raise EngramError(HTTPStatus.BAD_REQUEST, "relation is required")
    if verb not in VERBS:
        raise Refused(f"there is no relation {verb[:40]}", remedy=f"use one of: {', '.join(VERBS)}")
    return VERBS[verb]


def _confidence(body: Fields) -> float | None:
    given = body.get("confidence")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadBody("cannot unmarshal the value into field confidence of type float64")
    if not 0 <= given <= 1:
        raise EngramError(HTTPStatus.BAD_REQUEST, "confidence must be between 0.0 and 1.0")
    return float(given)
