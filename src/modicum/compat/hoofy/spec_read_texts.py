"""The texts around the findings of Hoofy's tools that read specs, to the byte."""

from modicum.specs.model import StageProgress

ICONS = {StageProgress.DONE: "✅", StageProgress.CURRENT: "🔄", StageProgress.PENDING: "⬜"}

NO_ARTIFACTS = "_No SDD artifacts found in this project._\n"
NO_PRIOR = "_No completed changes found matching this description._"
NO_RELATED = "_No related changes found._"
NO_THOUGHTS = "_No explore observations found._\n"
NO_MEMORY = "_No relevant memory observations found._\n"
NO_CONVENTIONS = "_No convention files found._\n"
CONVENTIONS = "_No formal SDD specs found. Scanning project conventions:_\n"
SKIPPED = "_SDD artifacts present — convention file scan skipped._\n"
NO_PASSAGE = "_No passage has any of these words._"
# Ours: the lists of Hoofy have no end.
MORE_PASSAGES = "[...{count} more passages; detail_level=full has the document]"
MORE_SECTIONS = "  - [...{count} more]\n"
MORE_ROWS = "\n[...{count} more rows; detail_level=full has them]\n"
MORE_ITEMS = "- [...{count} more; detail_level=full has them]\n"

NONE_FOUND = "_none found_"
REVIEWED = (
    ("Requirements Verification", "_No matching requirements found._"),
    ("Business Rule Compliance", "_No matching business rules found._"),
    ("Design Conformance", "_No matching design elements found._"),
    ("ADR Alignment", "_No relevant ADRs found._"),
)
GENERAL = """\
## General Checks

- [ ] No new business rules introduced without updating business-rules.md
- [ ] No new API endpoints without updating design.md
- [ ] Changes align with the documented architectural pattern
- [ ] New domain terms are added to the Ubiquitous Language glossary

"""

PROJECT = """\
# SDD Project: {name}

**Description:** {description}
**Mode:** {mode}
**Created:** {created}
**Last Updated:** {updated}

## Current Stage: {stage} ({key})

_{about}_

{score}## Pipeline Progress

| Stage | Status | Iterations |
|-------|--------|------------|
{rows}

## Artifacts

{artifacts}

## Next Steps

{next}"""
SCORE = "**Clarity Score:** {score}/100 (need {need} for {mode} mode)\n\n"
ABOUT = {
    "principles": "Define golden invariants, coding standards, and domain truths",
    "charter": "Define project scope, vision, stakeholders, and boundaries",
    "business-rules": "Extract and document declarative business rules from requirements",
    "clarify": "Detect and resolve ambiguities through the Clarity Gate",
    "validate": "Verify consistency across all artifacts",
}
NEXT = {
    "principles": (
        "Use `sdd_create_principles` to define your project's golden invariants, coding standards, and domain truths."
    ),
    "charter": "Use `sdd_create_charter` to define the project's scope, vision, stakeholders, and boundaries.",
    "specify": "Use `sdd_generate_requirements` to extract formal requirements from the charter.",
    "business-rules": "Use `sdd_create_business_rules` to document the rules that the requirements rest on.",
    "clarify": "Use `sdd_clarify` to run the Clarity Gate. Current score: {score}/{need} needed.",
    "design": "Use `sdd_create_design` to create the technical design.",
    "tasks": "Use `sdd_create_tasks` to break the design into implementation tasks.",
    "validate": (
        "Use `sdd_validate` to run a cross-artifact consistency check. Read ALL artifacts and verify: requirement "
        "coverage, component coverage, consistency between documents, and identify any gaps or risks."
    ),
}

AUDIT = """\
# Spec Audit Report

> **AI Instructions**: Compare the spec IDs and descriptions below against the source files listed. Identify:
> 1. Requirements implemented in code but not in specs (undocumented features)
> 2. Requirements in specs but not evidenced in code (unimplemented or dead specs)
> 3. Inconsistencies between spec descriptions and implementation
> 4. Tasks marked incomplete that appear implemented

## Scan Metadata

- **Project root**: `{root}`
- **Docs directory**: `{docs}`
- **Source files found**: {files}
- **Total source lines**: {lines}
- **Spec artifacts found**: {there}/6
- **Scan duration**: {took}
- **Detail level**: {level}

## Spec Artifacts

{artifacts}## Requirement IDs

{ids}
## Source Files

{sources}
"""
NO_SOURCES = "_No source files found._\n"
NO_IDS = "_No requirement IDs found._\n"
ID_HEAD = "### From Requirements\n\n| ID | Description |\n|---|---|\n"
CROSS_HEAD = "\n### Cross-Referenced in Other Artifacts\n\n"
SOURCE_HEAD = "| File | Lines | Size |\n|---|---|---|\n"
FOLDER_HEAD = "| Directory | Files |\n|---|---|\n"
