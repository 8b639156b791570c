"""The texts that Hoofy's tools that write specs answer, to the byte."""

from collections.abc import Sequence

from modicum.specs.model import ChangeStep, Complaint, Severity, StageProgress

MARKS = {StageProgress.DONE: "✅", StageProgress.CURRENT: "🔄", StageProgress.PENDING: "⬜"}

# Changes.

CREATED = """\
# Change Created

**ID:** `{id}`
**Type:** {type}
**Size:** {size}
**Description:** {description}
**Status:** active

## Pipeline ({count} stages)

{stages}

## Next Step

{next}"""
NEXT_STAGE = (
    "Current stage: **{stage}**\n\nGenerate the content for the `{stage}` stage, then call `sdd_change_advance` "
    "with the content to save it and move to the next stage."
)
NO_ARTIFACTS = (
    "\n\n---\n\n⚠️ **No SDD artifacts found.** Consider running `sdd_reverse_engineer` to scan your project and "
    "generate baseline specs. The `context-check` stage will have limited context information without them."
)
STAGE_DONE = """\
# Stage Completed: {stage}

{title}Saved to `sdd/changes/{id}/{file}`

## Progress

{stages}

## Next Step

{next}"""
CHANGE_DONE = """\
# Stage Completed: {stage}

✅ **Change completed!**

**ID:** `{id}`
**Type:** {type}
**Size:** {size}
**Status:** completed

All stages have been completed. The change artifacts are in `sdd/changes/{id}/`.

You can archive this change with `sdd_change_status` to review it, or start a new change with `sdd_change`."""
STAGE_KEPT = """\
# Stage Not Completed: {stage}

Saved to `{file}`

Edit {mend}, then call `sdd_change_advance` again."""
STATUS = """\
# Change Status

**ID:** `{id}`
**Type:** {type}
**Size:** {size}
**Description:** {description}
**Status:** {status}
**Current Stage:** {stage}

## Stages

| Stage | Status | Artifact |
|-------|--------|----------|
{rows}"""
NO_CHANGE = "No active change found. Create one with `sdd_change` first."
SECOND_CHANGE = (
    'An active change already exists: "{id}" ({type}/{size}, stage: {stage}). '
    "Complete or archive it before starting a new one."
)
ADR = """\
# ADR Created: {number}

**Title:** {title}
**Status:** {status}
Saved to `{file}`

## Content

{text}"""

# The project.

INITIALIZED = """\
# SDD Project Initialized

**Project:** {name}
**Mode:** {mode}
**Location:** `{docs}/`

## What was created

```
{docs}/
└── {file}
```

## Next Step

The pipeline is now at **Stage 1: Principles**.

{guided}Use `sdd_create_principles` to define your project's golden invariants.

**Tell me about your project's core beliefs** — what rules should NEVER be broken?"""
GUIDED = "I'll walk you through each step with examples and explanations.\n\n"
NOT_INITIALIZED = "hoofy project not initialized — run sdd_init_project first"
PROJECT_EXISTS = "SDD project already exists in this directory. Use sdd_get_context to see current state."
WRONG_STAGE = (
    "wrong pipeline stage: currently at '{at}' ({at_name}), but this tool requires '{wanted}' ({wanted_name})"
)
WRITTEN = "# {title}\n\nSaved to `{file}`\n\n## Content\n\n{text}\n\n---\n\n## Next Step\n\n{next}"
KEPT = "# {title}\n\nSaved to `{file}`"
TITLES = {
    "principles": "Principles Established",
    "charter": "Charter Created",
    "specify": "Requirements Generated",
    "business-rules": "Business Rules Documented",
    "design": "Technical Design Created",
    "tasks": "Implementation Tasks Created",
}
# What follows a stage. Hoofy sends its readers from the requirements to the wrong stage; this one is right.
FOLLOWING = {
    "principles": """\
Pipeline advanced to **Stage 2: Charter**.

Now let's define the project charter — the scope, vision, stakeholders, and boundaries.

Call `sdd_create_charter` with the project's problem statement, target users, and proposed solution.""",
    "charter": """\
Pipeline advanced to **Stage 3: Specify**.

Now analyze this charter and extract formal requirements using MoSCoW prioritization (Must Have, Should Have, Could \
Have, Won't Have). Each requirement needs a unique ID (FR-001 for functional, NFR-001 for non-functional).

Call `sdd_generate_requirements` with the extracted requirements.""",
    "specify": """\
Pipeline advanced to **Stage 4: Business Rules**.

Call `sdd_create_business_rules` with the definitions, facts and constraints that these requirements rest on.""",
    "business-rules": """\
Pipeline advanced to **Stage 4: Clarify (Clarity Gate)**.

The Clarity Gate now evaluates BOTH requirements AND business rules.
Call `sdd_clarify` (without answers) to analyze for ambiguities.
The pipeline cannot proceed until the clarity score reaches {threshold}/100 ({mode} mode).

**Why this matters:** Business rules are the DNA of your system. The Clarity Gate validates that every constraint is \
unambiguous and every term in your Ubiquitous Language has exactly one meaning.""",
    "design": """\
Pipeline advanced to **Stage 5: Tasks**.

Now break this design into atomic, AI-ready implementation tasks. Each task should be small enough for a single commit, \
include acceptance criteria, and reference the requirements (FR-XXX) and components it implements.

Call `sdd_create_tasks` with the task breakdown.""",
    "tasks": """\
Pipeline advanced to **Stage 6: Validate**.

Now run a cross-artifact consistency check to verify:
- Every requirement (FR-XXX/NFR-XXX) is covered by at least one task
- Every component in the design has tasks assigned to it
- Task dependencies are valid (no circular dependencies)
- No orphaned tasks (tasks that don't trace to any requirement)

Call `sdd_validate` with your validation analysis.""",
}

# The clarity gate.

QUESTIONS = """\
# Clarity Gate Analysis

**Mode:** {mode} | **Threshold:** {threshold}/100

## Requirements Under Analysis

{requirements}

---

## Clarity Dimensions

Analyze the requirements above across these 8 dimensions. For each dimension with gaps, generate 1-2 specific, \
answerable questions.

{dimensions}---

## What To Do Next

1. Analyze the requirements for gaps in each dimension
2. Generate 3-5 total questions targeting the WEAKEST dimensions
3. Present the questions to the user and collect their answers
4. After receiving answers, call `sdd_clarify` again with:
   - `answers`: the Q&A from this round (as markdown)
   - `dimension_scores`: your assessment of each dimension (0-100)
"""
DIMENSION = "### {name} (weight: {weight}/10)\n{question}\n\n"
DIMENSIONS = {
    "target_users": "Who are the target users? Are personas clearly defined?",
    "core_functionality": "What does the system DO? Are the main features unambiguous?",
    "data_model": "What data does the system manage? Are entities and relationships clear?",
    "integrations": "What external systems does it interact with? Are APIs/protocols defined?",
    "edge_cases": "Are error scenarios and edge cases addressed?",
    "security": "Are authentication, authorization, and data protection requirements clear?",
    "scale_performance": "Are performance expectations and scale requirements defined?",
    "scope_boundaries": "Is it clear what the system does NOT do? Are boundaries explicit?",
}
UNCLEAR = (
    "# Clarity Gate: More Clarification Needed\n\n**Score:** {score}/100 (need {threshold} to pass)\n\n{weak}"
)
WEAK = "## Weak Areas\n\nThese dimensions still need attention: {names}\n\n"
TO_CLARIFY = "## What to Do\n\nCall `sdd_clarify` again (without answers) to get the next round of questions targeting these weak areas."
CLEAR = """\
# Clarity Gate PASSED

**Score:** {score}/100 (threshold: {threshold})

Your requirements are now clear enough to proceed.

## Next Step

Pipeline advanced to **Stage 4: Design**.

The AI can now create a technical design based on these well-defined requirements. Use `sdd_get_context` to review all \
artifacts before proceeding."""

# Validation.

VERDICT = "'verdict' must be 'PASS', 'PASS_WITH_WARNINGS', or 'FAIL' — got: {word}"
VALIDATED = """\
# Validation Report

**Verdict:** {verdict}

Saved to `{file}`

## Summary

{text}
---

{outcome}"""
OUTCOMES = {
    "PASS": "## ✅ SDD Pipeline Complete\n\nAll specifications are consistent. You can proceed to implementation.",
    "PASS_WITH_WARNINGS": (
        "## ⚠️ SDD Pipeline Complete (with warnings)\n\nSpecifications are usable but have minor gaps. "
        "Track the warnings during implementation.\n\n{recommendations}"
        "**Next:** You can proceed to implementation, but keep an eye on the flagged issues."
    ),
    "FAIL": "## ❌ Validation Failed\n\nThe stage stays open. Mend what the report names, then call `sdd_validate` again.",
}
RECOMMENDATIONS = "**Recommendations:**\n\n{text}\n\n"

# First drafts, and thoughts.

NOTHING_GIVEN = """\
No artifact content provided. At least one artifact group must have content.

Provide parameters for one or more of:
- **Requirements**: requirements_must_have, requirements_should_have, requirements_non_functional
- **Business rules**: business_rules_definitions, business_rules_facts, business_rules_constraints
- **Design**: design_architecture, design_tech_stack, design_components, design_data_model"""
BOOTSTRAPPED = """\
# SDD Bootstrap Complete

{written}{skipped}---

## Next Steps

1. **Review** the auto-generated artifacts in `{docs}/` — they may need refinement
2. **Run `sdd_change`** to start making changes with full context awareness
3. The `context-check` stage will now have architecture and requirements context
"""
EXPLORED = """\
## Exploration Context Saved

**Title:** {title}
**Topic Key:** {topic}
**Action:** {action}
**ID:** {id}

### Captured Context

{content}
### Suggested Next Steps

- When ready to start a new project: use `sdd_init_project`
- When ready to modify existing code: use `sdd_change`
- To add more context: call `sdd_explore` again with the same title

### Type/Size Suggestion

- **Suggested type:** {type} — {why}
- **Suggested size:** {size}
"""
NO_SIGNAL, A_SIGNAL = "no strong signal — defaulting to feature", "the words above speak of one"


def listed(steps: Sequence[ChangeStep], gap: str = "\n") -> str:
    """Returns the text of a change's stages for Hoofy's spec-writing tools, one line each with a mark."""
    return gap.join(f"  {MARKS[step.status]} {step.name}" for step in steps)


def with_complaints(text: str, complaints: Sequence[Complaint]) -> str:
    """Returns a text of Hoofy's spec-writing tools, followed by the errors of the gates."""
    errors = [each for each in complaints if each.severity is Severity.ERROR]
    return text + "".join(("\n\n---\n", *(f"\n⚠️ {each}" for each in errors))) if errors else text
