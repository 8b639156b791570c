"""The HTTP door: the server, our routes under /v1, and the tables of routes of other systems."""
