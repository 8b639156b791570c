"""Sets up agents: puts our MCP server, hooks, permissions and memory protocol into their settings, or out."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from modicum.app.agents import wiring
from modicum.app.agents.wiring import SETUP, Wiring, WiringJob
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import BUILT_IN, Knowledge, choose_packs, choose_profile, choose_tools, is_here
from modicum.base.config import Config
from modicum.base.errors import ModicumError, WrongUsage
from modicum.base.extras import check_mcp
from modicum.base.value import Value, replace
from modicum.targets.apply import MakeChange
from modicum.targets.bounds.on_disk import located
from modicum.targets.change import Existing, FileChange, FileRecord, TargetFile
from modicum.targets.model import Adapter, HookFile
from modicum.targets.plan import plan, remember
from modicum.targets.records import RecordedPart
from modicum.targets.wiring.commands import POWERSHELL, SH, hook_command, hook_script
from modicum.targets.wiring.entries import (
    WIRING,
    HookEntry,
    ServerEntry,
    SkillEntry,
    SkillFile,
    Wanted,
    skill_files,
    wanted_by,
)

SERVER = "modicum"
SKILL = "modicum-memory"
RULE = "modicum-memory"  # the region in an instruction file, for a tool that has no skills
ABOUT = "Memory across sessions, knowledge packs and specs"
TOOLS = (
    "mem_save",
    "mem_search",
    "mem_context",
    "mem_timeline",
    "mem_get",
    "sdd_context_check",
    "sdd_get_context",
    "pack_read",
)
MOMENTS = {
    "session-start": "sessionStart",
    "prompt-submit": "userPromptSubmit",
    "session-end": "sessionEnd",
    "subagent-stop": "subagentStop",
    "pre-compact": "preCompact",
}
CORE_BYTES = 2_000


class Launcher(Value):
    """The launcher of modicum that setup writes into agents' settings: its command with absolute paths."""

    command: str
    args: tuple[str, ...] = ()

    def hook(self, moment: str, harness: str) -> tuple[str, ...]:
        """Returns the command that setup writes for a hook of an agent, in the words of the launcher."""
        return (self.command, *self.args, "hook", moment, "--harness", harness)


def find_launcher() -> Launcher:
    """Returns the launcher that setup writes into agents' settings: modicum's script, or else the Python interpreter."""
    # Not resolved: the interpreter of a virtual environment is a link to one that does not know its packages.
    python = Path(sys.executable).absolute()
    script = python.with_name("modicum.exe" if os.name == "nt" else "modicum")
    # -P: an agent starts it in a project, whose modules would come first.
    by_module = ("-P", "-m", "modicum.cli.main")
    return Launcher(str(script)) if script.exists() else Launcher(str(python), by_module)


def can_be_set_up(adapter: Adapter) -> bool:
    """Returns True if an AI tool has anything that the setup can write (server, hooks, permissions)."""
    return bool(adapter.mcp or adapter.contract)


def choose_agents(
    config: Config, knowledge: Knowledge, names: Sequence[str], scope: str, *, every: bool, remove: bool
) -> tuple[Adapter, ...]:
    """Returns the agents that a setup is for: those named, else those installed here (for a removal, those set up)."""
    if names:
        chosen = choose_tools(config, knowledge, names, every=False)
        if wrong := [adapter.name for adapter in chosen if not can_be_set_up(adapter)]:
            raise WrongUsage(f"{wrong[0]} cannot be set up", remedy="modicum inject gives it packs")
        return chosen
    if remove:
        known = set_up_tools(config, scope)
        return tuple(knowledge.adapters[name] for name in known if name in knowledge.adapters)
    able = [each for each in knowledge.adapters.values() if can_be_set_up(each) and is_here(config, each)]
    able.sort(key=lambda adapter: adapter.id)
    if every:
        return tuple(able)
    here = ", ".join(adapter.id for adapter in able) or "none"
    remedy = f"name one as in: modicum setup claude-code, or --all; found here: {here}"
    raise WrongUsage("which agent?", remedy=remedy)


def survey_setup(
    config: Config, knowledge: Knowledge, tools: Sequence[Adapter], scope: str, start: Launcher
) -> Wiring:
    """Returns what the setup of AI tools would write, without writing."""
    return _set_up(config, knowledge, tools, scope, start, wiring.looking(config))


def perform_setup(
    config: Config, knowledge: Knowledge, tools: Sequence[Adapter], scope: str, start: Launcher
) -> Wiring:
    """Sets up AI tools: writes our MCP server, hooks, permissions and protocol where missing."""
    done = _set_up(config, knowledge, tools, scope, start, wiring.writing(config))
    for adapter in tools:
        _make_executable(config, adapter, scope, done)
        _keep_core(config, knowledge, adapter, scope)
    return done


def survey_removal(config: Config, knowledge: Knowledge, tools: Sequence[str], scope: str) -> Wiring:
    """Returns what a removal of the setup would take out of AI tools, without writing."""
    return _take_out(config, knowledge, tools, scope, wiring.looking(config))


def remove_setup(config: Config, knowledge: Knowledge, tools: Sequence[str], scope: str) -> Wiring:
    """Removes the setup from the named AI tools, or all: their files are then as they were before."""
    done = _take_out(config, knowledge, tools, scope, wiring.writing(config))
    for tool in tools or [path.stem for path in _core_folder(config).glob("*.md")]:
        _core_file(config, tool).unlink(missing_ok=True)
    return done


def set_up_tools(config: Config, scope: str) -> tuple[str, ...]:
    """Returns the ids of the AI tools that have our setup in a scope."""
    owners = (tool for part in _parts(config, scope) for tool in part.record.tools)
    return tuple(sorted({tool.removeprefix(SETUP) for tool in owners if tool.startswith(SETUP)}))


def _set_up(
    config: Config,
    knowledge: Knowledge,
    tools: Sequence[Adapter],
    scope: str,
    start: Launcher,
    carry_out: wiring.CarryOut,
) -> Wiring:
    here = [wiring.without_absent_files(config, adapter) for adapter in tools]
    owners = frozenset(SETUP + adapter.id for adapter in here)
    wanted = [each for adapter in here for each in _wanted(adapter, scope, start)]
    skills = [file for adapter in here for file in _skill(adapter, scope)]
    jobs = [
        *wiring.settings_jobs(config, scope, wanted, owners),
        *wiring.skill_jobs(config, InjectRequest(scope=scope), skills, owners),
        *(job for adapter in here for job in _file_jobs(config, adapter, scope, start, owners)),
    ]
    busy = {os.path.realpath(job.place.path) for job in jobs}
    idle = [part for part in _parts(config, scope) if os.path.realpath(part.place.path) not in busy]
    done = wiring.carried_out(
        knowledge, [*jobs, *wiring.removals(idle, InjectRequest(scope=scope), owners)], carry_out
    )
    lacking = (*(_lacks(adapter, scope) for adapter in here), _lacks_library(here))
    return replace(done, warnings=tuple(filter(None, lacking)))


def _take_out(
    config: Config, knowledge: Knowledge, tools: Sequence[str], scope: str, carry_out: wiring.CarryOut
) -> Wiring:
    parts = _parts(config, scope)
    owners = frozenset(SETUP + tool for tool in tools or set_up_tools(config, scope))
    return wiring.carried_out(
        knowledge, wiring.removals(parts, InjectRequest(scope=scope), owners), carry_out
    )


def _parts(config: Config, scope: str) -> list[RecordedPart]:
    return wiring.ours(config, scope, (WIRING, RULE))


def _wanted(adapter: Adapter, scope: str, start: Launcher) -> Iterator[Wanted]:
    approved = _approval(adapter)
    server = ServerEntry(SERVER, start.command, (*start.args, "mcp"), description=ABOUT, extra=approved)
    for file in adapter.hooks if adapter.contract else ():
        hooks = [
            HookEntry(f"modicum-{moment}", event, command, extra=extra)
            for moment, event in MOMENTS.items()
            if event in file.events
            for command, extra in (_command(adapter, start.hook(moment, adapter.id), file.shape),)
        ]
        yield from _owned(wanted_by(replace(adapter, mcp=(), hooks=(file,)), scope, (), hooks)[0])
    yield from _owned(wanted_by(replace(adapter, hooks=()), scope, (server,), ())[0])
    yield from _owned(_permitted(adapter, scope))


def _command(adapter: Adapter, words: Sequence[str], shape: str) -> tuple[str, dict[str, object]]:
    """The command of a hook for the shell that the agent has here, and what its entry says beside it."""
    if shape == "copilot":  # it has a command for each system
        return hook_command(words, SH), {"powershell": hook_command(words, POWERSHELL)}
    shell = _shell(adapter)
    names = adapter.contract is not None and adapter.contract.names_shell and shell != SH
    return hook_command(words, shell), {"shell": shell} if names else {}


def _shell(adapter: Adapter) -> str:
    return adapter.contract.windows if os.name == "nt" and adapter.contract else SH


def _approval(adapter: Adapter) -> dict[str, object]:
    if adapter.approval is None:
        return {}
    values: dict[str, object] = {"true": True, "names": list(TOOLS)}
    return {adapter.approval.key: values.get(adapter.approval.value, adapter.approval.value)}


def _permitted(adapter: Adapter, scope: str) -> Iterator[Wanted]:
    for file in adapter.permissions:
        if file.scope == scope:
            yield from (
                Wanted(file.path, file.format, file.key, item, True, f'"{item}"', (adapter.id,))
                for item in file.items
            )


def _owned(wanted: Iterable[Wanted]) -> Iterator[Wanted]:
    return (replace(each, tools=tuple(SETUP + tool for tool in each.tools)) for each in wanted)


def protocol() -> str:
    """Returns the memory protocol that setup gives to agents: the skill that tells an agent when to search memory and when to save."""
    return (BUILT_IN / "skills" / f"{SKILL}.md").read_text(encoding="utf-8")


def _skill(adapter: Adapter, scope: str) -> Iterator[SkillFile]:
    found = skill_files(adapter, scope, SkillEntry(SKILL, protocol()))
    if not isinstance(found, str):
        yield from (replace(file, tools=(SETUP + adapter.id,)) for file in found)


def _file_jobs(
    config: Config, adapter: Adapter, scope: str, start: Launcher, owners: frozenset[str]
) -> Iterator[WiringJob]:
    """Files of which the whole is ours, and the rule for a tool without skills."""
    own = (SETUP + adapter.id,)
    for file in adapter.hook_files:
        if file.scope == scope:
            path = _script_path(file)
            place = wiring.place_of(config, scope, path, "replace-file")
            make = wiring.placing(
                place, _hook_text(adapter, file, start), own, owners, InjectRequest(scope=scope)
            )
            yield WiringJob(own, place, path, make)
    path = "" if _has_skills(adapter, scope) else _rule_file(adapter, scope)
    if path:
        place = wiring.place_of(config, scope, path, "replace-section", RULE)
        yield WiringJob(own, place, path, _ruling(place, own))


def _ruling(place: TargetFile, own: tuple[str, ...]) -> MakeChange:
    text = protocol().split("---\n", 2)[2].strip()

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        return remember(plan(place, text, existing, record, force=False), tools=own, extra={})

    return make


def _has_skills(adapter: Adapter, scope: str) -> bool:
    return any(folder.scope == scope for folder in adapter.skills)


def _rule_file(adapter: Adapter, scope: str) -> str:
    files = (t.path for t in adapter.targets if t.scope == scope and t.mode == "replace-section")
    return next(files, "")


def _lacks(adapter: Adapter, scope: str) -> str:
    """A sentence on what a tool does not get in this scope, or nothing."""
    other = "--here" if scope == "global" else "--global"
    hooks = [file.scope for file in adapter.hooks] + [file.scope for file in adapter.hook_files]
    scopes = {"server": [file.scope for file in adapter.mcp], "hooks": hooks if adapter.contract else []}
    missing = [what for what, found in scopes.items() if found and scope not in found]
    return f"{adapter.name} has no {' and no '.join(missing)} here: try {other}" if missing else ""


def _lacks_library(adapters: Sequence[Adapter]) -> str:
    """A sentence on the library without which the server does not start, or nothing."""
    if not any(adapter.mcp for adapter in adapters):
        return ""
    try:
        check_mcp()
    except ModicumError as error:
        return f"the server is set up, but does not start yet: {error}"
    return ""


def _hook_text(adapter: Adapter, file: HookFile, start: Launcher) -> str:
    if file.shape == "opencode":
        template = (BUILT_IN / "plugins" / "opencode.js").read_text(encoding="utf-8")
        words = ", ".join(_quoted(word) for word in (start.command, *start.args))
        return template.replace('"modicum"', words, 1)
    return hook_script(start.hook(file.event, adapter.id), _shell(adapter))


def _script_path(file: HookFile) -> str:
    return f"{file.path}.ps1" if file.shape == "script" and os.name == "nt" else file.path


def _quoted(word: str) -> str:
    import json

    return json.dumps(word)


def _make_executable(config: Config, adapter: Adapter, scope: str, done: Wiring) -> None:
    """Gives a run bit to the scripts that are ours, byte for byte; one that somebody put there stays as it is."""
    ours = {each.path for each in done.wired if each.change.record is not None}
    for file in adapter.hook_files:
        if file.scope == scope and file.shape == "script" and file.path in ours:
            path = located(wiring.place_of(config, scope, file.path, "replace-file"))
            path.chmod(path.stat().st_mode | 0o111)


def _core_folder(config: Config) -> Path:
    return config.data / "core"


def _core_file(config: Config, tool: str) -> Path:
    return _core_folder(config) / f"{tool}.md"


def _keep_core(config: Config, knowledge: Knowledge, adapter: Adapter, scope: str) -> None:
    """Keeps the core of the packs for the hook of a tool that has no instruction file in this scope."""
    listens = adapter.contract is not None and "session-start" in adapter.contract.context
    if not listens or any(target.scope == scope for target in adapter.targets):
        return
    from modicum.targets.disk import write_own

    text = _core_text(config, knowledge)
    if text:
        unless = " ".join(target.path for target in adapter.targets if not target.globs)
        write_own(_core_file(config, adapter.id), f"unless {unless}\n{text}\n".encode())
    else:
        _core_file(config, adapter.id).unlink(missing_ok=True)  # of packs that were in force once


def _core_text(config: Config, knowledge: Knowledge) -> str:
    from modicum.engine.page import Detail, View, fit
    from modicum.engine.views import budget
    from modicum.packs.sections import compose

    try:
        profile = choose_profile(knowledge.library, config.profile)
    except ModicumError:
        profile = None
    packs, _ = choose_packs(knowledge.library, profile)
    sections = compose(packs, "markdown").whole()
    return fit(sections, View(Detail.SUMMARY, budget=budget((("bytes", CORE_BYTES),)))).text
