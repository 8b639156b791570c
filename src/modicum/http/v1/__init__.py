"""Our own HTTP routes, under /v1: what each takes, does and returns."""
