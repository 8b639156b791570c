"""The use cases of specs: changes, decisions, documents of the project, the context check, the audit."""
