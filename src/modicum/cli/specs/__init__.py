"""The commands modicum check, change, adr and spec."""
