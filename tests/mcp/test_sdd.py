"""Every tool of spec-driven work that is documented answers to its name."""

from pathlib import Path

import pytest

from modicum.app.amounts import parse_amount
from modicum.app.memory import open_store
from modicum.config import load_config
from modicum.errors import ModicumError
from modicum.mcp.sdd import DOES, READS

DOCUMENTED = """
    sdd_init_project sdd_create_principles sdd_create_charter sdd_generate_requirements sdd_create_business_rules
    sdd_clarify sdd_create_design sdd_create_tasks sdd_validate sdd_change sdd_change_advance sdd_change_status sdd_adr
    sdd_explore sdd_bootstrap sdd_context_check sdd_get_context sdd_suggest_context sdd_review sdd_audit
    sdd_reverse_engineer sdd_context
"""
CLEAR = "target_users:80,core_functionality:80,data_model:80,integrations:80,edge_cases:80,security:80,scale_performance:80,scope_boundaries:80"


@pytest.fixture
def call(tmp_path: Path):
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    (root / ".modicum").mkdir()
    (root / ".modicum" / "config.yaml").write_text("profile: minimal\n")
    config = load_config({"HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path / "own")}, root)
    store = open_store(config)

    def run(name: str, /, **args: str) -> str:
        if name in READS:
            amount = parse_amount(detail=args.pop("detail_level", ""), max_tokens=args.pop("max_tokens", ""))
            return READS[name](config, store, args, amount).page.text
        return DOES[name](config, store, args)

    yield run
    store.close()


def test_every_documented_name_is_there() -> None:
    assert set(DOCUMENTED.split()) <= {*DOES, *READS}


def test_a_project_from_its_first_word_to_its_verdict(call) -> None:
    assert (
        call("sdd_init_project", name="Shop", description="Books")
        == "Shop is begun in guided mode. Next: principles."
    )
    assert "Next: charter" in call("sdd_create_principles", principles="- Cents are whole.")
    charter = ("problem_statement", "target_users", "proposed_solution", "success_criteria")
    assert "Next: specify" in call("sdd_create_charter", **dict.fromkeys(charter, "Words."))
    wanted = {
        "must_have": "- **FR-001**: a b",
        "should_have": "- **FR-002**: c d",
        "non_functional": "- **NFR-001**: e",
    }
    assert "Next: business-rules" in call("sdd_generate_requirements", **wanted)
    rules = dict.fromkeys(("definitions", "facts", "constraints"), "- Words.")
    assert "Next: clarify" in call("sdd_create_business_rules", **rules)
    assert "target_users (weight 8)" in call("sdd_clarify")
    assert "stays at clarify" in call("sdd_clarify", answers="none", dimension_scores=CLEAR)
    assert "Next: design" in call(
        "sdd_clarify", answers="Readers pay by card, in euros.", dimension_scores=CLEAR
    )
    design = ("architecture_overview", "tech_stack", "components", "data_model")
    assert "FR-002" in call("sdd_create_design", **dict.fromkeys(design, "FR-001 NFR-001"))
    assert "Next: tasks" in call("sdd_create_design", **dict.fromkeys(design, "FR-001 FR-002 NFR-001"))
    assert "Next: validate" in call("sdd_create_tasks", tasks="- [ ] T1: all (FR-001, FR-002, NFR-001)")
    report = dict.fromkeys(("requirements_coverage", "component_coverage", "consistency_issues"), "Fine.")
    with pytest.raises(ModicumError, match="'verdict' must be one of"):
        call("sdd_validate", **report, verdict="MAYBE")
    assert "stays at validate" in call("sdd_validate", **report, verdict="fail")
    assert "Next: nothing" in call("sdd_validate", **report, verdict="pass_with_warnings")
    assert "all documents finished" in call("sdd_get_context", detail_level="summary")
    assert call("sdd_get_context", stage="requirements", detail_level="summary").startswith("# Shop: Specify")
    assert call("sdd_audit", detail_level="summary").startswith("## Not seen in the code\n- FR-001")


def test_a_change_and_all_its_moves(call) -> None:
    assert "describe → context-check → tasks → verify" in call(
        "sdd_change", type="fix", size="small", description="Login fails"
    )
    assert "now at context-check" in call("sdd_change_advance", content="Readers cannot log in.")
    assert "now at describe" in call("sdd_change_move", action="back")
    assert "- describe: in_progress" in call("sdd_change_status")
    assert "001 Use keys" in call("sdd_adr", title="Use keys", context="c", decision="d", rationale="r")
    assert call("sdd_adr", action="list") == "- 001 Use keys (accepted)"
    assert call("sdd_adr", action="show", number="1").startswith("# 001. Use keys")
    assert call("sdd_change_list") == "- login-fails (describe)"
    assert "cancelled" in call("sdd_change_move", action="cancel", reason="no time")
    assert call("sdd_change_list") == "No change is open."
    with pytest.raises(ModicumError, match="'action' must be one of"):
        call("sdd_change_move", action="dance")


def test_the_views_of_the_findings(call) -> None:
    call("sdd_adr", title="No Redis", context="c", decision="Never use Redis.", rationale="r")

    for name, word in (
        ("sdd_context_check", "change_description"),
        ("sdd_suggest_context", "task_description"),
    ):
        assert call(name, **{word: "use Redis"}).startswith("## Possible conflicts")
    assert call("sdd_review", change_description="use Redis").startswith("## Possible conflicts\n- [ ]")
    assert call("sdd_context", mode="CHECK", change_description="use Redis").startswith(
        "## Possible conflicts"
    )
    assert "no project was begun" in call("sdd_context")
    for mode, word in (("check", "change_description"), ("suggest", "task_description"), ("x", "mode")):
        with pytest.raises(ModicumError, match=f"'{word}'"):
            call("sdd_context", mode=mode)


def test_existing_projects_and_thoughts(call) -> None:
    with pytest.raises(ModicumError, match="nothing to write a draft from"):
        call("sdd_bootstrap")
    assert call("sdd_bootstrap", design_architecture="Layers.", requirements_must_have="- FR-001: a") == (
        "docs/design.md is written, as a draft\ndocs/requirements.md is written, as a draft"
    )
    assert call("sdd_reverse_engineer") == ""
    with pytest.raises(ModicumError, match="outside of the project"):
        call("sdd_reverse_engineer", scan_path="../..")
    assert "It sounds like a small fix." in call("sdd_explore", title="Typo", goals="quick fix")
