"""Decisions: written down, listed, shown, and superseded by later ones."""

from typing import NamedTuple

from modicum.app.specs.changes import write_overview
from modicum.app.specs.context import SpecContext, now, open_specs
from modicum.app.specs.to_memory import remember_decision
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import as_dict, replace
from modicum.memory.redact import redact
from modicum.memory.store import Store
from modicum.specs.decisions import (
    DecisionDraft,
    check_draft,
    decision_text,
    file_name,
    find_decision,
    next_number,
    parse_decision,
    superseded_text,
)
from modicum.specs.files import ADRS, adr_files, create, read_decisions, read_text, write, write_change
from modicum.specs.model import Decision


class Decided(NamedTuple):
    """A decision that was written down."""

    decision: Decision
    remarks: tuple[str, ...] = ()


def new_decision(
    config: Config, store: Store | None, draft: DecisionDraft, *, supersedes: str = ""
) -> Decided:
    """Write a decision into a file of its own, under the next number, and link it to the change at hand."""
    draft = DecisionDraft(**{name: redact(text) for name, text in as_dict(draft).items()})
    check_draft(draft)
    desk = open_specs(config)
    with desk.workspace.writing():
        past = find_decision(read_decisions(desk.workspace), supersedes) if supersedes else None
        if past and past.superseded_by:
            raise ModicumError(
                f"{past.number} is superseded by {past.superseded_by} already",
                remedy=f"supersede {past.superseded_by}",
            )
        at_hand = desk.at_hand(draft.change)
        full = replace(draft, change=at_hand.id if at_hand else "")
        decision = _written(desk, full, past)
        if at_hand:
            _noted(desk, at_hand.id, decision)
        if past:
            _superseded(desk, past, decision)
    remarks = remember_decision(store, desk.project, decision, past.number if past else "")
    if past:
        again = parse_decision(past.file, read_text(desk.workspace.root / past.file) or "")
        remarks += remember_decision(store, desk.project, again)
    return Decided(decision, remarks)


def _written(desk: SpecContext, draft: DecisionDraft, past: Decision | None) -> Decision:
    folder = desk.workspace.docs / ADRS
    number = next_number(path.name for path in adr_files(desk.workspace) if path.parent == folder)
    path = folder / file_name(number, draft.title)
    text = decision_text(draft, number, now()[:10], past)
    if not create(desk.workspace, path, text):
        raise ModicumError(f"{desk.workspace.shown(path)} is there already", remedy="run this again")
    return parse_decision(desk.workspace.shown(path), text)


def _noted(desk: SpecContext, name: str, decision: Decision) -> None:
    change = desk.change(name)
    noted = replace(change, adrs=(*change.adrs, decision.number), updated_at=now())
    write_change(desk.workspace, noted)
    write_overview(desk, noted, desk.workspace.folder_of(noted))


def _superseded(desk: SpecContext, past: Decision, decision: Decision) -> None:
    path = desk.workspace.root / past.file
    write(desk.workspace, path, superseded_text(read_text(path) or "", decision))


def list_decisions(config: Config) -> tuple[Decision, ...]:
    """Every decision there is."""
    return read_decisions(open_specs(config).workspace)


def show_decision(config: Config, word: str) -> Decision:
    """One decision, whole."""
    return find_decision(list_decisions(config), word)
