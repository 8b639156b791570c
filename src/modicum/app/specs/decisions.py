"""Decisions use cases for the doors: new, supersede, list, show."""

from typing import NamedTuple

from modicum.app.specs.changes import write_overview
from modicum.app.specs.open_specs import OpenedSpecs, now, open_specs
from modicum.app.specs.spec_notes import remember_decision
from modicum.base.config import Config
from modicum.base.errors import Caution, ModicumError
from modicum.base.value import as_dict, replace
from modicum.memory.redact import redact
from modicum.memory.store import Store
from modicum.specs.decisions import (
    check_draft,
    decision_text,
    file_name,
    find_decision,
    next_number,
    parse_decision,
    superseded_text,
)
from modicum.specs.files import ADRS, adr_files, create, read_decisions, read_text, write, write_change
from modicum.specs.model import Decision, DecisionDraft


class DecisionResult(NamedTuple):
    """The result of writing a decision for a door: the decision, and remarks about it."""

    decision: Decision
    remarks: tuple[Caution, ...] = ()


class ListedDecision(NamedTuple):
    """A decision in the list for a door, with the one that supersedes it, and those that it supersedes."""

    decision: Decision
    superseded_by: Decision | None = None
    supersedes: tuple[Decision, ...] = ()


def new_decision(
    config: Config, store: Store | None, draft: DecisionDraft, *, supersedes: str = ""
) -> DecisionResult:
    """Writes a new decision for a door into a numbered file, linked to its change and the superseded one."""
    draft = DecisionDraft(**{name: redact(text) for name, text in as_dict(draft).items()})
    check_draft(draft)
    specs = open_specs(config)
    with specs.workspace.writing():
        past = find_decision(read_decisions(specs.workspace), supersedes) if supersedes else None
        if past and past.superseded_by:
            raise ModicumError(
                f"{past.number} is superseded by {past.superseded_by} already",
                remedy=f"supersede {past.superseded_by}",
            )
        current = specs.current_change(draft.change)
        full = replace(draft, change=current.id if current else "")
        decision = _written(specs, full, past)
        if current:
            _noted(specs, current.id, decision)
        if past:
            _superseded(specs, past, decision)
    store = store.in_one_batch("decide") if store else None
    remarks = remember_decision(store, specs, decision, past.number if past else "")
    if past:
        again = parse_decision(past.file, read_text(specs.workspace.root / past.file) or "")
        remarks += remember_decision(store, specs, again)
    return DecisionResult(decision, remarks)


def _written(specs: OpenedSpecs, draft: DecisionDraft, past: Decision | None) -> Decision:
    folder = specs.workspace.docs / ADRS
    number = next_number(path.name for path in adr_files(specs.workspace) if path.parent == folder)
    path = folder / file_name(number, draft.title)
    text = decision_text(draft, number, now()[:10], past)
    if not create(specs.workspace, path, text):
        raise ModicumError(f"{specs.workspace.shown(path)} is there already", remedy="run this again")
    return parse_decision(specs.workspace.shown(path), text)


def _noted(specs: OpenedSpecs, name: str, decision: Decision) -> None:
    change = specs.change(name)
    noted = replace(change, adrs=(*change.adrs, decision.number), updated_at=now())
    write_change(specs.workspace, noted)
    write_overview(specs, noted, specs.workspace.folder_of(noted))


def _superseded(specs: OpenedSpecs, past: Decision, decision: Decision) -> None:
    path = specs.workspace.root / past.file
    write(specs.workspace, path, superseded_text(read_text(path) or "", decision))


def list_decisions(config: Config) -> tuple[Decision, ...]:
    """Returns all decisions (ADRs) of the project for a door, in the order of their files."""
    return read_decisions(open_specs(config).workspace)


def decisions_with_successors(config: Config) -> tuple[ListedDecision, ...]:
    """Returns all decisions of a project for a door, the newest first, each with what supersedes what."""
    found = read_decisions(open_specs(config).workspace)
    by_number = {_number(each.number): each for each in found}
    older: dict[str, list[Decision]] = {}
    for each in found:
        if each.superseded_by:
            older.setdefault(_number(each.superseded_by), []).append(each)
    return tuple(
        ListedDecision(
            each,
            by_number.get(_number(each.superseded_by)) if each.superseded_by else None,
            tuple(older.get(_number(each.number), ())),
        )
        for each in reversed(found)
    )


def _number(word: str) -> str:
    """The number of a decision without the zeros in front, which not everybody writes."""
    return word.lstrip("0") or word


def show_decision(config: Config, word: str) -> Decision:
    """Returns one decision (ADR) of the project, whole, for a door."""
    return find_decision(list_decisions(config), word)
