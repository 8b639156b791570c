"""Pages of specs for the doors: lists of changes, the state of a change, and one spec as a whole text."""

from collections.abc import Iterator

from modicum.app.answer.answer import ItemList, list_of
from modicum.app.answer.whole import WholeText
from modicum.app.specs.changes import ChangeReport, list_changes, status
from modicum.app.specs.check import MOST_ASKED, question_of
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.base.config import Config
from modicum.base.errors import ModicumError, Remedy
from modicum.engine.page import Block, Detail, Section
from modicum.specs.changes.flows import project_stage
from modicum.specs.check.findings import CheckSource, FindingKind, PassageMatch, SourcePart, find
from modicum.specs.check.passages import split_pieces
from modicum.specs.check.sources import CONVENTIONS, RULE_FOLDERS
from modicum.specs.decisions import find_decision
from modicum.specs.files import OVERVIEW, listed, read_decisions, read_text
from modicum.specs.model import Change
from modicum.text.rules.intents import intent_of


def changes(config: Config, *, every: bool = False) -> ItemList:
    """Returns the page with the list of changes for a door, newest first, and which look forgotten."""
    found = list_changes(config, every=every)
    blocks = [_change(each, why) for each, why in found.changes]
    blocks += [Block(f"trouble:{at}", {Detail.SUMMARY: f"- {why}"}) for at, why in enumerate(found.troubles)]
    return list_of([Section(tuple(blocks), gap="\n")] if blocks else [])


def standing(config: Config, change: str = "") -> ItemList:
    """Returns the page with the state of a change for a door: its stages, and what can be done next."""
    return list_of(_standing_sections(status(config, change=change)))


def _change(change: Change, forgotten: str) -> Block:
    where = change.current or str(change.status)
    brief = f"- change:{change.id} ({change.type}, {change.size}) {where}"
    brief += f", {forgotten}" if forgotten else ""
    return Block(
        f"change:{change.id}", {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}: {change.description}"}
    )


def _standing_sections(found: ChangeReport) -> list[Section]:
    one = found.change
    brief = (
        f"change:{one.id} ({one.type}, {one.size}) {one.status}{f', {found.stale}' if found.stale else ''}"
    )
    head = Block(f"change:{one.id}", {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}: {one.description}"})
    stages = tuple(
        Block(
            f"change:{one.id}/{step.name}",
            {
                Detail.SUMMARY: f"- {step.name}: {step.status}",
                Detail.STANDARD: f"- {step.name}: {step.status}{', edited since' if edited else ''}"
                f" ({found.folder}/{file}, {size:,} bytes)",
            },
        )
        for step, file, size, edited in found.stages
    )
    return [Section((head, *stages, *_task_blocks(found)), gap="\n")]


def _task_blocks(found: ChangeReport) -> tuple[Block, ...]:
    ticks = found.ticks
    lines = [f"- tasks: {ticks.done} of {ticks.total} done"] if ticks.total else []
    lines += [f"- wave {number}: {', '.join(wave)}" for number, wave in enumerate(found.waves.waves, 1)]
    lines += [f"- {problem}" for problem in found.waves.problems]
    return tuple(Block(f"tasks:{at}", {Detail.SUMMARY: line}) for at, line in enumerate(lines))


def passages_in(text: str, asked: str) -> tuple[PassageMatch, ...]:
    """Returns, for a page, each passage of one spec that has a word of a question, in the order of its text."""
    sources = [
        CheckSource(
            f"line:{piece.line}", FindingKind.REQUIREMENT, "", (SourcePart("", (piece,), len(piece.text)),)
        )
        for piece in split_pieces(text)
    ]
    found = find(question_of(asked[:MOST_ASKED]), sources, intent_of(asked))
    return tuple(sorted((match for each in found for match in each.matches), key=lambda match: match.line))


# What a name stands for.


def named_specs(config: Config) -> Iterator[tuple[str, str, str]]:
    """Yields kind, name and title of every spec that has a page: documents, open changes, decisions."""
    specs = open_specs(config)
    for stage in specs.flows.project:
        if stage.file and (specs.workspace.docs / stage.file).is_file():
            yield "artifact", stage.file, stage.name
    for change in specs.changes().changes:
        if change.is_open:
            yield "change", change.id, change.description
    names = set[str]()
    for decision in read_decisions(specs.workspace):
        # Two folders may have the same number; the file is then the name.
        stem = decision.file.rpartition("/")[2].removesuffix(".md")
        name = stem if decision.number in names else decision.number
        names.add(name)
        yield "adr", name, decision.title


def whole_spec(config: Config, name: str) -> WholeText:
    """Returns one spec as a whole text by name: a document, change, stage, decision or conventions file."""
    specs = open_specs(config)
    kind, _, rest = name.partition(":")
    readers = {"artifact": _artifact, "change": _whole_change, "adr": _decision, "file": _convention}
    if kind in readers and rest:
        return readers[kind](specs, rest)
    found = _guessed(specs, name)
    if found is None:
        return _artifact(specs, name)  # which says what there is
    return found


def _guessed(specs: OpenedSpecs, name: str) -> WholeText | None:
    """A name without its kind: the first that knows it."""
    for reader in (_artifact, _decision, _whole_change, _convention):
        try:
            return reader(specs, name)
        except ModicumError:
            continue
    return None


def _artifact(specs: OpenedSpecs, name: str) -> WholeText:
    stage = project_stage(specs.flows, name)
    path = specs.workspace.docs / stage.file
    text = specs.workspace.document(stage.file) if stage.file else None
    key = f"artifact:{stage.file}"
    if text is None or not text.strip():
        return WholeText(
            key, f"{stage.name} is not written yet. {stage.does}", {"key": key, "written": False}
        )
    return WholeText(f"{key} ({specs.workspace.shown(path)})", text, {"key": key, "written": True})


def _decision(specs: OpenedSpecs, name: str) -> WholeText:
    found = find_decision(read_decisions(specs.workspace), name.rpartition("/")[2])
    key = f"adr:{found.number}"
    return WholeText(f"{key} ({found.file})", found.text, {"key": key, "status": found.status})


def _whole_change(specs: OpenedSpecs, name: str) -> WholeText:
    """All documents of a change, or that of one stage."""
    slug, _, stage = name.partition("/")
    change = specs.change(slug)
    folder = specs.workspace.folder_of(change)
    files = [path for path in listed(specs.workspace.root, folder) if path.suffix == ".md"]
    wanted = [path for path in files if (path.stem == stage if stage else path.name != OVERVIEW)]
    if stage and not wanted:
        names = ", ".join(step.name for step in change.steps)
        raise ModicumError(f'{change.id} has no text of "{stage}"', remedy=f"its stages are: {names}")
    texts = [(specs.workspace.shown(path), read_text(path) or "") for path in wanted]
    body = texts[0][1] if stage else "\n\n".join(f"{file}\n\n{text}" for file, text in texts)
    key = f"change:{change.id}{f'/{stage}' if stage else ''}"
    head = f"{key} ({change.type}, {change.size}) {change.current or change.status}: {change.description}"
    return WholeText(head, body, {"key": key, "status": str(change.status)})


def _convention(specs: OpenedSpecs, name: str) -> WholeText:
    folder, _, file = name.rpartition("/")
    allowed = name in CONVENTIONS or tuple(folder.split("/")) in RULE_FOLDERS
    near = [path for path in listed(specs.workspace.root, specs.workspace.root / folder) if path.name == file]
    text = read_text(near[0]) if allowed and near and near[0].is_file() else None
    if text is None:
        raise ModicumError(f'there is no "{name[:60]}"', remedy=Remedy("check.names"))
    return WholeText(f"file:{name}", text, {"key": f"file:{name}"})
