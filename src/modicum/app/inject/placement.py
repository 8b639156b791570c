"""Placement of injected pages: decides which files of which AI tools get a page, each file once."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modicum.app.inject.destination import (
    Conditions,
    Destination,
    InjectRequest,
    Placement,
    SeenFiles,
    SkippedTool,
    root_of,
    spot_of,
)
from modicum.app.inject.former import is_page, leftovers, page_sections, reading_wires
from modicum.app.inject.load import Knowledge, choose_tools, is_here, tools_of_project
from modicum.app.inject.readers import (
    LEAST_BYTES,
    carrier_of,
    carriers_of,
    look_around,
    readers_of,
    rooms,
)
from modicum.app.inject.tool_files import (
    destinations_of,
    file_destination,
    filled_path,
    named_apart,
    why_idle,
)
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.views import parse_detail
from modicum.targets.globs import for_globs
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined
from modicum.targets.loaders.placement import (
    IMPORT,
    PAGE,
    SETTING,
    BestPlacement,
    Carrier,
    ToolReader,
    apply_carriers,
    placement,
)
from modicum.targets.model import (
    Adapter,
    Limit,
    Target,
    limits_of,
    tightest,
    verbosity_of,
)
from modicum.targets.records import RecordedPart, recorded


def place_pages(
    config: Config, knowledge: Knowledge, request: InjectRequest, conditions: Conditions
) -> Placement:
    """Returns the placement of pages: every AI tool reads one exactly once, as far as its files allow.

    Tools that got a page before are placed together with the named ones, because they share files.
    """
    records = [part for part in recorded(config.state) if part.place.root == root_of(config, request.scope)]
    written = [part for part in records if is_page(part)]
    tools = _tools_of(config, knowledge, request, written)
    names = {adapter.id for adapter in tools}
    before = {name for part in written for name in part.record.tools}
    together = [*tools, *_companions(knowledge, names, set(config.tools) or before)]
    known = [adapter for adapter in together if _is_placed(config, adapter, request.scope)]
    others = [adapter for adapter in together if adapter not in known]
    routes = {adapter.id: [*destinations_of(config, adapter, request, conditions)] for adapter in others}
    wires = [*reading_wires(config, records)]
    placing = _Placing(config, request, conditions, known, page_sections(knowledge), wires)
    forced = [d for adapter in others for d in routes[adapter.id]]
    best, found = placing.done(forced)
    order = {adapter.id: number for number, adapter in enumerate(together)}
    shared = _shared(sorted([*found, *forced], key=lambda d: order[d.tool.id]))
    read = {adapter.id for destination in shared.values() for adapter in destination.adapters}
    idle = [
        SkippedTool(adapter, why_idle(config, adapter, request))
        for adapter in tools
        if adapter.id not in read
    ]
    over = leftovers(config, knowledge, [*shared.values()], written, placing.around)
    there = placing.there()
    roles = {spot: there.get(spot[0], False) for spot in (spot_of(part.place) for part in written)}
    kept = _kept([*shared.values()], names, roles)
    settings = placing.settings(best)
    # A file that changes its role is cleared before it is written anew.
    return Placement(
        (*over, *kept),
        tuple(idle),
        settings,
        best.violations,
        placing.surroundings(best),
        request.scope,
        bool(wires),
    )


def _is_placed(config: Config, adapter: Adapter, scope: str) -> bool:
    """Whether it is known what a tool reads, so that its page can be placed; else it gets all of its files."""
    return adapter.reads is not None and any(_alternatives(config, adapter, scope))


def _alternatives(config: Config, adapter: Adapter, scope: str) -> Iterator[Target]:
    """The files of a tool that can carry its page, with paths in the home folder that begin with `~/`."""
    for target in adapter.targets:
        if target.scope == scope and not target.globs and (path := filled_path(config, target.path)):
            home = f"{config.home}/"
            yield replace(target, path=f"~/{path.removeprefix(home)}" if path.startswith(home) else path)


class _Placing:
    """Places the pages of the AI tools whose loaders are known."""

    def __init__(
        self,
        config: Config,
        request: InjectRequest,
        conditions: Conditions,
        adapters: Sequence[Adapter],
        sections: Collection[str],
        wires: Sequence[dict[str, Any]],
    ) -> None:
        self.config, self.request, self.conditions = config, request, conditions
        scope = request.scope
        self.adapters = [replace(a, targets=(*_alternatives(config, a, scope),)) for a in adapters]
        self.full = {adapter.id: adapter for adapter in adapters}
        self.around = look_around(config, self.adapters, scope, sections, wires)

    def done(self, forced: Sequence[Destination]) -> tuple[BestPlacement, list[Destination]]:
        """Returns the best placement, and its destinations."""
        around, scope = self.around, self.request.scope
        fixed = [carrier_of(Target("project", d.shown_path, "replace-section")) for d in forced if d.place]
        readers = readers_of(self.adapters, around)
        carriers = carriers_of(self.adapters, around, scope)
        best = placement(around.files, readers, carriers, around.present, fixed)
        equal = False
        if best.violations and len({*around.files.texts.values()}) < len(around.files.texts):
            same = carriers_of(self.adapters, around, scope, equal=True)
            other = placement(around.files, readers, same, around.present, fixed)
            equal = len(other.violations) < len(best.violations)
            best = other if equal else best
        best = self._with_room(best, readers, fixed)
        after = {
            path: apply_carriers(around.files, [c for c in best.carriers if c.path != path or c.kind != PAGE])
            for path in best.serves
        }
        high = {carrier.path for carrier in best.carriers if carrier.at_top}
        pages = [
            self._page(path, tools, after[path], on_top=path in high)
            for path, tools in best.serves.items()
            if tools
        ]
        pages = _alike(pages) if equal else pages
        by_path = {around.files.real(page.shown_path): page for page in pages}
        imports = [self._reference(carrier, by_path) for carrier in best.carriers if carrier.kind == IMPORT]
        return best, [*_with_importers(pages, imports), *imports, *self._conditional(pages)]

    def _with_room(
        self, best: BestPlacement, readers: Sequence[ToolReader], fixed: Sequence[Carrier]
    ) -> BestPlacement:
        """The best placement in which tools that would get nothing have their page above the user's text.

        That is so if it was asked for, or if a page is there already.
        """
        without = {violation.tool for violation in best.violations if violation.kind == "missing"}
        adapters = [adapter for adapter in self.adapters if adapter.id in without]
        paths = {
            target.path
            for adapter in adapters
            for target in adapter.targets
            if self._is_full(adapter, target)
        }
        there = any(carrier.at_top and carrier.path in paths for carrier in self.around.present)
        if not paths or not (there or self.request.make_room):
            return best
        around = self.around
        carriers = carriers_of(self.adapters, around, self.request.scope, on_top=paths)
        first = {
            adapter.id for adapter in adapters if any(self._is_full(adapter, t) for t in adapter.targets)
        }
        return placement(around.files, readers, carriers, around.present, fixed, ours_first=first)

    def _is_full(self, adapter: Adapter, target: Target) -> bool:
        """Whether a limit of a tool leaves no room for a page in one of its files."""
        left = rooms(adapter, self.around.files, target.path, self.around.folders)
        return target.mode != "refer" and any(room < LEAST_BYTES for _, room, _ in left)

    def _page(self, path: str, tools: Sequence[str], files: ProjectFiles, *, on_top: bool) -> Destination:
        adapters = [adapter for adapter in self.adapters if adapter.id in tools]
        target = self._target(path, PAGE)
        full = [self.full[adapter.id] for adapter in adapters]
        bounds = [
            (adapter, limit)
            for adapter in full
            for limit in self._limits(adapter, target, files, on_top=on_top)
        ]
        limits = tightest(limit for _, limit in bounds)
        owners = {
            limit.unit: next(a.name for a, bound in bounds if bound == limit)
            for limit in limits
            if len(full) > 1
        }
        alone = full[0]
        file = file_destination(self.config, alone, target, self.request)
        return replace(
            file,
            place=replace(file.place, at_top=on_top) if file.place else None,
            adapters=tuple(full),
            detail=self.request.detail or min(parse_detail(verbosity_of(a, _own(a, path))) for a in full),
            limits=limits,
            owners=owners,
            separate=len(full) == 1 and alone.fit == "thin" and any(t.globs for t in self._globs(alone)),
        )

    def _target(self, path: str, kind: str) -> Target:
        """The target that says how a path is written: the first of any tool, also for a folder below the root."""
        every = [target for adapter in self.adapters for target in adapter.targets]
        fitting = [target for target in every if (target.mode == "refer") == (kind == IMPORT)]
        exact = [target for target in fitting if target.path == path]
        nested = [target for target in fitting if target.nested and path.endswith(f"/{target.path}")]
        named = Target(self.request.scope, path, "replace-section")
        return replace((*exact, *nested, named)[0], path=path)

    def _limits(
        self, adapter: Adapter, target: Target, files: ProjectFiles, *, on_top: bool
    ) -> Iterator[Limit]:
        """The limits of a page: what is left beside the user's text, or a quarter of the limit above it."""
        yield from limits_of(adapter, _own(adapter, target.path))
        for unit, left, most in rooms(adapter, files, target.path, self.around.folders):
            yield Limit(unit, max(LEAST_BYTES, most // 4) if on_top else max(0, left))

    def _reference(self, carrier: Carrier, pages: Mapping[str, Destination]) -> Destination:
        target = self._target(carrier.path, IMPORT)
        owner = next(a for a in self.adapters if any(t.path == target.path for t in a.targets))
        file = file_destination(
            self.config, self.full[owner.id], replace(target, mode="import"), self.request
        )
        page = pages[self.around.files.real(joined(folder_of(target.path), target.import_path))]
        return replace(file, limits=(), refers_to=page)

    def _globs(self, adapter: Adapter) -> list[Target]:
        targets = [t for t in adapter.targets if t.scope == self.request.scope and t.globs]
        return [target for target in targets if filled_path(self.config, target.path)]

    def _conditional(self, pages: Iterable[Destination]) -> Iterator[Destination]:
        """The pages of packs that apply to some files only, for tools that have such files and a page of their own."""
        for page in pages:
            for target in self._globs(page.tool) if page.separate else ():
                for name, condition in named_apart(self.conditions(page.format)):
                    single = for_globs(target, name=name, globs=condition[1])
                    yield replace(
                        file_destination(self.config, page.tool, single, self.request), only=condition
                    )

    def there(self) -> Mapping[str, bool]:
        """Returns the files that hold a page of ours or refer to one (True), by their real paths."""
        pages = [carrier for carrier in self.around.present if carrier.kind != SETTING]
        root = root_of(self.config, self.request.scope)
        places = (os.path.realpath(Path(root, carrier.path.removeprefix("~/"))) for carrier in pages)
        return {place: carrier.kind == IMPORT for place, carrier in zip(places, pages, strict=True)}

    def surroundings(self, best: BestPlacement) -> SeenFiles:
        """Returns the user's files with the settings of the placement, and the tools that read them."""
        settings = [carrier for carrier in best.carriers if carrier.kind == SETTING]
        return SeenFiles(apply_carriers(self.around.files, settings), tuple(self.full.values()))

    def settings(self, best: BestPlacement) -> tuple[tuple[Adapter, Carrier], ...]:
        """Returns the settings that the placement changes, each with its tool."""
        chosen = [carrier for carrier in best.carriers if carrier.kind == SETTING]
        return tuple(
            (self.full[adapter.id], carrier)
            for carrier in chosen
            for adapter in self.adapters
            if adapter.reads
            and any(s.path == carrier.path and s.keys == carrier.keys for s in adapter.reads.settings)
        )


def _with_importers(pages: Iterable[Destination], imports: Sequence[Destination]) -> Iterator[Destination]:
    """The pages with the regions that import them, which count within their limits."""
    for page in pages:
        regions = [each.place for each in imports if each.refers_to is page and each.place]
        yield replace(page, importers=tuple(regions)) if regions else page


def _alike(pages: Sequence[Destination]) -> list[Destination]:
    """The pages with the detail and the limits that suit them all, so that their texts are the same."""
    limits = tightest(limit for page in pages for limit in page.limits)
    owners = {unit: owner for page in pages for unit, owner in page.owners.items()}
    detail = min(page.detail for page in pages)
    return [replace(page, limits=limits, owners=owners, detail=detail, separate=False) for page in pages]


def _own(adapter: Adapter, path: str) -> Target | None:
    return next((target for target in adapter.targets if target.path == path and not target.globs), None)


def _kept(
    found: Sequence[Destination], names: set[str], known: Mapping[tuple[str, str], bool]
) -> Iterator[Destination]:
    """The destinations of the named tools, and those of others that the placement has changed: they are new, or refer to
    a page that was there.
    """
    for destination in found:
        if _concerns(destination, names):
            yield _for_those(destination, names)
        elif destination.place and known.get(destination.spot) is not bool(destination.refers_to):
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
            "no AI tool was found here",
            remedy="name one, as in: modicum inject --tool claude-code; all of them: modicum tool list",
        )
    return found


def _companions(knowledge: Knowledge, names: set[str], served: set[str]) -> list[Adapter]:
    """The other tools that got a page before, or that the project names: what they read still counts."""
    others = sorted(served - names)
    found = (knowledge.adapters[name] for name in others if name in knowledge.adapters)
    return [adapter for adapter in found if adapter.type == "file-inject"]


def _shared(found: Iterable[Destination]) -> dict[tuple[str, str], Destination]:
    """One destination for each region or file, within the tightest limits of the tools that read it."""
    merged: dict[tuple[str, str], Destination] = {}
    for destination in found:
        other = merged.get(destination.spot)
        merged[destination.spot] = _merged(other, destination) if other else destination
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


def _concerns(destination: Destination, names: set[str]) -> bool:
    return any(adapter.id in names for adapter in destination.adapters)


def _for_those(destination: Destination, names: set[str]) -> Destination:
    adapters = destination.adapters
    return replace(
        destination,
        adapters=tuple(adapter for adapter in adapters if adapter.id in names),
        others=tuple(adapter for adapter in adapters if adapter.id not in names),
    )
