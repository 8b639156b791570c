"""Sessions of agents, for hooks: the text at the start, what is kept at each event, the hook log, the seen notes."""
