"""A door: what agents run at the start of a session, at a prompt and at the end. JSON in, the agent's own JSON out."""
