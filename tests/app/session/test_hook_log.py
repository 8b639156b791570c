"""What went wrong in hooks is written down, briefly and without secrets."""

from pathlib import Path

from modicum.app.session.hook_log import MOST_LOG_BYTES, log_failure, read_failures


def test_the_log_stays_small_and_keeps_the_newest(tmp_path: Path) -> None:
    for number in range(400):
        log_failure(str(tmp_path), "session-start", "codex", f"{number} {'x' * 400}\nmore")

    assert (tmp_path / "hook.log").stat().st_size <= MOST_LOG_BYTES
    assert " 399 xxx" in read_failures(str(tmp_path))[-1]
    assert all("more" not in line for line in read_failures(str(tmp_path)))


def test_a_line_of_the_log_has_no_secret_in_it(tmp_path: Path) -> None:
    log_failure(str(tmp_path), "prompt", "codex", ValueError("postgres://mia:hunter2x9@db/shop is down"))

    assert read_failures(str(tmp_path))[0].endswith("postgres://mia:[REDACTED]@db/shop is down")
