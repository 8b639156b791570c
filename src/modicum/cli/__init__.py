"""The command line: parses options, calls one use case, prints the answer."""
