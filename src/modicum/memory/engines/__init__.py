"""The databases: SQLite and PostgreSQL, their schemas, their full-text indexes, and copying between them."""
