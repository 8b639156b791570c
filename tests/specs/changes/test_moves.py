"""How a change moves."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.specs.changes import moves
from modicum.specs.changes.flows import EMPTY, file_of, flow_of, parse_flows, project_stage
from modicum.specs.model import Change, ChangeStep, SpecProject, StageProgress, Status

DATA = Path(__file__).parent.parent.parent.parent / "src" / "modicum" / "data" / "flows.yaml"
FLOWS = parse_flows(DATA.read_bytes(), "flows.yaml")
CHECKED = "context-check"
TWELVE = {
    ("fix", "small"): ("describe", CHECKED, "tasks", "verify"),
    ("fix", "medium"): ("describe", CHECKED, "spec", "tasks", "verify"),
    ("fix", "large"): ("describe", CHECKED, "spec", "design", "tasks", "verify"),
    ("feature", "small"): ("describe", CHECKED, "tasks", "verify"),
    ("feature", "medium"): ("charter", CHECKED, "spec", "tasks", "verify"),
    ("feature", "large"): ("charter", CHECKED, "spec", "clarify", "design", "tasks", "verify"),
    ("refactor", "small"): ("scope", CHECKED, "tasks", "verify"),
    ("refactor", "medium"): ("scope", CHECKED, "design", "tasks", "verify"),
    ("refactor", "large"): ("scope", CHECKED, "spec", "design", "tasks", "verify"),
    ("enhancement", "small"): ("describe", CHECKED, "tasks", "verify"),
    ("enhancement", "medium"): ("charter", CHECKED, "spec", "tasks", "verify"),
    ("enhancement", "large"): ("charter", CHECKED, "spec", "clarify", "design", "tasks", "verify"),
}
NAMES = ("describe", "spec", "tasks", "verify")


def change(**fields) -> Change:
    return replace(
        Change("login", "fix", "medium", "Login", moves.start(NAMES, "t0"), created_at="t0"), **fields
    )


def moved(one: Change, times: int) -> Change:
    for number in range(times):
        one = moves.advance(one, f"t{number + 1}")
    return one


# The table


@pytest.mark.parametrize("pair", TWELVE, ids=" ".join)
def test_a_change_of_a_type_and_a_size_goes_through_these_stages(pair: tuple[str, str]) -> None:
    stages = flow_of(FLOWS, *pair)

    assert stages == TWELVE[pair]
    assert stages[1] == CHECKED
    assert stages[-1] == "verify"
    assert all(file_of(FLOWS, name) == f"{name}.md" for name in stages)


@pytest.mark.parametrize(
    ("pair", "word"),
    [
        (("hotfix", "small"), 'no type of change "hotfix"'),
        (("fix", "xl"), 'no size "xl"'),
        (("", "small"), 'no type of change ""'),
        (("Feature", "small"), 'did you mean "feature"'),
        (("fix", ""), 'no size ""'),
    ],
)
def test_types_and_sizes_are_words_of_the_table(pair: tuple[str, str], word: str) -> None:
    with pytest.raises(ModicumError, match=word):
        flow_of(FLOWS, *pair)


def test_a_project_goes_through_nine_stages() -> None:
    files = [
        "principles",
        "charter",
        "requirements",
        "business-rules",
        "clarifications",
        "design",
        "tasks",
        "validation",
    ]

    assert [stage.id for stage in FLOWS.project] == (
        [
            "init",
            "principles",
            "charter",
            "specify",
            "business-rules",
            "clarify",
            "design",
            "tasks",
            "validate",
        ]
    )
    assert [stage.file for stage in FLOWS.project] == ["", *(f"{name}.md" for name in files)]
    assert file_of(FLOWS, "nonsense") == "nonsense.md"


@pytest.mark.parametrize("word", ["specify", "requirements", "requirements.md"])
def test_a_stage_of_a_project_answers_to_its_id_and_its_file(word: str) -> None:
    assert project_stage(FLOWS, word).id == "specify"


@pytest.mark.parametrize("word", ["", "nonexistent", ".md"])
def test_a_stage_that_is_not_there_is_named(word: str) -> None:
    with pytest.raises(ModicumError, match="there is no stage"):
        project_stage(FLOWS, word)


def test_a_project_adds_types_sizes_and_stages_and_words_old_ones_anew() -> None:
    own = """
    project: [{id: threats, file: threats.md, does: What may go wrong.}, {id: design, does: Anew.}]
    stages: {measure: {does: Numbers., checks: [tasks]}, spec: {template: "# Mine\\n"}}
    types: {hotfix: {tiny: [describe, measure]}, fix: {xl: [describe, spec]}}
    """
    flows = parse_flows(own, "own.yaml", FLOWS)

    assert flow_of(flows, "hotfix", "tiny") == ("describe", "measure")
    assert flow_of(flows, "fix", "xl") == ("describe", "spec")
    assert flow_of(flows, "fix", "small") == TWELVE["fix", "small"]
    assert flows.stages["measure"].name == "Measure"
    assert flows.stages["spec"]._replace(template="") == FLOWS.stages["spec"]._replace(template="")
    assert flows.project[-1].id == "threats"
    assert project_stage(flows, "design").does == "Anew."
    assert project_stage(flows, "design").file == "design.md"
    assert FLOWS.types.keys() == {"fix", "feature", "refactor", "enhancement"}


@pytest.mark.parametrize(
    ("own", "word"),
    [
        ("types: {fix: {tiny: [desribe]}}", 'did you mean "describe"'),
        ("types: {fix: {tiny: []}}", "has no stages"),
        ("types: {fix: {tiny: [spec, spec]}}", "a stage twice"),
        ("stages: {spec: {checks: [coverag]}}", 'did you mean "coverage"'),
        ("stages: {spec: {file: ../spec.md}}", "without a folder"),
        ("stages: {spec: {file: spec.txt}}", "a .md file"),
        ("stages: {../x: {}}", "no slashes"),
        ('stages: {"..": {}}', "no slashes"),
        ("stage: {}", 'unknown key "stage"'),
        ("types: {fix: {tiny: [zzz]}}", "there are: describe"),
        ("\0", "not YAML"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(own: str, word: str) -> None:
    with pytest.raises(ModicumError, match=r"own\.yaml") as caught:
        parse_flows(own, "own.yaml", FLOWS)

    assert word in str(caught.value)


def test_a_table_may_be_empty() -> None:
    assert parse_flows("", "own.yaml") == EMPTY
    assert parse_flows("", "own.yaml", FLOWS) == FLOWS


# Names


# Moving


def test_advancing_finishes_a_stage_and_begins_the_next() -> None:
    one = moves.advance(change(), "t1", digest="d", despite="why")

    assert one.steps[:2] == (
        ChangeStep("describe", StageProgress.DONE, "t0", "t1", "d", "why"),
        ChangeStep("spec", StageProgress.CURRENT, "t1"),
    )
    assert (one.current, one.status, one.updated_at) == ("spec", Status.ACTIVE, "t1")


def test_the_last_stage_completes_a_change_and_then_it_does_not_move() -> None:
    done = moved(change(), 4)

    assert (done.status, done.current, done.is_open) == (Status.DONE, "", False)
    for move in (
        lambda: moves.advance(done, "t"),
        lambda: moves.back(done, "t"),
        lambda: moves.cancel(done, "t"),
        lambda: moves.resize(done, "small", NAMES, "t"),
    ):
        with pytest.raises(ModicumError, match="is completed"):
            move()


def test_going_back_takes_up_a_stage_and_those_behind_it_again() -> None:
    one = moves.back(moved(change(), 3), "t9", "spec")

    assert [step.status for step in one.steps] == [
        StageProgress.DONE,
        StageProgress.CURRENT,
        StageProgress.PENDING,
        StageProgress.PENDING,
    ]
    assert moves.back(moved(change(), 2), "t9").current == "spec"


def test_one_cannot_go_back_to_where_a_change_has_not_been() -> None:
    with pytest.raises(ModicumError, match="first stage"):
        moves.back(change(), "t")
    with pytest.raises(ModicumError, match="has not been at"):
        moves.back(change(), "t", "tasks")


def test_what_was_finished_or_given_up_can_be_opened_again() -> None:
    done, given_up = moved(change(), 4), moves.cancel(moved(change(), 1), "t", "no time")

    assert given_up.reason == "no time"
    assert moves.reopen(done, "t").current == "verify"
    assert moves.reopen(done, "t", "spec").current == "spec"
    assert (moves.reopen(given_up, "t").current, moves.reopen(given_up, "t").reason) == ("spec", "")
    with pytest.raises(ModicumError, match="is open"):
        moves.reopen(change(), "t")
    with pytest.raises(ModicumError, match="has no stage"):
        moves.reopen(done, "t", "design")


def test_another_size_keeps_what_is_finished_and_still_needed() -> None:
    one = moved(change(), 3)
    larger = moves.resize(one, "large", ("describe", "spec", "design", "tasks", "verify"), "t")
    smaller = moves.resize(one, "small", ("describe", "tasks"), "t")

    assert (larger.size, larger.current) == ("large", "design")
    assert larger.steps[3].status is StageProgress.DONE
    assert smaller.current == "tasks"
    with pytest.raises(ModicumError, match="is medium already"):
        moves.resize(one, "medium", NAMES, "t")


def test_only_what_is_closed_can_be_archived() -> None:
    with pytest.raises(ModicumError, match="still open"):
        moves.archive(change(), "t")
    with pytest.raises(ModicumError, match="archived already"):
        moves.archive(change(status=Status.ARCHIVED), "t")

    assert moves.archive(moved(change(), 4), "t").status is Status.ARCHIVED
    assert moves.archive(change(status=Status.CANCELLED), "t").reason == "cancelled"


@given(
    st.lists(
        st.sampled_from(["advance", "back", "cancel", "reopen", "archive", "small", "large"]), max_size=25
    )
)
def test_whatever_is_done_an_open_change_has_one_current_stage(steps: list[str]) -> None:
    one = change()
    sizes = {"small": ("describe", "verify"), "large": NAMES}
    for move in steps:
        try:
            one = (
                moves.resize(one, move, sizes[move], "t") if move in sizes else getattr(moves, move)(one, "t")
            )
        except ModicumError:
            continue
        current = [step for step in one.steps if step.status is StageProgress.CURRENT]
        assert len(current) == (1 if one.is_open else len(current))
        assert one.status is not Status.DONE or moves.is_finished(one.steps)


def test_the_text_of_a_shut_gate_is_known_as_ours() -> None:
    assert moves.note_text(change(), "d").steps[0].digest == "d"


def test_the_change_at_hand_is_that_of_the_branch() -> None:
    one, two = change(id="one", branch="a"), change(id="two", branch="b")

    assert moves.find_change([one, two], "", "b") is two
    assert moves.find_change([one], "", "elsewhere") is one
    assert moves.find_change([one, two], "tw", "a") is two
    assert moves.find_change([one, change(id="one-2")], "one", "a") is one
    for name, word in (("", "several changes are open"), ("x", "no change"), ("o", "begin with")):
        with pytest.raises(ModicumError, match=word):
            moves.find_change([one, two, change(id="other")], name, "elsewhere")
    with pytest.raises(ModicumError, match="no change is open"):
        moves.find_change([change(status=Status.DONE)], "", "")


def test_a_branch_has_one_open_change() -> None:
    moves.refuse_second([change(branch="a"), change(branch="b", status=Status.DONE)], "b")
    with pytest.raises(ModicumError, match="on branch a"):
        moves.refuse_second([change(branch="a")], "a")
    with pytest.raises(ModicumError, match="is open here"):
        moves.refuse_second([change()], "")


def test_a_project_moves_in_the_same_way() -> None:
    project = moves.advance_project(SpecProject("Shop", "", moves.start(NAMES, "t")), "t1")

    assert project.current == "spec"
    assert moves.rewind_project(project, "describe", "t2").current == "describe"
    assert json.dumps([step.name for step in project.steps])
