"""What HTTP routes and tables of routes are. Each table answers and refuses in its own way."""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from modicum.http.replies import Problem, Reply
from modicum.http.request import ApiRequest

if TYPE_CHECKING:
    from modicum.http.guard import HeaderMap
    from modicum.memory.store import Store

LARGEST_BODY = 32 * 1024 * 1024
# What hooks change unasked, here and in other systems.
OF_HOOKS = frozenset(
    ("/sessions", "/sessions/{id}/end", "/prompts", "/notes/capture", "/observations/passive")
)

Handler = Callable[[ApiRequest], Reply]
JsonSchema = Mapping[str, object]


class Parameter(NamedTuple):
    """A query parameter of a route, for the OpenAPI document and for checking names."""

    name: str
    about: str
    schema: JsonSchema
    required: bool = False


class Route(NamedTuple):
    """An HTTP route: a method on a path, its handler, and its description for the OpenAPI document.

    `body` and `reply` are types that msgspec knows, or JSON schemas. A route that `is_open` needs no person's
    token, one that `is_public` no token at all.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    parameters: tuple[Parameter, ...] = ()
    body: object = None
    reply: object = None
    status: int = HTTPStatus.OK
    failures: tuple[int, ...] = ()
    names: Mapping[str, JsonSchema] = {}  # schemas of the names in the path; texts, if not given
    cached: bool = False  # until the store changes
    is_open: bool = False
    is_public: bool = False
    largest_body: int = LARGEST_BODY
    too_large: Reply | None = None  # the table's own words for it, if not given
    without_tokens: Reply | None = None  # given where the server asks nobody for a token

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    @property
    def is_of_hooks(self) -> bool:
        return self.method == "POST" and self.path.removeprefix("/v1") in OF_HOOKS


class RouteTable(NamedTuple):
    """A table of HTTP routes that are answered in the same way.

    `answer` calls the handler and words its errors, `refuse` words what the server finds wrong. Paths below
    the prefix that match no route are refused by the table, too. A table of pages has `person_of`, which finds the person
    who has opened them by the headers of a request; nobody else is answered.
    """

    prefix: str
    routes: tuple[Route, ...]
    answer: Callable[[Route, ApiRequest], Reply]
    refuse: Callable[[Problem], Reply]
    failures: Mapping[str, object]  # types of what is refused, by content type
    person_of: "Callable[[Store, HeaderMap], Store | None] | None" = None
    is_for_programs: bool = True  # the OpenAPI document describes it


class LazyTable(NamedTuple):
    """A table of HTTP routes that is loaded at the first request for one of its paths: those below the prefix, and `others`.

    Without a prefix that is every path of no table before it.
    """

    prefix: str
    load: Callable[[], RouteTable]
    others: tuple[str, ...] = ()


def loaded(table: RouteTable | LazyTable) -> RouteTable:
    """Returns the table of HTTP routes itself, also of one that is loaded when it is needed."""
    return table.load() if isinstance(table, LazyTable) else table


def paths_beside_prefix(table: RouteTable | LazyTable) -> Iterable[str]:
    """Returns the paths of a table of HTTP routes that are not below its prefix."""
    if isinstance(table, LazyTable):
        return table.others
    return [path for path in by_path(table) if not path.startswith(f"{table.prefix}/")]


def by_path(table: RouteTable) -> dict[str, dict[str, Route]]:
    """Returns a table's routes by path and method; paths without a name in them come first."""
    paths: dict[str, dict[str, Route]] = {}
    for route in sorted(table.routes, key=lambda route: route.path.count("{")):
        paths.setdefault(route.path, {})[route.method] = route
    return paths
