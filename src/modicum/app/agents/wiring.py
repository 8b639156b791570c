"""Wires packs into AI tools: puts their servers, hooks and skills into settings, only when asked for."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from modicum.app.inject.destination import READING, InjectRequest, root_of
from modicum.app.inject.load import Knowledge, choose_packs, choose_profile, choose_tools, is_served
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.packs.model import McpServer, Pack
from modicum.targets.apply import MakeChange, look, update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.detect import expanded
from modicum.targets.model import Adapter, SettingsFile
from modicum.targets.plan import digest, plan, plan_edit, remember, unplan
from modicum.targets.records import RecordedPart, recorded
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
from modicum.targets.wiring.wires import rewire, wires_as_json, wires_from
from modicum.text.secrets import findings

CarryOut = Callable[[TargetFile, MakeChange], FileChange]  # only plans a change, or writes it

SETUP = "setup:"  # in front of a tool's id: what `modicum setup` has put in, and not a pack
_NO_FOLDER = ""


class Wired(Value):
    """One file that wiring changes (settings or skill): its tools, its path for the reader, its changes."""

    tool: str
    path: str
    change: FileChange

    @property
    def note(self) -> str:
        return self.change.note


class Wiring(Value):
    """The result of wiring packs into AI tools: what was done, or would be done, to each file.

    `warnings` and `troubles` are sentences; troubles make the run fail in the end.
    """

    wired: tuple[Wired, ...] = ()
    warnings: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


class WiringJob(Value):
    """One file that wiring changes, and the function that plans the change.

    Files with one `folder` are a skill: if its first file is not ours, the others are left alone, too.
    """

    tools: tuple[str, ...]
    place: TargetFile
    shown: str
    make: MakeChange
    folder: str = _NO_FOLDER


def survey_wiring(config: Config, knowledge: Knowledge, request: InjectRequest) -> Wiring:
    """Returns what wiring packs into AI tools would change, without writing."""
    return _wire(config, knowledge, request, looking(config))


def perform_wiring(config: Config, knowledge: Knowledge, request: InjectRequest) -> Wiring:
    """Wires packs: puts their servers, hooks and skills into AI tools, and takes out dropped ones."""
    return _wire(config, knowledge, request, writing(config))


def survey_unwiring(config: Config, knowledge: Knowledge, request: InjectRequest) -> Wiring:
    """Returns what an uninstall would unwire from AI tools, without writing."""
    return _unwire(config, knowledge, request, looking(config))


def remove_wiring(config: Config, knowledge: Knowledge, request: InjectRequest) -> Wiring:
    """Unwires packs: takes our servers, hooks and skills out of the named AI tools, or of all."""
    return _unwire(config, knowledge, request, writing(config))


def suspicious_wiring(packs: Iterable[Pack]) -> tuple[str, ...]:
    """Returns a warning for each hidden character and likely secret in what wiring would write."""
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


def looking(config: Config) -> CarryOut:
    """Returns the function with which wiring only plans the change of a file."""
    return lambda place, make: make(*look(place, config.state))


def writing(config: Config) -> CarryOut:
    """Returns the function with which the use case of wiring agents writes the change of a file."""
    return lambda place, make: update(place, make, config.state)


def _wire(config: Config, knowledge: Knowledge, request: InjectRequest, carry_out: CarryOut) -> Wiring:
    profile = choose_profile(knowledge.library, request.profile or config.profile)
    packs, _ = choose_packs(
        knowledge.library, profile, request.include, request.exclude, is_named=bool(request.profile)
    )
    written = ours(config, request.scope)
    adapters = _asked(config, knowledge, request, written)
    tools = frozenset(adapter.id for adapter in adapters)
    wanted, cannot = _wanted(adapters, request.scope, packs)
    files, refused = _skill_files(adapters, request.scope, packs)
    jobs = [*settings_jobs(config, request.scope, wanted, tools), *skill_jobs(config, request, files, tools)]
    busy = {os.path.realpath(job.place.path) for job in jobs}
    idle = [part for part in written if os.path.realpath(part.place.path) not in busy]
    done = carried_out(knowledge, [*jobs, *removals(idle, request, tools)], carry_out)
    return replace(done, warnings=tuple(dict.fromkeys((*cannot, *refused))))


def _unwire(config: Config, knowledge: Knowledge, request: InjectRequest, carry_out: CarryOut) -> Wiring:
    parts = ours(config, request.scope)
    named = frozenset(name for tool in request.tools for name in (tool, READING + tool))
    tools = named or frozenset(tool for part in parts for tool in part.record.tools)
    return carried_out(knowledge, removals(parts, request, tools), carry_out)


def _asked(
    config: Config, knowledge: Knowledge, request: InjectRequest, written: Iterable[RecordedPart]
) -> list[Adapter]:
    """The tools that are named, or all, or those that are here and those that were wired before."""
    chosen = choose_tools(config, knowledge, request.tools, every=not request.tools)
    before = set[str]() if config.tools else {tool for part in written for tool in part.record.tools}
    sure = bool(request.tools or request.all_tools)
    asked = [adapter for adapter in chosen if sure or adapter.id in before or is_served(config, adapter)]
    return [without_absent_files(config, adapter) for adapter in asked]


def without_absent_files(config: Config, adapter: Adapter) -> Adapter:
    """Returns an AI tool for wiring, without the optional settings files whose folder is absent."""
    files = tuple(file for file in adapter.mcp if not file.if_there or _has_folder(config, file))
    return replace(adapter, mcp=files)


def _has_folder(config: Config, file: SettingsFile) -> bool:
    path = expanded(file.path, {**config.environment, "HOME": str(config.home)})
    return path is not None and Path(path).parent.is_dir()


def carried_out(knowledge: Knowledge, jobs: Iterable[WiringJob], carry_out: CarryOut) -> Wiring:
    wired, troubles, skipped = list[Wired](), list[str](), {_NO_FOLDER: False}
    for job in jobs:
        if skipped.get(job.folder):
            continue
        names = ", ".join(_name(knowledge, tool) for tool in job.tools)
        try:
            change = carry_out(job.place, job.make)
        except ModicumError as error:
            troubles.append(f"{names}: {error}")
            skipped.setdefault(job.folder, True)
            continue
        wired.append(Wired(names, job.shown, change))
        skipped.setdefault(job.folder, change.state is FileState.FOREIGN and not change.changed)
    return Wiring(tuple(wired), troubles=tuple(troubles))


def _name(knowledge: Knowledge, tool: str) -> str:
    known = knowledge.adapters.get(tool.removeprefix(SETUP).removeprefix(READING))
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
    """Yields a wiring job for each settings file that should hold something of ours."""
    files: dict[str, list[Wanted]] = {}
    for each in wanted:
        files.setdefault(os.path.realpath(path_of(config, scope, each.path)), []).append(each)
    for entries in files.values():
        shown, own = entries[0].path, tuple(dict.fromkeys(tool for each in entries for tool in each.tools))
        place = place_of(config, scope, shown, "settings")
        yield WiringJob(own, place, shown, _rewiring(place, entries, tools))


def _rewiring(place: TargetFile, wanted: Sequence[Wanted], tools: frozenset[str]) -> MakeChange:
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
    config: Config, request: InjectRequest, files: Sequence[SkillFile], tools: frozenset[str]
) -> Iterator[WiringJob]:
    shared: dict[str, list[SkillFile]] = {}
    for file in files:
        path = os.path.realpath(path_of(config, request.scope, f"{file.folder}/{file.name}"))
        shared.setdefault(path, []).append(file)
    for same in shared.values():
        first, own = same[0], tuple(tool for file in same for tool in file.tools)
        shown = f"{first.folder}/{first.name}"
        place = replace(place_of(config, request.scope, shown, "replace-file"), preamble=first.preamble)
        yield WiringJob(own, place, shown, placing(place, first.text, own, tools, request), first.folder)


def placing(
    place: TargetFile, text: str, own: tuple[str, ...], tools: frozenset[str], request: InjectRequest
) -> MakeChange:
    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        change = plan(place, text, existing, record, force=request.force)
        if not place.path.endswith(SKILL_FILE):
            change = _verbatim(change, text)
        return remember(change, tools=(*_others(record, tools), *own), extra={})

    return make


def _verbatim(change: FileChange, text: str) -> FileChange:
    """The change without the closing line that says whose the file is: a program may not have it."""
    if change.before == text:
        change = replace(change, after=text, state=FileState.CURRENT, note="")
    if change.record is None:
        return change
    return replace(change, after=text, record=replace(change.record, digest=digest(text)))


def removals(
    parts: Iterable[RecordedPart], request: InjectRequest, tools: frozenset[str]
) -> Iterator[WiringJob]:
    for part in parts:
        if tools.intersection(part.record.tools):
            place = part.place
            make = (
                _rewiring(place, (), tools) if place.mode == "settings" else _removing(place, tools, request)
            )
            yield WiringJob(part.record.tools, place, _shown(place, request.scope), make)


def _removing(place: TargetFile, tools: frozenset[str], request: InjectRequest) -> MakeChange:
    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        if record and (others := _others(record, tools)):
            return FileChange(
                place, existing.text, existing.text, FileState.CURRENT, replace(record, tools=others)
            )
        return unplan(place, existing, record, force=request.force)

    return make


def _others(record: FileRecord | None, tools: frozenset[str]) -> tuple[str, ...]:
    return tuple(tool for tool in (record.tools if record else ()) if tool not in tools)


def ours(config: Config, scope: str, sections: Collection[str] = (WIRING,)) -> list[RecordedPart]:
    """Returns the recorded parts of settings files and skills that wiring wrote in a scope."""
    root = root_of(config, scope)
    parts = [part for part in recorded(config.state) if part.place.root == root]
    return [part for part in parts if part.place.section in sections]


def place_of(config: Config, scope: str, path: str, mode: str, section: str = WIRING) -> TargetFile:
    """Returns where wiring puts something: a file of a scope, and how our part is kept in it."""
    root = root_of(config, scope)
    return TargetFile(path_of(config, scope, path), mode, section, root=root, is_home=scope == "global")


def path_of(config: Config, scope: str, path: str) -> str:
    known = expanded(path, {**config.environment, "HOME": str(config.home)})
    return str(Path(root_of(config, scope)) / (known or path))


def _shown(place: TargetFile, scope: str) -> str:
    path = Path(os.path.relpath(place.path, place.root)).as_posix()
    return path if scope == "project" else f"~/{path}"
