"""The commands modicum setup, doctor, mcp, serve and hook."""
