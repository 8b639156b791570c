"""The requests that docs/http.md prints are answered."""

import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest

from modicum.base.config import load_config
from modicum.http.server import HttpApp
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

PAGE = Path(__file__).parents[2] / "docs" / "http.md"
ADDRESS = "http://127.0.0.1:7437"
CURLS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("curl ")]


@pytest.mark.parametrize("line", CURLS)
def test_a_request_of_the_page_is_answered(world, tmp_path: Path, line: str) -> None:
    _, address, *body = shlex.split(line)
    with closing(Store(SqliteDatabase(tmp_path / "memory.db"))) as store:
        client = sys.modules["serving"].Client(HttpApp(store, config=load_config()))
        url = address.removeprefix(ADDRESS)
        # As curl sends it: -d is a form, unless a header says otherwise.
        form = {"content_type": "application/x-www-form-urlencoded", "user_agent": "curl/8.5"}
        heard = client.request("POST", url, body[1], **form) if body else client.get(url)

    assert heard.status in (200, 201), heard.text
    assert {"text", "id"} & heard.json().keys()


def test_the_page_has_requests() -> None:
    assert len(CURLS) == 3
