"""A home with a project in it, and hooks that are run there in this process."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path: Path):
    return sys.modules["hook_place"].Place(tmp_path)
