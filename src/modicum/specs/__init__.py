"""Changes and the documents of a project: what was specified, decided and tried."""
