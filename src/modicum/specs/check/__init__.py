"""What bears on a change: passages of documents, findings, conflicts between rules."""
