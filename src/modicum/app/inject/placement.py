"""Placement of injected pages: decides which files of which AI tools get a page, each file once."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from modicum.app.inject.load import Knowledge, choose_tools, is_here
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import NOTHING, Value, replace
from modicum.engine.page import Detail
from modicum.engine.views import parse_detail
from modicum.targets.change import TargetFile
from modicum.targets.detect import expanded
from modicum.targets.globs import file_name, for_globs
from modicum.targets.model import (
    Adapter,
    Limit,
    Target,
    limits_of,
    tightest,
    verbosity_of,
)
from modicum.targets.records import RecordedPart, recorded

Condition = tuple[str, tuple[str, ...]]  # a name and globs: the conditional part of that name
Conditions = Callable[[str], Iterable[Condition]]  # by format
_LONGEST_STEM = 70


class InjectRequest(Value):
    """A user's request to inject, status, explain or uninstall: which tools and packs, which detail."""

    tools: tuple[str, ...] = ()
    all_tools: bool = False
    scope: str = "project"
    exports: bool = True  # a tool that is named may have its file in the home folder, and the clipboard
    profile: str = ""
    detail: Detail | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force: bool = False


class Destination(Value):
    """The placement of one injected page: file, tools and limits. Without a file: the clipboard."""

    adapters: tuple[Adapter, ...]
    scope: str
    place: TargetFile | None
    shown_path: str
    detail: Detail = Detail.FULL
    limits: tuple[Limit, ...] = ()
    owners: Mapping[str, str] = NOTHING  # by unit, the tool whose limit it is, if it is not the first tool's
    format: str = "markdown"
    whole_packs: bool = False
    only: Condition | None = None
    separate: bool = False  # conditional parts have files of their own
    guidance: str = ""  # an export's file, named in the closing line
    instead: str = ""  # the tools read this file anyway, which is filled already
    readers: tuple[str, ...] = ()  # tools that read this one although they have a file of their own
    others: tuple[Adapter, ...] = ()  # it was written for these too, but they are not asked about now
    is_over: bool = False  # written once, and nothing goes there any more
    importer: TargetFile | None = None  # the region that imports this file and counts within its limits

    @property
    def tool(self) -> Adapter:
        return self.adapters[0]

    @property
    def known_by(self) -> tuple[str, ...]:
        """Returns the ids of all AI tools that read the page at a destination, for the record."""
        return (*(adapter.id for adapter in (*self.adapters, *self.others)), *self.readers)


class SkippedTool(NamedTuple):
    """An AI tool for which the placement has no page in this run, and why."""

    adapter: Adapter
    why: str


class Placement(Value):
    """The placement of a run: the destinations of all pages, and the AI tools that get no page."""

    destinations: tuple[Destination, ...]
    idle: tuple[SkippedTool, ...] = ()


def place_pages(
    config: Config, knowledge: Knowledge, request: InjectRequest, conditions: Conditions
) -> Placement:
    """Returns the placement of pages in the order of AI tools; tools with one region share a destination."""
    written = pages_written(config, request.scope)
    tools = _tools_of(config, knowledge, request, written)
    names = {adapter.id for adapter in tools}
    together = [*tools, *_companions(knowledge, names, written)] if request.tools else tools
    routes = {adapter.id: [*_of_adapter(config, adapter, request, conditions)] for adapter in together}
    found = _not_twice([d for adapter in together for d in routes[adapter.id]])
    idle = [
        SkippedTool(adapter, _why_idle(config, adapter, request))
        for adapter in tools
        if not routes[adapter.id]
    ]
    over = _leftovers(config, knowledge, found, [part for part in written if names & set(part.record.tools)])
    return Placement((*(_for_those(d, names) for d in found if _concerns(d, names)), *over), tuple(idle))


def pages_written(config: Config, scope: str) -> list[RecordedPart]:
    """Returns our records of pages that were placed in this project or in the home folder."""
    root = root_of(config, scope)
    parts = recorded(config.state)
    return [part for part in parts if part.place.root == root and "told" in part.record.extra]


def root_of(config: Config, scope: str) -> str:
    """Returns the root folder in which a scope places pages: the project or the home folder."""
    return str(config.root if scope == "project" else config.home)


def _tools_of(
    config: Config, knowledge: Knowledge, request: InjectRequest, written: Sequence[RecordedPart]
) -> list[Adapter]:
    """The tools that are named, or all, or those that are here and those that have a page already."""
    if request.tools or request.all_tools:
        return [*choose_tools(config, knowledge, request.tools, every=request.all_tools)]
    before = {name for part in written for name in part.record.tools}
    every = [a for a in choose_tools(config, knowledge, (), every=True) if a.type == "file-inject"]
    found = [adapter for adapter in every if adapter.id in before or is_here(config, adapter)]
    if not found:
        raise ModicumError(
            "no AI tool was found here",
            remedy="name one, as in: modicum inject --tool claude-code; all of them: modicum tool list",
        )
    return found


def _companions(knowledge: Knowledge, names: set[str], written: Sequence[RecordedPart]) -> list[Adapter]:
    """Tools that share a file with a tool that is named: what they can take still counts there."""
    shared = [part.record.tools for part in written if names & set(part.record.tools)]
    others = sorted({name for tools in shared for name in tools if name not in names})
    return [knowledge.adapters[name] for name in others if name in knowledge.adapters]


def _of_adapter(
    config: Config, adapter: Adapter, request: InjectRequest, conditions: Conditions
) -> Iterator[Destination]:
    if adapter.type != "file-inject":
        if (
            request.exports
            and (request.scope == "global" or request.tools)
            and not _unset(config, adapter, request)
        ):
            yield from _exports(config, adapter, request)
        return
    targets = [t for t in adapter.targets if t.scope == request.scope and _filled(config, t.path)]
    conditional = [target for target in targets if target.globs] if adapter.fit == "thin" else []
    for target in targets:
        if not target.globs:
            yield from _files(config, adapter, target, request, separate=bool(conditional))
    for target in conditional:
        for name, condition in _named_apart(conditions(adapter.format)):
            single = for_globs(target, name=name, globs=condition[1])
            yield replace(_file(config, adapter, single, request), only=condition)


def _named_apart(conditions: Iterable[Condition]) -> Iterator[tuple[str, Condition]]:
    """Each condition with a name that makes a file name of its own."""
    taken: set[str] = set()
    for condition in conditions:
        name, number = condition[0], 1
        while file_name(name) in taken:
            number += 1
            name = f"{file_name(condition[0])[:_LONGEST_STEM]} {number}"
        taken.add(file_name(name))
        yield name, condition


def _files(
    config: Config, adapter: Adapter, target: Target, request: InjectRequest, *, separate: bool
) -> Iterator[Destination]:
    file = replace(_file(config, adapter, target, request), separate=separate)
    if target.mode == "import":
        imported = _file(
            config, adapter, replace(target, path=target.import_path, mode="replace-file"), request
        )
        yield replace(imported, separate=separate, importer=file.place)
    yield file


def _file(config: Config, adapter: Adapter, target: Target, request: InjectRequest) -> Destination:
    root = root_of(config, target.scope)
    place = TargetFile(
        path=str(Path(root, _filled(config, target.path))),
        mode=target.mode,
        section=target.section,
        preamble=target.preamble,
        root=root,
        reference=target.import_path,
    )
    return Destination(
        adapters=(adapter,),
        scope=target.scope,
        place=place,
        shown_path=target.path,
        detail=request.detail or parse_detail(verbosity_of(adapter, target)),
        limits=limits_of(adapter, target),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
    )


def _filled(config: Config, path: str) -> str:
    """The path with its variables filled in; nothing if one is not set here, as those of another system are not."""
    if "$" in path or "%" in path or path.startswith("~"):
        return expanded(path, {**config.environment, "HOME": str(config.home)}) or ""
    return path


def _exports(config: Config, adapter: Adapter, request: InjectRequest) -> Iterator[Destination]:
    """With an export file that one, whole and in full; then the clipboard's page within the limit."""
    if adapter.type == "file-export":
        target = Target(scope="global", path=adapter.export_path, mode="replace-file")
        file = _file(config, adapter, target, request)
        yield replace(file, detail=Detail.FULL, limits=(), format="markdown", whole_packs=False)
    yield Destination(
        adapters=(adapter,),
        scope="global",
        place=None,
        shown_path="clipboard",
        detail=request.detail or parse_detail(adapter.verbosity),
        limits=limits_of(adapter),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
        guidance=adapter.export_path,
    )


def _spot(destination: Destination) -> tuple[str, str]:
    return spot_of(destination.place) if destination.place else ("", destination.tool.id)


def spot_of(place: TargetFile) -> tuple[str, str]:
    """Returns one identity for a place of pages, also through links: CLAUDE.md may link to AGENTS.md."""
    return os.path.realpath(place.path), place.key


def _shared(found: Iterable[Destination]) -> dict[tuple[str, str], Destination]:
    """One destination for each region or file, within the tightest limits of the tools that read it."""
    merged: dict[tuple[str, str], Destination] = {}
    for destination in found:
        spot = _spot(destination)
        other = merged.get(spot)
        merged[spot] = _merged(other, destination) if other else destination
    return merged


def _merged(one: Destination, other: Destination) -> Destination:
    return replace(
        one,
        adapters=(*one.adapters, *(a for a in other.adapters if a not in one.adapters)),
        **_bounds(one, other),
    )


def _bounds(one: Destination, other: Destination) -> dict[str, Any]:
    """The limits and the detail that suit both; a limit that is tighter for the other tool is known as that one's."""
    own = {limit.unit: limit.most for limit in one.limits}
    tighter = [limit.unit for limit in other.limits if limit.unit not in own or limit.most < own[limit.unit]]
    owners = {unit: other.owners.get(unit, other.tool.name) for unit in tighter}
    return {
        "limits": tightest((*one.limits, *other.limits)),
        "detail": min(one.detail, other.detail),
        "owners": {**one.owners, **owners},
    }


def _not_twice(every: Sequence[Destination]) -> list[Destination]:
    """A tool that reads a file which is filled for others gets no second copy; that file then keeps its limits too."""
    found = _shared(every)
    result = dict(found)
    by_path = {d.shown_path: _spot(d) for d in every if d.place and not d.only}
    for spot, destination in found.items():
        again = by_path.get(_read_anyway(destination, by_path) if destination.place else "")
        if again is None or again == spot or result[again].instead or result[spot].readers:
            continue
        filled = result[again]
        readers = (adapter.id for adapter in destination.adapters if adapter.id not in filled.readers)
        bounds = _bounds(filled, destination)
        result[again] = replace(filled, **bounds, readers=(*filled.readers, *readers))
        result[spot] = replace(destination, instead=filled.shown_path)
    return list(result.values())


def _read_anyway(destination: Destination, paths: Mapping[str, object]) -> str:
    """The first file that is filled in this run and that every tool of this destination reads as well."""
    first, *rest = (adapter.also_reads for adapter in destination.adapters)
    return next((path for path in first if path in paths and all(path in also for also in rest)), "")


def _concerns(destination: Destination, names: set[str]) -> bool:
    return any(adapter.id in names for adapter in destination.adapters)


def _for_those(destination: Destination, names: set[str]) -> Destination:
    adapters = destination.adapters
    return replace(
        destination,
        adapters=tuple(adapter for adapter in adapters if adapter.id in names),
        others=tuple(adapter for adapter in adapters if adapter.id not in names),
    )


def _leftovers(
    config: Config, knowledge: Knowledge, found: Iterable[Destination], written: Iterable[RecordedPart]
) -> Iterator[Destination]:
    """Files that we have written for these tools and that no page goes to any more."""
    spots = {_spot(destination) for destination in found}
    for part in written:
        # A tool that is not known may only be out of order for the moment.
        if spot_of(part.place) not in spots and set(part.record.tools) <= set(knowledge.adapters):
            yield former_destination(config, knowledge, part)


def former_destination(config: Config, knowledge: Knowledge, part: RecordedPart) -> Destination:
    """Returns the destination of a page that was placed by an earlier run, for any tool."""
    tools = part.record.tools
    adapters = tuple(knowledge.adapters.get(name, Adapter(name, name, "file-inject")) for name in tools)
    at_home = part.place.root == str(config.home)
    return Destination(
        adapters=adapters or (Adapter("modicum", "modicum", "file-inject"),),
        scope="global" if at_home else "project",
        place=part.place,
        shown_path=os.path.relpath(part.place.path, part.place.root),
        is_over=True,
    )


def _unset(config: Config, adapter: Adapter, request: InjectRequest) -> str:
    """A path of the tool with a variable that is not set here."""
    paths = (adapter.export_path, *(t.path for t in adapter.targets if t.scope == request.scope))
    return next((path for path in paths if path and not _filled(config, path)), "")


def _why_idle(config: Config, adapter: Adapter, request: InjectRequest) -> str:
    if path := _unset(config, adapter, request):
        return f"a variable in its path is not set here: {path}"
    if adapter.type != "file-inject":
        return f"only when asked for: modicum inject --tool {adapter.id}"
    if request.scope == "project":
        return "has no file in a project: modicum inject --global"
    return "has no file in your home folder: modicum inject --project"
