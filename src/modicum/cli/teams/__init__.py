"""The command modicum team: tokens of people, the log of who did what, and moving a store."""
