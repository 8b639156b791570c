-- ~/.claude/settings.json --
{}

-- ~/sap-packs/content/packs/cap/pack.yaml --
id: cap
name: CAP
weight: 100

-- ~/sap-packs/content/packs/cap/context.md --
## Services

Services are written in CDS.

-- ~/sap-packs/content/profiles/cap-developer.yaml --
id: cap-developer
name: CAP Developer
packs:
  - {id: cap, weight: 100}
