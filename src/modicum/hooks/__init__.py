"""The hooks door: commands that agents run at the start of a session, at a prompt and at the end."""
