"""Plans one file of an inject: its page, and the change from what the file holds now."""

from bisect import bisect_left
from collections.abc import Iterable

from modicum.app.inject.destination import Destination, SkippedTool
from modicum.app.inject.global_pages import what_it_tells
from modicum.app.inject.pages import NO_PAGE, PageMaker
from modicum.base.hashes import sha256
from modicum.base.named_tuple import NamedTuple
from modicum.base.value import Value, replace
from modicum.engine.page import Fate, Page
from modicum.engine.tokens import count
from modicum.packs.sections import pack_of
from modicum.packs.surrounding import News, packs_told
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.plan import eol_of, part_in, payload, plan, remember, unplan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.app.agents.wiring import Wiring

SHOWN = (Fate.SHOWN, Fate.SHORTENED)
_IN_THE_WAY = (FileState.ORPHANED, FileState.FOREIGN)


class KeptPrefix(NamedTuple):
    """What an inject keeps of a page: how many bytes at its beginning the planned one has in common with the old one, and the old one's size."""

    kept: int
    of: int


class PlannedFile(Value):
    """The plan for one injected file: destination, page, exact text to write, and change of the file."""

    destination: Destination
    page: Page
    payload: str
    change: FileChange | None = None
    failure: str = ""  # why nothing could be done here
    lacks: tuple[str, ...] = ()  # the packs of the page in the file that are not here, so that it stays
    told: tuple[str, ...] = ()  # the digests of the news on a page for the clipboard
    prefix: KeptPrefix | None = None  # None if there was no page of ours, or it is not replaced
    # How much is used, of which limit, in the unit that is fullest.
    size: tuple[int, int | None, str] = (0, None, "bytes")

    @property
    def is_without_page(self) -> bool:
        """Returns True if a planned file should hold a page and does not: something failed, or what is in it leaves no way."""
        change = self.change
        is_left = change is not None and not change.changed and change.state in _IN_THE_WAY
        return bool(self.failure) or (is_left and bool(self.payload))


class Injection(Value):
    """The result of an inject: what was done, or is planned, at each destination.

    `warnings` and `troubles` are sentences; troubles make the run fail in the end.
    """

    outcomes: tuple[PlannedFile, ...]
    warnings: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    idle: tuple[SkippedTool, ...] = ()
    settings: "Wiring | None" = None  # of tools, which are changed so that they read their page
    changed_limits: tuple[str, ...] = ()  # a sentence for each limit that a layer sets otherwise

    @property
    def is_done(self) -> bool:
        """Returns True if every planned page could be put into its file, and nothing went wrong."""
        return not self.troubles and not any(outcome.is_without_page for outcome in self.outcomes)


def plan_file(
    maker: PageMaker, destination: Destination, existing: Existing, record: FileRecord | None
) -> PlannedFile:
    """Returns the plan for one injected file: the page for a destination, and the change of its file."""
    place = destination.place
    if place is None:
        given = _remembered(record, "given")
        news = tuple(entry for entry in maker.news(destination.told_globally) if _digest(entry) not in given)
        page = maker.page(destination, news, "\n")
        return PlannedFile(destination, page, page.text, told=tuple(map(_digest, _shown_news(page, news))))
    if destination.is_over:
        planned = PlannedFile(destination, NO_PAGE, "", _taken_out(place, existing, record))
        return _spared(maker, planned, place, existing, record)
    planned = _News(maker, destination, place, existing, record).planned()
    maker.made[destination.spot] = planned.page
    return _spared(maker, planned, place, existing, record)


def _spared(
    maker: PageMaker, planned: PlannedFile, place: TargetFile, existing: Existing, record: FileRecord | None
) -> PlannedFile:
    """The plan, or none where a page would lose what packs say that are not here: git may ignore them, or nobody sent them."""
    may_be_meant = record is not None and maker.has_project_packs  # who wrote the page has taken a pack away
    if maker.lets_go or may_be_meant or not (planned.change and planned.change.changed):
        return planned
    told = packs_told(part_in(place, existing, record) or "")
    missing = [name for name in told if name not in maker.known]
    if not missing:
        return planned
    why = f"{planned.destination.shown_path} stays as it is: its page is made from packs that are not here ({', '.join(missing)})"
    return PlannedFile(
        planned.destination,
        NO_PAGE,
        "",
        failure=f"{why}; get them from whoever made it, or let it go with --force",
        lacks=tuple(missing),
    )


def _taken_out(place: TargetFile, existing: Existing, record: FileRecord | None) -> FileChange | None:
    change = unplan(place, existing, record)
    return change if record or change.state in (FileState.STALE, FileState.ORPHANED) else None


class _News(Value):
    """Decides which news a file tells: each entry once, and a file that still tells them counts as current."""

    maker: PageMaker
    destination: Destination
    place: TargetFile
    existing: Existing
    record: FileRecord | None

    def planned(self) -> PlannedFile:
        if self.destination.copied:
            return self._with((), ())
        news = self.maker.news(self.destination.told_globally)
        given, told = _remembered(self.record, "given"), _remembered(self.record, "told")
        unheard = tuple(entry for entry in news if _digest(entry) not in given)
        planned = self._with(unheard, given)
        if not unheard or _state(planned) in (FileState.CURRENT, FileState.ABSENT):
            return planned
        if self.record is None:
            # Somebody else may have told it all here, on another machine.
            silent = self._with((), set(map(_digest, news)))
            return silent if _state(silent) is FileState.CURRENT else planned
        # The file changes anyway: what it told as new the last time is no longer new.
        fresh = tuple(entry for entry in unheard if _digest(entry) not in told)
        return planned if fresh == unheard else self._with(fresh, given | told)

    def _with(self, news: tuple[News, ...], given: Iterable[str]) -> PlannedFile:
        line_end = eol_of(self.existing.text)
        page = self._copied() or self.maker.page(self.destination, news, line_end)
        when_empty, force = self.destination.tool.when_empty, self.maker.force
        change = plan(self.place, page.text, self.existing, self.record, when_empty=when_empty, force=force)
        extra: dict[str, object] = {
            "given": sorted(given),
            "told": sorted(map(_digest, _shown_news(page, news))),
        }
        if self.destination.scope == "global":
            extra |= what_it_tells(page, self.destination.detail, self.maker.profile)
        change = remember(change, tools=self.destination.known_by, extra=extra)
        written = payload(self.place, page.text, line_end)
        return PlannedFile(self.destination, page, written, change, prefix=self._prefix(change, written))

    def _copied(self) -> Page | None:
        """The page of which this one is a copy, with the same news."""
        other = self.destination.copied
        return self.maker.made.get(other.spot) if other else None

    def _prefix(self, change: FileChange, written: str) -> KeptPrefix | None:
        """How much of the page in the file stays as it is; a prompt cache holds as far."""
        old = (part_in(self.place, self.existing, self.record) or "").lstrip("\r\n")  # a gap above is no page
        if (
            not old
            or not written
            or change.state not in (FileState.CURRENT, FileState.STALE, FileState.EDITED)
        ):
            return None
        lengths = range(1, min(len(old), len(written)) + 1)
        end = bisect_left(lengths, True, key=lambda length: old[:length] != written[:length])
        return KeptPrefix(count(old[:end], "bytes"), count(old, "bytes"))


def _state(planned: PlannedFile) -> FileState | None:
    return planned.change.state if planned.change else None


def _shown_news(page: Page, news: tuple[News, ...]) -> Iterable[News]:
    """The news that there was room for; they stand on the page in this order."""
    fates = [fate for key, fate in page.fates.items() if key.startswith("news:")]
    return [entry for entry, fate in zip(news, fates, strict=False) if fate in SHOWN]


def _remembered(record: FileRecord | None, name: str) -> set[str]:
    known = record.extra.get(name) if record else None
    return {str(entry) for entry in known} if isinstance(known, list) else set()


def _digest(entry: News) -> str:
    return sha256(f"{entry.pack}\n{entry.text}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def packs_shown(page: Page) -> list[str]:
    """Returns the ids of the packs that have a text on the page of a planned file."""
    shown = (pack_of(key) for key, fate in page.fates.items() if fate in SHOWN)
    return list(dict.fromkeys(filter(None, shown)))


def count_losses(page: Page) -> tuple[int, int, int]:
    """Returns how many packs a planned page leaves out, and how many sections of the others are cut and shortened."""
    by_pack: dict[str, list[Fate]] = {}
    for key, fate in page.fates.items():
        if pack_of(key) and fate not in (Fate.HIDDEN, Fate.COVERED):
            by_pack.setdefault(pack_of(key), []).append(fate)
    rest = [fates for fates in by_pack.values() if set(fates) != {Fate.CUT}]
    cut, shortened = (sum(fates.count(lost) for fates in rest) for lost in (Fate.CUT, Fate.SHORTENED))
    return len(by_pack) - len(rest), cut, shortened


def with_size(planned: PlannedFile) -> PlannedFile:
    """Returns the planned file with the size of the text that inject writes."""
    limits = planned.destination.limits
    if not limits:
        return replace(planned, size=(count(planned.payload, "bytes"), None, "bytes"))
    used = [(count(planned.payload, limit.unit), limit) for limit in limits]
    size, limit = max(used, key=lambda pair: pair[0] / max(pair[1].most, 1))
    return replace(planned, size=(size, limit.most, limit.unit))
