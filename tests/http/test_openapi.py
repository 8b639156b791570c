"""The OpenAPI document, and whether our routes keep to it."""

import sys

import pytest

from modicum.http.openapi import document
from modicum.http.v1.routes import ROUTES, V1


def test_every_route_is_documented() -> None:
    paths = document((V1,))["paths"]

    assert {(route.method.lower(), route.path.replace(":path", "")) for route in ROUTES} == {
        (method, path) for path, methods in paths.items() for method in methods
    }


def test_the_document_is_served_and_describes_what_is_refused(client) -> None:
    found = client.get("/openapi.json").json()

    assert found["openapi"] == "3.1.0"
    refused = found["paths"]["/v1/notes"]["post"]["responses"]["400"]["content"]
    assert refused == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemJson"}}}
    body = found["components"]["schemas"]["NoteBody"]
    assert (body["required"], body["additionalProperties"]) == (["title", "content"], False)


# The server is in this process, and its pool of connections draws from `random` while examples are made.
@pytest.mark.filterwarnings(
    "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
)
def test_the_routes_keep_to_the_document(port: int, engine: str) -> None:
    number = sys.modules["serving"].check_document(port, engine, lambda path, status, text: False)

    assert number == len(ROUTES)
