"""What an AI tool reads here, passage by passage: by its twin, in a live run, since a commit, and with other settings."""
