"""modicum check, change, adr and spec."""
