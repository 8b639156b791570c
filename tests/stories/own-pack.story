# A pack of the project's own, for one small tool.

-- .modicum/packs/shop/pack.yaml --
id: shop
name: Shop
weight: 100

-- .modicum/packs/shop/context.md --
## Shop

Prices are in cents.

<!-- verbosity:detail -->
### Invoices

Numbers have no gaps, for the tax office counts them. A cancelled invoice keeps its number.

-- .modicum/packs/shop/constraints.md --
1. Never use floats for money.

-- .modicum/adapters/tiny.yaml --
id: tiny
name: Tiny
type: file-inject
max_chars: 230
targets:
  - {scope: project, path: TINY.md, mode: replace-section}

$ modicum inject --tool tiny --include shop --stats --trust 1002fb076e25bff271e9ee7b8cff92b9
Tool  Page     Tokens  Reads in all       Directives  Status
───[..]
Tiny  TINY.md  [..]/230 chars [..]%[..]2  OK (1 section cut)

TINY.md (Tiny), full, markdown: shop
  cut:
[...]
    pack:shop/invoices  It needs [..] and [..] of 230 were left.
    made                What is left out is told before it.

1 of 1 file changed.
What each tool got and why: modicum explain --tool tiny. Undo: modicum uninstall.

-- TINY.md --
<!-- modicum:start:modicum -->
## Constraints

1. Never use floats for money.

## Shop

Prices are in cents.

Left out for lack of room: parts of shop. Read them with `modicum show pack:shop`.
<!-- modicum:end:modicum -->

$ modicum show pack:shop/invoices
## Shop

### Invoices

Numbers have no gaps, for the tax office counts them. A cancelled invoice keeps its number.

$ modicum notice add "Deploys are frozen"
Notice 1 is kept in [..]/.modicum. Run modicum inject to tell the tools.

$ modicum status --include shop
? 1
  TINY.md  Tiny  stale: modicum inject would bring it up to date
[...]

$ modicum inject --check --include shop
? 1
[...]
-Left out for lack of room: parts of shop. Read them with `modicum show pack:shop`.
[...]
  TINY.md  Tiny  would be updated, [..] of 230 characters ([..]), the first [..] of [..] bytes as before

1 of 1 file would change. Nothing was written.
[...]

$ append TINY.md "My own line."

$ modicum uninstall
  TINY.md  Tiny  taken out

-- TINY.md --
My own line.
