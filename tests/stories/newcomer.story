# Somebody with Claude Code and Cursor who has never heard of modicum.

-- ~/.claude/settings.json --
{}

-- ~/.cursor/mcp.json --
{}

-- CLAUDE.md --
# My project

Keep it simple.

$ modicum init
The project is ~/project
Created ~/project/.modicum/config.yaml

AI tools found here, and the file that each would get:
  Claude Code  CLAUDE.md
  Cursor       .cursor/rules/modicum.mdc

Starter packs, off until you choose them (modicum pack use NAME):
  git      [..] tokens  Commits, [..]
  modicum  [..] tokens[..]
  reviews  [..] tokens[..]
  testing  [..] tokens[..]

Packs in force: none

Next:
  modicum inject --dry-run    see what would be written
  modicum inject              write it
  modicum pack new NAME       keep knowledge of your own

$ modicum inject
  CLAUDE.md                  Claude Code  nothing for it
  .cursor/rules/modicum.mdc  Cursor       nothing for it

Nothing changed.
No pack is in force. Write one: modicum pack new NAME, or turn on a starter pack: modicum pack use NAME (git, modicum, reviews, testing).

-- CLAUDE.md --
# My project

Keep it simple.

$ modicum pack use git tesing
? 2
modicum: there is no pack "tesing" (did you mean "testing"?)

$ modicum pack use git testing
Turned on: git, testing (~/project/.modicum/config.yaml). Run modicum inject to tell the tools.

$ modicum inject
  CLAUDE.md                  Claude Code  written, [..] bytes
  .cursor/rules/modicum.mdc  Cursor       written, [..] bytes

2 of 2 files changed.
What each tool got and why: modicum explain --tool claude-code. Undo: modicum uninstall.

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
