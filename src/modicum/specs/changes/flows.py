"""Parses the table of flows (flows.yaml): the stages that a change of each type and size goes through. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from modicum.base.errors import ModicumError, WrongUsage
from modicum.base.near_words import nearest
from modicum.base.yaml.check import Check, Record, Shape, check, flag, list_of, map_of, text
from modicum.specs.model import Field, Flows, Stage
from modicum.text.snippets import snippet

CHECKS = ("requirements", "coverage", "tasks", "context", "clarity", "verify")

_FIELD = Record({"heading": text(required=True), "required": flag()})
_STAGE: dict[str, Shape] = {
    "name": text(),
    "file": text(),
    "does": text(),
    "template": text(),
    "checks": list_of(text()),
    "fields": map_of(_FIELD),
}
TABLE = Record(
    {
        "project": list_of(Record({"id": text(required=True), **_STAGE}), unique="id"),
        "stages": map_of(Record(_STAGE)),
        "types": map_of(map_of(list_of(text()))),
    }
)

EMPTY = Flows((), {}, {})


def parse_flows(source: bytes | str, file: str, base: Flows = EMPTY, checked: Check = check) -> Flows:
    """Parses a table of flows, laid over the one that it extends; an error names the file, line and remedy."""
    value, problems = checked(source, TABLE, file)
    if problems:
        raise ModicumError(str(problems[0]), remedy="mend the file")
    flows = _extended(base, value)
    for complaint in _complaints(flows):
        raise ModicumError(f"{file}: {complaint[0]}", remedy=complaint[1])
    return flows


def _extended(base: Flows, value: Mapping[str, Any]) -> Flows:
    rows = {stage.id: stage for stage in base.project}
    project = {row["id"]: _stage(row["id"], row, rows.get(row["id"])) for row in value["project"]}
    stages = {name: _stage(name, row, base.stages.get(name)) for name, row in value["stages"].items()}
    types = {name: {**base.types.get(name, {}), **sizes} for name, sizes in value["types"].items()}
    return Flows(
        tuple((rows | project).values()),
        {**base.stages, **stages},
        {**base.types, **types},
    )


def _stage(name: str, row: Mapping[str, Any], before: Stage | None) -> Stage:
    """Returns a stage from its row; what the row leaves out stays as it was."""
    old = before or Stage(name, name.replace("-", " ").capitalize())
    fields = {key: Field(**field) for key, field in row["fields"].items()}
    return Stage(
        id=name,
        name=row["name"] or old.name,
        file=row["file"] or old.file,
        does=row["does"] or old.does,
        template=row["template"] or old.template,
        checks=row["checks"] or old.checks,
        fields=fields or old.fields,
    )


def _complaints(flows: Flows) -> Iterable[tuple[str, str]]:
    for kind, sizes in flows.types.items():
        for size, names in sizes.items():
            if not names:
                yield f"{kind} {size} has no stages", "name at least one"
            for name in names:
                if name not in flows.stages:
                    yield (
                        f'{kind} {size} has the stage "{name}", which is not there',
                        _hint(name, flows.stages),
                    )
            if len(set(names)) < len(names):
                yield f"{kind} {size} has a stage twice", "name each stage once"
    for stage in (*flows.project, *flows.stages.values()):
        for name in stage.checks:
            if name not in CHECKS:
                yield f'the stage {stage.id} has the check "{name}", which is not there', _hint(name, CHECKS)
        if stage.file and (stage.file != _last(stage.file) or not stage.file.endswith(".md")):
            yield (
                f'the stage {stage.id} has the file "{stage.file}"',
                "give the name of a .md file, without a folder",
            )
    for name in flows.stages:
        if name != _last(name) or not name.strip(". "):
            yield f'a stage is called "{name}"', "a stage's name is the name of its file: no slashes"


def _last(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2]


def _hint(word: str, known: Iterable[str]) -> str:
    near, listed = nearest(word, known), ", ".join(known)
    return f'did you mean "{near}"? There are: {listed}' if near else f"there are: {listed}"


def flow_of(flows: Flows, kind: str, size: str) -> tuple[str, ...]:
    """Returns the flow of a change: the stages that its type and size go through."""
    if kind not in flows.types:
        raise WrongUsage(f'there is no type of change "{kind}"', remedy=_hint(kind, flows.types))
    if size not in flows.types[kind]:
        raise WrongUsage(f'there is no size "{size}" of a {kind}', remedy=_hint(size, flows.types[kind]))
    return flows.types[kind][size]


def file_of(flows: Flows, name: str) -> str:
    """Returns the name of the file for a stage in a flow, which the table of flows need not have."""
    stage = flows.stages.get(name)
    return (stage.file if stage else "") or f"{name}.md"


def project_stage(flows: Flows, word: str) -> Stage:
    """Returns a stage of the project from the table of flows, by its id, its file, or its file without ".md"."""
    named = {stage.id: stage for stage in flows.project}
    for stage in flows.project:
        named.setdefault(stage.file, stage)
        named.setdefault(stage.file.removesuffix(".md"), stage)
    named.pop("", None)
    if word in named:
        return named[word]
    raise WrongUsage(
        f'there is no stage "{snippet(word, 60)}"', remedy=_hint(word, [stage.id for stage in flows.project])
    )
