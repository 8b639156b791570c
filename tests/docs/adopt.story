-- ~/.claude/settings.json --
{}

-- ~/.cursor/mcp.json --
{}

-- CLAUDE.md --
# Shop

Never use floats for money.
Run `make test` before every commit.

-- AGENTS.md --
# Shop

Never use floats for money.
