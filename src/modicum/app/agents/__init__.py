"""Agents: setting them up (server, hooks, permissions), wiring what packs bring, and checking that it works."""
