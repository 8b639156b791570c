"""The functions of the MCP tools that write specs. Each replies in one line, with the gates' findings."""

from typing import TYPE_CHECKING

from modicum.app.memory.notes import with_title
from modicum.base.errors import ModicumError
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.mcp.tools.memory import done

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modicum.app.specs.changes import ChangeResult
    from modicum.app.specs.project import StageResult
    from modicum.base.errors import Caution
    from modicum.specs.model import Complaint

MOST_COMPLAINTS = 12
CHANGE_ACTIONS = ("new", "advance", "back", "reopen", "resize", "cancel", "archive")
PROJECT_ACTIONS = ("init", "write", "clarify", "back")
ADR_PARTS = ("title", "context", "decision", "rationale", "alternatives_rejected")
EXPLORE_PARTS = ("goals", "constraints", "preferences", "unknowns", "decisions", "context")


def _content(arguments: Arguments) -> str | None:
    """Returns the text that was handed over; None means the one in the file."""
    return arguments.text("content") if "content" in arguments.arguments else None


def _listed(complaints: "Sequence[Complaint]") -> str:
    """Returns what the gates found, the errors first."""
    ranked = sorted(complaints, key=lambda each: str(each.severity) != "error")
    first = [f"{each.severity}: {each}" for each in ranked[:MOST_COMPLAINTS]]
    more = len(ranked) - len(first)
    return "; ".join((*first, *([f"and {more} more"] if more else [])))


def _line(arguments: Arguments, sentence: str, *more: str, **data: object) -> ToolReply:
    return done(arguments, " ".join((sentence, *filter(None, more))), **data)


def _worded(context: ToolContext, remarks: "Sequence[Caution]") -> list[str]:
    return [remark.worded(context.word) for remark in remarks]


def _to_mend(file: str, files: "Sequence[str]") -> str:
    """Returns what to do where a gate is shut: the text is kept, and these files are to be mended."""
    return f"The text is kept in {file}. Edit {' and '.join(files)} and call again without content."


# Changes.


def change(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs import changes

    action = arguments.choice("action", CHANGE_ACTIONS, "new")
    name, to = arguments.text("change_id").strip(), arguments.text("stage").strip()
    config, store = context.config, context.store
    moves: Mapping[str, Callable[[], ChangeResult]] = {
        "new": lambda: changes.new_change(
            config, store, arguments.text("type"), arguments.text("size"), arguments.text("description")
        ),
        "advance": lambda: changes.advance(
            config,
            store,
            content=_content(arguments),
            change=name,
            stage=to,
            despite=arguments.text("despite"),
            replacing=arguments.flag("replace"),
        ),
        "back": lambda: changes.back(config, change=name, to=to),
        "reopen": lambda: changes.reopen(config, store, change=name, to=to),
        "resize": lambda: changes.resize(config, arguments.text("size"), change=name),
        "cancel": lambda: changes.cancel(config, store, change=name, reason=arguments.text("reason")),
        "archive": lambda: changes.archive(config, change=name),
    }
    if action in ("reopen", "archive") and not name:
        raise ModicumError("change_id is missing", remedy="sdd_change_status all=true lists the changes")
    return _moved(context, arguments, moves[action]())


def _moved(context: ToolContext, arguments: Arguments, moved: "ChangeResult") -> ToolReply:
    one = moved.change
    where = f"at {one.current}" if one.is_open else str(one.status)
    head = f"change:{one.id} is {where}. {_next_step(moved)}"
    if not moved.advanced:
        head = f"change:{one.id} stays at {moved.finished}. {_to_mend(moved.file, moved.to_mend)}"
    stages = [step.name for step in one.steps]
    about = f"Stages: {', '.join(stages)}." if not moved.finished and one.is_open else ""
    return _line(
        arguments,
        head,
        about,
        _listed(moved.complaints),
        *_worded(context, moved.remarks),
        id=f"change:{one.id}",
        stage=one.current or None,
        status=str(one.status),
        next_file=moved.next_file or None,
        advanced=moved.advanced,
        complaints=[str(each) for each in moved.complaints[:MOST_COMPLAINTS]],
    )


def _next_step(moved: "ChangeResult") -> str:
    if moved.is_filled_in:
        return f"Next: action=advance fills in {moved.next_file}."
    if moved.next_file:
        return f"Next: write {moved.next_file} and call action=advance, or call it with content."
    return f"It is in {moved.folder}/."


# The documents of the project.


def project(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs import project as documents

    action, stage = arguments.choice("action", PROJECT_ACTIONS, "write"), arguments.text("stage").strip()
    config, store = context.config, context.store
    if action == "init":
        mode = arguments.text("mode") or "guided"
        found = documents.init_project(config, arguments.text("name"), arguments.text("description"), mode)
        begun = f"{found.name} is begun in {found.mode} mode, at {found.current}."
        return _line(arguments, begun, _to_write(documents.next_file(config, found)), id="project:")
    if action == "back":
        found = documents.back_to(config, stage)
        again = f"{found.name} is at {found.current} again."
        return _line(arguments, again, _to_write(documents.next_file(config, found)), id="project:")
    if action == "clarify":
        return _clarified(context, arguments)
    written = documents.write_stage(
        config,
        store,
        stage,
        content=_content(arguments),
        despite=arguments.text("despite"),
        replacing=arguments.flag("replace"),
    )
    return _written(context, arguments, written)


def _to_write(file: str) -> str:
    """Returns what to do next for the documents of the project."""
    return (
        f"Next: write {file} and call action=write, or call it with content." if file else "All are finished."
    )


def _clarified(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Keeps answers and scores; without answers, says what to ask the user about."""
    from modicum.app.specs import project as documents

    answers = arguments.text("answers")
    if answers.strip():
        return _written(
            context,
            arguments,
            documents.clarify(context.config, context.store, answers, arguments.text("scores")),
        )
    found = documents.clarity_questions(context.config)
    weights = ", ".join(f"{name} ({weight})" for name, weight in found.dimensions.items())
    return _line(
        arguments,
        f"Clarity is {found.project.clarity} of the {found.threshold} that {found.project.mode} mode asks for. "
        f"Ask the user about what requirements and business-rules leave open in: {weights}. Then call again "
        "with answers, and scores as name:0-100, …",
        id="artifact:clarifications.md",
        threshold=found.threshold,
    )


def _written(context: ToolContext, arguments: Arguments, written: "StageResult") -> ToolReply:
    from modicum.app.specs.project import next_file

    now = written.project.current
    head = f"{written.file} is finished. {_to_write(next_file(context.config, written.project))}"
    if not written.advanced:
        head = f"The project stays at {written.stage.id}. {_to_mend(written.file, written.to_mend)}"
    return _line(
        arguments,
        head,
        _listed(written.complaints),
        *_worded(context, written.remarks),
        id=f"artifact:{written.stage.file}",
        stage=now or None,
        advanced=written.advanced,
        complaints=[str(each) for each in written.complaints[:MOST_COMPLAINTS]],
    )


def bootstrap(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs.project import bootstrap as begin

    started = begin(context.config, None, arguments.text("name"))
    sentences = [f"Written as drafts: {', '.join(started.written)}."] if started.written else []
    sentences += [f"There already: {', '.join(started.skipped)}."] if started.skipped else []
    keys = [f"artifact:{path.rpartition('/')[2]}" for path in started.written]
    return _line(arguments, " ".join(sentences), ids=keys, skipped=list(started.skipped))


# Decisions and thoughts.


def decide(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs.decisions import new_decision
    from modicum.specs.model import DecisionDraft

    parts = {name: arguments.text(name) for name in ADR_PARTS}
    status, change_id = arguments.text("status") or "accepted", arguments.text("change_id")
    draft = DecisionDraft(**parts, status=status, change=change_id)
    decided = new_decision(context.config, context.store, draft, supersedes=arguments.text("supersedes"))
    one = decided.decision
    past = f" It supersedes {arguments.text('supersedes')}." if arguments.text("supersedes") else ""
    return _line(
        arguments,
        f"adr:{one.number} is {one.status} ({one.file}).{past}",
        *_worded(context, decided.remarks),
        id=f"adr:{one.number}",
        change=one.change or None,
    )


def explore(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs.explore import explore as keep

    parts = {name: arguments.text(name) for name in EXPLORE_PARTS}
    found = keep(context.config, context.store, arguments.text("title"), parts)
    outcome = str(found.saved.outcome)
    sentence = (
        f"{with_title(found.note)} {outcome} ({found.topic}). It sounds like a {found.size} {found.type}."
    )
    return _line(arguments, sentence, id=found.note.public_id, number=found.note.id, outcome=outcome)
