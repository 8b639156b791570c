"""The brief: the few lines of memory that a new session gets, read without opening a store."""
