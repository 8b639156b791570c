"""The project that the use cases of specs are tested in."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path: Path):
    found = sys.modules["spec_place"].Place(tmp_path)
    yield found
    found.store.close()
