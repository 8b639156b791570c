"""Hoofy's spec tools for MCP: one row for each documented name, with its arguments."""

from collections.abc import Mapping

from modicum.compat.hoofy import spec_reads as reads
from modicum.compat.hoofy import spec_writes as writes
from modicum.compat.hoofy.code_audit import audit, reverse_engineer
from modicum.compat.hoofy.project_state import get_context
from modicum.mcp import schema
from modicum.mcp.tool import ADDS, CHANGES, READS, Domain, Schema, Tool

_TEXT, _NUMBER = schema.text(), schema.whole()
_LEVEL = {"detail_level": schema.one_of("summary", "standard", "full")}
_AMOUNT = {**_LEVEL, "max_tokens": _NUMBER}


def _texts(names: str) -> Mapping[str, Schema]:
    """Returns string arguments by their names; the names of required ones end with a star."""
    return dict.fromkeys(names.split(), _TEXT)


_BOOTSTRAP = _texts(
    "project_name requirements_must_have requirements_should_have requirements_could_have requirements_wont_have "
    "requirements_non_functional requirements_constraints requirements_assumptions requirements_dependencies "
    "business_rules_definitions business_rules_facts business_rules_constraints business_rules_derivations "
    "business_rules_glossary design_architecture design_tech_stack design_components design_data_model "
    "design_api_contracts design_infrastructure design_security design_quality_analysis"
)

# fmt: off
TOOLS = (
    Tool("sdd_init_project", "Init", "Begin a project's specs.",
         {**_texts("name* description*"), "mode": schema.one_of("guided", "expert")}, ADDS, writes.init_project, Domain.SPECS),
    Tool("sdd_create_principles", "Principles", "Write principles.md.",
         _texts("principles* coding_standards domain_truths"), CHANGES, writes.stage_tool("principles"), Domain.SPECS),
    Tool("sdd_create_charter", "Charter", "Write charter.md.",
         _texts("problem_statement* target_users* proposed_solution* success_criteria* domain_context stakeholders vision "
                "boundaries existing_systems constraints"), CHANGES, writes.stage_tool("charter"), Domain.SPECS),
    Tool("sdd_generate_requirements", "Requirements", "Write requirements.md.",
         _texts("must_have* should_have* non_functional* could_have wont_have constraints assumptions dependencies"),
         CHANGES, writes.stage_tool("specify"), Domain.SPECS),
    Tool("sdd_create_business_rules", "Business rules", "Write business-rules.md.",
         _texts("definitions* facts* constraints* derivations glossary"), CHANGES, writes.stage_tool("business-rules"), Domain.SPECS),
    Tool("sdd_clarify", "Clarify", "The clarity gate: without answers, what to ask; with them, whether it is enough.",
         _texts("answers dimension_scores"), CHANGES, writes.clarify, Domain.SPECS),
    Tool("sdd_create_design", "Design", "Write design.md.",
         _texts("architecture_overview* tech_stack* components* data_model* api_contracts infrastructure security "
                "quality_analysis"), CHANGES, writes.stage_tool("design"), Domain.SPECS),
    Tool("sdd_create_tasks", "Tasks", "Write tasks.md.",
         _texts("total_tasks* estimated_effort* tasks* dependency_graph wave_assignments acceptance_criteria"), CHANGES,
         writes.stage_tool("tasks"), Domain.SPECS),
    Tool("sdd_validate", "Validate", "Write validation.md, with a verdict: PASS, PASS_WITH_WARNINGS or FAIL.",
         _texts("requirements_coverage* component_coverage* consistency_issues* verdict* risk_assessment recommendations "
                "design_quality"), CHANGES, writes.validate, Domain.SPECS),
    Tool("sdd_get_context", "Get context", "Where the project stands, or the document of one stage.",
         {"stage": _TEXT, **_AMOUNT}, READS, get_context, Domain.SPECS),
    Tool("sdd_context_check", "Context check", "What bears on a change.",
         {**_texts("change_description* project_name"), **_AMOUNT}, READS, reads.context_check, Domain.SPECS),
    Tool("sdd_suggest_context", "Suggest context", "What to read before a task.",
         {**_texts("task_description* project_name"), **_AMOUNT}, READS, reads.suggest_context, Domain.SPECS),
    Tool("sdd_context", "Context", "Those three by mode: get, check, suggest.",
         {**_texts("mode stage change_description task_description project_name detail_level"), "max_tokens": _NUMBER},
         READS, reads.context_by_mode, Domain.SPECS),
    Tool("sdd_review", "Review", "A list to tick for a change.",
         {**_texts("change_description* project_name"), **_AMOUNT}, READS, reads.review, Domain.SPECS),
    Tool("sdd_audit", "Audit", "Specs beside source files.", {"scan_path": _TEXT, **_LEVEL}, READS, audit, Domain.SPECS),
    Tool("sdd_reverse_engineer", "Scan", "What is in a project without specs.",
         {"scan_path": _TEXT, "max_depth": _NUMBER, **_AMOUNT}, READS, reverse_engineer, Domain.SPECS),
    Tool("sdd_bootstrap", "Bootstrap", "Write first specs from parts. Nothing is replaced.", _BOOTSTRAP, ADDS,
         writes.bootstrap, Domain.SPECS),
    Tool("sdd_change", "Change", "Begin a change.",
         {"type*": schema.text("feature, fix, refactor, enhancement"), "size*": schema.text("small, medium, large"),
          "description*": _TEXT}, ADDS, writes.change, Domain.SPECS),
    Tool("sdd_change_advance", "Advance", "Finish the current stage of the change with this text.",
         _texts("content* title"), CHANGES, writes.advance, Domain.SPECS),
    Tool("sdd_change_status", "Status", "How a change stands.", _texts("change_id"), READS, writes.status, Domain.SPECS),
    Tool("sdd_adr", "ADR", "Write a decision down.",
         _texts("title* context* decision* rationale* alternatives_rejected status"), ADDS, writes.decide, Domain.SPECS),
    Tool("sdd_explore", "Explore", "Keep thoughts about what may become a change.",
         _texts("title* goals constraints preferences unknowns decisions context project scope session_id"), CHANGES,
         writes.explore, Domain.SPECS),
)
# fmt: on
