"""What an AI tool reads here, passage by passage, and what it would read with other settings."""
