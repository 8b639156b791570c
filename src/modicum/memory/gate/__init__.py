"""The standing of notes: what a new one has to do with those that are there, what looks like junk, and the audit."""
