-- ~/.claude/settings.json --
{}

-- CLAUDE.md --
# Shop

Never use floats for money.

-- .modicum/config.yaml --
tools: [claude-code]

$ git add --all
$ git commit -m "Begin"
$ modicum inject
