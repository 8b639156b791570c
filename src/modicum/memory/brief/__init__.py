"""The few lines of memory that a new session is told, read without opening a store."""
