"""Runs an installed agent program against a model on loopback, and takes its first request apart."""
