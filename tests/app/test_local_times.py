"""Times for people: local, with the offset."""

import time

import pytest

from modicum.app.local_times import local_day, local_time


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "XYZ+5")  # five hours behind
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        ("2026-11-15T17:43:25.123Z", "2026-11-15 12:43 -05:00"),
        ("2026-11-15T02:00:00Z", "2026-11-14 21:00 -05:00"),
        ("", ""),
        ("last Tuesday, I think", "last Tuesday, I "),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00"),
    ],
)
def test_a_time_is_local_with_its_offset(stamp: str, told: str) -> None:
    assert local_time(stamp) == told


def test_a_day_is_the_local_one() -> None:
    assert local_day("2026-11-15T02:00:00Z") == "2026-11-14"
