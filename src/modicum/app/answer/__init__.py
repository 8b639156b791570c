"""One path from sections to what a reader is handed: amount, cursor, answer."""
