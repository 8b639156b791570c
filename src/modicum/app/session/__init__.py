"""Sessions of agents, use cases for hooks: the text at the start, events, the hook log, the seen notes."""
