"""The OpenAPI document, and whether the server keeps it."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi import checks

from modicum.http.openapi import document
from modicum.http.routes import ROUTES

# A session that is not there is an error of the database on these, as in the reference.
NEED_A_SESSION = ("/observations", "/observations/passive", "/prompts")

# These are answered only where tokens are asked for.
NEED_A_TOKEN = ("/projects/rescue-ownership",)

# Not whether odd numbers are refused: the reference takes them for the default, and so do we.
CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]

EXAMPLES = {"sqlite": 15, "postgres": 4}
LIMITS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_every_route_is_documented() -> None:
    paths = document()["paths"]

    assert {(route.method.lower(), route.path) for route in ROUTES} == {
        (method, path) for path, methods in paths.items() for method in methods
    }


# The server is in this process, and its pool of connections draws from `random` while examples are made.
@pytest.mark.filterwarnings(
    "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
)
def test_the_server_keeps_the_document(port: int, engine: str) -> None:
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")

    def check(case: schemathesis.Case) -> None:
        reply = case.call(timeout=10)
        case.validate_response(reply, checks=CHECKS)
        missing = "there is no session" in reply.text and case.operation.path in NEED_A_SESSION
        closed = reply.status_code == 503 and case.operation.path in NEED_A_TOKEN
        assert reply.status_code < 500 or missing or closed, reply.text

    for result in schema.get_all_operations():
        settings(LIMITS, max_examples=EXAMPLES[engine])(given(result.ok().as_strategy())(check))()


def test_what_it_writes_can_be_read_again(port: int, store) -> None:
    import requests

    url = f"http://127.0.0.1:{port}"
    requests.post(f"{url}/sessions", json={"id": "s", "project": "p"}, timeout=5)
    note = {"session_id": "s", "title": "t", "content": "c"}
    number = requests.post(f"{url}/observations", json=note, timeout=5).json()["id"]

    assert requests.get(f"{url}/observations/{number}", timeout=5).json()["content"] == "c"
