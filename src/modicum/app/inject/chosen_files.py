"""Chooses the files that carry the pages of AI tools whose loaders are known, and makes their destinations."""

import os
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from modicum.app.inject.destination import Conditions, Destination, InjectRequest, SeenFiles, root_of
from modicum.app.inject.readers import LEAST_BYTES, carrier_of, carriers_of, look_around, readers_of, rooms
from modicum.app.inject.tool_files import file_destination, filled_path, named_apart
from modicum.base.config import Config
from modicum.base.typing_names import Any
from modicum.base.value import replace
from modicum.engine.views import parse_detail
from modicum.targets.change import Position
from modicum.targets.globs import for_globs
from modicum.targets.loaders.carriers import (
    IMPORT,
    PAGE,
    SETTING,
    BestPlacement,
    Carrier,
    Violation,
    apply_carriers,
)
from modicum.targets.loaders.files import ProjectFiles, folder_of, is_below, joined
from modicum.targets.loaders.imports import imports_in
from modicum.targets.loaders.model import ReadingSetting
from modicum.targets.loaders.placement import placement, violations_with
from modicum.targets.model import Adapter, Limit, Target, limits_of, tightest, verbosity_of

_ONLY_TITLE = re.compile(r"\s*+(?:# [^\n]*+\s*+)?")


def alternatives(config: Config, adapter: Adapter, scope: str) -> Iterator[Target]:
    """Yields the files of a tool that can be chosen for its page, with paths in the home folder that begin with `~/`."""
    for target in adapter.targets:
        if target.scope == scope and not target.globs and (path := filled_path(config, target.path)):
            home = f"{config.home}/"
            yield replace(target, path=f"~/{path.removeprefix(home)}" if path.startswith(home) else path)


class ChosenFiles:
    """The files that were chosen to carry the pages of some AI tools, beside destinations that are fixed: the best placement."""

    def __init__(
        self,
        config: Config,
        request: InjectRequest,
        conditions: Conditions,
        adapters: Sequence[Adapter],
        sections: Collection[str],
        wires: Sequence[dict[str, Any]],
        not_ours: Container[str],
        forced: Iterable[Destination],
    ) -> None:
        self.config, self.request, self.conditions = config, request, conditions
        scope = request.scope
        self.adapters = [replace(a, targets=(*alternatives(config, a, scope),)) for a in adapters]
        self.full = {adapter.id: adapter for adapter in adapters}
        self.around = look_around(config, adapters, scope, sections, wires, not_ours)
        self.readers = readers_of(self.adapters, self.around)
        pinned = (*(d.shown_path for d in forced if d.place), *self._imported_by_user())
        self.fixed = [carrier_of(Target("project", path, "replace-section")) for path in pinned]
        self.are_alike = False  # all pages have the same text
        self.best = self._with_room(self._best())

    def _imported_by_user(self) -> Iterator[str]:
        """The files with nothing but our page that a line of the user's imports: without the page it would import nothing."""
        files = self.around.files
        imported = {
            files.real(joined(folder_of(path), mention.path))
            for path, text in files.texts.items()
            if is_below(path, "")
            for mention in imports_in(text)
        }
        for path in self._regions() & imported:
            if _ONLY_TITLE.fullmatch(files.text(path) or ""):
                yield path

    def _best(self) -> BestPlacement:
        """The best placement; where files are twins, with pages that are alike if that is better, or leaves more where it is."""
        best = self._placed(carriers_of(self.adapters, self.around, self.request.scope))
        texts = [*self.around.files.texts.values()]
        are_twins = bool(best.violations) and len({*texts}) < len(texts)
        if are_twins or self._kept(best) < len(self._regions()):
            other = self._placed(carriers_of(self.adapters, self.around, self.request.scope, equal=True))
            self.are_alike = self._rank(other) < self._rank(best)
            return other if self.are_alike else best
        return best

    def _rank(self, found: BestPlacement) -> tuple[int, int]:
        return len(found.violations), -self._kept(found)

    def _kept(self, found: BestPlacement) -> int:
        """How many of the regions that hold a page of ours stay where they are."""
        places = {self.around.files.real(each.path) for each in found.carriers if each.kind == PAGE}
        return len(places & self._regions())

    def _regions(self) -> set[str]:
        present = (c for c in self.around.present if c.kind == PAGE and c.mode == "replace-section")
        return {self.around.files.real(carrier.path) for carrier in present}

    def _placed(self, carriers: Sequence[Carrier], ours_first: Collection[str] = ()) -> BestPlacement:
        around = self.around
        return placement(
            around.files, self.readers, carriers, around.present, self.fixed, ours_first=ours_first
        )

    def destinations(self) -> list[Destination]:
        """Returns the destinations of the chosen files: pages, what imports them, and pages for some files only."""
        served = [(path, tools) for path, tools in self.best.serves.items() if tools]
        pages = [self._page(path, tools) for path, tools in served]
        pages = _alike(pages) if self.are_alike else pages
        by_path = {self.around.files.real(page.shown_path): page for page in pages}
        pages = [self._as_copy(page, by_path) for page in pages]
        carriers = [carrier for carrier in self.best.carriers if carrier.kind == IMPORT]
        imports = [self._reference(carrier, by_path) for carrier in carriers]
        return [*_with_importers(pages, imports), *imports, *self._conditional(pages)]

    def _files_beside(self, path: str) -> ProjectFiles:
        """What is read beside the page in a file: a file that is not committed may depend on others of that kind."""
        files = self.around.everything if path in self.around.ignored else self.around.files
        return apply_carriers(files, [c for c in self.best.carriers if c.path != path or c.kind != PAGE])

    def _with_room(self, best: BestPlacement) -> BestPlacement:
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
        carriers = carriers_of(self.adapters, self.around, self.request.scope, on_top=paths)
        first = {
            adapter.id for adapter in adapters if any(self._is_full(adapter, t) for t in adapter.targets)
        }
        return self._placed(carriers, ours_first=first)

    def _is_full(self, adapter: Adapter, target: Target) -> bool:
        """Whether a limit of a tool leaves no room for a page in one of its files."""
        left = rooms(adapter, self.around.files, target.path, self.around.folders)
        return target.mode != "refer" and any(room < LEAST_BYTES for _, room, _ in left)

    def _page(self, path: str, tools: Sequence[str]) -> Destination:
        on_top = any(carrier.at_top and carrier.path == path for carrier in self.best.carriers)
        files = self._files_beside(path)
        adapters = [adapter for adapter in self.adapters if adapter.id in tools]
        target = self._target(path)
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
            place=replace(file.place, position=self._position(path, files, on_top=on_top))
            if file.place
            else None,
            adapters=tuple(full),
            detail=self.request.detail or min(parse_detail(verbosity_of(a, _own(a, path))) for a in full),
            limits=limits,
            owners=owners,
            separate=len(full) == 1 and alone.fit == "thin" and any(t.globs for t in self._globs(alone)),
        )

    def _position(self, path: str, files: ProjectFiles, *, on_top: bool = False) -> Position:
        """Where a region goes: never where it would push text of the user's beyond a limit, unless room is to be made."""
        real = files.real(path)
        if on_top or not files.text(real):
            return Position.ABOVE if on_top else Position.TOP
        left = (rooms(adapter, files, real, self.around.folders) for adapter in self.adapters)
        is_full = any(room < LEAST_BYTES for each in left for _, room, _ in each)
        return Position.END if is_full else Position.TOP

    def _target(self, path: str) -> Target:
        """The target that says how a page is written: the first of any tool, also for a folder below the root."""
        every = [target for adapter in self.adapters for target in adapter.targets]
        fitting = [target for target in every if target.mode != "refer"]
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

    def _as_copy(self, page: Destination, pages: Mapping[str, Destination]) -> Destination:
        """A page that repeats another one, where that has a file to itself."""
        path = self._target(page.shown_path).copy_of
        other = None if self.around.files.text(path) else pages.get(path)
        return replace(page, limits=(), refers_to=other, separate=False) if other else page

    def _reference(self, carrier: Carrier, pages: Mapping[str, Destination]) -> Destination:
        every = [(adapter, target) for adapter in self.adapters for target in adapter.targets]
        owner, target = next(pair for pair in every if carrier_of(pair[1]).spot == carrier.spot)
        file = file_destination(
            self.config, self.full[owner.id], replace(target, mode="import"), self.request
        )
        page = pages[self.around.files.real(joined(folder_of(target.path), target.import_path))]
        position = self._position(target.path, self._files_beside(target.path))
        place = replace(file.place, position=position) if file.place else None
        return replace(file, place=place, limits=(), refers_to=page)

    def _globs(self, adapter: Adapter) -> list[Target]:
        targets = [t for t in adapter.targets if t.scope == self.request.scope and t.globs]
        return [
            target
            for target in targets
            if filled_path(self.config, target.path) and not self.around.ignored.get(target.path)
        ]

    def _conditional(self, pages: Iterable[Destination]) -> Iterator[Destination]:
        """The pages of packs that apply to some files only, for tools that have such files and a page of their own."""
        for page in pages:
            for target in self._globs(page.tool) if page.separate else ():
                for name, condition in named_apart(self.conditions(page.format)):
                    single = for_globs(target, name=name, globs=condition[1])
                    yield replace(
                        file_destination(self.config, page.tool, single, self.request), only=condition
                    )

    def files_with_pages(self) -> Mapping[str, bool]:
        """Returns the files that hold a page of ours already or refer to one (True), before others are chosen, by their real paths."""
        pages = [carrier for carrier in self.around.present if carrier.kind != SETTING]
        root = root_of(self.config, self.request.scope)
        places = (os.path.realpath(Path(root, carrier.path.removeprefix("~/"))) for carrier in pages)
        return {place: carrier.kind == IMPORT for place, carrier in zip(places, pages, strict=True)}

    @cached_property
    def seen(self) -> SeenFiles:
        """Returns the user's files with the settings of the chosen ones, and the tools that read them."""
        settings = [carrier for carrier in self.best.carriers if carrier.kind == SETTING]
        return SeenFiles(apply_carriers(self.around.files, settings), tuple(self.full.values()))

    @cached_property
    def private(self) -> tuple[Violation, ...]:
        """Returns what the chosen files violate on this machine only: beside files at home, and others that are not committed."""
        around, everything = self.around, self.around.everything
        if self.request.scope == "global" or len(everything.texts) + len(everything.settings) == len(
            around.files.texts
        ) + len(around.files.settings):
            return ()
        found = violations_with(everything, self.readers, self.best.carriers)
        return tuple(each for each in found if not each.case and each not in self.best.violations)

    @cached_property
    def unreadable(self) -> tuple[ReadingSetting, ...]:
        """Returns the settings that could have been chosen for tools without a page, if their files could be read."""
        without = {violation.tool for violation in self.best.violations if violation.kind == "missing"}
        loaders = (adapter.reads for adapter in self.adapters if adapter.id in without and adapter.reads)
        settings = (setting for loader in loaders for setting in loader.settings)
        return tuple(setting for setting in settings if setting.path in self.around.broken)

    @cached_property
    def settings(self) -> tuple[tuple[Adapter, Carrier], ...]:
        """Returns the settings that inject chose, beside files, to bring pages to tools, each with its tool."""
        chosen = [carrier for carrier in self.best.carriers if carrier.kind == SETTING]
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
    """The pages with the detail, the limits and the position that suit them all, so that the texts of their files are the same."""
    limits = tightest(limit for page in pages for limit in page.limits)
    owners = {unit: owner for page in pages for unit, owner in page.owners.items()}
    detail = min(page.detail for page in pages)
    low = any(page.place and page.place.position is Position.END for page in pages)
    pages = [_at_end(page) for page in pages] if low else pages
    return [replace(page, limits=limits, owners=owners, detail=detail, separate=False) for page in pages]


def _at_end(page: Destination) -> Destination:
    return replace(page, place=replace(page.place, position=Position.END)) if page.place else page


def _own(adapter: Adapter, path: str) -> Target | None:
    return next((target for target in adapter.targets if target.path == path and not target.globs), None)
