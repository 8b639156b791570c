"""Our own routes, under /v1: what each takes, does and returns."""
