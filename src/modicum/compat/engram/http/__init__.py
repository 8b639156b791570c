"""engram's routes for the HTTP door: the same input, the same bytes."""
