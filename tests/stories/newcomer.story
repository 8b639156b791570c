# Somebody with Claude Code and Cursor who has never heard of modicum.

-- ~/.claude/settings.json --
{}

-- ~/.cursor/mcp.json --
{}

-- CLAUDE.md --
# My project

Keep it simple.

$ modicum init
Created ~/project/.modicum/config.yaml

AI tools found here, and the file that each would get:
  Claude Code  CLAUDE.md
  Cursor       .cursor/rules/modicum.mdc

Packs in force: testing, git, reviews, modicum

Next:
  modicum inject --dry-run    see what would be written
  modicum inject              write it
  modicum pack new NAME       keep knowledge of your own

$ modicum inject
  CLAUDE.md                  Claude Code  written, [..] bytes
  .cursor/rules/modicum.mdc  Cursor       written, [..] bytes

2 of 2 files changed.
What each tool got and why: modicum explain --tool claude-code. Undo: modicum uninstall.

-- CLAUDE.md --
# My project

Keep it simple.

<!-- modicum:start:modicum -->
# Context
[...]
<!-- modicum:end:modicum -->

$ modicum status
  CLAUDE.md                  Claude Code  current
  .cursor/rules/modicum.mdc  Cursor       current

$ modicum inject
  CLAUDE.md                  Claude Code  current, [..] bytes
  .cursor/rules/modicum.mdc  Cursor       current, [..] bytes

Nothing changed.

$ modicum uninstall
  .cursor/rules/modicum.mdc  Cursor       taken out
  CLAUDE.md                  Claude Code  taken out

-- CLAUDE.md --
# My project

Keep it simple.
