"""The gate of memory: judges whether what an agent saves is worth keeping."""
