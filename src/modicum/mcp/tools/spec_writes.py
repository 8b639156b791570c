"""The tools that write specs. Each answers in one line: what was done, where, and what a gate has found."""

from typing import TYPE_CHECKING

from modicum.base.errors import ModicumError
from modicum.mcp.args import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.spec_words import spoken
from modicum.mcp.tool import ToolContext
from modicum.mcp.tools.memory import done

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modicum.app.specs.changes import ChangeResult
    from modicum.app.specs.project import Written
    from modicum.specs.model import Complaint

MOST_COMPLAINTS = 12
CHANGE_ACTIONS = ("new", "advance", "back", "reopen", "resize", "cancel", "archive")
PROJECT_ACTIONS = ("init", "write", "clarify", "back")
ADR_PARTS = ("title", "context", "decision", "rationale", "alternatives_rejected")
EXPLORE_PARTS = ("goals", "constraints", "preferences", "unknowns", "decisions", "context")


def _content(asked: Arguments) -> str | None:
    """A text that was handed over; without one, the file says it."""
    return asked.text("content") if "content" in asked.arguments else None


def _found(complaints: "Sequence[Complaint]") -> str:
    """What a gate has found, the errors first."""
    ranked = sorted(complaints, key=lambda each: str(each.severity) != "error")
    told = [f"{each.severity}: {each}" for each in ranked[:MOST_COMPLAINTS]]
    more = len(ranked) - len(told)
    return "; ".join((*told, *([f"and {more} more"] if more else [])))


def _line(asked: Arguments, sentence: str, *more: str, **data: object) -> ToolReply:
    return done(asked, spoken(" ".join((sentence, *filter(None, more)))), **data)


# Changes.


def change(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.specs import changes

    action = asked.choice("action", CHANGE_ACTIONS, "new")
    name, to = asked.text("change_id").strip(), asked.text("stage").strip()
    config, store = desk.config, desk.store
    moves: Mapping[str, Callable[[], ChangeResult]] = {
        "new": lambda: changes.new_change(
            config, store, asked.text("type"), asked.text("size"), asked.text("description")
        ),
        "advance": lambda: changes.advance(
            config,
            store,
            content=_content(asked),
            change=name,
            stage=to,
            despite=asked.text("despite"),
            replacing=asked.flag("replace"),
        ),
        "back": lambda: changes.back(config, change=name, to=to),
        "reopen": lambda: changes.reopen(config, store, change=name, to=to),
        "resize": lambda: changes.resize(config, asked.text("size"), change=name),
        "cancel": lambda: changes.cancel(config, store, change=name, reason=asked.text("reason")),
        "archive": lambda: changes.archive(config, change=name),
    }
    if action in ("reopen", "archive") and not name:
        raise ModicumError("change_id is missing", remedy="sdd_change_status all=true lists the changes")
    return _moved(asked, moves[action]())


def _moved(asked: Arguments, moved: "ChangeResult") -> ToolReply:
    one = moved.change
    where = f"at {one.current}" if one.is_open else str(one.status)
    head = f"change:{one.id} is {where} ({moved.folder}/)."
    if not moved.advanced:
        head = f"change:{one.id} stays at {moved.finished}; {moved.file} is kept. Mend it and call again."
    stages = [step.name for step in one.steps]
    about = f"Stages: {', '.join(stages)}." if not moved.finished and one.is_open else ""
    return _line(
        asked,
        head,
        about,
        _found(moved.complaints),
        *moved.remarks,
        id=f"change:{one.id}",
        stage=one.current or None,
        status=str(one.status),
        advanced=moved.advanced,
        complaints=[str(each) for each in moved.complaints[:MOST_COMPLAINTS]],
    )


# The documents of the project.


def project(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.specs import project as documents

    action, stage = asked.choice("action", PROJECT_ACTIONS, "write"), asked.text("stage").strip()
    config, store = desk.config, desk.store
    if action == "init":
        mode = asked.text("mode") or "guided"
        found = documents.init_project(config, asked.text("name"), asked.text("description"), mode)
        return _line(asked, f"{found.name} is begun in {found.mode} mode, at {found.current}.", id="project:")
    if action == "back":
        found = documents.back_to(config, stage)
        return _line(asked, f"{found.name} is at {found.current} again.", id="project:")
    if action == "clarify":
        return _clarified(desk, asked)
    written = documents.write_stage(
        config,
        store,
        stage,
        content=_content(asked),
        despite=asked.text("despite"),
        replacing=asked.flag("replace"),
    )
    return _written(asked, written)


def _clarified(desk: ToolContext, asked: Arguments) -> ToolReply:
    """Answers and scores; without answers, what is to be asked about."""
    from modicum.app.specs import project as documents

    answers = asked.text("answers")
    if answers.strip():
        return _written(asked, documents.clarify(desk.config, desk.store, answers, asked.text("scores")))
    found = documents.clarity_questions(desk.config)
    weights = ", ".join(f"{name} ({weight})" for name, weight in found.dimensions.items())
    return _line(
        asked,
        f"Clarity is {found.project.clarity} of the {found.threshold} that {found.project.mode} mode asks for. "
        f"Ask the user about what requirements and business-rules leave open in: {weights}. Then call again "
        "with answers, and scores as name:0-100, …",
        id="artifact:clarifications.md",
        threshold=found.threshold,
    )


def _written(asked: Arguments, written: "Written") -> ToolReply:
    now = written.project.current
    head = f"{written.file} is written. Next: {now or 'nothing, all are finished'}."
    if not written.advanced:
        head = f"The project stays at {written.stage.id}; {written.file} is kept. Mend it and call again."
    return _line(
        asked,
        head,
        _found(written.complaints),
        *written.remarks,
        id=f"artifact:{written.stage.file}",
        stage=now or None,
        advanced=written.advanced,
        complaints=[str(each) for each in written.complaints[:MOST_COMPLAINTS]],
    )


def bootstrap(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.specs.project import bootstrap as begin

    started = begin(desk.config, None, asked.text("name"))
    told = [f"Written as drafts: {', '.join(started.written)}."] if started.written else []
    told += [f"There already: {', '.join(started.skipped)}."] if started.skipped else []
    keys = [f"artifact:{path.rpartition('/')[2]}" for path in started.written]
    return _line(asked, " ".join(told), ids=keys, skipped=list(started.skipped))


# Decisions and thoughts.


def decide(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.specs.decisions import new_decision
    from modicum.specs.model import DecisionDraft

    parts = {name: asked.text(name) for name in ADR_PARTS}
    status, change_id = asked.text("status") or "accepted", asked.text("change_id")
    draft = DecisionDraft(**parts, status=status, change=change_id)
    decided = new_decision(desk.config, desk.store, draft, supersedes=asked.text("supersedes"))
    one = decided.decision
    past = f" It supersedes {asked.text('supersedes')}." if asked.text("supersedes") else ""
    return _line(
        asked,
        f"adr:{one.number} is {one.status} ({one.file}).{past}",
        *decided.remarks,
        id=f"adr:{one.number}",
        change=one.change or None,
    )


def explore(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.specs.overview import explore as keep

    parts = {name: asked.text(name) for name in EXPLORE_PARTS}
    found = keep(desk.config, desk.store, asked.text("title"), parts)
    number, outcome = found.saved.id, str(found.saved.outcome)
    sentence = f"#{number} {outcome} ({found.topic}). It sounds like a {found.size} {found.type}."
    return _line(asked, sentence, id=number, outcome=outcome)
