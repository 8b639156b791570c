"""Edits of AI tools' settings files in JSONC, TOML and YAML, as text, with exact undo. Pure."""
