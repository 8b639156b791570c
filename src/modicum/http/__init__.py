"""The HTTP door: engram's routes, and pages in the amount asked for."""
