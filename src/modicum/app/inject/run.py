"""Runs an inject or uninstall over all destinations: load, place, then plan or write each file.

What fails at one destination does not stop the others.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from modicum.app.ignored_by_git import said_of_ignored
from modicum.app.inject.clipboard import forget_given, given_before
from modicum.app.inject.destination import Destination, InjectRequest, Placement, spot_of
from modicum.app.inject.former import every_destination, former_destination, pages_written
from modicum.app.inject.global_pages import without_repeats
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.inject.pages import NO_PAGE, PageMaker, load_page_maker
from modicum.app.inject.placement import place_pages
from modicum.app.inject.plan import Injection, PlannedFile, plan_file, with_size
from modicum.app.inject.warnings import (
    about_packs,
    about_pages,
    beside_private_files,
    conflicts,
    cut_off,
    needed_for_settings,
    of_nobody_here,
    suspicious,
    unreached,
    without_room,
)
from modicum.app.wide_project import about_wide_project, refuse_wide_project
from modicum.base.cache import cached_token_counts
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.targets.apply import MakeChange, look, update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.model import Adapter
from modicum.targets.other_projects import other_projects
from modicum.targets.plan import unplan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.app.agents.wiring import Wiring


class InjectRun(Value):
    """A prepared run of inject: everything is loaded, every page is placed, nothing is written yet.

    `suspicions`, `warnings` and `troubles` are sentences; troubles make the run fail in the end.
    """

    config: Config
    knowledge: Knowledge
    maker: PageMaker
    placement: Placement
    suspicions: tuple[str, ...]
    conflicts: tuple[str, ...]
    warnings: tuple[str, ...]
    troubles: tuple[str, ...]


def prepare(
    config: Config,
    request: InjectRequest,
    *,
    strict: bool = False,
    wire: bool = False,
    knowledge: Knowledge | None = None,
) -> InjectRun:
    """Prepares a run of inject: loads packs, places pages; `strict` refuses hidden text and secrets."""
    if request.scope == "global":
        config = config.of_user()  # the page is read in every project
    knowledge = knowledge or load_knowledge(config)
    if knowledge.missing:
        # Without them the pages would lose what they have of these sources.
        raise ModicumError(knowledge.missing[0], remedy="modicum source update gets what a project names")
    is_wide = request.scope == "project" and bool(about_wide_project(config))
    if is_wide and not _is_for_people(knowledge, request):
        refuse_wide_project(config, has_global=True)
    if not config.has_project:
        _refuse_what_is_the_projects(config, knowledge, request)
    maker, warnings, troubles = load_page_maker(config, knowledge, request)
    suspicions = (*suspicious(config, maker), *(_suspicious_wiring(maker) if wire else ()))
    if strict and suspicions:
        raise ModicumError(suspicions[0], remedy="mend the pack, or run without --strict")
    placement = place_pages(config, knowledge, request, maker.conditions)
    if is_wide:  # there are other projects' pages and global ones: only what was asked for is placed
        named = [each for each in placement.destinations if each.tool.id in request.tools]
        placement = replace(placement, destinations=tuple(each for each in named if not each.is_over))
    if request.scope == "project" and not config.is_shared:
        placement = replace(placement, destinations=without_repeats(config, placement.destinations))
    told = (
        *conflicts(config, placement, knowledge),
        *beside_private_files(placement, knowledge),
        *needed_for_settings(placement),
    )
    waiting = (each.in_one_line() for each in knowledge.waiting)
    troubles = (*knowledge.troubles, *waiting, *troubles, *unreached(placement, knowledge))
    unshared = said_of_ignored(placement.ignored) if maker.has_project_packs else ""
    warnings = (*knowledge.warnings, *warnings, *([unshared] if unshared else ()))
    if placement.unreadable:
        from modicum.app.inject.reading_settings import why_unreadable  # brings the editors of settings along

        troubles = (*troubles, *why_unreadable(config, placement.unreadable))
    return InjectRun(config, knowledge, maker, placement, suspicions, told, warnings, troubles)


def _is_for_people(knowledge: Knowledge, request: InjectRequest) -> bool:
    """Whether a request names tools alone that read no files, such as chat boxes: people paste, wherever they are."""
    named = [knowledge.adapters.get(name) for name in request.tools]
    return bool(named) and all(each is not None and each.type != "file-inject" for each in named)


def _refuse_what_is_the_projects(config: Config, knowledge: Knowledge, request: InjectRequest) -> None:
    library = knowledge.library
    known = {pack.id for pack in library.every} | {profile.id for profile in library.profiles}
    named = [config.project / "packs" / name for name in (*request.include, *request.exclude)]
    named += [config.project / "profiles" / f"{request.profile}.yaml"] if request.profile else []
    if found := next((path for path in named if path.stem not in known and path.exists()), None):
        raise ModicumError(
            f'"{found.stem}" belongs to this project, and a global page is read in every project',
            remedy=f"inject it here with --here, or move it to {config.folder / found.parent.name}",
        )


def _suspicious_wiring(maker: PageMaker) -> tuple[str, ...]:
    from modicum.app.agents.wiring import suspicious_wiring

    return suspicious_wiring(maker.packs)


def survey(run: InjectRun) -> Injection:
    """Returns what a run of inject would do at each destination, without writing."""
    return _over_all(run, _Survey().plan, dry=True)


def perform(run: InjectRun) -> Injection:
    """Performs a run of inject: writes every file that has to change; returns what was done."""
    return _over_all(run, _write, dry=False)


Handle = Callable[[InjectRun, Destination], PlannedFile]


def _over_all(run: InjectRun, handle: Handle, *, dry: bool) -> Injection:
    with cached_token_counts(run.config.data / "cache" / "tokens"):
        files = _handled(run, handle)
    failures = (f"{file.destination.tool.name}: {file.failure}" for file in files if file.failure)
    settings = _settings(run, files, dry=dry)
    warnings = (
        *run.conflicts,
        *run.warnings,
        *cut_off(run.placement.seen, files),
        *of_nobody_here(run.config, files),
        *about_packs(run.maker),
        *about_pages(files),
    )
    return Injection(
        outcomes=tuple(files),
        warnings=(*run.suspicions, *dict.fromkeys(warnings)),
        troubles=(*run.troubles, *failures, *without_room(files), *(settings.troubles if settings else ())),
        settings=settings,
        idle=run.placement.idle,
        changed_limits=run.knowledge.changed_limits,
    )


def _handled(run: InjectRun, handle: Handle) -> list[PlannedFile]:
    """What becomes of each destination. Pages come first: what would import one that is not there stays as it is."""
    destinations = run.placement.destinations
    missing: set[tuple[str, str]] = set()
    done: dict[int, PlannedFile] = {}
    for at in sorted(range(len(destinations)), key=lambda at: bool(destinations[at].needed_spot)):
        destination = destinations[at]
        if destination.needed_spot in missing:
            done[at] = PlannedFile(destination, NO_PAGE, "")
            continue
        done[at] = with_size(_tried(run, destination, handle))
        if done[at].is_without_page:
            missing.add(destination.spot)
    return [done[at] for at in range(len(destinations))]


def _tried(run: InjectRun, destination: Destination, handle: Handle) -> PlannedFile:
    try:
        return handle(run, destination)
    except ModicumError as error:
        return PlannedFile(destination, NO_PAGE, "", failure=str(error))


def _settings(run: InjectRun, files: Sequence[PlannedFile], *, dry: bool) -> "Wiring | None":
    """The settings of tools that concern reading, changed if the placement wants it; None if there are none.

    Those of tools whose page could not be put into its file stay as they are.
    """
    if not (run.placement.settings or run.placement.has_settings):
        return None
    from modicum.app.inject.reading_settings import apply_settings  # brings the editors of settings along

    left = frozenset(tool for file in files if file.is_without_page for tool in file.destination.known_by)
    told = {tool for file in files if file.payload for tool in file.destination.known_by}
    # A tool that gets nothing needs no setting that makes it read that.
    wanted = [each for each in run.placement.settings if each[0].id in told or each[0].id in left]
    return apply_settings(run.config, run.knowledge, run.placement.scope, wanted, left=left, dry=dry)


def _found(run: InjectRun, destination: Destination) -> tuple[Existing, FileRecord | None]:
    """What the destination holds, and what we last wrote there; of the clipboard, what its tool was given."""
    state = run.config.state
    if destination.place is None:
        return Existing(None), given_before(state, destination.tool.id)
    return look(destination.place, state)


class _Survey:
    """Plans each destination as if those before it were done: one file may lose a region and get a page."""

    def __init__(self) -> None:
        self.coming: dict[str, Existing] = {}  # by the real paths of files

    def plan(self, run: InjectRun, destination: Destination) -> PlannedFile:
        existing, record = _found(run, destination)
        path, _ = destination.spot
        planned = plan_file(run.maker, destination, self.coming.get(path, existing), record)
        if planned.change:
            self.coming[path] = Existing(planned.change.after)
        return planned


def _write(run: InjectRun, destination: Destination) -> PlannedFile:
    existing, record = _found(run, destination)
    planned = plan_file(run.maker, destination, existing, record)
    place, change = destination.place, planned.change
    if place is None or change is None or (not change.changed and change.record == record):
        return planned  # nothing to write, so nobody has to wait for us

    def plan_again(existing: Existing, record: FileRecord | None) -> FileChange:
        nonlocal planned
        planned = plan_file(run.maker, destination, existing, record)
        return planned.change or _unchanged(place, existing, record)

    done = update(place, plan_again, run.config.state)
    return replace(planned, change=done)


def _unchanged(
    place: TargetFile, existing: Existing, record: FileRecord | None, note: str = ""
) -> FileChange:
    return FileChange(place, existing.text, existing.text, FileState.CURRENT, record, note)


def find_exports(config: Config, request: InjectRequest) -> tuple[Destination, ...]:
    """Returns the exports in the home folder that a run of inject in a project leaves alone, unless it names their tool."""
    if request.scope == "global" or request.tools:
        return ()
    knowledge = load_knowledge(config)
    found = (former_destination(config, knowledge, part) for part in pages_written(config, "global"))
    return tuple(each for each in found if each.tool.type != "file-inject")


def survey_removal(config: Config, request: InjectRequest) -> Injection:
    """Returns what a run of uninstall would take out of instruction files, without writing."""
    return _removed(config, request, lambda place, make: make(*look(place, config.state)))


def remove(config: Config, request: InjectRequest) -> Injection:
    """Runs an uninstall: takes our pages out of the files of named AI tools, or of every file in scope."""
    done = _removed(config, request, lambda place, make: update(place, make, config.state))
    if request.tools or request.scope == "global":
        forget_given(config.state, request.tools)
    return done


def _removed(
    config: Config, request: InjectRequest, carry_out: Callable[[TargetFile, MakeChange], FileChange]
) -> Injection:
    if request.scope == "project":
        refuse_wide_project(config, has_global=True)
    knowledge = load_knowledge(config)
    files, troubles = [], []
    for destination, place in _destinations_of_ours(config, knowledge, request):
        try:
            change = carry_out(place, _removal(knowledge, place, request))
            files.append(PlannedFile(destination, NO_PAGE, "", change))
        except ModicumError as error:
            # What is no file, and not known as ours, has nothing of ours in it: a folder, or a link to nowhere.
            if destination.is_over or Path(place.path).is_file():
                troubles.append(f"{destination.shown_path}: {error}")
    return Injection(tuple(files), troubles=tuple(troubles))


def _destinations_of_ours(
    config: Config, knowledge: Knowledge, request: InjectRequest
) -> Iterator[tuple[Destination, TargetFile]]:
    """Where our records say we have written, and where tools have their files, in case there is no record."""
    met, is_theirs = set(), other_projects(config.root)
    everyone = replace(request, all_tools=not request.tools)
    recorded = [former_destination(config, knowledge, part) for part in pages_written(config, request.scope)]
    wanted = [d for d in recorded if not request.tools or {a.id for a in d.adapters} & set(request.tools)]
    for destination in (*wanted, *every_destination(config, knowledge, everyone)):
        place = destination.place
        if place and spot_of(place) not in met and not is_theirs(_real_path(config, place)):
            met.add(spot_of(place))
            yield destination, place


def _real_path(config: Config, place: TargetFile) -> str:
    """The path of the file that a place means, from the project's root; a file at home is nobody else's."""
    path, _ = spot_of(place)
    at_home = place.root == str(config.home)
    return "~/" if at_home else Path(os.path.relpath(path, os.path.realpath(config.root))).as_posix()


def _removal(knowledge: Knowledge, place: TargetFile, request: InjectRequest) -> MakeChange:
    """The change that takes our text out of a file, unless another tool that stays has it there, too."""

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        stay = (
            [name for name in record.tools if name not in request.tools] if record and request.tools else []
        )
        owners = [name for name in stay if _owns(knowledge.adapters.get(name), place)]
        if record and owners:
            note = f"stays, because it is for {', '.join(owners)} too"
            return _unchanged(place, existing, replace(record, tools=tuple(stay)), note)
        change = unplan(place, existing, record, force=request.force)
        is_theirs = record is None and change.state is FileState.FOREIGN
        return _unchanged(place, existing, None) if is_theirs else change

    return make


def _owns(adapter: Adapter | None, place: TargetFile) -> bool:
    """Whether it is the tool's own file, and not only read by it. Of an unknown tool it is taken for granted."""
    paths = [target.path for target in adapter.targets] if adapter else [place.path]
    return any(place.path.replace("\\", "/").endswith(path.removeprefix("~/")) for path in paths)
