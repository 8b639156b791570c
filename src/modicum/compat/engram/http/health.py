"""engram's route for the server's health, apart from its others: it is the first that anybody asks, and needs nothing of them."""

from modicum.compat.engram import WIRE_VERSION
from modicum.http.replies import Problem, Reply
from modicum.http.request import ApiRequest
from modicum.http.routes import Route, RouteTable

_BODY = b'{"service":"engram","status":"ok","version":"%s"}\n'


def health(request: ApiRequest) -> Reply:
    return Reply(200, _BODY % WIRE_VERSION.encode())


def _answer(route: Route, request: ApiRequest) -> Reply:
    return route.handler(request)


def _refuse(problem: Problem) -> Reply:
    from modicum.compat.engram.http.replies import refuse

    return refuse(problem)


HEALTH = Route("GET", "/health", health, "Whether the server is there", is_open=True)

# The table of all of engram's routes describes it.
HEALTH_TABLE = RouteTable("", (HEALTH,), _answer, _refuse, {}, is_for_programs=False)
