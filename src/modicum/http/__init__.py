"""The HTTP door: the server, our routes under /v1, and the place where other systems' tables of routes are registered."""
