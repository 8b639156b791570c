"""Thoughts about an idea are kept as a note that grows."""

import pytest

from modicum.app.specs import explore
from modicum.base.errors import ModicumError


def test_thoughts_are_kept_and_added_to(place) -> None:
    first = explore.explore(place.config, place.store, "Dark mode", {"goals": "quick fix"})
    second = explore.explore(place.config, place.store, "Dark mode", {"unknowns": "which"})

    assert (first.topic, first.type, first.size) == ("explore/dark-mode", "fix", "small")
    assert second.saved.id == first.saved.id
    assert second.content == "## Goals\n\nquick fix\n\n## Unknowns\n\nwhich"
    for title, parts in ((" ", {"goals": "x"}), ("x", {"goals": " "})):
        with pytest.raises(ModicumError):
            explore.explore(place.config, place.store, title, parts)
