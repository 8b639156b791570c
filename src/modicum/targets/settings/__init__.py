"""Edits of other people's JSONC, TOML and YAML settings files, as text, with exact undo. Pure."""
