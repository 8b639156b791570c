"""A message of one kind is written once a minute."""

import logging

from modicum.http.limits.log_lines import OncePerMinute


def record(text: str, *args: object, error: Exception | None = None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("modicum", logging.ERROR, "file", 1, text, args, info)


def test_a_message_of_one_kind_is_written_once_a_minute_and_says_how_many_there_were() -> None:
    now = [0.0]
    once = OncePerMinute(clock=lambda: now[0])

    assert [once.filter(record("%s failed", n)) for n in range(4)] == [True, False, False, False]
    now[0] = 61.0
    later = record("%s failed", 9)
    assert once.filter(later)
    assert later.getMessage() == "9 failed (3 more of this kind before)"


def test_messages_and_errors_of_other_kinds_are_written() -> None:
    once = OncePerMinute(clock=lambda: 0.0)
    kinds = [record("a"), record("b"), record("a", error=ValueError()), record("a", error=OSError())]

    assert all(once.filter(each) for each in kinds)


def test_it_does_not_grow_without_end() -> None:
    once = OncePerMinute(clock=lambda: 0.0)
    for number in range(3_000):
        once.filter(record(f"kind {number}"))

    assert len(once._seen) <= 1_000
