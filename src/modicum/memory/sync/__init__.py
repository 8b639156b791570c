"""Notes through git: what machines agree on, chunks of changes, and merging them."""
