"""modicum team: tokens of people, who did what, and moving a store."""
