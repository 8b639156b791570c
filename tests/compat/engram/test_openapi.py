"""engram's routes as the OpenAPI document has them, and whether they keep to it."""

import sys

import pytest

from modicum.compat.engram.http.routes import ENGRAM, ROUTES
from modicum.http.openapi import document

# A session that is not there is an error of the database on these, as in the reference.
NEED_A_SESSION = ("/observations", "/observations/passive", "/prompts")

# These are answered only where tokens are asked for.
NEED_A_TOKEN = ("/projects/rescue-ownership",)


def is_expected(path: str, status: int, text: str) -> bool:
    missing = "there is no session" in text and path in NEED_A_SESSION
    return missing or (status == 503 and path in NEED_A_TOKEN)


def test_every_route_is_documented() -> None:
    paths = document((ENGRAM,))["paths"]

    assert {(route.method.lower(), route.path) for route in ROUTES} == {
        (method, path) for path, methods in paths.items() for method in methods
    }


# The server is in this process, and its pool of connections draws from `random` while examples are made.
@pytest.mark.filterwarnings(
    "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
)
def test_the_routes_keep_to_the_document(engine: str, store) -> None:
    from modicum.http.server import HttpApp

    with sys.modules["serving"].serving(HttpApp(store, tables=(ENGRAM,))) as port:
        number = sys.modules["serving"].check_document(port, engine, is_expected)

    assert number == len(ROUTES)
