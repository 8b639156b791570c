"""The tools of spec-driven work by name: what each does with its arguments. No protocol: a row of tools calls these."""

from collections.abc import Callable, Mapping

from modicum.app import changes, project
from modicum.app import specs as views
from modicum.app.amounts import Amount
from modicum.app.answers import Answer
from modicum.app.changes import Moved, Standing
from modicum.app.check import checking, reviewing
from modicum.app.decisions import list_decisions, new_decision, show_decision
from modicum.config import Config
from modicum.errors import ModicumError
from modicum.memory.store import Store
from modicum.page import Detail
from modicum.specs.decisions import Draft
from modicum.specs.explore import PARTS
from modicum.specs.gates import VERDICTS

Args = Mapping[str, str]
Reading = Callable[[Config, Store | None, Args, Amount], Answer]
Doing = Callable[[Config, Store | None, Args], str]

# The parts of a first draft, as they are named one by one.
GROUPS = {"requirements": "specify", "business_rules": "business-rules", "design": "design"}
SHORT = {"architecture": "architecture_overview"}


def _words(args: Args, *names: str) -> str:
    found = next((args[name].strip() for name in names if args.get(name, "").strip()), "")
    if not found:
        raise ModicumError(f"'{names[0]}' is required", remedy="describe it in a sentence")
    return found


def _limit(args: Args) -> int:
    word = args.get("limit", "")
    return int(word) if word.isdigit() else 0


# Reading: a page in the amount asked for.


def context_check(config: Config, store: Store | None, args: Args, amount: Amount) -> Answer:
    text = _words(args, "change_description", "task_description")
    change, cursor = args.get("change_id", ""), args.get("cursor", "")
    return checking(config, store, text, change=change, limit=_limit(args), cursor=cursor)(amount)


def suggest_context(config: Config, store: Store | None, args: Args, amount: Amount) -> Answer:
    text = _words(args, "task_description", "change_description")
    return checking(config, store, text, limit=_limit(args), cursor=args.get("cursor", ""))(amount)


def review(config: Config, store: Store | None, args: Args, amount: Amount) -> Answer:
    text = _words(args, "change_description", "task_description")
    change, cursor = args.get("change_id", ""), args.get("cursor", "")
    return reviewing(config, store, text, change=change, limit=_limit(args), cursor=cursor)(amount)


def get_context(config: Config, _: Store | None, args: Args, amount: Amount) -> Answer:
    stage = args.get("stage", "").strip()
    return views.context(config, amount._replace(detail=Detail.FULL) if stage else amount, stage)


def context(config: Config, store: Store | None, args: Args, amount: Amount) -> Answer:
    mode = args.get("mode", "").strip().lower() or "get"
    if mode not in MODES:
        raise ModicumError("'mode' must be one of: get, check, suggest", remedy="leave it out for get")
    return MODES[mode](config, store, args, amount)


def audit(config: Config, _: Store | None, args: Args, amount: Amount) -> Answer:
    return views.audit(config, amount, args.get("scan_path", ""))


def reverse_engineer(config: Config, _: Store | None, args: Args, amount: Amount) -> Answer:
    return project.scan(config, amount, args.get("scan_path", ""))


MODES: Mapping[str, Reading] = {"get": get_context, "check": context_check, "suggest": suggest_context}

READS: Mapping[str, Reading] = {
    "sdd_context_check": context_check,
    "sdd_get_context": get_context,
    "sdd_suggest_context": suggest_context,
    "sdd_context": context,
    "sdd_review": review,
    "sdd_audit": audit,
    "sdd_reverse_engineer": reverse_engineer,
}


# Doing: a few lines that say what was done and what comes next.


def init_project(config: Config, _: Store | None, args: Args) -> str:
    found = project.init_project(
        config, args.get("name", ""), args.get("description", ""), args.get("mode", "") or "guided"
    )
    return f"{found.name} is begun in {found.mode} mode. Next: {found.current}."


def _stage(word: str) -> Doing:
    def write(config: Config, store: Store | None, args: Args) -> str:
        return _written(project.write_stage(config, store, word, args))

    return write


def clarify(config: Config, store: Store | None, args: Args) -> str:
    if not args.get("answers", "").strip():
        found = project.clarity_questions(config)
        listed = "\n".join(f"- {name} (weight {weight})" for name, weight in found.dimensions.items())
        return (
            f"Clarity: {found.project.clarity} of {found.threshold}. Ask about what is open in these, then call again "
            f"with answers and dimension_scores (name:0-100, …):\n{listed}\n\n{found.requirements}\n{found.answers}"
        ).rstrip()
    return _written(project.clarify(config, store, args["answers"], args.get("dimension_scores", "")))


def validate(config: Config, store: Store | None, args: Args) -> str:
    verdict = args.get("verdict", "").strip().upper()
    if verdict not in VERDICTS:
        raise ModicumError(f"'verdict' must be one of: {', '.join(VERDICTS)}", remedy="say how it came out")
    return _written(project.write_stage(config, store, "validate", {**args, "verdict": verdict}))


def _written(written: project.Written) -> str:
    lines = [f"{each.severity}: {each}" for each in written.complaints]
    if written.advanced:
        head = (
            f"{written.stage.name} is finished: {written.file}. Next: {written.project.current or 'nothing'}."
        )
    else:
        head = f"The project stays at {written.stage.id}; {written.file} is kept. Mend it and call again."
    return "\n".join((head, *lines, *written.remarks))


def change(config: Config, store: Store | None, args: Args) -> str:
    moved = changes.new_change(
        config, store, args.get("type", ""), args.get("size", ""), args.get("description", "")
    )
    stages = " → ".join(step.name for step in moved.change.steps)
    return "\n".join((f"{moved.change.id} is begun: {moved.folder}/", stages, *moved.remarks))


def advance(config: Config, store: Store | None, args: Args) -> str:
    content = args.get("content")
    return _moved(
        changes.advance(
            config, store, content=content, change=args.get("change_id", ""), stage=args.get("stage", "")
        )
    )


def status(config: Config, _: Store | None, args: Args) -> str:
    return _standing(changes.status(config, change=args.get("change_id", "")))


def move(config: Config, store: Store | None, args: Args) -> str:
    """Everything that moves a change otherwise than on: back, reopen, resize, cancel, archive."""
    action, name, to = args.get("action", ""), args.get("change_id", ""), args.get("stage", "")
    moves: Mapping[str, Callable[[], Moved]] = {
        "back": lambda: changes.back(config, change=name, to=to),
        "reopen": lambda: changes.reopen(config, store, change=name, to=to),
        "resize": lambda: changes.resize(config, args.get("size", ""), change=name),
        "cancel": lambda: changes.cancel(config, store, change=name, reason=args.get("reason", "")),
        "archive": lambda: changes.archive(config, change=name),
    }
    if action not in moves:
        raise ModicumError(f"'action' must be one of: {', '.join(moves)}", remedy="say what to do")
    return _moved(moves[action]())


def list_all(config: Config, _: Store | None, args: Args) -> str:
    listed = changes.list_changes(config, every=args.get("all", "") in ("true", "1", "yes"))
    rows = [
        f"- {each.id} ({each.current or each.status}){f': {why}' if why else ''}"
        for each, why in listed.changes
    ]
    return "\n".join((*(rows or ["No change is open."]), *listed.troubles))


def _moved(moved: Moved) -> str:
    one = moved.change
    where = f"now at {one.current}" if one.is_open else str(one.status)
    head = (
        f"{one.id} is {where}: {moved.folder}/"
        if moved.advanced
        else f"{one.id} stays at {moved.finished}; {moved.file} is kept. Mend it and call again."
    )
    return "\n".join((head, *(f"{each.severity}: {each}" for each in moved.complaints), *moved.remarks))


def _standing(found: Standing) -> str:
    one = found.change
    lines = [f"{one.id} ({one.type}, {one.size}): {one.status}", one.description]
    lines += [
        f"- {step.name}: {step.status}{', edited since' if edited else ''} ({found.folder}/{file}, {size:,} bytes)"
        for step, file, size, edited in found.stages
    ]
    lines += [f"Tasks: {found.ticks.done} of {found.ticks.total} done."] if found.ticks.total else []
    lines += [f"Wave {number}: {', '.join(wave)}" for number, wave in enumerate(found.waves.waves, 1)]
    return "\n".join((*lines, *found.waves.problems, *filter(None, (found.stale,))))


def adr(config: Config, store: Store | None, args: Args) -> str:
    action = args.get("action", "") or "new"
    if action == "list":
        return (
            "\n".join(f"- {each.number} {each.title} ({each.status})" for each in list_decisions(config))
            or "There are no decisions."
        )
    if action == "show":
        return show_decision(config, args.get("number", "")).text
    draft = Draft(
        args.get("title", ""),
        args.get("context", ""),
        args.get("decision", ""),
        args.get("rationale", ""),
        args.get("alternatives_rejected", ""),
        args.get("status", "") or "accepted",
        args.get("change_id", ""),
    )
    decided = new_decision(config, store, draft, supersedes=args.get("supersedes", ""))
    return "\n".join(
        (f"{decided.decision.number} {decided.decision.title}: {decided.decision.file}", *decided.remarks)
    )


def explore(config: Config, store: Store | None, args: Args) -> str:
    if store is None:
        raise ModicumError("memory is not available", remedy="modicum doctor")
    parts = {name: args[name] for name in PARTS if name in args}
    found = views.explore(config, store, args.get("title", ""), parts, args.get("project", ""))
    return f"#{found.saved.id} {found.saved.outcome} ({found.topic}). It sounds like a {found.size} {found.type}."


def bootstrap(config: Config, _: Store | None, args: Args) -> str:
    """First drafts from parts such as `design_components`; without any, from a scan."""
    fields: dict[str, dict[str, str]] = {}
    for name, text in args.items():
        for prefix, stage in GROUPS.items():
            key = name.removeprefix(f"{prefix}_")
            if key != name and text.strip():
                fields.setdefault(stage, {})[SHORT.get(key, key)] = text
    started = project.bootstrap(config, fields or None, args.get("project_name", ""))
    lines = [
        *(f"{path} is written, as a draft" for path in started.written),
        *(f"{path} is there already" for path in started.skipped),
    ]
    return "\n".join(lines)


DOES: Mapping[str, Doing] = {
    "sdd_init_project": init_project,
    "sdd_create_principles": _stage("principles"),
    "sdd_create_charter": _stage("charter"),
    "sdd_generate_requirements": _stage("specify"),
    "sdd_create_business_rules": _stage("business-rules"),
    "sdd_clarify": clarify,
    "sdd_create_design": _stage("design"),
    "sdd_create_tasks": _stage("tasks"),
    "sdd_validate": validate,
    "sdd_change": change,
    "sdd_change_advance": advance,
    "sdd_change_status": status,
    "sdd_change_move": move,
    "sdd_change_list": list_all,
    "sdd_adr": adr,
    "sdd_explore": explore,
    "sdd_bootstrap": bootstrap,
}
