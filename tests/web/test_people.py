"""What people with tokens of their own see of changes and of the log: what their token may read, and nothing of the owner's."""

import sys
from itertools import count

import pytest

from modicum.app.memory.notes import open_store
from modicum.app.session.handed_log import Handed, log_handed
from modicum.app.specs.changes import new_change
from modicum.base.config import load_config
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web.routes import WEB

shared = sys.modules["serving"]
PATHS = ("/web/changes", "/web/changes/check?q=walrus", "/web/change/train-the-walrus")


@pytest.fixture
def visit(world):
    """Makes a token with these options, and visits pages with it in a cookie."""
    config = load_config()
    store = open_store(config)
    new_change(config, None, "fix", "small", "Train the walrus")
    log_handed(str(config.data), Handed("hook", "codex", "session-start", "private-project"))
    app = HttpApp(store, tables=(V1, WEB), config=config)

    number = count()

    def visited(path: str, *options: str):
        name = f"anna-{next(number)}"
        secret = world.modicum(
            "team", "token", "new", name, "--for", "person", *options, "--json", "--yes"
        ).json["token"]
        return shared.signed_in(app, secret).get(path)

    yield visited
    store.close()


def test_changes_are_for_who_may_read_the_project(world, visit) -> None:
    name = load_config().name

    allowed = [visit(path, "--projects", name) for path in PATHS]
    refused = [visit(path, "--projects", "another") for path in PATHS]

    assert [page.status for page in allowed] == [200] * 3
    assert "Train the walrus" in allowed[0].text
    assert [page.status for page in refused] == [403] * 3
    assert all("Train the walrus" not in page.text for page in refused)


def test_the_log_is_the_owners(visit) -> None:
    page = visit("/web/live")

    assert page.status == 200
    assert "This log is the owner’s" in page.text
    assert "private-project" not in page.text
