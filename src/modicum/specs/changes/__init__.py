"""How a change moves through its stages: flows, gates, tasks. Pure."""
