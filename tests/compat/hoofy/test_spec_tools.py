"""Hoofy's tools of specs: small texts to the byte, and where they hold to what is true."""

import json
from pathlib import Path

import pytest

from modicum.base.config import Config
from modicum.mcp.sets import choose_tools
from modicum.memory.model import Query

DOCUMENTED = """
    sdd_init_project sdd_create_principles sdd_create_charter sdd_generate_requirements sdd_create_business_rules
    sdd_clarify sdd_create_design sdd_create_tasks sdd_validate sdd_change sdd_change_advance sdd_change_status sdd_adr
    sdd_explore sdd_bootstrap sdd_context_check sdd_get_context sdd_suggest_context sdd_review sdd_audit
    sdd_reverse_engineer sdd_context
"""
CLEAR = (
    "target_users:80,core_functionality:80,data_model:80,integrations:80,edge_cases:80,security:80,scale_performance:80,"
    "scope_boundaries:80"
)
CREATED = """\
# Change Created

**ID:** `login-fails`
**Type:** fix
**Size:** small
**Description:** Login fails
**Status:** active

## Pipeline (4 stages)

  🔄 describe →
  ⬜ context-check →
  ⬜ tasks →
  ⬜ verify

## Next Step

Current stage: **describe**

Generate the content for the `describe` stage, then call `sdd_change_advance` with the content to save it and move to \
the next stage."""
ADVANCED = """\
# Stage Completed: describe

**Title:** Why
Saved to `sdd/changes/login-fails/describe.md`

## Progress

  ✅ describe
  🔄 context-check
  ⬜ tasks
  ⬜ verify

## Next Step

Current stage: **context-check**

Generate the content for the `context-check` stage, then call `sdd_change_advance` with the content to save it and move \
to the next stage."""
CHECKED = """\
# Context Check Report

## Existing Artifacts Found

- **requirements.md** (46 bytes)

## Relevant Prior Changes

_No completed changes found matching this description._

## Explore Context (Memory)

_No explore observations found._

## Convention Files

_SDD artifacts present — convention file scan skipped._

## Artifact Excerpts

### requirements.md

# Requirements

- **FR-001**: Readers log in.



📏 ~101 tokens"""
BRIEF = """\
# Shop [guided mode]

✅ Initialize
⬜ Principles ←
⬜ Charter
⬜ Specify
⬜ Business Rules
⬜ Clarify
⬜ Design
⬜ Tasks
⬜ Validate

📏 ~36 tokens"""


@pytest.fixture
def docs(config: Config) -> Path:
    folder = Path(config.root) / "docs"
    folder.mkdir()
    (folder / "requirements.md").write_text(
        "# Requirements\n\n- **FR-001**: Readers log in.\n", encoding="utf-8"
    )
    return folder


def begin(ask_hoofy) -> None:
    assert ask_hoofy("sdd_change", type="fix", size="small", description="Login fails").text == CREATED


def test_every_documented_name_is_offered() -> None:
    assert set(DOCUMENTED.split()) <= set(choose_tools(["hoofy"]).tools)


def test_a_change_moves_on_in_its_words(docs: Path, ask_hoofy) -> None:
    begin(ask_hoofy)

    assert ask_hoofy("sdd_change_advance", content="Nobody gets in.", title="Why").text == ADVANCED
    assert "| ✅ describe | completed | describe.md (16 bytes) |" in ask_hoofy("sdd_change_status").text
    second = ask_hoofy("sdd_change", type="fix", size="small", description="Again")
    assert second.failed
    assert second.text == (
        'An active change already exists: "login-fails" (fix/small, stage: context-check). '
        "Complete or archive it before starting a new one."
    )


def test_a_gate_that_it_does_not_have_is_passed_with_a_reason_and_told(docs: Path, ask_hoofy) -> None:
    begin(ask_hoofy)
    for text in ("Nobody gets in.", "Nothing.", "none"):
        told = ask_hoofy("sdd_change_advance", content=text).text

    assert told.startswith("# Stage Completed: tasks\n")
    assert told.endswith(
        '\n\n---\n\n⚠️ docs/changes/login-fails/tasks.md: has no task: write "- [ ] T1: what is to be done"'
    )
    record = json.loads((docs / "changes" / "login-fails" / "change.json").read_text(encoding="utf-8"))
    assert [bool(step.get("despite")) for step in record["stages"]] == [False, False, True, False]


def test_the_stages_of_a_change_are_one_note(docs: Path, ask_hoofy, context) -> None:
    begin(ask_hoofy)
    for text in ("Nobody gets in.", "Nothing.", "- [x] T1: mend it", "Verdict: PASS"):
        ask_hoofy("sdd_change_advance", content=text)
    (note,) = context.store.recent(Query(project="shop")).items

    assert note.title == "login-fails"
    assert "Nobody gets in." in note.content
    assert "T1: mend it" in note.content


def test_open_tasks_are_named_with_the_file_to_edit(docs: Path, ask_hoofy) -> None:
    begin(ask_hoofy)
    for text in ("Nobody gets in.", "Nothing.", "- [ ] T1: mend it", "Verdict: PASS"):
        told = ask_hoofy("sdd_change_advance", content=text).text

    folder = "docs/changes/login-fails"
    assert told == (
        f"# Stage Not Completed: verify\n\nSaved to `{folder}/verify.md`\n\nEdit `{folder}/tasks.md`, then call "
        f"`sdd_change_advance` again.\n\n---\n\n⚠️ {folder}/tasks.md: 0 of 1 tasks are ticked; finish and tick T1 (line 1)"
    )


def test_a_verdict_of_fail_is_not_completed(docs: Path, ask_hoofy) -> None:
    begin(ask_hoofy)
    for text in ("Nobody gets in.", "Nothing.", "- [x] T1: mend it", "Verdict: FAIL"):
        told = ask_hoofy("sdd_change_advance", content=text).text

    assert told.startswith("# Stage Not Completed: verify\n")
    assert "the verdict is FAIL" in told
    assert ask_hoofy("sdd_change_advance", content="Verdict: PASS").text.startswith(
        "# Stage Completed: verify\n\n✅ **Change completed!**"
    )


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("sdd_change", {"type": "hotfix"}, 'invalid change type "hotfix": must be one of: feature, fix, refactor, enhancement'),
        ("sdd_change", {"type": "fix", "size": "xl"}, 'invalid change size "xl": must be one of: small, medium, large'),
        ("sdd_change_advance", {"content": "x"}, "No active change found. Create one with `sdd_change` first."),
        ("sdd_change_status", {"change_id": "no"}, 'Change "no" not found: change "no" not found'),
        ("sdd_context", {"mode": "check"}, "'change_description' is required for mode=check"),
        ("sdd_context", {"mode": "x"}, "'mode' must be one of: get, check, suggest"),
        ("sdd_get_context", {}, "hoofy project not initialized — run sdd_init_project first"),
        ("sdd_validate", {"verdict": "MAYBE"}, "'verdict' must be 'PASS', 'PASS_WITH_WARNINGS', or 'FAIL' — got: MAYBE"),
        ("sdd_init_project", {"name": "A", "description": "B", "mode": "C"}, "'mode' must be 'guided' or 'expert'"),
        ("sdd_audit", {"scan_path": "x" * 5_000}, f"scan_path '{'x' * 199}…' not found: there is no such folder"),
        ("sdd_audit", {"scan_path": "a\0b"}, "scan_path 'ab' not found: there is no such folder"),
        ("sdd_audit", {"scan_path": "no"}, "scan_path 'no' not found: there is no such folder"),
        ("sdd_audit", {"scan_path": "docs/requirements.md"}, "scan_path 'docs/requirements.md' is not a directory"),
    ],
)  # fmt: skip
def test_errors_are_its_own(docs: Path, ask_hoofy, name: str, arguments: dict[str, str], said: str) -> None:
    answer = ask_hoofy(name, **arguments)

    assert (answer.text, answer.failed) == (said, True)


def test_a_path_out_of_the_project_is_refused(docs: Path, ask_hoofy) -> None:
    for name in ("sdd_audit", "sdd_reverse_engineer"):
        answer = ask_hoofy(name, scan_path="../..")
        assert answer.failed
        assert "outside of the project" in answer.text
        for odd in ("x" * 5_000, "\0"):
            assert ask_hoofy(name, scan_path=odd).text.endswith("not found: there is no such folder")


def test_the_check_shows_short_documents_whole_and_passages_of_long_ones(docs: Path, ask_hoofy) -> None:
    assert ask_hoofy("sdd_context_check", change_description="log in by key").text == CHECKED
    (docs / "charter.md").write_text(
        f"# Charter\n\n{'Words. ' * 200}\n\nNobody logs in twice.\n", encoding="utf-8"
    )

    told = ask_hoofy("sdd_context", mode="CHECK", change_description="log in by key").text

    assert "### charter.md\n\nNobody logs in twice.\n\n" in told
    assert "Words." not in told
    cut = ask_hoofy("sdd_context_check", change_description="log in by key", max_tokens=40).text
    assert cut.endswith("\n[...truncated by token budget]\n📏 ~43 tokens")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("sdd_context_check", "change_description"),
        ("sdd_suggest_context", "task_description"),
        ("sdd_review", "change_description"),
        ("sdd_audit", "scan_path"),
    ],
)
@pytest.mark.parametrize("level", ["", "summary", "standard"])
def test_a_huge_document_is_shown_in_excerpts(
    docs: Path, ask_hoofy, name: str, argument: str, level: str
) -> None:
    lines = [f"## Part {n}\n\n- **FR-{n:04}**: Readers log in by the key number {n}." for n in range(3_000)]
    (docs / "requirements.md").write_text("\n\n".join(lines), encoding="utf-8")
    (docs / "design.md").write_text("\n\n".join(lines), encoding="utf-8")
    what = {} if name == "sdd_audit" else {argument: "log in by the key number 1234"}

    answer = ask_hoofy(name, **what, **({"detail_level": level} if level else {}))

    assert not answer.failed
    assert len(answer.text) < (50_000 if name == "sdd_audit" else 10_000)


def test_an_excerpt_has_the_best_passages_and_says_how_many_there_are_beside(docs: Path, ask_hoofy) -> None:
    lines = [f"- **FR-{n:04}**: Readers log in by the key number {n}." for n in range(3_000)]
    (docs / "requirements.md").write_text("\n".join(lines), encoding="utf-8")

    told = ask_hoofy("sdd_context_check", change_description="log in by the key number 1234").text

    assert "- **FR-1234**: Readers log in by the key number 1234." in told
    assert "more passages; detail_level=full has the document]" in told
    assert (
        len(ask_hoofy("sdd_context_check", change_description="log in", detail_level="full").text) > 100_000
    )


def test_the_views_of_the_check(docs: Path, ask_hoofy) -> None:
    (docs / "business-rules.md").write_text("## Constraints\n\n- When x Then log out\n", encoding="utf-8")
    (docs / "design.md").write_text("## Door\n\nReaders log in.\n\n## Shelf\n\nBooks.\n", encoding="utf-8")

    listed = ask_hoofy("sdd_review", change_description="log in", detail_level="summary").text
    suggested = ask_hoofy("sdd_suggest_context", task_description="log in", detail_level="summary").text

    for item in (
        "- [ ] **FR-001**\n",
        "- [ ] **BRC-001**\n",
        "- [ ] **Door**\n",
        "_No relevant ADRs found._\n",
    ):
        assert item in listed
    assert "Shelf" not in listed
    assert "- **design.md** — 1 relevant section(s):\n  - Door\n" in suggested


def test_a_project_from_its_first_word_to_its_verdict(config: Config, ask_hoofy) -> None:
    assert "**Stage 1: Principles**" in ask_hoofy("sdd_init_project", name="Shop", description="Books").text
    assert ask_hoofy("sdd_get_context").text == BRIEF
    assert ask_hoofy("sdd_create_design", **dict.fromkeys(("tech_stack", "components"), "x")).text == (
        "wrong pipeline stage: currently at 'principles' (Principles), but this tool requires 'design' (Design)"
    )
    assert "**Stage 2: Charter**" in ask_hoofy("sdd_create_principles", principles="- Cents are whole.").text
    charter = ("problem_statement", "target_users", "proposed_solution", "success_criteria")
    assert "**Stage 3: Specify**" in ask_hoofy("sdd_create_charter", **dict.fromkeys(charter, "Words.")).text
    wanted = {"must_have": "- **FR-001**: a b", "should_have": "- **FR-002**: c", "non_functional": "- none"}
    assert "`sdd_create_business_rules`" in ask_hoofy("sdd_generate_requirements", **wanted).text
    rules = dict.fromkeys(("definitions", "facts", "constraints"), "- Words.")
    assert "`sdd_clarify`" in ask_hoofy("sdd_create_business_rules", **rules).text
    assert "### data_model (weight: 7/10)" in ask_hoofy("sdd_clarify").text
    scored = ask_hoofy("sdd_clarify", answers="none", dimension_scores=CLEAR).text
    assert scored.startswith(
        "# Clarity Gate: More Clarification Needed\n\n**Score:** 80/100 (need 70 to pass)"
    )
    assert "a score alone does not pass" in scored
    answered = ask_hoofy("sdd_clarify", answers="Readers pay by card, in euros.", dimension_scores=CLEAR)
    assert answered.text.startswith("# Clarity Gate PASSED\n\n**Score:** 80/100 (threshold: 70)\n")
    design = ("architecture_overview", "tech_stack", "components", "data_model")
    designed = ask_hoofy("sdd_create_design", **dict.fromkeys(design, "FR-001"))
    assert "FR-002 (docs/requirements.md:9) is not covered" in designed.text
    tasks = {"total_tasks": "1", "estimated_effort": "1d", "tasks": "- [ ] T1: all (FR-001, FR-002)"}
    assert "**Stage 6: Validate**" in ask_hoofy("sdd_create_tasks", **tasks).text
    report = dict.fromkeys(("requirements_coverage", "component_coverage", "consistency_issues"), "Fine.")
    assert "the verdict is FAIL" in ask_hoofy("sdd_validate", **report, verdict="fail").text
    assert (
        "# Validation Report\n\n**Verdict:** PASS\n"
        in ask_hoofy("sdd_validate", **report, verdict="pass").text
    )
    standard = ask_hoofy("sdd_get_context", detail_level="standard").text
    assert "| ✅ Validate | completed **← current** | 2 |" in standard
    assert "- **Business Rules** (`docs/business-rules.md`): " in standard
    assert "## Charter Content\n\n# Shop: Charter\n" in ask_hoofy("sdd_get_context", detail_level="full").text
    assert ask_hoofy("sdd_get_context", stage="requirements").text.startswith("# Shop: Specify")


def test_drafts_decisions_thoughts_and_scans(config: Config, ask_hoofy) -> None:
    nothing = ask_hoofy("sdd_bootstrap", design_security="x")
    assert nothing.failed
    assert nothing.text.startswith("No artifact content provided.")
    assert ask_hoofy("sdd_bootstrap", design_architecture="Layers.").text.startswith(
        "# SDD Bootstrap Complete\n\n## Written\n\n- ✅ `docs/design.md`\n\n---\n\n## Next Steps\n"
    )
    assert "- ⏭️ `docs/design.md (already exists)`" in ask_hoofy("sdd_bootstrap", design_components="x").text
    decided = ask_hoofy("sdd_adr", title="Use keys", context="c", decision="d", rationale="r").text
    assert "Saved to `docs/adrs/001-use-keys.md`" in decided
    first = ask_hoofy("sdd_explore", title="Typo", goals="quick fix").text
    assert "**Topic Key:** explore/typo\n**Action:** Created\n" in first
    assert "- **Suggested type:** fix" in first
    assert "**Action:** Updated (revision 2)" in ask_hoofy("sdd_explore", title="Typo", unknowns="who").text
    (Path(config.root) / "main.py").write_text("x = 1\n", encoding="utf-8")
    assert "| main.py | 1 | 6 |" in ask_hoofy("sdd_audit").text
    assert "docs/adrs/001-use-keys.md" in ask_hoofy("sdd_reverse_engineer").text
