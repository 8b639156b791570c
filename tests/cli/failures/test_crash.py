"""The log of a bug can be pasted into a report."""

from modicum.cli.failures.crash import write_log


def test_a_log_has_no_secret_in_it():
    log = write_log(ValueError("postgres://mia:hunter2x9@db/shop"), ["save", "ghp_" + "a1" * 18])
    text = log.read_text(encoding="utf-8")
    log.unlink()

    assert "arguments: ['save', '[REDACTED]']" in text
    assert "hunter2x9" not in text
    assert "ValueError: postgres://mia:[REDACTED]@db/shop" in text
