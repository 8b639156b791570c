# What goes wrong is one line with a remedy, and everything else goes on.

-- .modicum/packs/good/pack.yaml --
id: good

-- .modicum/packs/good/context.md --
Good text.

-- .modicum/packs/bad/pack.yaml --
id: bad
tags: [x

-- AGENTS.md --
<!-- modicum:start:modicum -->
a start without an end

$ modicum injct
? 2
modicum: there is no command "injct" (did you mean "inject"?)

$ modicum note add "Deploys are frozen"
? 2
modicum: there is no command "note" (did you mean "save"?)

$ modicum memory sesions
? 2
modicum: there is no command "memory sesions" (did you mean "memory sessions"?)

$ modicum memory compact
? 2
modicum: Missing option '--before'. (see: modicum memory compact --help)

$ modicum inject --tool codx
? 2
modicum: there is no tool "codx" (did you mean "codex"?)

$ modicum inject --tool codex --detail loud
? 2
modicum: there is no detail "loud" (use summary, standard or full)

$ modicum inject
? 4
modicum: no AI tool was found here: AGENTS.md is read by many and is a sign of none (name yours, as in: modicum inject --tool claude-code; all of them: modicum tool list)

$ modicum inject --tool codex --tool claude-code --include good
? 1
  AGENTS.md  Codex (AGENTS.md), Claude Code  left alone (orphaned marker)

Nothing changed.
modicum: AGENTS.md: line 1: region "modicum" has no end[..]
modicum: [..]packs/bad/pack.yaml:[..]: not YAML[..]

-- AGENTS.md --
<!-- modicum:start:modicum -->
a start without an end

$ modicum status --tool codex --include good
? 1
  AGENTS.md  Codex (AGENTS.md)  orphaned marker: inject would leave it alone
[...]
