"""Which project a screen of memory is about."""

from modicum.app.whose import project_of
from modicum.app.workbench.projects import project_shown, projects_to_choose
from modicum.base.config import load_config
from modicum.memory.model import NoteDraft


def test_a_screen_is_about_the_named_project_or_its_own_if_that_has_notes(world, store) -> None:
    config = load_config()
    assert project_shown(store, config) == ""

    mine = project_of(store, config, writing=True)
    store.save(NoteDraft("a", "b", project=mine))
    store.save(NoteDraft("c", "d", project="api"))

    assert project_shown(store, config) == mine
    assert project_shown(store, None) == ""
    assert project_shown(store, config, "*") == ""
    assert project_shown(store, config, "API") == "api"


def test_the_project_that_is_shown_is_among_those_to_choose(store) -> None:
    store.save(NoteDraft("c", "d", project="api"))

    assert list(projects_to_choose(store, "")) == ["api"]
    assert list(projects_to_choose(store, "shop")) == ["shop", "api"]
