"""Placement of injected pages: decides which files of which AI tools get a page, each file once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from modicum.app.inject.chosen_files import ChosenFiles, alternatives
from modicum.app.inject.destination import (
    Conditions,
    Destination,
    InjectRequest,
    Placement,
    SkippedTool,
    root_of,
    spot_of,
)
from modicum.app.inject.former import is_page, leftovers, not_created, page_sections, reading_wires
from modicum.app.inject.load import Knowledge, choose_tools, is_here, no_tool_here, tools_of_project
from modicum.app.inject.tool_files import committed, destinations_of, why_idle
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.typing_names import Any
from modicum.base.value import replace
from modicum.targets.model import Adapter, tightest
from modicum.targets.records import RecordedPart, recorded


def place_pages(
    config: Config, knowledge: Knowledge, request: InjectRequest, conditions: Conditions
) -> Placement:
    """Returns the placement of an inject's pages: every AI tool reads one exactly once, as far as its files allow.

    Tools that got a page before are placed together with the named ones, because they share files.
    """
    records = [part for part in recorded(config.state) if part.place.root == root_of(config, request.scope)]
    written, wires = [part for part in records if is_page(part)], [*reading_wires(config, records)]
    tools = _tools_of(config, knowledge, request, written)
    names = {adapter.id for adapter in tools}
    before = {name for part in written for name in part.record.tools}
    together = [*tools, *_companions(knowledge, names, set(config.tools) or before)]
    known = [adapter for adapter in together if _is_placed(config, adapter, request.scope)]
    others = [adapter for adapter in together if adapter not in known]
    forced = [
        each
        for adapter in others
        for each in committed(config, destinations_of(config, adapter, request, conditions))
    ]
    sections, users = page_sections(knowledge), not_created(config, written)
    chosen = ChosenFiles(config, request, conditions, known, sections, wires, users, forced)
    found = _shared([*chosen.destinations(), *forced], together)
    over = leftovers(config, knowledge, found, written, chosen.around)
    return Placement(
        # A file that changes its role is cleared before it is written anew.
        destinations=(*over, *_kept(found, tools, _roles(chosen, written))),
        idle=_idle(config, request, tools, found, chosen.around.ignored),
        settings=chosen.settings,
        violations=chosen.best.violations,
        seen=chosen.seen,
        scope=request.scope,
        has_settings=bool(wires),
        ignored=chosen.around.ignored,
        private=chosen.private,
        unreadable=chosen.unreadable,
    )


def _is_placed(config: Config, adapter: Adapter, scope: str) -> bool:
    """Whether it is known what a tool reads, so that its page can be placed; else it gets all of its files."""
    return adapter.reads is not None and any(alternatives(config, adapter, scope))


def _idle(
    config: Config,
    request: InjectRequest,
    tools: Iterable[Adapter],
    found: Iterable[Destination],
    ignored: Mapping[str, str],
) -> tuple[SkippedTool, ...]:
    read = {adapter.id for destination in found for adapter in destination.adapters}
    left = (adapter for adapter in tools if adapter.id not in read)
    return tuple(SkippedTool(adapter, why_idle(config, adapter, request, ignored)) for adapter in left)


def _roles(chosen: ChosenFiles, written: Iterable[RecordedPart]) -> Mapping[tuple[str, str], bool]:
    """What files that were written before are: one that refers to a page (True), or a page."""
    there = chosen.files_with_pages()
    return {spot: there.get(spot[0], False) for spot in (spot_of(part.place) for part in written)}


def _kept(
    found: Sequence[Destination], tools: Iterable[Adapter], known: Mapping[tuple[str, str], bool]
) -> Iterator[Destination]:
    """The destinations of the named tools, and those of others that the placement has changed: they are new, or refer to
    a page that was there. A page and its copy are written together.
    """
    names = {adapter.id for adapter in tools}
    pairs = [(each, each.copied) for each in found if each.copied]
    paired = {one.spot for pair in pairs if any(_concerns(d, names) for d in pair) for one in pair}
    for destination in found:
        if _concerns(destination, names):
            yield _for_those(destination, names)
        elif destination.spot in paired or (
            destination.place and known.get(destination.spot) is not destination.is_import
        ):
            yield destination


def _tools_of(
    config: Config, knowledge: Knowledge, request: InjectRequest, written: Sequence[RecordedPart]
) -> list[Adapter]:
    """The tools that are named, or all, or those of the project, or those that are here and those that have a page already."""
    if request.tools or request.all_tools:
        return [*choose_tools(config, knowledge, request.tools, every=request.all_tools)]
    if config.tools:
        return [*tools_of_project(config, knowledge)]
    before = {name for part in written for name in part.record.tools}
    every = [a for a in choose_tools(config, knowledge, (), every=True) if a.type == "file-inject"]
    found = [adapter for adapter in every if adapter.id in before or is_here(config, adapter)]
    if not found:
        raise ModicumError(
            no_tool_here(config),
            remedy="name yours, as in: modicum inject --tool claude-code; all of them: modicum tool list",
        )
    return found


def _companions(knowledge: Knowledge, names: set[str], served: set[str]) -> list[Adapter]:
    """The other tools that got a page before, or that the project names: what they read still counts."""
    others = sorted(served - names)
    found = (knowledge.adapters[name] for name in others if name in knowledge.adapters)
    return [adapter for adapter in found if adapter.type == "file-inject"]


def _shared(found: Iterable[Destination], tools: Iterable[Adapter]) -> list[Destination]:
    """One destination for each region or file, in the order of tools, within the tightest limits of those that read it."""
    order = {adapter.id: number for number, adapter in enumerate(tools)}
    merged: dict[tuple[str, str], Destination] = {}
    for destination in sorted(found, key=lambda each: order[each.tool.id]):
        other = merged.get(destination.spot)
        merged[destination.spot] = _merged(other, destination) if other else destination
    return [*merged.values()]


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


def _concerns(destination: Destination, names: set[str]) -> bool:
    return any(adapter.id in names for adapter in destination.adapters)


def _for_those(destination: Destination, names: set[str]) -> Destination:
    adapters = destination.adapters
    return replace(
        destination,
        adapters=tuple(adapter for adapter in adapters if adapter.id in names),
        others=tuple(adapter for adapter in adapters if adapter.id not in names),
    )
