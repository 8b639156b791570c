"""The table of routes: what answers each, whether it writes, and how large its body may be."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from modicum.compat.engram import http, http_later, records
from modicum.http import pages, people
from modicum.http.replies import Answering, Reply, RequestParts, answer
from modicum.memory.store import Store

KIB, MIB = 1024, 1024 * 1024
LARGEST_BODY = 32 * MIB
LARGEST_IMPORT = 50 * MIB
LARGEST_MIGRATION = KIB
LARGEST_RESCUE = 8 * KIB

NUMBER = ("project", "limit")
PAGE = ("detail", "max_tokens", "max_bytes", "tokenizer", "cursor")
FILTERS = ("project", "scope", "type", "namespace", "session", "since", "until")
PARTS = ("observations", "prompts", "sessions", "pinned")


class Route(NamedTuple):
    """A method on a path. Parameters and fields with a star are required."""

    method: str
    path: str
    answering: Answering
    does: str
    takes: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    gives: object = None
    failures: tuple[int, ...] = ()
    cached: bool = False
    largest: int = LARGEST_BODY
    needs_token: bool = False

    @property
    def writes(self) -> bool:
        return self.method != "GET"


def _read(
    path: str, answering: Answering, does: str, *takes: str, gives: object = None, **more: object
) -> Route:
    return Route("GET", path, answering, does, takes, (), gives, cached=True)._replace(**more)  # type: ignore[arg-type]


def _write(
    method: str, path: str, answering: Answering, does: str, *body: str, gives: object = None, **more: object
) -> Route:
    return Route(method, path, answering, does, (), body, gives)._replace(**more)  # type: ignore[arg-type]


_CONTEXT = pages.either(http.context, pages.context)
_SEARCH = pages.either(http.search, pages.search)
_TIMELINE = pages.either(http.timeline, pages.timeline)
_OBSERVATION = ("type", "title", "content", "project", "scope", "topic_key")

ROUTES = (
    _read("/health", http.health, "Whether the server is there", cached=False),
    _write("POST", "/sessions", http.start_session, "Start a session", "id*", "project*", "directory",
           failures=(400, 500)),
    _read("/sessions/recent", http.recent_sessions, "The sessions with the latest activity", *NUMBER,
          gives=list[records.SessionSummaryRecord] | None, failures=(500,)),
    _read("/sessions/{id}", http.get_session, "A session", gives=records.SessionRecord, failures=(404, 500)),
    _write("DELETE", "/sessions/{id}", http.delete_session, "Delete an empty session", failures=(404, 409, 500)),
    _write("POST", "/sessions/{id}/end", http.end_session, "End a session", "summary", failures=(500,)),
    _write("POST", "/observations", http.save_observation, "Save an observation", "session_id*", "title*",
           "content*", "type", "tool_name", "project", "scope", "topic_key", "author", "namespace", failures=(400, 500)),
    _write("POST", "/observations/passive", http.capture, "Save the learnings that a text lists", "session_id*",
           "content", "project", "source", failures=(400, 500)),
    _read("/observations", http.recent_observations, "The newest observations", *NUMBER, "scope",
          gives=list[records.ObservationRecord] | None, failures=(500,)),
    _read("/observations/recent", http.recent_observations, "The newest observations", *NUMBER, "scope",
          gives=list[records.ObservationRecord] | None, failures=(500,)),
    _read("/observations/{id}", http.get_observation, "An observation", gives=records.ObservationRecord,
          failures=(400, 404)),
    _write("PATCH", "/observations/{id}", http.update_observation, "Change an observation", *_OBSERVATION,
           gives=records.ObservationRecord, failures=(400, 404, 500)),
    _write("DELETE", "/observations/{id}", http.delete_observation, "Delete an observation", takes=("hard",),
           failures=(400, 500)),
    _write("PUT", "/observations/{id}/pin", http.pin_observation, "Pin an observation", failures=(400, 404, 500)),
    _write("DELETE", "/observations/{id}/pin", http.unpin_observation, "Unpin an observation",
           failures=(400, 404, 500)),
    _read("/search", _SEARCH, "What answers a question", "q*", "limit", *FILTERS, *PAGE,
          gives=list[records.SearchResultRecord] | None, failures=(400, 500)),
    _read("/timeline", _TIMELINE, "An observation among its neighbours", "observation_id*", "before", "after", *PAGE,
          gives=records.TimelineRecord, failures=(400, 404, 500)),
    _write("POST", "/prompts", http.save_prompt, "Save a prompt", "session_id*", "content*", "project",
           failures=(400, 500)),
    _read("/prompts/recent", http.recent_prompts, "The newest prompts", *NUMBER,
          gives=list[records.PromptRecord] | None, failures=(500,)),
    _read("/prompts/search", http.search_prompts, "Prompts with these words", "q*", *NUMBER,
          gives=list[records.PromptRecord] | None, failures=(400, 500)),
    _write("DELETE", "/prompts/{id}", http.delete_prompt, "Delete a prompt", failures=(400, 404, 500)),
    _read("/context", _CONTEXT, "What a new session should know", "limit", "compact", "ids", *PARTS, *FILTERS, *PAGE,
          gives=dict[str, str], failures=(400, 500)),
    _read("/context/compaction", http.session_context, "What is known of a session", "session_id*", "compact",
          "observations", "prompts", "max_bytes", gives=dict[str, str], failures=(400, 404, 500)),
    _read("/export", http.export, "Everything", gives=records.ExportRecord, failures=(500,), cached=False),
    _write("POST", "/import", http.take_in, "Add what is not here yet", "sessions", "observations", "prompts",
           failures=(400, 500), largest=LARGEST_IMPORT),
    _read("/stats", http.stats, "How much there is", gives=records.StatsRecord),
    _write("POST", "/projects/migrate", http.migrate_project, "Move a project into another", "old_project*",
           "new_project*", failures=(400, 500), largest=LARGEST_MIGRATION),
    _write("POST", "/projects/rescue-ownership", http_later.rescue, "Bring what belongs to no project into one",
           "target_project*", "confirmed*", "observation_ids", "session_ids", "prompt_ids", failures=(400, 500, 503),
           largest=LARGEST_RESCUE, needs_token=True),
    _read("/audit", people.audit, "Who saved, changed and deleted what", *NUMBER, "person", "cursor",
          gives=people.Audit, failures=(400, 500)),
    _read("/sync/status", http.sync_status, "Whether notes are synchronised", cached=False),
    _write("POST", "/topic-keys/suggest", http.suggest, "A topic key for an observation", "type", "title",
           "content", failures=(400,)),
    _read("/conflicts", http_later.conflicts, "Relations, newest first", *NUMBER, "status", "since", "offset",
          failures=(400, 500)),
    _read("/conflicts/stats", http_later.conflict_stats, "How many relations of each kind", "project", failures=(500,)),
    _read("/conflicts/deferred", http_later.deferred, "Relations that wait for a copy of their notes: none", "status",
          "limit", "offset"),
    _read("/conflicts/{id}", http_later.conflict, "A relation", failures=(400, 404, 500)),
    _write("POST", "/conflicts/scan", http_later.scan, "Count pairs that may contradict each other", "project*",
           failures=(400, 500)),
    _write("POST", "/conflicts/judge", http_later.judge, "Judge a pending relation: there is none", "judgment_id*",
           "relation*", "reason", "evidence", "session_id", "confidence", failures=(400,)),
    _write("POST", "/conflicts/compare", http_later.compare, "Keep a verdict on two observations", "memory_id_a*",
           "memory_id_b*", "relation*", "confidence*", "reasoning*", "model", failures=(400, 404, 500)),
    _write("POST", "/conflicts/deferred/replay", http_later.replay_deferred, "Try waiting relations again"),
    _read("/review", http_later.review, "Observations due for review: none", *NUMBER),
    _write("POST", "/review/mark_reviewed", http_later.mark_reviewed, "Say that an observation still holds", "observation_id",
           "id", failures=(400, 404, 500)),
    _read("/doctor", http_later.doctor, "Whether the file and its indexes are whole", "project", failures=(500,), cached=False),
    _read("/project/current", http_later.current_project, "The project of a folder", "cwd", cached=False),
)  # fmt: skip


class RouteMatch(NamedTuple):
    """The routes of a path by method, and what the path names."""

    routes: Mapping[str, Route]
    names: Mapping[str, str]


class RouteTable:
    """Routes by their paths."""

    def __init__(self, routes: Sequence[Route]) -> None:
        paths: dict[tuple[str, ...], dict[str, Route]] = {}
        for route in routes:
            paths.setdefault(tuple(route.path.split("/")[1:]), {})[route.method] = route
        # A path that is spelt out comes before one that names something.
        self.paths = sorted(paths.items(), key=lambda path: "".join(path[0]).count("{"))

    def find(self, raw_path: bytes) -> RouteMatch | None:
        """The routes of a path. It is taken apart before it is decoded: a name may contain a slash."""
        parts = [unquote(part) for part in raw_path.decode("latin-1").split("/")[1:]]
        matches = ((_match(pattern, parts), methods) for pattern, methods in self.paths)
        return next((RouteMatch(methods, names) for names, methods in matches if names is not None), None)


def _match(pattern: Sequence[str], parts: Sequence[str]) -> dict[str, str] | None:
    if len(pattern) != len(parts):
        return None
    names = {}
    for wanted, part in zip(pattern, parts, strict=True):
        if wanted.startswith("{") and part:
            names[wanted[1:-1]] = part
        elif wanted != part:
            return None
    return names


def reply_to(route: Route, store: Store, asked: RequestParts) -> Reply:
    """What a route answers, whatever happens."""
    return answer(route.answering, store, asked)
