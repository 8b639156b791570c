"""The words of other systems, behind a wall: nothing else imports this package but the doors that register it."""
