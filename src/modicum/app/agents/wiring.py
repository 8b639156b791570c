"""Wiring: servers, hooks and skills of the packs in the settings of tools. Only when asked for, as hooks are code."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from modicum.app.inject.load import Knowledge, choose_packs, choose_profile, choose_tools, is_here
from modicum.app.inject.placement import InjectRequest, root_of
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.packs.model import McpServer, Pack
from modicum.targets.apply import Make, look, recorded, update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.detect import expanded
from modicum.targets.model import Adapter, SettingsFile
from modicum.targets.plan import digest, plan, plan_edit, remember, unplan
from modicum.targets.records import RecordedPart
from modicum.targets.settings.editing import DocumentError
from modicum.targets.wiring.entries import (
    SKILL_FILE,
    WIRING,
    HookEntry,
    ServerEntry,
    SkillEntry,
    SkillFile,
    Wanted,
    skill_files,
    wanted_by,
)
from modicum.targets.wiring.update import rewire, wires_as_json, wires_from
from modicum.text.secrets import findings

Last = Callable[[TargetFile, Make], FileChange]

SETUP = "setup:"  # in front of a tool's id: what `modicum setup` has put in, and not a pack
_NO_FOLDER = ""


class Wired(Value):
    """A settings file, or a file of a skill: whose it is, its path for the reader, and what changes there."""

    tool: str
    path: str
    change: FileChange

    @property
    def note(self) -> str:
        return self.change.note


class Wiring(Value):
    """All that a run would wire. Warnings are sentences; troubles too, and they make the run fail in the end."""

    wired: tuple[Wired, ...] = ()
    warnings: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


class WiringJob(Value):
    """One file: how its new text is made. If the first file of a skill is not ours, nor are those in its folder."""

    tools: tuple[str, ...]
    place: TargetFile
    shown: str
    make: Make
    folder: str = _NO_FOLDER


def survey_wiring(config: Config, shelf: Knowledge, wish: InjectRequest) -> Wiring:
    """What wiring would do, without doing it."""
    return _wire(config, shelf, wish, looking(config))


def perform_wiring(config: Config, shelf: Knowledge, wish: InjectRequest) -> Wiring:
    """Put servers, hooks and skills in, and take out what the packs do not have any more."""
    return _wire(config, shelf, wish, writing(config))


def survey_unwiring(config: Config, shelf: Knowledge, wish: InjectRequest) -> Wiring:
    """What an uninstall would take out."""
    return _unwire(config, shelf, wish, looking(config))


def remove_wiring(config: Config, shelf: Knowledge, wish: InjectRequest) -> Wiring:
    """Take all of it out of the tools that are named, or of every one: whatever our records know in this scope."""
    return _unwire(config, shelf, wish, writing(config))


def suspicious_wiring(packs: Iterable[Pack]) -> tuple[str, ...]:
    """A sentence for each hidden character and likely secret in what would be wired."""
    return tuple(
        f"{source}:{remark.line}: {remark.message}"
        for pack in packs
        for source, text in _texts(pack)
        for remark in findings(text)
    )


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    for server in pack.servers:
        values = [f"{name}={value}" for name, value in (*server.env.items(), *server.headers.items())]
        yield (
            f"{pack.id}/mcp.yaml, {server.id}",
            "\n".join((server.command, *server.args, server.url, *values)),
        )
    for hook in pack.hooks:
        yield f"{pack.id}/hook.yaml, {hook.id}", hook.command
    for skill in pack.skills:
        yield f"{pack.id}/{skill.file}", skill.text
        yield from ((f"{pack.id}/{skill.id}/{name}", text) for name, text in skill.files)


def looking(config: Config) -> Last:
    return lambda place, make: make(*look(place, config.state))


def writing(config: Config) -> Last:
    return lambda place, make: update(place, make, config.state)


def _wire(config: Config, shelf: Knowledge, wish: InjectRequest, last: Last) -> Wiring:
    profile = choose_profile(shelf.library, wish.profile or config.profile)
    packs, _ = choose_packs(shelf.library, profile, wish.include, wish.exclude)
    written = ours(config, wish.scope)
    adapters = _asked(config, shelf, wish, written)
    tools = frozenset(adapter.id for adapter in adapters)
    wanted, cannot = _wanted(adapters, wish.scope, packs)
    files, refused = _skill_files(adapters, wish.scope, packs)
    jobs = [*settings_jobs(config, wish.scope, wanted, tools), *skill_jobs(config, wish, files, tools)]
    busy = {os.path.realpath(job.place.path) for job in jobs}
    idle = [part for part in written if os.path.realpath(part.place.path) not in busy]
    done = carried_out(shelf, [*jobs, *removals(idle, wish, tools)], last)
    return replace(done, warnings=tuple(dict.fromkeys((*cannot, *refused))))


def _unwire(config: Config, shelf: Knowledge, wish: InjectRequest, last: Last) -> Wiring:
    parts = ours(config, wish.scope)
    tools = frozenset(wish.tools) or frozenset(tool for part in parts for tool in part.record.tools)
    return carried_out(shelf, removals(parts, wish, tools), last)


def _asked(
    config: Config, shelf: Knowledge, wish: InjectRequest, written: Iterable[RecordedPart]
) -> list[Adapter]:
    """Those that are named, or all, or those that are here and those that were wired before."""
    chosen = choose_tools(config, shelf, wish.tools, every=not wish.tools)
    before = {tool for part in written for tool in part.record.tools}
    sure = bool(wish.tools or wish.all_tools)
    asked = [adapter for adapter in chosen if sure or adapter.id in before or is_here(config, adapter)]
    return [with_what_is_there(config, adapter) for adapter in asked]


def with_what_is_there(config: Config, adapter: Adapter) -> Adapter:
    """The adapter without the files that are only made where their folder is, if it is not."""
    files = tuple(file for file in adapter.mcp if not file.if_there or _has_folder(config, file))
    return replace(adapter, mcp=files)


def _has_folder(config: Config, file: SettingsFile) -> bool:
    path = expanded(file.path, {**config.environment, "HOME": str(config.home)})
    return path is not None and Path(path).parent.is_dir()


def carried_out(shelf: Knowledge, jobs: Iterable[WiringJob], last: Last) -> Wiring:
    wired, troubles, skipped = list[Wired](), list[str](), {_NO_FOLDER: False}
    for job in jobs:
        if skipped.get(job.folder):
            continue
        names = ", ".join(_name(shelf, tool) for tool in job.tools)
        try:
            change = last(job.place, job.make)
        except ModicumError as error:
            troubles.append(f"{names}: {error}")
            skipped.setdefault(job.folder, True)
            continue
        wired.append(Wired(names, job.shown, change))
        skipped.setdefault(job.folder, change.state is FileState.FOREIGN and not change.changed)
    return Wiring(tuple(wired), troubles=tuple(troubles))


def _name(shelf: Knowledge, tool: str) -> str:
    known = shelf.adapters.get(tool.removeprefix(SETUP))
    return known.name if known else tool


def _wanted(adapters: Sequence[Adapter], scope: str, packs: Sequence[Pack]) -> tuple[list[Wanted], list[str]]:
    servers = [_server_entry(server) for pack in packs for server in pack.servers]
    hooks = [
        HookEntry(hook.id, hook.event, hook.command, hook.tools) for pack in packs for hook in pack.hooks
    ]
    answers = [wanted_by(adapter, scope, servers, hooks) for adapter in adapters]
    return [each for wanted, _ in answers for each in wanted], [each for _, more in answers for each in more]


def _server_entry(server: McpServer) -> ServerEntry:
    return ServerEntry(
        id=server.id,
        command=server.command,
        args=server.args,
        env=server.env,
        url=server.url,
        headers=server.headers,
        is_sse=server.type == "sse",
        description=server.description or server.name,
        tools=server.hosts,
    )


def _skill_files(
    adapters: Sequence[Adapter], scope: str, packs: Sequence[Pack]
) -> tuple[list[SkillFile], list[str]]:
    skills: dict[str, SkillEntry] = {}
    twice = []
    for skill in (skill for pack in packs for skill in pack.skills):
        entry = SkillEntry(skill.id, skill.text, skill.name, skill.description, skill.files, skill.tools)
        if skills.setdefault(skill.id, entry) != entry:
            twice.append(f'the skill "{skill.id}" is in two packs, and the first is used')
    answers = [skill_files(adapter, scope, entry) for adapter in adapters for entry in skills.values()]
    files = [file for answer in answers if not isinstance(answer, str) for file in answer]
    return files, [*twice, *(answer for answer in answers if isinstance(answer, str))]


def settings_jobs(
    config: Config, scope: str, wanted: Sequence[Wanted], tools: frozenset[str]
) -> Iterator[WiringJob]:
    files: dict[str, list[Wanted]] = {}
    for wish in wanted:
        files.setdefault(os.path.realpath(path_of(config, scope, wish.path)), []).append(wish)
    for wishes in files.values():
        shown, own = wishes[0].path, tuple(dict.fromkeys(tool for wish in wishes for tool in wish.tools))
        place = TargetFile(path_of(config, scope, shown), "settings", WIRING, root=root_of(config, scope))
        yield WiringJob(own, place, shown, _rewiring(place, wishes, tools))


def _rewiring(place: TargetFile, wanted: Sequence[Wanted], tools: frozenset[str]) -> Make:
    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        notes: tuple[str, ...] = ()

        def edit(text: str, extra: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
            nonlocal notes
            if not extra and not wanted:
                return text, {}
            known, wires = wires_from(extra) if extra else (wanted[0].format, ())
            done = rewire(text, known, wires, wanted, tools=tools)
            notes = done.notes
            return done.text, wires_as_json(known, done.wires)

        try:
            change = plan_edit(place, edit, existing, record)
        except DocumentError as error:
            raise ModicumError(f"{place.path}: {error.message}", remedy=error.remedy) from error
        return replace(_with_owners(change), note="; ".join(notes))

    return make


def _with_owners(change: FileChange) -> FileChange:
    extra = change.record.extra if change.record else {}
    wires = wires_from(extra)[1] if extra else ()
    owners = tuple(sorted({tool for wire in wires for tool in wire.tools}))
    return remember(change, tools=owners, extra=extra)


def skill_jobs(
    config: Config, wish: InjectRequest, files: Sequence[SkillFile], tools: frozenset[str]
) -> Iterator[WiringJob]:
    shared: dict[str, list[SkillFile]] = {}
    for file in files:
        path = os.path.realpath(path_of(config, wish.scope, f"{file.folder}/{file.name}"))
        shared.setdefault(path, []).append(file)
    for same in shared.values():
        first, own = same[0], tuple(tool for file in same for tool in file.tools)
        shown = f"{first.folder}/{first.name}"
        path, root = path_of(config, wish.scope, shown), root_of(config, wish.scope)
        place = TargetFile(path, "replace-file", WIRING, first.preamble, root)
        yield WiringJob(own, place, shown, placing(place, first.text, own, tools, wish), first.folder)


def placing(
    place: TargetFile, text: str, own: tuple[str, ...], tools: frozenset[str], wish: InjectRequest
) -> Make:
    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        change = plan(place, text, existing, record, force=wish.force)
        if not place.path.endswith(SKILL_FILE):
            change = _verbatim(change, text)
        return remember(change, tools=(*_others(record, tools), *own), extra={})

    return make


def _verbatim(change: FileChange, text: str) -> FileChange:
    """The change without the line that says whose the file is: a program may not have it."""
    if change.before == text:
        change = replace(change, after=text, state=FileState.CURRENT, note="")
    if change.record is None:
        return change
    return replace(change, after=text, record=replace(change.record, digest=digest(text)))


def removals(
    parts: Iterable[RecordedPart], wish: InjectRequest, tools: frozenset[str]
) -> Iterator[WiringJob]:
    for part in parts:
        if tools.intersection(part.record.tools):
            place = part.place
            make = _rewiring(place, (), tools) if place.mode == "settings" else _removing(place, tools, wish)
            yield WiringJob(part.record.tools, place, _shown(place, wish.scope), make)


def _removing(place: TargetFile, tools: frozenset[str], wish: InjectRequest) -> Make:
    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        if record and (others := _others(record, tools)):
            return FileChange(
                place, existing.text, existing.text, FileState.CURRENT, replace(record, tools=others)
            )
        return unplan(place, existing, record, force=wish.force)

    return make


def _others(record: FileRecord | None, tools: frozenset[str]) -> tuple[str, ...]:
    return tuple(tool for tool in (record.tools if record else ()) if tool not in tools)


def ours(config: Config, scope: str, sections: Collection[str] = (WIRING,)) -> list[RecordedPart]:
    """What our records know of in a scope."""
    root = root_of(config, scope)
    parts = [part for part in recorded(config.state) if part.place.root == root]
    return [part for part in parts if part.place.section in sections]


def path_of(config: Config, scope: str, path: str) -> str:
    known = expanded(path, {**config.environment, "HOME": str(config.home)})
    return str(Path(root_of(config, scope)) / (known or path))


def _shown(place: TargetFile, scope: str) -> str:
    path = Path(os.path.relpath(place.path, place.root)).as_posix()
    return path if scope == "project" else f"~/{path}"
