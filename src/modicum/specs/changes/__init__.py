"""How a change moves through its stages: the table of flows, moves, gates and tasks. Pure."""
