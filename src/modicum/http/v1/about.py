"""Routes under /v1 about the server as a whole: health, counts, projects, packs, specs, audit."""

from modicum import __version__
from modicum.app.memory import projects as memory_projects
from modicum.app.memory.lists import list_projects
from modicum.app.memory.logs import AUDITED, MOST_AUDITED, list_audit
from modicum.app.specs.access import check_spec_access
from modicum.http import pages
from modicum.http.body import parse_body
from modicum.http.pages import count_of
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.bodies import ProjectMerge
from modicum.http.v1.records import AuditEntryJson, AuditJson, HealthJson, MovedJson, StatsJson


def health(request: ApiRequest) -> Reply:
    """Replies at /v1/health that the server is healthy, after a read from the store has succeeded."""
    request.store.version()
    return json_reply(HealthJson("ok", __version__))


def stats(request: ApiRequest) -> Reply:
    found = request.store.stats()
    return json_reply(StatsJson(found.sessions, found.notes, found.prompts, list(found.projects)))


def projects(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.listed(request, list_projects(request.store)))


def merge_projects(request: ApiRequest) -> Reply:
    body = parse_body(request.body, ProjectMerge)
    return json_reply(MovedJson(*memory_projects.merge_projects(request.store, body.sources, body.target)))


def packs(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.packs(request))


def pack(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.pack(request, request.path["key"]))


def specs(request: ApiRequest) -> Reply:
    _check_specs(request)
    return pages.page_reply(request, pages.specs(request))


def check(request: ApiRequest) -> Reply:
    _check_specs(request)
    return pages.page_reply(request, pages.checked(request, request.text("q"), request.text("change")))


def audit(request: ApiRequest) -> Reply:
    limit = count_of(request, "limit", AUDITED, least=1, most=MOST_AUDITED)
    person, cursor = request.text("person"), request.text("cursor")
    found = list_audit(request.store, request.project(), person, limit, cursor)
    return json_reply(AuditJson([AuditEntryJson(*entry) for entry in found.items], found.next or None))


def _check_specs(request: ApiRequest) -> None:
    """Refuses callers who may not see the project that the server was started in: its files are the specs."""
    check_spec_access(request.require_config(), request.store, writing=False)
