"""The table of engram's HTTP routes."""

from typing import Any

import msgspec

from modicum.compat.engram import records
from modicum.compat.engram.http import conflicts, observations, projects, sessions, transfer
from modicum.compat.engram.http.health import HEALTH
from modicum.compat.engram.http.replies import answer, failure, refuse
from modicum.http.replies import JSON, PROBLEM
from modicum.http.routes import Handler, JsonSchema, Parameter, Route, RouteTable

KIB, MIB = 1024, 1024 * 1024
LARGEST_IMPORT, LARGEST_MIGRATION, LARGEST_RESCUE = 50 * MIB, KIB, 8 * KIB

NO_TOKEN = failure(503, "server authorization is not configured")
LONG_IMPORT = failure(400, "failed to read body: http: request body too large")
LONG_BODY = failure(400, "invalid JSON")


class FailureRecord(msgspec.Struct):
    """An error in the table of engram's routes: what is wrong."""

    error: str


class ServerFailureRecord(msgspec.Struct):
    """How the table of engram's routes words a problem: RFC 9457, with engram's `error` as well."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    error: str


# A number that is none is the default, so every parameter is a text.
_ABOUT = {
    "q": "What to look for.",
    "project": "Of this project; without it, of all.",
    "scope": "project, personal or global.",
    "type": "Of this type.",
    "limit": "How many.",
    "compact": "Titles only.",
    "observations": "How many observations; less than 0 is none.",
    "prompts": "How many prompts; less than 0 is none.",
    "sessions": "How many sessions; less than 0 is none.",
    "pinned": "How many pinned observations; less than 0 is none.",
    "max_bytes": "The most bytes that the context may have.",
    "observation_id": "The observation in the middle.",
    "before": "How many before it.",
    "after": "How many after it.",
    "hard": "For good.",
    "session_id": "The session.",
    "status": "Of this state; all relations are judged.",
    "since": "Made then or later.",
    "offset": "How many to pass over.",
    "cwd": "The folder; without it, the one that the server was started in.",
}
_TEXT: JsonSchema = {"type": ["string", "null"]}
_NEEDED_TEXT: JsonSchema = {"type": "string", "minLength": 1}
_OBJECTS: JsonSchema = {"type": ["array", "null"], "items": {"type": "object"}}
_NUMBERS: JsonSchema = {"type": ["array", "null"], "items": {"type": "integer"}}
_KINDS: dict[str, JsonSchema] = {
    **{name: {"type": "integer"} for name in ("memory_id_a", "memory_id_b")},
    "confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    "confirmed": {"type": "boolean"},
    "session_ids": {"type": ["array", "null"], "items": {"type": "string"}},
    **dict.fromkeys(("observation_ids", "prompt_ids"), _NUMBERS),
    **dict.fromkeys(("sessions", "observations", "prompts"), _OBJECTS),
}


def _parameter(word: str) -> Parameter:
    name, needed = word.rstrip("*"), word.endswith("*")
    return Parameter(name, _ABOUT[name], _NEEDED_TEXT if needed else {"type": "string"}, needed)


def _body(words: tuple[str, ...]) -> JsonSchema:
    names = {word.rstrip("*"): word.endswith("*") for word in words}
    fields = {name: _KINDS.get(name, _NEEDED_TEXT if needed else _TEXT) for name, needed in names.items()}
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name, needed in names.items() if needed],
    }


def _read(path: str, handler: Handler, summary: str, *takes: str, reply: object = None, failures: tuple[int, ...] = (),
          cached: bool = True, is_open: bool = False) -> Route:  # fmt: skip
    return Route("GET", path, handler, summary, tuple(map(_parameter, takes)), reply=reply, failures=failures,
                 names=_names(path), cached=cached, is_open=is_open)  # fmt: skip


def _write(method: str, path: str, handler: Handler, summary: str, *body: str, reply: object = None, status: int = 200,
           failures: tuple[int, ...] = (), takes: tuple[str, ...] = (), **more: Any) -> Route:  # noqa: ANN401 (fields of Route)  # fmt: skip
    return Route(method, path, handler, summary, tuple(map(_parameter, takes)), _body(body) if body else None, reply,
                 status, failures, _names(path), **more)  # fmt: skip


def _names(path: str) -> dict[str, JsonSchema]:
    return {"id": {"type": "integer"}} if "{id}" in path and "/sessions/" not in path else {}


_OBSERVATIONS = list[records.ObservationRecord] | None
_PARTS = ("observations", "prompts", "sessions", "pinned")

# What is required has a star behind its name.
ROUTES = (
    HEALTH,
    _write("POST", "/sessions", sessions.start_session, "Start a session", "id*", "project*", "directory", status=201,
           failures=(400,)),
    _read("/sessions/recent", sessions.recent_sessions, "The sessions with the latest activity", "project", "limit",
          reply=list[records.SessionSummaryRecord] | None),
    _read("/sessions/{id}", sessions.get_session, "A session", reply=records.SessionRecord),
    _write("DELETE", "/sessions/{id}", sessions.delete_session, "Delete an empty session", failures=(409,)),
    _write("POST", "/sessions/{id}/end", sessions.end_session, "End a session", "summary"),
    _write("POST", "/observations", observations.save_observation, "Save an observation", "session_id*", "title*",
           "content*", "type", "tool_name", "project", "scope", "topic_key", status=201, failures=(400,)),
    _write("POST", "/observations/passive", observations.capture, "Save the learnings that a text lists", "session_id*",
           "content", "project", "source", failures=(400,)),
    _read("/observations", observations.recent_observations, "The newest observations", "project", "limit", "scope",
          reply=_OBSERVATIONS),
    _read("/observations/recent", observations.recent_observations, "The newest observations", "project", "limit",
          "scope", reply=_OBSERVATIONS),
    _read("/observations/{id}", observations.get_observation, "An observation", reply=records.ObservationRecord,
          failures=(400,)),
    _write("PATCH", "/observations/{id}", observations.update_observation, "Change an observation",
           *observations.CHANGED, reply=records.ObservationRecord, failures=(400,)),
    _write("DELETE", "/observations/{id}", observations.delete_observation, "Delete an observation", takes=("hard",),
           failures=(400,)),
    _write("PUT", "/observations/{id}/pin", observations.pin_observation, "Pin an observation", failures=(400,)),
    _write("DELETE", "/observations/{id}/pin", observations.unpin_observation, "Unpin an observation", failures=(400,)),
    _read("/search", observations.search, "What answers a question", "q*", "type", "project", "scope", "limit",
          reply=list[records.SearchResultRecord] | None, failures=(400,)),
    _read("/timeline", observations.timeline, "An observation among its neighbours", "observation_id*", "before",
          "after", reply=records.TimelineRecord, failures=(400,)),
    _write("POST", "/prompts", sessions.save_prompt, "Save a prompt", "session_id*", "content*", "project", status=201,
           failures=(400,)),
    _read("/prompts/recent", sessions.recent_prompts, "The newest prompts", "project", "limit",
          reply=list[records.PromptRecord] | None),
    _read("/prompts/search", sessions.search_prompts, "Prompts with these words", "q*", "project", "limit",
          reply=list[records.PromptRecord] | None, failures=(400,)),
    _write("DELETE", "/prompts/{id}", sessions.delete_prompt, "Delete a prompt", failures=(400,)),
    _read("/context", observations.context, "What a new session should know", "project", "scope", "limit", "compact",
          *_PARTS, "max_bytes", reply=dict[str, str]),
    _read("/context/compaction", observations.session_context, "What is known of a session", "session_id*", "compact",
          "observations", "prompts", "max_bytes", reply=dict[str, str], failures=(400,)),
    _read("/export", transfer.export, "Everything", reply=records.ExportRecord, cached=False),
    _write("POST", "/import", transfer.import_archive, "Add what is not here yet", "sessions", "observations", "prompts",
           failures=(400,), largest_body=LARGEST_IMPORT, too_large=LONG_IMPORT),
    _read("/stats", transfer.stats, "How much there is", reply=records.StatsRecord),
    _write("POST", "/projects/migrate", projects.migrate_project, "Move a project into another", "old_project*",
           "new_project*", failures=(400,), largest_body=LARGEST_MIGRATION, too_large=LONG_BODY),
    _write("POST", "/projects/rescue-ownership", projects.rescue, "Bring what belongs to no project into one",
           "target_project*", "confirmed*", "observation_ids", "session_ids", "prompt_ids", failures=(400, 503),
           largest_body=LARGEST_RESCUE, too_large=LONG_BODY, without_tokens=NO_TOKEN),
    _read("/sync/status", transfer.sync_status, "Whether notes are synchronised", cached=False),
    _write("POST", "/topic-keys/suggest", observations.suggest_topic_key, "A topic key for an observation", "type",
           "title", "content", failures=(400,)),
    _read("/conflicts", conflicts.conflicts, "Relations, newest first", "project", "limit", "status", "since", "offset",
          failures=(400,)),
    _read("/conflicts/stats", conflicts.conflict_stats, "How many relations of each kind", "project"),
    _read("/conflicts/{id}", conflicts.conflict, "A relation", failures=(400,)),
    _write("POST", "/conflicts/scan", conflicts.scan, "Count pairs that may contradict each other", "project*",
           failures=(400,)),
    _write("POST", "/conflicts/compare", conflicts.compare, "Keep a verdict on two observations", "memory_id_a*",
           "memory_id_b*", "relation*", "confidence*", "reasoning*", "model", failures=(400,)),
    _read("/doctor", transfer.doctor, "Whether the file and its indexes are whole", "project", cached=False),
    _read("/project/current", projects.current_project, "The project of a folder", "cwd", cached=False),
)  # fmt: skip

ENGRAM = RouteTable(
    "",
    ROUTES,
    answer,
    refuse,
    {JSON: FailureRecord, PROBLEM: ServerFailureRecord, "text/plain": str},
)
