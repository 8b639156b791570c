"""Hoofy's tools that write specs: changes, documents of the project, decisions, explorations.

They call our use cases and answer in its words. A gate that Hoofy does not have is passed, with a reason that
is kept, and what it found follows the answer; a verdict of FAIL, open tasks and unclear requirements hold
(docs/decisions/0043).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from modicum.app.specs import changes
from modicum.app.specs import project as documents
from modicum.app.specs.changes import ChangeResult
from modicum.app.specs.decisions import new_decision
from modicum.app.specs.explore import explore as keep_thoughts
from modicum.app.specs.open_specs import open_specs
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_write_texts as texts
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.specs.changes.flows import file_of, project_stage
from modicum.specs.changes.gates import VERDICTS, clarity, parse_scores, threshold, uncovered
from modicum.specs.explore import PARTS
from modicum.specs.files import read_project, read_text
from modicum.specs.model import DecisionDraft

if TYPE_CHECKING:
    from modicum.app.specs.open_specs import OpenedSpecs
    from modicum.specs.model import SpecProject

WAIVED = "written by a tool of Hoofy's, which has no such gate"
HELD = frozenset({"verify", "clarity"})  # checks that nothing passes
TYPES = ("feature", "fix", "refactor", "enhancement")
SIZES = ("small", "medium", "large")
# Which part of a first draft makes its group count, and how some parts are called there.
GROUPS = {
    "requirements": ("specify", ("must_have", "should_have", "non_functional")),
    "business_rules": ("business-rules", ("definitions", "facts", "constraints")),
    "design": ("design", ("architecture_overview", "tech_stack", "components", "data_model")),
}
DRAFT_NAMES = {"architecture": "architecture_overview"}


def needed(arguments: Arguments, name: str, more: str = "") -> str:
    """Returns a text argument of a Hoofy tool that writes specs; raises ModicumError if it is empty."""
    found = arguments.text(name)
    if not found.strip():
        raise ModicumError(f"'{name}' is required{more}")
    return found


def _despite(checks: Sequence[str]) -> str:
    return "" if HELD.intersection(checks) else WAIVED


# Changes.


def change(context: ToolContext, arguments: Arguments) -> ToolReply:
    kind, size = arguments.text("type"), arguments.text("size")
    specs = open_specs(context.config)
    known = _known(TYPES, specs.flows.types)
    if kind not in known:
        raise ModicumError(f'invalid change type "{kind}": must be one of: {", ".join(known)}')
    sizes = _known(SIZES, specs.flows.types[kind])
    if size not in sizes:
        raise ModicumError(f'invalid change size "{size}": must be one of: {", ".join(sizes)}')
    words = needed(arguments, "description", " — briefly describe the change")
    _refuse_second(specs)
    moved = changes.new_change(context.config, context.store, kind, size, words)
    one = moved.change
    text = texts.CREATED.format(
        id=one.id,
        type=one.type,
        size=one.size,
        description=one.description,
        count=len(one.steps),
        stages=texts.listed(one.steps, " →\n"),
        next=texts.NEXT_STAGE.format(stage=one.current),
    )
    lacking = not any((specs.workspace.docs / name).exists() for name in changes.NEEDED)
    return ToolReply(text + texts.NO_ARTIFACTS if lacking else text)


def _known(first: Sequence[str], there: Iterable[str]) -> list[str]:
    """Returns Hoofy's words in its order, then those that the project has added."""
    known = list(there)
    return [*(each for each in first if each in known), *(each for each in known if each not in first)]


def _refuse_second(specs: "OpenedSpecs") -> None:
    for one in specs.changes().changes:
        if one.is_open and one.branch == specs.branch:
            about = {"id": one.id, "type": one.type, "size": one.size, "stage": one.current}
            raise ModicumError(texts.SECOND_CHANGE.format(**about))


def advance(context: ToolContext, arguments: Arguments) -> ToolReply:
    content = needed(arguments, "content", " — provide the AI-generated content for the current stage")
    specs = open_specs(context.config)
    current = specs.current_change()
    if current is None:
        raise ModicumError(texts.NO_CHANGE)
    stage = specs.flows.stages.get(current.current)
    despite = _despite(stage.checks if stage else ())
    moved = changes.advance(
        context.config, context.store, content=content, change=current.id, despite=despite
    )
    file = file_of(specs.flows, moved.finished)
    return ToolReply(texts.with_complaints(_advanced(moved, arguments.text("title"), file), moved.complaints))


def _advanced(moved: ChangeResult, title: str, file: str) -> str:
    one = moved.change
    if not moved.advanced:
        mend = " and ".join(f"`{each}`" for each in moved.to_mend)
        return texts.STAGE_KEPT.format(stage=moved.finished, file=moved.file, mend=mend)
    about = {"stage": moved.finished, "id": one.id, "type": one.type, "size": one.size}
    if not one.is_open:
        return texts.CHANGE_DONE.format(**about)
    return texts.STAGE_DONE.format(
        **about,
        title=f"**Title:** {title}\n" if title else "",
        file=file,
        stages=texts.listed(one.steps),
        next=texts.NEXT_STAGE.format(stage=one.current),
    )


def status(context: ToolContext, arguments: Arguments) -> ToolReply:
    specs, name = open_specs(context.config), arguments.text("change_id").strip()
    if name and all(each.id != name for each in specs.changes().changes):
        raise ModicumError(f'Change "{name}" not found: change "{name}" not found')
    current = specs.current_change(name)
    if current is None:
        raise ModicumError(texts.NO_CHANGE)
    found = changes.status(context.config, change=current.id)
    one = found.change
    rows = [
        f"| {texts.MARKS[step.status]} {step.name} | {step.status} | {f'{file} ({size} bytes)' if size else '—'} |"
        for step, file, size, _ in found.stages
    ]
    text = texts.STATUS.format(
        id=one.id,
        type=one.type,
        size=one.size,
        description=one.description,
        status=one.status,
        stage=one.current or one.steps[-1].name,
        rows="\n".join(rows),
    )
    return ToolReply(f"{text}\n\n**ADRs:** {', '.join(one.adrs)}" if one.adrs else text)


def decide(context: ToolContext, arguments: Arguments) -> ToolReply:
    parts = {name: needed(arguments, name) for name in ("title", "context", "decision", "rationale")}
    rejected, state = arguments.text("alternatives_rejected"), arguments.text("status") or "accepted"
    draft = DecisionDraft(**parts, alternatives_rejected=rejected, status=state)
    made = new_decision(context.config, context.store, draft).decision
    return ToolReply(
        texts.ADR.format(
            number=made.number, title=made.title, status=made.status, file=made.file, text=made.text
        )
    )


# The project.


def current_project(specs: "OpenedSpecs") -> "SpecProject":
    project = read_project(specs.workspace, specs.flows)
    if project is None:
        raise ModicumError(texts.NOT_INITIALIZED)
    return project


def init_project(context: ToolContext, arguments: Arguments) -> ToolReply:
    name, about = needed(arguments, "name"), needed(arguments, "description")
    mode = arguments.text("mode") or "guided"
    if mode not in documents.MODES:
        raise ModicumError("'mode' must be 'guided' or 'expert'")
    specs = open_specs(context.config)
    if read_project(specs.workspace, specs.flows):
        raise ModicumError(texts.PROJECT_EXISTS)
    found = documents.init_project(context.config, name, about, mode)
    docs = specs.workspace.docs
    file = next(
        path.name for path in sorted(docs.glob("*.json")) if path.name in ("project.json", "hoofy.json")
    )
    guided = texts.GUIDED if mode == "guided" else ""
    shown = specs.workspace.shown(docs)
    return ToolReply(
        texts.INITIALIZED.format(
            name=found.name, mode=mode.capitalize(), docs=shown, file=file, guided=guided
        )
    )


def stage_tool(word: str) -> Callable[[ToolContext, Arguments], ToolReply]:
    """Returns the function of Hoofy's tool that writes one spec document of the project from its parts."""

    def write(context: ToolContext, arguments: Arguments) -> ToolReply:
        written = _write(context, arguments, word)
        if not written.advanced:
            text = texts.KEPT.format(title="Stage Not Completed", file=written.file)
        else:
            mode = written.project.mode
            text = texts.WRITTEN.format(
                title=texts.TITLES[word],
                file=written.file,
                text=_text_of(context, written),
                next=texts.FOLLOWING[word].format(threshold=threshold(mode), mode=mode),
            )
        return ToolReply(texts.with_complaints(text, written.complaints))

    return write


def _write(context: ToolContext, arguments: Arguments, word: str) -> documents.StageResult:
    specs = open_specs(context.config)
    project = current_project(specs)
    stage = project_stage(specs.flows, word)
    _at(specs, project, stage.id)
    required = [name for name, field in stage.fields.items() if field.required]
    for name in required:
        needed(arguments, name)
    fields = {name: arguments.text(name) for name in stage.fields}
    return documents.write_stage(context.config, context.store, word, fields, despite=_despite(stage.checks))


def _at(specs: "OpenedSpecs", project: "SpecProject", wanted: str) -> None:
    names = {stage.id: stage.name for stage in specs.flows.project}
    at = project.current or specs.flows.project[-1].id
    if at != wanted or not project.current:
        about = {"at": at, "at_name": names[at], "wanted": wanted, "wanted_name": names[wanted]}
        raise ModicumError(texts.WRONG_STAGE.format(**about))


def _text_of(context: ToolContext, written: documents.StageResult) -> str:
    return read_text(open_specs(context.config).workspace.root / written.file) or ""


def clarify(context: ToolContext, arguments: Arguments) -> ToolReply:
    answers, scores = arguments.text("answers"), arguments.text("dimension_scores")
    specs = open_specs(context.config)
    project = current_project(specs)
    _at(specs, project, "clarify")
    need = threshold(project.mode)
    if not answers.strip():
        return ToolReply(_questions(context, need))
    written = documents.clarify(context.config, context.store, answers, scores)
    score, weak = clarity(parse_scores(scores)), uncovered(parse_scores(scores))
    if written.advanced:
        return ToolReply(texts.CLEAR.format(score=score, threshold=need))
    areas = texts.WEAK.format(names=", ".join(weak)) if weak else ""
    text = texts.UNCLEAR.format(score=score, threshold=need, weak=areas) + texts.TO_CLARIFY
    # A low score is in its answer; what else is wrong, only we say.
    return ToolReply(text if score < need else texts.with_complaints(text, written.complaints))


def _questions(context: ToolContext, need: int) -> str:
    found = documents.clarity_questions(context.config)
    dimensions = "".join(
        texts.DIMENSION.format(name=name, weight=weight, question=texts.DIMENSIONS[name])
        for name, weight in found.dimensions.items()
    )
    before = f"\n\n---\n\n## Previous Rounds\n\n{found.answers}" if found.answers else ""
    return texts.QUESTIONS.format(
        mode=found.project.mode,
        threshold=need,
        requirements=found.requirements.rstrip("\n") + "\n" + before,
        dimensions=dimensions,
    )


def validate(context: ToolContext, arguments: Arguments) -> ToolReply:
    word = needed(arguments, "verdict")
    verdict = word.strip().upper()
    if verdict not in VERDICTS:
        raise ModicumError(texts.VERDICT.format(word=word))
    # The document has the verdict in one spelling.
    arguments.arguments["verdict"] = verdict
    written = _write(context, arguments, "validate")
    advice = arguments.text("recommendations")
    recommended = texts.RECOMMENDATIONS.format(text=advice) if advice else ""
    text = texts.VALIDATED.format(
        verdict=verdict,
        file=written.file,
        text=_text_of(context, written),
        outcome=texts.OUTCOMES[verdict].format(recommendations=recommended),
    )
    return ToolReply(text if written.advanced else texts.with_complaints(text, written.complaints))


# First drafts, and thoughts.


def bootstrap(context: ToolContext, arguments: Arguments) -> ToolReply:
    fields: dict[str, dict[str, str]] = {}
    for prefix, (stage, keys) in GROUPS.items():
        given = {
            DRAFT_NAMES.get(key, key): arguments.text(name)
            for name in arguments.arguments
            if name.startswith(f"{prefix}_") and arguments.text(name).strip()
            for key in (name.removeprefix(f"{prefix}_"),)
        }
        if any(key in given for key in keys):
            fields[stage] = given
    if not fields:
        raise ModicumError(texts.NOTHING_GIVEN)
    started = documents.bootstrap(context.config, fields, arguments.text("project_name"))
    specs = open_specs(context.config)
    return ToolReply(
        texts.BOOTSTRAPPED.format(
            written=_group("Written", [f"- ✅ `{path}`" for path in started.written]),
            skipped=_group("Skipped", [f"- ⏭️ `{path} (already exists)`" for path in started.skipped]),
            docs=specs.workspace.shown(specs.workspace.docs),
        )
    )


def _group(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n\n{chr(10).join(lines)}\n\n" if lines else ""


def explore(context: ToolContext, arguments: Arguments) -> ToolReply:
    title = needed(arguments, "title")
    parts = {name: arguments.text(name) for name in PARTS}
    if not any(text.strip() for text in parts.values()):
        raise ModicumError(f"at least one of {', '.join(PARTS)} is required")
    found = keep_thoughts(context.config, context.store, title, parts, arguments.text("project"))
    note = context.store.get(found.saved.id)
    revision = note.revision_count if note else 1
    action = "Created" if revision == 1 else f"Updated (revision {revision})"
    why = texts.NO_SIGNAL if found.type == "feature" else texts.A_SIGNAL
    return ToolReply(
        texts.EXPLORED.format(
            title=title,
            topic=found.topic,
            action=action,
            id=found.saved.id,
            content=found.content,
            type=found.type,
            why=why,
            size=found.size,
        )
    )
