"""Changes, projects and decisions as files that people read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.engine.page import Detail, View, fit
from modicum.specs import decisions, documents, explore
from modicum.specs.changes import moves
from modicum.specs.model import (
    Change,
    Decision,
    DecisionDraft,
    Field,
    Flows,
    SpecProject,
    Stage,
    StageProgress,
    Status,
)
from modicum.specs.project.drafts import drafted_fields
from modicum.specs.project.facts import ProjectFacts, ProjectFile
from modicum.specs.project.manifests import dependencies
from modicum.specs.project.sections import scan_sections

NAMES = ("describe", "spec")
CHANGE = Change(
    "login", "fix", "small", "Login fails", moves.start(NAMES, "2026-11-15T10:00:00Z"), branch="main", adrs=("001",),
    created_at="2026-11-15T10:00:00Z", updated_at="2026-11-15T10:00:00Z",
)  # fmt: skip
STAGES = {
    "describe": Stage("describe", "Describe", does="What is wrong."),
    "spec": Stage("spec", "Spec", template="# Spec of {description}\n"),
}
FLOWS = Flows((Stage("init", "Init"), Stage("charter", "Charter", "charter.md")), STAGES, {})


def test_a_change_comes_back_from_its_file() -> None:
    moved = moves.advance(CHANGE, "t1", digest="d", despite="why")

    assert documents.change_from_json(documents.change_to_json(moved), "x") == moved


def test_keys_of_others_stay() -> None:
    text = documents.change_to_json(CHANGE, '{"jira": "X-1", "id": "old"}')

    assert json.loads(text)["jira"] == "X-1"
    assert json.loads(text)["id"] == "login"
    assert documents.change_to_json(CHANGE, "broken") == documents.change_to_json(CHANGE, "[1]")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{", "is not JSON"),
        ("[]", "is not an object"),
        ("{}", '"id" is missing'),
        ('{"id":"a","type":"t","size":"s","description":"d"}', '"stages" is not a list'),
        ('{"id":"a","type":"t","size":"s","description":"d","stages":[1]}', '"name" is missing'),
        (
            '{"id":"a","type":"t","size":"s","description":"d","stages":[{"name":"x"}],"status":"odd"}',
            "no status",
        ),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong(text: str, word: str) -> None:
    with pytest.raises(ModicumError, match=r"docs/change\.json") as caught:
        documents.change_from_json(text, "docs/change.json")

    assert word in str(caught.value)
    assert caught.value.remedy


def test_a_project_comes_back_from_its_file() -> None:
    project = SpecProject("Shop", "Sells", moves.start(("init", "charter"), "t"), "expert", 55, "t", "t")

    assert documents.project_from_json(documents.project_to_json(project), "x", FLOWS.project) == project


def test_a_project_of_another_tool_can_be_read() -> None:
    text = json.dumps(
        {
            "name": "Shop",
            "current_stage": "charter",
            "stage_status": {
                "init": {"status": "completed"},
                "charter": {"status": "pending", "iterations": 1},
            },
            "clarity_score": "x",
        }
    )
    project = documents.project_from_json(text, "hoofy.json", FLOWS.project)

    assert [step.status for step in project.steps] == [StageProgress.DONE, StageProgress.CURRENT]
    assert (project.clarity, project.mode) == (0, "guided")
    assert documents.project_from_json('{"name": "x", "stage_status": 1}', "x", FLOWS.project).current == ""


def test_line_ends_are_no_edit() -> None:
    assert documents.digest("a\r\nb") == documents.digest("a\nb") != documents.digest("a\nc")


def test_a_template_has_the_description() -> None:
    assert documents.template_of(STAGES["spec"], "x") == "# Spec of x\n"
    assert "What is wrong." in documents.template_of(STAGES["describe"], "x")
    assert "Write it here." in documents.template_of(Stage("a", "A"), "x")


def test_an_artifact_has_a_heading_for_every_part_that_was_given() -> None:
    stage = Stage("charter", "Charter", "charter.md", fields={"why": Field("Why", True), "who": Field("Who")})

    assert documents.artifact_text(stage, "Shop", {"why": " because \n", "who": " "}) == (
        "# Shop: Charter\n\n## Why\n\nbecause\n"
    )
    assert documents.DRAFT in documents.artifact_text(stage, "Shop", {"why": "x"}, draft=True)


def test_the_page_of_a_change_tells_a_stranger_what_it_is() -> None:
    decision = Decision("001", "No Redis", file="docs/adrs/001-no-redis.md")

    assert documents.overview(moves.advance(CHANGE, "2026-11-16T", despite="late"), FLOWS, [decision]) == (
        "# Login fails\n\n"
        "A small fix, open, at **spec**, begun 2026-11-15, on branch `main`.\n\n"
        "| stage | what it says | |\n| --- | --- | --- |\n"
        "| [Describe](describe.md) | What is wrong. | done 2026-11-16 (despite a shut gate: late) |\n"
        "| [Spec](spec.md) |  | **now** |\n\n"
        "## Decisions\n\n- [001 No Redis](../../adrs/001-no-redis.md)"
    )


@pytest.mark.parametrize("status", Status)
def test_the_page_tells_what_became_of_a_change(status: Status) -> None:
    from modicum.base.value import replace

    page = documents.overview(replace(CHANGE, status=status, reason="no time", branch=""), Flows((), {}, {}))

    assert "(no time), begun" in page
    assert "| [describe](describe.md) |" in page
    assert "| spec |" in page


# Decisions

FULL = DecisionDraft("Use  Redis", "slow", "Redis", "fast", "files", "accepted", "login")


@pytest.mark.parametrize("field", ["title", "context", "decision", "rationale"])
def test_a_decision_needs_its_parts(field: str) -> None:
    from modicum.base.value import replace

    with pytest.raises(ModicumError, match=f"needs its {field}"):
        decisions.check_draft(replace(FULL, **{field: " \n"}))


def test_a_status_is_one_of_four() -> None:
    decisions.check_draft(FULL)
    with pytest.raises(ModicumError, match="no status"):
        decisions.check_draft(DecisionDraft("t", "c", "d", "r", status="maybe"))


def test_numbers_go_on_after_the_highest() -> None:
    assert decisions.next_number(["001-a.md", "005-b.md", "README.md"]) == "006"
    assert decisions.next_number([]) == "001"


def test_a_decision_is_written_and_read() -> None:
    past = Decision("001", "Old", file="docs/adrs/001-old.md")
    text = decisions.decision_text(FULL, "002", "2026-11-15", past)

    assert text == (
        "# 002. Use Redis\n\n- Status: accepted\n- Date: 2026-11-15\n- Change: login\n- Supersedes: [001](001-old.md)\n\n"
        "## Context\n\nslow\n\n## Decision\n\nRedis\n\n## Rationale\n\nfast\n\n## Alternatives Rejected\n\nfiles\n"
    )
    assert decisions.parse_decision("docs/adrs/002-use-redis.md", text) == Decision(
        "002", "Use Redis", "accepted", "docs/adrs/002-use-redis.md", "login", "", text
    )
    assert "Change:" not in decisions.decision_text(DecisionDraft("t", "c", "d", "r"), "1", "x")


@pytest.mark.parametrize(
    ("text", "title", "status", "by"),
    [
        ("# ADR-007: Use X\n\n**Status:** Superseded by [ADR-012](x.md)\n", "Use X", "superseded", "012"),
        ("# 7. Use X\n\n## Status\n\nDeprecated\n", "Use X", "deprecated", ""),
        ("# Use X\n\nSuperseded by 9\n\n## Context\n", "Use X", "superseded", "9"),
        (
            "# Use X\n\nStatus: proposed\n\n## Notes\n\nThe API was replaced by 12 others.\n",
            "Use X",
            "proposed",
            "",
        ),
        ("Just words", "007-x", "accepted", ""),
        ("", "007-x", "accepted", ""),
    ],
)
def test_decisions_of_others_can_be_read(text: str, title: str, status: str, by: str) -> None:
    found = decisions.parse_decision("doc/adr/007-x.md", text)

    assert (found.number, found.title, found.status, found.superseded_by) == ("007", title, status, by)
    assert decisions.parse_decision("adr.md", "").number == "adr"


def test_superseding_changes_one_line() -> None:
    by = Decision("013", "New", file="docs/adrs/013-new.md")
    text = "# 1. Old\n\n- Status: accepted\n- Date: x\n\n## Context\n\nmine\n"

    assert decisions.superseded_text(text, by) == text.replace("accepted", "superseded by [013](013-new.md)")
    for bare in ("# Old\nwords\n", "# Old"):
        assert decisions.parse_decision("1.md", decisions.superseded_text(bare, by)).superseded_by == "013"


def test_a_decision_is_called_by_number_and_title() -> None:
    assert decisions.file_name("007", "Use Redis!") == "007-use-redis.md"


def test_a_decision_answers_to_its_number_and_its_file() -> None:
    listed = [Decision("004", "a", file="docs/adrs/004-a.md"), Decision("x", "b", file="adr-x.md")]

    assert [
        decisions.find_decision(listed, word).title for word in ("4", "004", "004-a.md", "x", "adr-x")
    ] == list("aaabb")
    with pytest.raises(ModicumError, match="no decision"):
        decisions.find_decision(listed, "5")


@given(st.text(max_size=200))
def test_any_text_may_be_a_decision(text: str) -> None:
    found = decisions.parse_decision("001-x.md", text)

    assert found.title
    assert decisions.parse_decision("001-x.md", decisions.superseded_text(text, found)).text


# Drafts of a project that has none

FACTS = ProjectFacts(
    "shop",
    manifests=(ProjectFile("pyproject.toml", 10, '[project]\ndependencies = ["django>=4", "rich"]'), ProjectFile("go.mod", 5, "module x")),
    settings=(ProjectFile("Dockerfile", 3),),
    conventions=(
        ProjectFile("README.md", 9, "# Shop\n\n## Features\n\n- Sells books\n- Sends mail\n\n## Else\n\n- no\n"),
        ProjectFile("AGENTS.md", 9, "- Never use Redis.\n- A fact.\nAlways, but no item.\n"),
    ),
    decisions=(ProjectFile("docs/adrs/001-x.md", 4),),
    tests=("tests/test_a.py", "test_b.py"),
    folders=(("src", 2), (".", 1)),
    languages=(("py", 3),),
    files=8,
)  # fmt: skip


def test_drafts_say_what_was_seen_and_where() -> None:
    fields = drafted_fields(FACTS)

    assert fields["specify"]["must_have"] == "- **FR-001**: Sells books\n- **FR-002**: Sends mail"
    assert fields["business-rules"]["constraints"] == "- Never use Redis. (AGENTS.md:1)"
    assert fields["design"]["tech_stack"] == "- `pyproject.toml`: django, rich\n- `go.mod`\n- `Dockerfile`"
    assert fields["design"]["quality_analysis"] == "2 test files in `.`, `tests`."
    assert drafted_fields(ProjectFacts("x")) == {}


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("package.json", '{"dependencies": {"a": 1, "b": 2}}', ["a", "b"]),
        ("package.json", "[]", []),
        ("package.json", "{", []),
        ("package.json", '{"dependencies": 1}', []),
        ("Cargo.toml", '[dependencies]\nserde = "1"', ["serde"]),
        ("requirements.txt", "a==1 # x\n# b\n-r c\nd[e]>2\n", ["a", "d"]),
        ("pyproject.toml", "project = 1", []),
    ],
)
def test_dependencies_are_read_where_the_form_is_known(name: str, text: str, names: list[str]) -> None:
    assert list(dependencies(ProjectFile(name, 1, text))) == names


def test_a_long_list_of_dependencies_is_shortened() -> None:
    many = ", ".join(f'"d{n}"' for n in range(30))
    fields = drafted_fields(
        ProjectFacts(
            "x", manifests=(ProjectFile("pyproject.toml", 1, f"[project]\ndependencies = [{many}]"),)
        )
    )

    assert fields["design"]["tech_stack"].endswith("d19, …")


def test_a_scan_is_told_in_three_lengths() -> None:
    texts = [fit(scan_sections(FACTS), View(detail)).text for detail in Detail]

    assert [len(text) for text in texts] == sorted(len(text) for text in texts)
    assert "- README.md\n" in texts[0]
    assert "- Sells books" in texts[2]
    assert "- src/ (2 source files)" in texts[1]
    assert scan_sections(ProjectFacts("x")) == ()


# Exploring


@pytest.mark.parametrize(
    ("text", "kind", "size"),
    [
        ("quick fix for typo", "fix", "small"),
        ("major rewrite of the entire system", "feature", "large"),
        ("simple cleanup task", "refactor", "small"),
        ("just thinking about stuff", "feature", "medium"),
        ("debug the address prefix", "feature", "medium"),
        ("clean up", "refactor", "medium"),
        ("improve it", "enhancement", "medium"),
    ],
)
def test_thoughts_point_to_a_change(text: str, kind: str, size: str) -> None:
    assert explore.suggest(text) == (kind, size)


def test_thoughts_are_merged_part_by_part() -> None:
    first = explore.merged("", {"goals": "JWT", "unknowns": " "})
    second = explore.merged(first, {"constraints": "## Goals\n\nno cookies\n#### deep", "goals": "OAuth"})

    assert first == "## Goals\n\nJWT"
    assert explore.parse(second) == {"goals": "OAuth", "constraints": "### Goals\n\nno cookies\n#### deep"}
