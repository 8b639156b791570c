"""What global pages tell AI tools already, so that a project's page does not say it again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from modicum.app.inject.destination import Destination
from modicum.app.inject.former import pages_written
from modicum.app.inject.pages import PROFILE, profile_words
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.page import Detail, Fate, Page
from modicum.packs.load import Layer, load_layers
from modicum.packs.model import Profile
from modicum.packs.sections import pack_of
from modicum.targets.apply import look
from modicum.targets.plan import fits
from modicum.targets.records import RecordedPart

TELLS, DETAIL = "tells", "detail"  # in the record of a global page
_WHOLE = frozenset((Fate.SHOWN, Fate.HIDDEN, Fate.COVERED))  # covered by another pack, which is on the page


def what_it_tells(page: Page, detail: Detail, profile: Profile | None) -> dict[str, object]:
    """Returns what the record of a global page keeps: the packs that lack nothing on it, and its other passages."""
    fates: dict[str, set[Fate]] = {}
    for key, fate in page.fates.items():
        name = f"pack:{pack_of(key)}" if pack_of(key) else key
        fates.setdefault(PROFILE + profile_words(profile) if name == "profile" else name, set()).add(fate)
    whole = (name for name, all_of_it in fates.items() if all_of_it <= _WHOLE)
    return {TELLS: sorted(name for name in whole if not name.startswith("news:")), DETAIL: int(detail)}


def without_repeats(config: Config, destinations: Sequence[Destination]) -> tuple[Destination, ...]:
    """Returns the destinations of a project, each with what all of its tools read on global pages already.

    What the project has of its own is always told: its packs, and those that it adds something to.
    """
    pages = [*_pages_in_force(config)] if config.language == config.own_language else []
    if not pages:
        return tuple(destinations)
    layer = load_layers([Layer("project", config.project)], config.language)
    own = {f"pack:{pack.id}" for pack in layer.packs}
    return tuple(_marked(destination, pages, own) for destination in destinations)


def _pages_in_force(config: Config) -> Iterator[RecordedPart]:
    """The global pages that are still in their files as we wrote them."""
    for part in pages_written(config, "global"):
        if not isinstance(part.record.extra.get(TELLS), list):
            continue
        try:
            existing, record = look(part.place, config.state)
        except ModicumError:
            continue
        if record and fits(part.place, existing, record):
            yield RecordedPart(part.place, record)


def _marked(destination: Destination, pages: Iterable[RecordedPart], own: set[str]) -> Destination:
    if destination.scope != "project":
        return destination  # an export, which must not make way for itself
    told = [*_told(destination, pages).values()]
    common = frozenset.intersection(*told) - own if told else frozenset[str]()
    inner = destination.refers_to and _marked(destination.refers_to, pages, own)
    return replace(destination, told_globally=common, refers_to=inner)


def _told(destination: Destination, pages: Iterable[RecordedPart]) -> Mapping[str, frozenset[str]]:
    """By tool of a destination, what its global pages tell in at least the detail of the destination."""
    told = {tool: frozenset[str]() for tool in destination.known_by}
    for part in pages:
        extra = part.record.extra
        detail, tells = extra.get(DETAIL), extra.get(TELLS)
        if isinstance(detail, int) and isinstance(tells, list) and detail >= destination.detail:
            for tool in told.keys() & {*part.record.tools}:
                told[tool] |= {str(name) for name in tells}
    return told
