"""Random tests are repeatable in CI and search further at home; MODICUM_EXAMPLES asks for more."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "modicum",
    max_examples=int(os.environ.get("MODICUM_EXAMPLES", "100")),
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("modicum")

spec = importlib.util.spec_from_file_location("world", Path(__file__).parent / "world.py")
assert spec is not None
assert spec.loader is not None
sys.modules["world"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["world"])


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A throw-away home and project."""
    return sys.modules["world"].World(tmp_path, monkeypatch, capsys)
