"""Lints what AI tools read here: one list of findings, each with the tools that read both of its places."""

from collections.abc import Iterable, Iterator, Sequence

from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.lint.repository import repository_content
from modicum.app.lint.silenced import Silenced, read_silenced
from modicum.app.lint.sources import BUILT_IN, GatheredSources, ToolLines, gather_sources
from modicum.app.reading.tool_reading import tools_to_see
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value
from modicum.memory.store import Store
from modicum.targets.model import Adapter
from modicum.text.directives import USUAL_BOUND
from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.lint import in_order, lint, material_of
from modicum.text.rules.repository.missing import missing
from modicum.text.rules.rules import RulePlace


class LintReport(Value):
    """The report of a run of lint: what is to be told, what is silenced, and what each AI tool reads."""

    findings: tuple[LintFinding, ...]
    silenced: tuple[tuple[LintFinding, Silenced], ...]
    tools: tuple[ToolLines, ...]


def lint_project(config: Config, store: Store | None, names: Sequence[str] = ()) -> LintReport:
    """Lints what the named AI tools read here; by default those of the project, or all if none is found here."""
    knowledge = load_knowledge(config)
    gathered = gather_sources(config, knowledge, _tools(config, knowledge, names), store)
    material = material_of((*gathered.files, *gathered.shared))
    found = (
        *lint(material.rules),
        *missing(material.mentions, repository_content(config, material.mentions)),
    )
    read = [*_read_together(found, gathered), *_too_many(gathered.tools)]
    kept = {each.id: each for each in read_silenced(config)}
    told = in_order(_once(read))
    return LintReport(
        tuple(each for each in told if each.id not in kept),
        tuple((each, kept[each.id]) for each in told if each.id in kept),
        gathered.tools,
    )


def find_finding(report: LintReport, name: str) -> LintFinding:
    """Returns the finding with this id among those of a lint run, or with the only id that begins like this."""
    found = {each.id: each for each in report.findings if name and each.id.startswith(name)}
    if len(found) != 1:
        problem = f'"{name}" may mean several findings' if found else f'there is no finding "{name}"'
        raise ModicumError(problem, remedy="modicum lint shows them with their ids")
    return next(iter(found.values()))


def _tools(config: Config, knowledge: Knowledge, names: Sequence[str]) -> list[Adapter]:
    return tools_to_see(config, knowledge, names, every=False) or tools_to_see(
        config, knowledge, (), every=True
    )


def _read_together(found: Iterable[LintFinding], gathered: GatheredSources) -> Iterator[LintFinding]:
    """The findings of which some tool reads every place, with these tools; not what is wrong within others' packs alone."""
    shared = {source.name for source in gathered.shared}
    for finding in found:
        places = [each.place for each in finding.sentences]
        if all(place.source.startswith(BUILT_IN) for place in places):
            continue
        filed = [place for place in places if place.source not in shared]
        tools = tuple(each.tool for each in gathered.tools if all(map(each.reads, filed)))
        if tools or not filed:
            yield finding._replace(tools=tools)


def _too_many(tools: Iterable[ToolLines]) -> Iterator[LintFinding]:
    for each in tools:
        if each.directives > USUAL_BOUND:
            place = PlacedText(
                RulePlace(f"tool:{each.tool}"), f"{each.tool} reads more than {USUAL_BOUND} instructions"
            )
            why = f"it reads {each.directives:,} instructions, and agents are said to follow about {USUAL_BOUND} well"
            remedy = "delete what is obvious, or move what is for some files only into rules with globs"
            yield LintFinding(LintKind.TOO_MANY, (place,), why, remedy, (each.tool,))


def _once(findings: Iterable[LintFinding]) -> Iterator[LintFinding]:
    """The findings without those that a file with two names repeats."""
    met = set[tuple[object, ...]]()
    for each in findings:
        key = (each.kind, each.sentences, each.why)
        if key not in met:
            met.add(key)
            yield each
