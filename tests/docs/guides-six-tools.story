-- AGENTS.md --
# Shop

Run `make test` before every commit.

-- CLAUDE.md --
# Shop

Never use floats for money.

-- Makefile --
test:
