"""What agents were handed is written down in a line: when, to whom, how much, which notes; and never the text."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modicum.app.session import handed_log
from modicum.app.session.handed_log import ENDING, FOLDER, Handed, log_handed, notes_in
from modicum.app.session.handed_log_reader import (
    LogPlace,
    end_of_log,
    handed_between,
    handed_by_day,
    notes_handed,
    parse_place,
)

START = LogPlace()


def lines(data: Path, after: LogPlace = START, limit: int = 1000):
    return handed_between(data, after, end_of_log(data), limit)


def test_a_line_says_when_to_whom_how_much_and_which_notes(tmp_path: Path) -> None:
    log_handed(str(tmp_path), Handed("hook", "codex", "session-start", "商店", 1201, notes=(7, 9)))

    (found,) = lines(tmp_path)
    assert (found.door, found.to, found.what, found.project) == ("hook", "codex", "session-start", "商店")
    assert (found.bytes, found.tokens, found.notes) == (1201, None, (7, 9))
    assert found.cost == 301  # a quarter of the bytes, where nobody has counted
    assert found.at.startswith(time.strftime("%Y-%m-%dT", time.gmtime()))


def test_names_of_strangers_are_short_and_on_one_line(tmp_path: Path) -> None:
    log_handed(str(tmp_path), Handed("mcp", "evil\n\x1b[31m\u202e" + "x" * 500, "mem_search"))

    (found,) = lines(tmp_path)
    assert found.to.startswith("evil[31mxxx")
    assert len(found.to) <= handed_log.LONGEST_NAME


def test_the_newest_come_first_and_a_reader_goes_on_where_it_was(tmp_path: Path) -> None:
    for number in range(5):
        log_handed(str(tmp_path), Handed("mcp", "codex", f"call-{number}"))
    place = end_of_log(tmp_path)
    log_handed(str(tmp_path), Handed("mcp", "codex", "call-5"))

    assert [line.what for line in lines(tmp_path, limit=2)] == ["call-5", "call-4"]
    assert [line.what for line in lines(tmp_path, place)] == ["call-5"]
    assert handed_between(tmp_path, place, place, 10) == ()
    assert parse_place(str(place)) == place
    assert [parse_place(text) for text in ("", "x", "2026-11-16:-3", "2026-11-16", "a:1")] == [START] * 5


def test_a_reader_that_slept_over_midnight_gets_both_days(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / f"2020-01-01{ENDING}").write_text('{"what":"a"}\n{"what":"b"}\n')
    (folder / f"2020-01-02{ENDING}").write_text('{"what":"c"}\n')

    found = lines(tmp_path, LogPlace("2020-01-01", len('{"what":"a"}\n')))
    assert [line.what for line in found] == ["c", "b"]


def test_many_at_once_lose_and_mix_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda number: log_handed(str(tmp_path), Handed("mcp", "x" * 50, str(number))), range(400)
            )
        )

    assert {int(line.what) for line in lines(tmp_path)} == set(range(400))


def test_a_day_and_the_days_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handed_log, "MOST_DAY_BYTES", 2_000)
    folder = tmp_path / FOLDER
    folder.mkdir()
    for number in range(40):
        (folder / f"2020-01-{number:02}{ENDING}").write_text("{}\n")

    for _ in range(100):
        log_handed(str(tmp_path), Handed("hook", "codex", "prompt-submit"))

    days = sorted(path.name for path in folder.iterdir())
    assert len(days) == handed_log.MOST_DAYS
    assert days[0] == f"2020-01-11{ENDING}"
    assert 1_500 < (folder / days[-1]).stat().st_size <= 2_000


def test_lines_that_somebody_has_broken_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    good = json.dumps({"what": "good", "door": "hook", "tokens": 5, "new": 1})
    texts = (
        b"\xff\xfe\n",
        b'{"tokens":"many"}\r\n',
        b"[]\n",
        b"\n",
        good.encode() + b"\r\n",
        b'{"what":"cut',
    )
    (folder / f"2020-01-01{ENDING}").write_bytes(b"".join(texts))
    (folder / f"notes{ENDING}").write_text("{}\n")

    assert [line.what for line in lines(tmp_path)] == ["good"]
    assert [day.tokens for day in handed_by_day(tmp_path)] == [5]


def test_the_sums_of_a_day_follow_what_is_added(tmp_path: Path) -> None:
    log_handed(str(tmp_path), Handed("mcp", "codex", "mem_search", tokens=40, notes=(1, 2)))
    before = handed_by_day(tmp_path)
    log_handed(str(tmp_path), Handed("hook", "codex", "session-start", bytes=41, notes=(3,)))

    (day,) = handed_by_day(tmp_path)
    assert before[0].is_counted
    assert (day.times, day.tokens, day.notes) == (2, 51, 3)
    assert day.by_door == (("hook", 11), ("mcp", 40))
    assert not day.is_counted
    assert not day.is_full


def test_where_nothing_can_be_written_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file where the folder should be")

    log_handed(str(tmp_path), Handed("hook", "codex", "session-start"))
    log_handed(f"{tmp_path}/\x00", Handed("hook", "codex", "session-start"))

    assert lines(tmp_path) == ()
    assert handed_by_day(tmp_path) == ()


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        (None, ()),
        ({}, ()),
        ({"items": ["n-4", "n-4", "adr:001", True, 0]}, ("n-4",)),
        ({"items": [{"key": "note:n-12"}, {"key": "prompt:3"}, {"key": None}]}, ("n-12",)),
        ({"id": "n-5", "content": "x"}, ("n-5",)),
        ({"id": "prompt:5", "content": "x"}, ()),
        ({"key": "note:n-5", "content": "x"}, ("n-5",)),
        ({"items": "many", "key": "note:x"}, ()),
    ],
)
def test_the_notes_of_a_reply_are_found_in_its_json(data, notes) -> None:
    assert notes_in(data) == notes


def test_the_notes_that_agents_were_handed_are_known(tmp_path) -> None:
    for notes, is_remote in (((3, "n-4"), False), ((5,), True)):
        log_handed(str(tmp_path), Handed("mcp", "codex", "mem_get", notes=notes, is_remote=is_remote))

    assert notes_handed(tmp_path) == {3, "n-4"}
