"""Inject: what each tool's file should hold. Applying, comparing and printing it are the last step of somebody else."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from modicum.app.gather import Shelf, choose_packs, choose_profile, choose_tools
from modicum.app.notes import read_notes
from modicum.config import Config
from modicum.errors import ModicumError
from modicum.packs.model import Pack, Profile
from modicum.packs.sections import Composition, Facts, News, boilerplate, compose, compose_whole
from modicum.page import Detail, Fate, Left, Page, Section, View, fit
from modicum.targets.detect import expanded
from modicum.targets.model import Adapter, Limit, Target, for_globs, limits_of, tightest, verbosity_of
from modicum.targets.plan import (
    Change,
    Existing,
    Place,
    Record,
    State,
    eol_of,
    payload,
    plan,
    remember,
    unplan,
)
from modicum.tokens import count
from modicum.views import budget, parse_detail


@dataclass(frozen=True, slots=True)
class Wish:
    """What one run asks for."""

    tools: tuple[str, ...] = ()
    all_tools: bool = False
    scope: str = "project"
    profile: str = ""
    detail: Detail | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force: bool = False


@dataclass(frozen=True, slots=True)
class Destination:
    """One page to be made. Without a place it goes to the clipboard."""

    adapters: tuple[Adapter, ...]
    scope: str
    place: Place | None
    shown_path: str
    detail: Detail
    limits: tuple[Limit, ...] = ()
    format: str = "markdown"
    whole_packs: bool = False
    only: tuple[str, tuple[str, ...]] | None = None  # a name and globs: the conditional part of that name
    separate: bool = False  # conditional parts have files of their own
    guidance: str = ""  # an export's file, named in the closing line
    instead: str = ""  # the tool reads this file anyway, which is filled already

    @property
    def tool(self) -> Adapter:
        return self.adapters[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A destination with its page, exactly what is written, and the change that this makes."""

    destination: Destination
    page: Page
    payload: str
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Injection:
    """All that a run would do. Warnings are sentences; troubles too, and they make the run fail in the end."""

    outcomes: tuple[Outcome, ...]
    warnings: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


@dataclass(slots=True)
class Kitchen:
    """What is needed to make pages, with compositions kept, since tools share them."""

    config: Config
    packs: tuple[Pack, ...]
    profile: Profile | None
    wish: Wish
    compositions: dict[tuple[str, Detail | None], Composition] = field(default_factory=dict)

    def news(self) -> tuple[News, ...]:
        return tuple(News(pack.id, entry) for pack in self.packs for entry in pack.changelog if entry.strip())

    def composition(self, format: str, whole_at: Detail | None) -> Composition:  # noqa: A002
        """What the packs say in a format; whole packs are worded at a detail."""
        key = (format, whole_at)
        if key not in self.compositions:
            self.compositions[key] = (
                compose_whole(self.packs, format, whole_at) if whole_at else compose(self.packs, format)
            )
        return self.compositions[key]

    def sections(self, destination: Destination, news: tuple[News, ...]) -> tuple[Section, ...]:
        """All that may come onto the page of a destination."""
        composition = self.composition(
            destination.format, destination.detail if destination.whole_packs else None
        )
        if destination.only:
            return composition.conditional().get(destination.only, ())
        knowledge = composition.unconditional() if destination.separate else composition.whole()
        return (*boilerplate(self.packs, self._facts(destination, news), destination.format), *knowledge)

    def _facts(self, destination: Destination, news: tuple[News, ...]) -> Facts:
        profile = f"{self.profile.name} — {self.profile.description}".strip(" —") if self.profile else ""
        in_project = destination.scope == "project" and destination.place is not None
        notes = read_notes(self.config) if in_project else ()
        more = ("`modicum explain` tells what is here and why, `modicum show KEY` prints what is not.",)
        return Facts(profile, news, tuple(note.text for note in notes), more)


def make_kitchen(config: Config, shelf: Shelf, wish: Wish) -> tuple[Kitchen, tuple[str, ...]]:
    """The packs that a wish is about, and a sentence for each name in it that nobody knows."""
    profile = choose_profile(shelf.library, wish.profile or config.profile)
    packs, strangers = choose_packs(shelf.library, profile, wish.include, wish.exclude)
    return Kitchen(config, packs, profile, wish), strangers


def destinations(config: Config, shelf: Shelf, kitchen: Kitchen) -> list[Destination]:
    """Where pages go, in the order of the tools. Tools that share a region share a destination."""
    wish = kitchen.wish
    adapters = choose_tools(config, shelf, wish.tools, every=wish.all_tools)
    if not adapters:
        raise ModicumError(
            "no AI tool was found here",
            remedy="name one, as in: modicum inject --tool claude-code; modicum adapters list",
        )
    found = [d for adapter in adapters for d in _of_adapter(config, adapter, kitchen)]
    return _not_twice(_shared(found))


def _of_adapter(config: Config, adapter: Adapter, kitchen: Kitchen) -> Iterator[Destination]:
    if adapter.type != "file-inject":
        if kitchen.wish.scope == "global" or kitchen.wish.tools or kitchen.wish.all_tools:
            yield from _exports(config, adapter, kitchen.wish)
        return
    targets = [target for target in adapter.targets if target.scope == kitchen.wish.scope]
    conditional = [target for target in targets if target.globs]
    for target in targets:
        if not target.globs:
            yield from _files(config, adapter, target, kitchen, separate=bool(conditional))
    for target in conditional:
        for name, globs in _conditions(adapter, kitchen):
            single = for_globs(target, name=name, globs=globs)
            yield replace(_file(config, adapter, single, kitchen.wish), only=(name, globs))


def _conditions(adapter: Adapter, kitchen: Kitchen) -> list[tuple[str, tuple[str, ...]]]:
    if adapter.fit == "whole":
        return []
    return list(kitchen.composition(adapter.format, None).conditional())


def _files(
    config: Config, adapter: Adapter, target: Target, kitchen: Kitchen, *, separate: bool
) -> Iterator[Destination]:
    separate = separate and adapter.fit != "whole"
    if target.mode == "import":
        text = replace(target, path=target.import_path, mode="replace-file")
        yield replace(_file(config, adapter, text, kitchen.wish), separate=separate)
    yield replace(_file(config, adapter, target, kitchen.wish), separate=separate)


def _file(config: Config, adapter: Adapter, target: Target, wish: Wish) -> Destination:
    root = config.root if target.scope == "project" else config.home
    path = expanded(target.path, {**config.environment, "HOME": str(config.home)}) or target.path
    place = Place(
        path=str(root / path),
        mode=target.mode,
        section=target.section,
        preamble=target.preamble,
        root=str(root),
        reference=target.import_path,
    )
    return Destination(
        adapters=(adapter,),
        scope=target.scope,
        place=place,
        shown_path=target.path,
        detail=wish.detail or parse_detail(verbosity_of(adapter, target)),
        limits=limits_of(adapter, target),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
    )


def _exports(config: Config, adapter: Adapter, wish: Wish) -> Iterator[Destination]:
    """The clipboard's page within the limit; with an export file also that one, whole and in full."""
    clipboard = Destination(
        adapters=(adapter,),
        scope="global",
        place=None,
        shown_path="clipboard",
        detail=wish.detail or parse_detail(adapter.verbosity),
        limits=limits_of(adapter),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
        guidance=adapter.export_path,
    )
    if adapter.type == "file-export":
        target = Target(scope="global", path=adapter.export_path, mode="replace-file")
        yield replace(
            _file(config, adapter, target, wish),
            detail=Detail.FULL,
            limits=(),
            format="markdown",
            whole_packs=False,
        )
    yield clipboard


def _shared(found: Sequence[Destination]) -> list[Destination]:
    """One destination for each region or file, within the tightest limits of the tools that read it."""
    merged: dict[object, Destination] = {}
    for destination in found:
        place = destination.place
        key = (place.path, place.section) if place else destination.tool.id
        if key not in merged:
            merged[key] = destination
            continue
        other = merged[key]
        merged[key] = replace(
            other,
            adapters=(*other.adapters, *(a for a in destination.adapters if a not in other.adapters)),
            limits=tightest((*other.limits, *destination.limits)),
            detail=min(other.detail, destination.detail),
        )
    return list(merged.values())


def _not_twice(found: Sequence[Destination]) -> list[Destination]:
    """A tool that reads a file which is filled for others gets no second copy; that file then keeps its limits too."""
    filled = {destination.shown_path: destination for destination in found if destination.place}
    instead: dict[str, Destination] = {}
    for destination in found:
        again = [
            path for path in destination.tool.also_reads if path in filled and path != destination.shown_path
        ]
        if destination.place and len(destination.adapters) == 1 and again:
            instead[destination.shown_path] = replace(destination, instead=again[0])
            other = filled[again[0]]
            filled[again[0]] = replace(other, limits=tightest((*other.limits, *destination.limits)))
    return [instead.get(d.shown_path) or (filled[d.shown_path] if d.place else d) for d in found]


def make(kitchen: Kitchen, destination: Destination, existing: Existing, record: Record | None) -> Outcome:
    """The page for a destination, and what it changes there."""
    place, news = destination.place, kitchen.news()
    if place is None:
        page = make_page(kitchen, destination, news)
        return Outcome(destination, page, page.text)
    if destination.instead:
        change = unplan(place, existing, record) if record else None
        return Outcome(destination, Page("", 0, {}, {}, {}), "", change)
    given, told = _news_record(record)
    unheard = tuple(entry for entry in news if _digest(entry) not in given)
    standing = (place, existing, record)
    first = _planned(kitchen, destination, standing, unheard, given)
    if first.change is None or first.change.state is State.CURRENT:
        return first
    # The file changes anyway: what it told as new the last time is no longer new.
    fresh = tuple(entry for entry in unheard if _digest(entry) not in told)
    return first if fresh == unheard else _planned(kitchen, destination, standing, fresh, given | told)


def _planned(
    kitchen: Kitchen,
    destination: Destination,
    standing: tuple[Place, Existing, Record | None],
    news: tuple[News, ...],
    given: frozenset[str],
) -> Outcome:
    place, existing, record = standing
    line_end = eol_of(existing.text)
    page = make_page(kitchen, destination, news, line_end)
    keeps, force = destination.tool.when_empty, kitchen.wish.force
    change = plan(place, page.text, existing, record, when_empty=keeps, force=force)
    extra = {"given": sorted(given), "told": sorted(map(_digest, news))}
    change = remember(change, tools=tuple(adapter.id for adapter in destination.adapters), extra=extra)
    return Outcome(destination, page, payload(place, page.text, line_end), change)


def make_page(
    kitchen: Kitchen, destination: Destination, news: tuple[News, ...], line_end: str = "\n"
) -> Page:
    """The page for a destination whose file ends its lines like this. What is written stays within every limit."""
    place = destination.place
    if place and place.mode == "import":
        return Page(f"@{place.reference}", len(place.reference) + 1, {}, {}, {})
    sections = kitchen.sections(destination, news)
    limits = [(limit.unit, limit.most) for limit in destination.limits]
    while True:
        page = fit(sections, _view(destination, limits, line_end))
        written = payload(place, page.text, line_end) if place else page.text
        excess = max((count(written, limit.unit) - limit.most for limit in destination.limits), default=0)
        if excess <= 0:
            return page
        # Markers that the text itself has are escaped, and tokens at a joint do not add up: there is a little less room.
        limits = [(unit, max(0, most - excess)) for unit, most in limits]


def _view(destination: Destination, limits: list[tuple[str, int]], line_end: str) -> View:
    place, whole = destination.place, destination.whole_packs
    around = payload(place, "x", line_end).replace("x", "", 1) if place else ""
    return View(
        detail=destination.detail,
        floor=destination.detail if whole else Detail.SUMMARY,
        strict=whole,
        budget=budget(limits, around, line_end),
        pointer=_pointer(destination),
    )


def _pointer(destination: Destination) -> Callable[[Left], str]:
    """Names the packs that have something left out, and how to read it."""

    def line(left: Left) -> str:
        keys = [
            key
            for key in (*left.cut, *left.shortened)
            if key.startswith(("pack:", "sample:", "learning:", "error:"))
        ]
        packs = list(dict.fromkeys(key.split(":")[1].split("/")[0] for key in keys))
        if not packs:
            return ""
        named = ", ".join(packs[:4]) + (f" and {len(packs) - 4} more" if len(packs) > 4 else "")
        if destination.guidance:
            return f"More on {named}: attach {destination.guidance}."
        return f"Left out for lack of room: parts of {named}. Read them with `modicum show pack:{packs[0]}`."

    return line


def _news_record(record: Record | None) -> tuple[frozenset[str], frozenset[str]]:
    extra: Mapping[str, object] = record.extra if record else {}
    given, told = extra.get("given", ()), extra.get("told", ())
    return frozenset(given if isinstance(given, list) else ()), frozenset(
        told if isinstance(told, list) else ()
    )


def _digest(entry: News) -> str:
    return hashlib.sha256(f"{entry.pack}\n{entry.text}".encode()).hexdigest()[:12]


def packs_shown(page: Page) -> list[str]:
    """The packs that have something on the page."""
    shown = (key for key, fate in page.fates.items() if fate in (Fate.SHOWN, Fate.SHORTENED))
    return list(
        dict.fromkeys(
            key.split(":")[1].split("/")[0] for key in shown if ":" in key and not key.startswith("news:")
        )
    )


def size_of(outcome: Outcome) -> tuple[int, int | None, str]:
    """What is used of which limit, in the unit that is fullest."""
    limits = outcome.destination.limits
    if not limits:
        return count(outcome.payload, "bytes"), None, "bytes"
    used = [(count(outcome.payload, limit.unit), limit) for limit in limits]
    size, limit = max(used, key=lambda pair: pair[0] / max(pair[1].most, 1))
    return size, limit.most, limit.unit
