"""Makes the instruction pages that inject writes to destinations: composed from packs, within limits."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import dropwhile, takewhile

from modicum import __version__
from modicum.app.inject.destination import Condition, Destination, InjectRequest
from modicum.app.inject.load import Knowledge, choose_packs, choose_profile
from modicum.app.packs.notices import Notice, read_notices
from modicum.app.packs.template import still_template
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.late_line import fit_line_last
from modicum.engine.page import Block, Budget, Detail, Fate, LeftOut, Page, Section, View, fit
from modicum.engine.tokens import count
from modicum.engine.views import budget
from modicum.packs.model import Library, Pack, PackOrigin, Profile
from modicum.packs.sections import Composition, compose, compose_whole, pack_of
from modicum.packs.surrounding import News, PageFacts, Surrounding, surrounding
from modicum.targets.change import TargetFile
from modicum.targets.model import TOKENIZERS, Limit
from modicum.targets.plan import payload

NO_PAGE = Page("", 0, {}, {}, {})
RUNTIME = "`modicum explain` tells what is here and why, `modicum show KEY` prints what is not."
MOST_WITHOUT_PACKS = Limit(TOKENIZERS[0], 600)  # somebody who has chosen nothing should hardly notice us
PROFILE = "profile:"  # in front of the words of a profile, in the record of a global page
_MOST_NAMED = 4
_ON_PAGE = (Fate.SHOWN, Fate.SHORTENED)
_NONE: frozenset[str] = frozenset()
_FRAME = ("header", "runtime", "made")  # it tells of the page, not of the project
_FRAME_WITH_COMMANDS = ("header", "runtime")


class PageMaker:
    """Makes the instruction pages of one inject from packs, profile and notices; shared pages once."""

    def __init__(
        self,
        packs: tuple[Pack, ...],
        profile: Profile | None = None,
        notices: tuple[Notice, ...] = (),
        *,
        force: bool = False,
        lets_go: bool = False,
        library: Library | None = None,
    ) -> None:
        self.packs, self.profile, self.notices, self.force = packs, profile, notices, force
        self.lets_go = force or lets_go
        every = library.every if library else packs
        self.known = frozenset(pack.id for pack in every)
        chosen = {pack.id for pack in packs}
        self.unwritten = tuple(still_template(pack for pack in every if pack.id in chosen))
        self.has_project_packs = any(pack.origin is PackOrigin.PROJECT for pack in every)
        self.compositions: dict[tuple[str, Detail | None, frozenset[str]], Composition] = {}
        self.pages: dict[tuple[object, ...], Page] = {}
        self.made: dict[tuple[str, str], Page] = {}  # by the place of a destination, for copies

    def news(self, told: Collection[str] = _NONE) -> tuple[News, ...]:
        """Returns what an injected page says as news: the changelog entries of all packs but those that are told elsewhere."""
        packs = (pack for pack in self.packs if f"pack:{pack.id}" not in told)
        return tuple(News(pack.id, entry) for pack in packs for entry in pack.changelog if entry.strip())

    def conditions(self, format: str) -> tuple[Condition, ...]:
        """Returns the names and globs of the pages of packs that apply to some files only."""
        return tuple(self._composition(format, None).conditional())

    def page(self, destination: Destination, news: tuple[News, ...], line_end: str) -> Page:
        """Returns the instruction page for an inject destination, within all limits of its file."""
        place, d = destination.place, destination
        if self.notices and not self.packs:
            d = replace(d, limits=(*d.limits, MOST_WITHOUT_PACKS))
        if place and d.refers_to:
            page = self.page(d.refers_to, news, line_end)
            return Page(f"@{place.reference}", 0, {}, {}, {}) if page.text else page
        if place and place.mode == "import":
            imported = replace(place, mode="replace-file", path=place.reference)
            page = self.page(replace(d, place=imported, importers=(place,)), news, line_end)
            return Page(f"@{place.reference}", 0, {}, {}, {}) if page.text else page
        around = _written(d, "x", line_end).replace("x", "", 1) if d.limits else ""
        end = line_end if d.limits else "\n"
        looks = (
            d.format,
            d.detail,
            d.whole_packs,
            d.separate,
            d.only,
            d.guidance,
            d.told_globally,
            d.is_for_chat,
        )
        key = (*looks, news, d.limits, around, end)
        if key not in self.pages:
            sections = self.sections(d, news)
            page = _fitted(d, sections, around, end)
            if d.whole_packs and not d.only:
                page = self._composed_together(d, sections, page, end)
            page = _with_pack_reasons(page, self.packs)
            self.pages[key] = _with_packs_told(page, self.packs, d)
        return self.pages[key]

    def _composed_together(
        self, destination: Destination, sections: Sequence[Section], page: Page, line_end: str
    ) -> Page:
        """The page with the same whole packs in one composition: their constraints stand under one heading."""
        shown = {key for key, fate in page.fates.items() if fate is Fate.SHOWN}
        packs = [pack for pack in self.packs if f"pack:{pack.id}" in shown]
        together = compose([replace(pack, preamble=()) for pack in packs], destination.format).whole()
        names = {f"pack:{pack.id}" for pack in packs}
        above = takewhile(lambda section: section.blocks[0].key not in names, sections)
        below = dropwhile(lambda section: section.blocks[0].key not in names, sections)
        around = (
            (*_only(above, shown), *together, *_only(below, shown - names))
            if packs
            else _only(sections, shown)
        )
        text = fit(tuple(around), View(destination.detail)).text
        closing = _pointer(destination)(LeftOut(*_left_out(page), shown=len(shown), total=len(page.fates)))
        if closing and page.text.endswith(closing):
            text = f"{text}\n\n{closing}"
        written = _written(destination, text, line_end)
        fits = all(count(written, limit.unit) <= limit.most for limit in destination.limits)
        return replace(page, text=text) if fits else page

    def _composition(self, format: str, whole_at: Detail | None, told: frozenset[str] = _NONE) -> Composition:
        """Returns what the packs say in a format, but those that are told elsewhere; whole packs are worded at a detail."""
        key = (format, whole_at, told)
        if key not in self.compositions:
            packs = self._untold(told)
            self.compositions[key] = (
                compose_whole(packs, format, whole_at) if whole_at else compose(packs, format)
            )
        return self.compositions[key]

    def sections(self, destination: Destination, news: tuple[News, ...]) -> tuple[Section, ...]:
        """Returns all that may come onto the page of a destination."""
        whole_at = destination.detail if destination.whole_packs else None
        told = destination.told_globally
        composition = self._composition(destination.format, whole_at, told)
        if destination.only:
            return composition.conditional().get(destination.only, ())
        knowledge = composition.unconditional() if destination.separate else composition.whole()
        about = {"profile"} if PROFILE + profile_words(self.profile) in told else set()
        around = self.surrounding(destination.format, news, told)
        above = _without(around.above, told | about)
        below = around.below if self._untold(told) else _without(around.below, told)
        if destination.is_for_chat:
            above = _without(above, _FRAME_WITH_COMMANDS)
        last = _frame_last(destination.detail)
        outer = [[*map(last, some)] for some in (above, below)]
        if whole_at:
            outer = [[*map(_pinned_profile, some)] for some in outer]
        return (*outer[0], *knowledge, *outer[1])

    def _untold(self, told: frozenset[str]) -> list[Pack]:
        return [pack for pack in self.packs if f"pack:{pack.id}" not in told]

    def surrounding(self, format: str, news: tuple[News, ...], told: frozenset[str] = _NONE) -> Surrounding:
        """Returns the sections of an instruction page around its packs: profile and runtime, notices and news."""
        notices = tuple((each.id, each.text) for each in self.notices)
        version = ".".join(__version__.split(".")[:2])  # the last number would change every file for nothing
        facts = PageFacts(profile_words(self.profile), news, notices, (RUNTIME,), version)
        return surrounding([pack.id for pack in self._untold(told)], facts, format)


def load_page_maker(
    config: Config, knowledge: Knowledge, request: InjectRequest
) -> tuple[PageMaker, tuple[str, ...], tuple[str, ...]]:
    """Returns the page maker for the packs of an inject request, with warnings and troubles."""
    profile = choose_profile(knowledge.library, request.profile or config.profile)
    packs, unknown = choose_packs(
        knowledge.library, profile, request.include, request.exclude, is_named=bool(request.profile)
    )
    if config.is_shared:
        # What is new depends on what a machine has told before, and everybody must get the same.
        packs = tuple(replace(pack, changelog=()) for pack in packs)
    notices, troubles = tuple[Notice, ...](), tuple[str, ...]()
    try:
        notices = read_notices(config) if config.has_project else ()
    except ModicumError as error:
        troubles = (str(error),)
    maker = PageMaker(
        packs, profile, notices, force=request.force, lets_go=request.lets_go, library=knowledge.library
    )
    return maker, unknown, troubles


def profile_words(profile: Profile | None) -> str:
    """Returns what an instruction page says about its profile."""
    words = (profile.name or profile.id, profile.description) if profile else ()
    return " — ".join(filter(None, words))


def _without(sections: Sequence[Section], told: Collection[str]) -> Sequence[Section]:
    return [section for section in sections if not all(block.key in told for block in section.blocks)]


def _pinned_profile(section: Section) -> Section:
    """The section with the profile pinned, which whole packs would push off the page at their first misfit."""
    blocks = (replace(b, pinned=True) if b.key == "profile" else b for b in section.blocks)
    return replace(section, blocks=tuple(blocks))


def _frame_last(detail: Detail) -> Callable[[Section], Section]:
    """Puts the frame behind everything that the page tells at its detail: it never takes the room of a passage."""

    def last(section: Section) -> Section:
        return replace(section, blocks=tuple(map(late, section.blocks)))

    def late(block: Block) -> Block:
        return replace(block, forms={detail: block.forms[Detail.SUMMARY]}) if block.key in _FRAME else block

    return last


def _only(sections: Iterable[Section], keys: Collection[str]) -> Iterator[Section]:
    for section in sections:
        if blocks := tuple(block for block in section.blocks if block.key in keys):
            yield replace(section, blocks=blocks)


def _left_out(page: Page) -> tuple[tuple[str, ...], tuple[str, ...]]:
    cut, shortened = (
        tuple(key for key, was in page.fates.items() if was is fate) for fate in (Fate.CUT, Fate.SHORTENED)
    )
    return cut, shortened


def _with_packs_told(page: Page, packs: Sequence[Pack], destination: Destination) -> Page:
    """The page with a reason for each pack that is not on it because global pages have it."""
    names = [f"pack:{pack.id}" for pack in packs if f"pack:{pack.id}" in destination.told_globally]
    if not names or destination.only:
        return page
    why = "It is on your global page, which is read beside this one."
    return replace(
        page,
        fates={**page.fates, **dict.fromkeys(names, Fate.COVERED)},
        sizes={**page.sizes, **dict.fromkeys(names, 0)},
        reasons={**page.reasons, **dict.fromkeys(names, why)},
    )


def _with_pack_reasons(page: Page, packs: Sequence[Pack]) -> Page:
    """The page with a reason about packs, not blocks, where a pack makes way for one that it overlaps."""
    covered = {key: pack_of(key) for key, fate in page.fates.items() if fate is Fate.COVERED}
    shown = {pack_of(key) for key, fate in page.fates.items() if fate in _ON_PAGE}
    ahead = {pack.id: next((name for name in pack.overlaps if name in shown), "") for pack in packs}
    reasons = {
        key: f"The pack {ahead[name]} is shown, and {name} makes way for it (overlaps)."
        for key, name in covered.items()
        if ahead.get(name)
    }
    return replace(page, reasons={**page.reasons, **reasons}) if reasons else page


def _fitted(destination: Destination, sections: Sequence[Section], around: str, line_end: str) -> Page:
    limits = [(limit.unit, limit.most) for limit in _independent(destination.limits)]
    page = _best(destination, sections, budget(limits, around, line_end))

    def written(text: str) -> str:
        return _written(destination, text, line_end)

    if all(count(written(page.text), limit.unit) <= limit.most for limit in destination.limits):
        return page
    # Markers that the text itself has are escaped, and tokens do not add up at a joint: measure what is really written.
    return _best(destination, sections, budget(limits, written=written))


def _written(destination: Destination, text: str, line_end: str) -> str:
    """All that a tool reads because of a page: its part of the file, and the region that imports the file."""
    place = destination.place
    if place is None:
        return text
    # Whichever line ends those files have.
    regions = (_lines(importer, text, "\r\n") for importer in destination.importers)
    return _lines(place, text, line_end) + "".join(regions)


def _lines(place: TargetFile, text: str, line_end: str) -> str:
    """What a page is in its file, with the line end after it, so that a file of ours alone is within the limit."""
    written = payload(place, text, line_end)
    return f"{written}{line_end}" if written and not written.endswith(("\r", "\n")) else written


def _best(destination: Destination, sections: Sequence[Section], budget: Budget) -> Page:
    """The page, without the pointer line if only boilerplate is lost, which that line would not name."""
    view = _view(destination, budget)
    page = fit(sections, replace(view, pointer=None))
    lost = (key for key, fate in page.fates.items() if fate in (Fate.CUT, Fate.SHORTENED))
    if not any(map(_is_content, lost)):
        return _with_content(page)
    if destination.is_for_chat:
        sections = _without(sections, _FRAME)  # its one line is the closing one
    return _with_content(fit_line_last(sections, view, _FRAME))


def _with_content(page: Page) -> Page:
    """The page; an empty one if nothing of packs, notices and news is on it, since what surrounds them tells nothing."""
    fates = page.fates.items()
    is_told = any(fate in _ON_PAGE and _is_content(key) for key, fate in fates)
    has_news = any(fate in _ON_PAGE and key.startswith("news:") for key, fate in fates)
    if is_told or (has_news and not lacks_content(page)):
        return page
    alone = [key for key, fate in page.fates.items() if fate in _ON_PAGE]
    return replace(
        page,
        text="",
        size=0,
        fates={**page.fates, **dict.fromkeys(alone, Fate.CUT)},
        sizes={**page.sizes, **dict.fromkeys(alone, 0)},
        reasons={**page.reasons, **dict.fromkeys(alone, "Nothing of the packs stands beside it.")},
    )


def lacks_content(page: Page) -> bool:
    """Returns True if a page has no room for something that packs or notices tell."""
    return any(fate is Fate.CUT and _is_content(key) for key, fate in page.fates.items())


def _is_content(key: str) -> bool:
    return bool(pack_of(key)) or _is_notice(key)


def _is_notice(key: str) -> bool:
    return key.startswith("notice:")


def _independent(limits: Sequence[Limit]) -> list[Limit]:
    """The limits without those that the others imply, the smallest number first, for sizes are given in its unit."""
    most = {limit.unit: limit.most for limit in limits}
    in_bytes, in_chars = most.get("bytes"), most.get("chars")
    implied = ""
    if in_bytes is not None and in_chars is not None:
        # A character has one to four bytes.
        implied = "chars" if in_bytes <= in_chars else "bytes" if in_bytes >= 4 * in_chars else ""
    return sorted((limit for limit in limits if limit.unit != implied), key=lambda limit: limit.most)


def _view(destination: Destination, budget: Budget) -> View:
    whole = destination.whole_packs
    return View(
        detail=destination.detail,
        floor=destination.detail if whole else Detail.SUMMARY,
        strict=whole,
        budget=budget,
        pointer=_pointer(destination),
    )


def _pointer(destination: Destination) -> Callable[[LeftOut], str]:
    """The closing line: names the packs that have something left out, counts notices, and says how to read them."""
    guidance, can_run = destination.guidance, not destination.is_for_chat

    def line(left: LeftOut) -> str:
        packs = list(dict.fromkeys(filter(None, map(pack_of, (*left.cut, *left.shortened)))))
        notices = sum(map(_is_notice, left.cut))
        named = [f"{notices} notice{'s' * (notices != 1)}"] if notices else []
        commands = ["`modicum notice list`"] if notices else []
        if packs:
            more = f" and {len(packs) - _MOST_NAMED} more" if len(packs) > _MOST_NAMED else ""
            parts = "" if guidance else "parts of "
            named.insert(0, parts + ", ".join(packs[:_MOST_NAMED]) + more)
            commands.insert(0, f"`modicum show pack:{packs[0]}`")
        if not named or guidance:
            return f"More on {' and '.join(named)}: attach {guidance}." if named else ""
        how = f" Read them with {' and '.join(commands)}." if can_run else ""
        return f"Left out for lack of room: {', and '.join(named)}.{how}"

    return line
