-- CLAUDE.md --
@AGENTS.md

Never commit generated files.

-- AGENTS.md --
# Shop
Commit the generated files.
