"""The board of changes: a column for each stage, with gates, tasks and waves; and what supersedes what."""

import pytest

from modicum.app.specs.board import change_board, change_details
from modicum.app.specs.decisions import decisions_with_successors, new_decision
from modicum.base.errors import ModicumError
from modicum.specs.model import DecisionDraft


def test_a_project_without_changes_has_an_empty_board(place) -> None:
    board = change_board(place.config)

    assert (board.columns, board.ended, board.troubles) == ((), (), ())
    assert decisions_with_successors(place.config) == ()


def test_changes_stand_at_their_stage_in_the_order_of_the_flow(place) -> None:
    place.new("Fix the login")
    place.branch("other")
    place.new("Speed up the pool", kind="refactor")
    place.advance("The pool only.\n")
    place.branch("done")
    ended = place.new("Mend a typo").change.id
    place.finish(ended)

    board = change_board(place.config)

    shown = {
        column.stage.id: [card.report.change.description for card in column.cards] for column in board.columns
    }
    assert shown == {
        "describe": ["Fix the login"],
        "scope": [],
        "context-check": ["Speed up the pool"],
        "tasks": [],
        "verify": [],
    }
    assert [change.id for change in board.ended] == [ended]


def test_a_card_says_what_keeps_its_gate_shut(place) -> None:
    place.new("Fix the login")
    place.advance("It fails.\n")
    place.advance("Nothing speaks against it.\n")

    (card,) = [card for column in change_board(place.config).columns for card in column.cards]

    assert card.report.change.current == "tasks"
    assert card.is_shut
    assert any("has no task" in each.message for each in card.complaints)


def test_a_context_check_that_fills_itself_in_is_not_complained_about(place) -> None:
    place.new("Fix the login")
    place.advance("It fails.\n")

    (card,) = [card for column in change_board(place.config).columns for card in column.cards]

    assert card.report.change.current == "context-check"
    assert card.complaints == ()


def test_tasks_are_told_by_wave_and_none_is_lost(place) -> None:
    name = place.new("Fix the login").change.id
    place.advance("It fails.\n")
    place.advance("Nothing speaks against it.\n")
    folder = place.root / "docs" / "changes" / name
    (folder / "tasks.md").write_text(
        "- [x] T1: One\n- [ ] T2: Two (after: T1)\n- [ ] T3: Three (after: T4)\n- [ ] T4: Four (after: T3)\n"
    )

    found = change_details(place.config, name)

    assert [[task.id for task in wave] for wave in found.waves][:2] == [["T1"], ["T2"]]
    assert {task.id for wave in found.waves for task in wave} == {"T1", "T2", "T3", "T4"}
    assert found.card.report.waves.problems


def test_a_change_that_is_not_there_is_an_error_with_a_remedy(place) -> None:
    with pytest.raises(ModicumError):
        change_details(place.config, "nothing-of-that-name")


def test_decisions_say_what_supersedes_what(place) -> None:
    def decide(title: str, supersedes: str = "") -> None:
        new_decision(place.config, None, DecisionDraft(title, "a", "b", "c"), supersedes=supersedes)

    decide("Floats")
    decide("Cents", supersedes="1")
    place.write("docs/adrs/003-gone.md", "# 3. Gone\n\n- Status: superseded by 0099\n")

    gone, cents, floats = decisions_with_successors(place.config)

    assert (cents.superseded_by, [each.title for each in cents.supersedes]) == (None, ["Floats"])
    assert floats.superseded_by is not None
    assert floats.superseded_by.title == "Cents"
    assert (gone.superseded_by, gone.decision.superseded_by) == (None, "0099")
