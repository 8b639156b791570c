"""modicum setup, doctor, mcp, serve and hook."""
