"""What is found once, by any number of threads at a time."""

import threading

from modicum.memory.cached import once


class Looking:
    def __init__(self, meeting: threading.Barrier | None = None) -> None:
        self.meeting, self.times = meeting, 0

    @once
    def found(self) -> str:
        """What there is."""
        self.times += 1
        if self.meeting:
            self.meeting.wait(10)
        return "walrus"


def test_it_is_found_when_first_asked_for_and_kept():
    looking = Looking()
    assert looking.times == 0
    assert [looking.found, looking.found] == ["walrus", "walrus"]

    assert looking.times == 1


def test_nobody_waits_for_somebody_who_looks_elsewhere():
    meeting = threading.Barrier(2)
    lookings = [Looking(meeting), Looking(meeting)]
    threads = [threading.Thread(target=lambda each=each: each.found) for each in lookings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not meeting.broken
    assert [each.found for each in lookings] == ["walrus", "walrus"]
