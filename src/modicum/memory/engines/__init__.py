"""The database engines SQLite and PostgreSQL: their schemas, full-text indexes, and copying between them."""
