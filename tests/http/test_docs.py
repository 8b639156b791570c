"""The page about HTTP names every route and every parameter of ours, and every route of engram's."""

from pathlib import Path

import pytest

from modicum.compat.engram.http.routes import ROUTES as ENGRAM
from modicum.http.v1.routes import ROUTES

TEXT = (Path(__file__).parent.parent.parent / "docs" / "http.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("route", [*ROUTES, *ENGRAM], ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_in_the_manual(route) -> None:
    assert f"`{route.method} {route.path.replace(':path', '')}`" in TEXT


@pytest.mark.parametrize("name", sorted({each.name for route in ROUTES for each in route.parameters}))
def test_every_parameter_of_ours_is_in_the_manual(name: str) -> None:
    assert f"`{name}`" in TEXT
