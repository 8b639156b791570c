"""The page for each destination: composed, fitted, and within every limit as it will be written."""

from collections.abc import Callable, Sequence

from modicum.app.inject.load import Knowledge, choose_packs, choose_profile
from modicum.app.inject.placement import Condition, Destination, InjectRequest
from modicum.app.packs.notices import Notice, read_notices
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.page import Detail, Fate, LeftOut, Page, Section, View, fit
from modicum.engine.tokens import count
from modicum.engine.views import budget
from modicum.packs.model import Pack, Profile
from modicum.packs.sections import Composition, News, PageFacts, boilerplate, compose, compose_whole, pack_of
from modicum.targets.change import TargetFile
from modicum.targets.model import Limit
from modicum.targets.plan import payload

NOTHING = Page("", 0, {}, {}, {})
RUNTIME = "`modicum explain` tells what is here and why, `modicum show KEY` prints what is not."
_MOST_NAMED = 4


class PageMaker:
    """What is needed to make pages. What tools share is made once."""

    def __init__(
        self,
        packs: tuple[Pack, ...],
        profile: Profile | None = None,
        notices: tuple[Notice, ...] = (),
        *,
        force: bool = False,
    ) -> None:
        self.packs, self.profile, self.notices, self.force = packs, profile, notices, force
        self.compositions: dict[tuple[str, Detail | None], Composition] = {}
        self.pages: dict[tuple[object, ...], Page] = {}

    def news(self) -> tuple[News, ...]:
        return tuple(News(pack.id, entry) for pack in self.packs for entry in pack.changelog if entry.strip())

    def conditions(self, format: str) -> tuple[Condition, ...]:
        """What applies to some files only."""
        return tuple(self._composition(format, None).conditional())

    def page(self, destination: Destination, news: tuple[News, ...], line_end: str) -> Page:
        """The page for a destination whose file ends its lines like this. What is written stays within every limit."""
        place, d = destination.place, destination
        if place and place.mode == "import":
            text = replace(d, place=replace(place, mode="replace-file", path=place.reference))
            found = self.page(text, news, line_end)
            return Page(f"@{place.reference}", 0, {}, {}, {}) if found.text else found
        around = _written(place, "x", line_end).replace("x", "", 1) if d.limits else ""
        end = line_end if d.limits else "\n"
        looks = (d.format, d.detail, d.whole_packs, d.separate, d.only, d.guidance)
        key = (*looks, self._tells_notices(d), news, d.limits, around, end)
        if key not in self.pages:
            self.pages[key] = _fitted(d, self._sections(d, news), around, end)
        return self.pages[key]

    def _composition(self, format: str, whole_at: Detail | None) -> Composition:
        """What the packs say in a format; whole packs are worded at a detail."""
        key = (format, whole_at)
        if key not in self.compositions:
            self.compositions[key] = (
                compose_whole(self.packs, format, whole_at) if whole_at else compose(self.packs, format)
            )
        return self.compositions[key]

    def _sections(self, destination: Destination, news: tuple[News, ...]) -> tuple[Section, ...]:
        """All that may come onto the page of a destination."""
        whole_at = destination.detail if destination.whole_packs else None
        composition = self._composition(destination.format, whole_at)
        if destination.only:
            return composition.conditional().get(destination.only, ())
        knowledge = composition.unconditional() if destination.separate else composition.whole()
        notices = self.notices if self._tells_notices(destination) else ()
        return (*self.boilerplate(destination.format, news, notices), *knowledge)

    def boilerplate(
        self, format: str, news: tuple[News, ...], notices: tuple[Notice, ...]
    ) -> tuple[Section, ...]:
        """What stands above the packs."""
        words = (self.profile.name or self.profile.id, self.profile.description) if self.profile else ()
        told = tuple((each.id, each.text) for each in notices)
        facts = PageFacts(" — ".join(filter(None, words)), news, told, (RUNTIME,))
        return boilerplate(self.packs, facts, format)

    def _tells_notices(self, destination: Destination) -> bool:
        return destination.scope == "project" and destination.place is not None and bool(self.notices)


def page_maker(
    config: Config, shelf: Knowledge, wish: InjectRequest
) -> tuple[PageMaker, list[str], list[str]]:
    """The packs that a wish is about, with sentences: what to know of it, and what is wrong."""
    profile = choose_profile(shelf.library, wish.profile or config.profile)
    packs, strangers = choose_packs(shelf.library, profile, wish.include, wish.exclude)
    try:
        notices, troubles = read_notices(config), []
    except ModicumError as error:
        notices, troubles = (), [str(error)]
    return PageMaker(packs, profile, notices, force=wish.force), list(strangers), troubles


def _fitted(destination: Destination, sections: Sequence[Section], around: str, line_end: str) -> Page:
    limits = [(limit.unit, limit.most) for limit in _telling(destination.limits)]
    place = destination.place
    while True:
        page = _best(sections, _view(destination, limits, around, line_end))
        written = _written(place, page.text, line_end)
        excess = {limit.unit: count(written, limit.unit) - limit.most for limit in destination.limits}
        if max(excess.values(), default=0) <= 0:
            return page
        # Markers that the text itself has are escaped, and tokens at a joint do not add up: there is a little less room.
        limits = [(unit, max(0, most - max(0, excess[unit]))) for unit, most in limits]


def _written(place: TargetFile | None, text: str, line_end: str) -> str:
    """What a page adds to its file, with the line end after a region, so that a file of ours alone is within the limit."""
    if place is None:
        return text
    found = payload(place, text, line_end)
    return f"{found}{line_end}" if found and not found.endswith(("\r", "\n")) else found


def _best(sections: Sequence[Section], view: View) -> Page:
    """Without room for the pointer line if only boilerplate is lost, of which that line would not speak."""
    page = fit(sections, replace(view, pointer=None))
    lost = (key for key, fate in page.fates.items() if fate in (Fate.CUT, Fate.SHORTENED))
    return fit(sections, view) if any(map(pack_of, lost)) else page


def _telling(limits: Sequence[Limit]) -> list[Limit]:
    """The limits without those that the others imply, the scarcest unit first, for sizes are told in that one."""
    most = {limit.unit: limit.most for limit in limits}
    in_bytes, in_chars = most.get("bytes"), most.get("chars")
    implied = ""
    if in_bytes is not None and in_chars is not None:
        # A character has one to four bytes.
        implied = "chars" if in_bytes <= in_chars else "bytes" if in_bytes >= 4 * in_chars else ""
    return sorted((limit for limit in limits if limit.unit != implied), key=lambda limit: limit.most)


def _view(destination: Destination, limits: list[tuple[str, int]], around: str, line_end: str) -> View:
    whole = destination.whole_packs
    return View(
        detail=destination.detail,
        floor=destination.detail if whole else Detail.SUMMARY,
        strict=whole,
        budget=budget(limits, around, line_end),
        pointer=_pointer(destination.guidance),
    )


def _pointer(guidance: str) -> Callable[[LeftOut], str]:
    """Names the packs that have something left out, and how to read it."""

    def line(left: LeftOut) -> str:
        packs = list(dict.fromkeys(filter(None, map(pack_of, (*left.cut, *left.shortened)))))
        if not packs:
            return ""
        more = f" and {len(packs) - _MOST_NAMED} more" if len(packs) > _MOST_NAMED else ""
        named = ", ".join(packs[:_MOST_NAMED]) + more
        if guidance:
            return f"More on {named}: attach {guidance}."
        return f"Left out for lack of room: parts of {named}. Read them with `modicum show pack:{packs[0]}`."

    return line
