"""The page about HTTP names every route and every parameter of a page."""

from pathlib import Path

import pytest

from modicum.http.routes import FILTERS, PAGE, PARTS, ROUTES

TEXT = (Path(__file__).parent.parent.parent / "docs" / "http.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_in_the_manual(route) -> None:
    assert f"`{route.method} {route.path}`" in TEXT


@pytest.mark.parametrize("name", [*PAGE, *FILTERS, *PARTS, "limit", "before", "after"])
def test_every_parameter_of_a_page_is_in_the_manual(name: str) -> None:
    assert f"`{name}`" in TEXT
