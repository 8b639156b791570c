"""How a command fails: what is printed, the exit code, the log of a crash."""
