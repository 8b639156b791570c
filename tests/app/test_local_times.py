"""Times for people: local, with the offset."""

import time

import pytest

from modicum.app.local_times import local_day, local_time, same_offset


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


def test_an_offset_that_all_times_share_is_told_once():
    times = ("2026-11-15 18:43 +01:00", "2026-11-15 18:44 +01:00")

    assert same_offset(times) == ("+01:00", ("2026-11-15 18:43", "2026-11-15 18:44"))
    assert same_offset((*times, "2026-07-15 18:43 +02:00"))[0] == ""
    assert same_offset(("long ago",)) == ("", ("long ago",))
    assert same_offset(()) == ("", ())
