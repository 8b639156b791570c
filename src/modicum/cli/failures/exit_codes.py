"""The exit codes of `modicum`, in one place; docs/cli.md explains them from this table."""

DONE, FOUND, USAGE, BUG, FAILED, INTERRUPTED = 0, 1, 2, 3, 4, 130

EXIT_CODES = {
    DONE: "done",
    FOUND: "done, and something was found to complain about (`--check`, `status`, `lint`, `doctor`, gates)",
    USAGE: "wrong usage: there is no such command, option, tool, pack or word; nothing was done",
    BUG: "a bug in modicum, with a log to report",
    FAILED: "could not: a file, a note, the database or the network is not there or says no; or you said no: nothing was done, or the error says what was",
    INTERRUPTED: "stopped with Ctrl+C",
}
