"""Notes of other systems: recognised by their content, read as they are, and never written to."""
