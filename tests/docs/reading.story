-- ~/.codex/config.toml --
model = "gpt-5"

-- ~/.claude/settings.json --
{}

-- AGENTS.md --
# Shop

Never use floats for money.

-- pkg/app/AGENTS.md --
Run `make app` here.

$ git add --all
$ git commit -m "Begin"
$ modicum pack new billing
$ modicum pack use reviews
$ modicum inject
