"""Commands that keep memory in order: its log and undo, the inbox, audit, compaction, the index by meaning."""
