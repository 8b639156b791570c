"""A run over all destinations: only looking, doing, or undoing. What fails at one of them does not stop the others."""

from collections.abc import Callable, Iterator

from modicum.app.inject.clipboard import forget_given, given_before
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.inject.pages import NOTHING, PageMaker, page_maker
from modicum.app.inject.placement import (
    Destination,
    InjectRequest,
    Placement,
    former,
    pages_written,
    plan_placement,
    spot_of,
)
from modicum.app.inject.plan import Injection, PlannedFile, make, sized
from modicum.app.inject.warnings import about_packs, about_pages, suspicious
from modicum.base.cache import remembered_counts
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.targets.apply import Make, look, update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.model import Adapter
from modicum.targets.plan import unplan


class InjectRun(Value):
    """A run that is prepared: nothing is written yet."""

    config: Config
    shelf: Knowledge
    kitchen: PageMaker
    routes: Placement
    suspicions: tuple[str, ...]
    remarks: tuple[str, ...]
    troubles: tuple[str, ...]


def prepare(config: Config, wish: InjectRequest, *, strict: bool = False, wire: bool = False) -> InjectRun:
    """Read everything. With `strict`, packs that hide something or hold a likely secret are refused here."""
    shelf = load_knowledge(config)
    kitchen, strangers, troubles = page_maker(config, shelf, wish)
    suspicions = (*suspicious(kitchen), *(_suspicious_wiring(kitchen) if wire else ()))
    if strict and suspicions:
        raise ModicumError(suspicions[0], remedy="mend the pack, or run without --strict")
    routes = plan_placement(config, shelf, wish, kitchen.conditions)
    remarks = (*shelf.remarks, *strangers)
    return InjectRun(config, shelf, kitchen, routes, suspicions, remarks, (*shelf.troubles, *troubles))


def _suspicious_wiring(kitchen: PageMaker) -> tuple[str, ...]:
    from modicum.app.agents.wiring import suspicious_wiring

    return suspicious_wiring(kitchen.packs)


def survey(job: InjectRun) -> Injection:
    """What an inject would do, without doing it."""
    return _run(job, _look)


def perform(job: InjectRun) -> Injection:
    """Inject."""
    return _run(job, _write)


def survey_removal(config: Config, wish: InjectRequest) -> Injection:
    """What an uninstall would do."""
    return _removal(config, wish, lambda place, change: change(*look(place, config.state)))


def remove(config: Config, wish: InjectRequest) -> Injection:
    """Take everything out again: from the tools that are named, or from wherever we have written in this scope."""
    done = _removal(config, wish, lambda place, change: update(place, change, config.state))
    if wish.tools or wish.scope == "global":
        forget_given(config.state, wish.tools)
    return done


def _run(job: InjectRun, last: Callable[[InjectRun, Destination], PlannedFile]) -> Injection:
    with remembered_counts(job.config.data / "cache" / "tokens"):
        outcomes = [sized(_guarded(job, destination, last)) for destination in job.routes.destinations]
    failures = (f"{o.destination.tool.name}: {o.failure}" for o in outcomes if o.failure)
    warnings = (*job.remarks, *about_packs(job.kitchen), *about_pages(outcomes))
    return Injection(
        tuple(outcomes),
        (*job.suspicions, *dict.fromkeys(warnings)),
        (*job.troubles, *failures),
        job.routes.idle,
    )


def _guarded(
    job: InjectRun, destination: Destination, last: Callable[[InjectRun, Destination], PlannedFile]
) -> PlannedFile:
    try:
        return last(job, destination)
    except ModicumError as error:
        return PlannedFile(destination, NOTHING, "", failure=str(error))


def _look(job: InjectRun, destination: Destination) -> PlannedFile:
    return _seen(job, destination)[0]


def _seen(job: InjectRun, destination: Destination) -> tuple[PlannedFile, FileRecord | None]:
    if destination.place is None:
        given = given_before(job.config.state, destination.tool.id)
        return make(job.kitchen, destination, Existing(None), given), None
    existing, record = look(destination.place, job.config.state)
    return make(job.kitchen, destination, existing, record), record


def _write(job: InjectRun, destination: Destination) -> PlannedFile:
    seen, record = _seen(job, destination)
    place, change = destination.place, seen.change
    if place is None or change is None or (not change.changed and change.record == record):
        return seen  # nothing to write, so nobody has to wait for us
    made = [seen]

    def remade(existing: Existing, record: FileRecord | None) -> FileChange:
        made.append(make(job.kitchen, destination, existing, record))
        return made[-1].change or _unchanged(place, existing, record)

    done = update(place, remade, job.config.state)
    return replace(made[-1], change=done)


def _unchanged(
    place: TargetFile, existing: Existing, record: FileRecord | None, note: str = ""
) -> FileChange:
    return FileChange(place, existing.text, existing.text, FileState.CURRENT, record, note)


def _removal(
    config: Config, wish: InjectRequest, last: Callable[[TargetFile, Make], FileChange]
) -> Injection:
    shelf = load_knowledge(config)
    outcomes, troubles = [], []
    for destination, place in _ours(config, shelf, wish):
        try:
            change = last(place, _undoing(shelf, place, wish))
            outcomes.append(PlannedFile(destination, NOTHING, "", change))
        except ModicumError as error:
            troubles.append(f"{destination.shown_path}: {error}")
    return Injection(tuple(outcomes), troubles=tuple(troubles))


def _ours(config: Config, shelf: Knowledge, wish: InjectRequest) -> Iterator[tuple[Destination, TargetFile]]:
    """Where our records say we have written, and where tools have their files, in case there is no record."""
    met = set()
    everyone = replace(wish, all_tools=not wish.tools)
    parts = [former(config, shelf, part) for part in pages_written(config, wish.scope)]
    asked = [d for d in parts if not wish.tools or {a.id for a in d.adapters} & set(wish.tools)]
    for destination in (*asked, *plan_placement(config, shelf, everyone, lambda _: ()).destinations):
        place = destination.place
        if place and spot_of(place) not in met:
            met.add(spot_of(place))
            yield destination, place


def _undoing(shelf: Knowledge, place: TargetFile, wish: InjectRequest) -> Make:
    def change(existing: Existing, record: FileRecord | None) -> FileChange:
        stay = [name for name in record.tools if name not in wish.tools] if record and wish.tools else []
        owners = [name for name in stay if _has_it(shelf.adapters.get(name), place)]
        if record and owners:
            note = f"stays, because it is for {', '.join(owners)} too"
            return _unchanged(place, existing, replace(record, tools=tuple(stay)), note)
        return unplan(place, existing, record, force=wish.force)

    return change


def _has_it(adapter: Adapter | None, place: TargetFile) -> bool:
    """Whether it is the tool's own file, and not only read by it. Of a tool that is not known, so much is assumed."""
    paths = [target.path for target in adapter.targets] if adapter else [place.path]
    return any(place.path.replace("\\", "/").endswith(path.removeprefix("~/")) for path in paths)
