"""What a session of an agent costs in tokens before a word is typed: program, tools, files, hook, and what could be saved."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from modicum.app.agents.own_server import ServerAnswer, ask_server, run_hook, text_for_model, tool_tokens
from modicum.app.agents.setup import SERVER, Launcher, find_launcher, set_up_tools
from modicum.app.agents.wiring import path_of
from modicum.app.reading.tool_reading import ToolReading, cut_off_sentences, see_tool
from modicum.base.config import SCOPES, Config
from modicum.base.value import NOTHING, Value
from modicum.engine.tokens import count
from modicum.targets.loaders.collect import read_settings
from modicum.targets.model import Adapter, SettingsFile

LARGE_FILE = 2_000  # tokens from which a file of the user's is worth a look

Tell = Callable[[str], None]  # says what is being done, because it takes a while


class Saving(Value):
    """A saving in what a session costs: the tokens that it need not cost, and how to save them."""

    tokens: int
    how: str


class SessionCost(Value):
    """What one agent pays for in the first request of every session, in tokens, by where it comes from.

    `program` is -1 if nobody has measured it, `hook_seconds` if the agent has no hook of ours. `servers` are those of
    others, whose tools are not counted. `lost` are sentences about files that the agent does not read to their end.
    """

    tool: str
    name: str
    program: int = -1
    program_source: str = ""
    own: Mapping[str, int] = NOTHING
    ours: Mapping[str, int] = NOTHING
    hook: int = 0
    hook_bytes: int = 0
    hook_seconds: float = -1.0
    tools: int = 0
    tools_note: str = ""
    servers: tuple[str, ...] = ()
    savings: tuple[Saving, ...] = ()
    lost: tuple[str, ...] = ()
    cannot: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        return sum(self.own.values()) + sum(self.ours.values())

    @property
    def total(self) -> int:
        return max(0, self.program) + self.files + self.hook + self.tools


def session_costs(config: Config, adapters: Sequence[Adapter], folder: str, tell: Tell) -> list[SessionCost]:
    """Returns what a session costs with each agent; our server and hooks are run where they are set up."""
    ready = {tool for scope in SCOPES for tool in set_up_tools(config, scope)}
    if any(adapter.id in ready for adapter in adapters):
        tell("the MCP server")
    start = find_launcher()
    server = ask_server(start) if any(adapter.id in ready for adapter in adapters) else None
    return [
        session_cost(config, each, folder, (start, server) if each.id in ready else None, tell)
        for each in adapters
    ]


def session_cost(
    config: Config,
    adapter: Adapter,
    folder: str,
    setup: tuple[Launcher, ServerAnswer | None] | None,
    tell: Tell,
) -> SessionCost:
    """Returns what a session costs with one agent that is started in a folder; without `setup`, it has nothing of ours to run."""
    text, seconds = "", -1.0
    if setup and adapter.contract:
        tell(f"the hook of {adapter.name}")
        text, seconds = run_hook(config, adapter, setup[0])
    seen = see_tool(config, adapter, folder)
    server = setup[1] if setup else None
    first = adapter.first_request
    return SessionCost(
        adapter.id,
        adapter.name,
        program=first.tokens if first else -1,
        program_source=first.source if first else "",
        own=_counted(seen, ours=False),
        ours=_counted(seen, ours=True),
        hook=count(text_for_model(text)),
        hook_bytes=len(text.encode()),
        hook_seconds=seconds,
        tools=tool_tokens(adapter, server) if server and adapter.mcp else 0,
        tools_note=adapter.tool_list.note if adapter.tool_list and setup else "",
        servers=tuple(dict.fromkeys(_other_servers(config, adapter))),
        savings=tuple(savings(seen)) if seen else (),
        lost=tuple(cut_off_sentences([seen])) if seen else (),
        cannot=tuple(each.what for each in adapter.cannot) if setup else (),
    )


def _counted(seen: ToolReading | None, *, ours: bool) -> dict[str, int]:
    return {path: count(text) for path, text in seen.by_file(ours=ours).items()} if seen else {}


def savings(seen: ToolReading) -> Iterator[Saving]:
    """Yields what could be saved of the costs of a session: lines that arrive again, and a large file."""
    groups: dict[tuple[str, str], list[str]] = {}
    for line, first, again in seen.repeats():
        groups.setdefault((first, again), []).append(line)
    ours = seen.by_file(ours=True)
    for (first, again), lines in groups.items():
        both = all(line in ours.get(path, "") for line in lines for path in (first, again))
        yield Saving(count("\n".join(lines)), _how(first, again, len(lines), both=both))
    own = {path: count(text) for path, text in seen.by_file(ours=False).items()}
    path = max(own, key=lambda path: own[path], default="")
    if path and own[path] >= LARGE_FILE:
        how = f"{path} is your largest file: move what few sessions need into files that it names, to be read then"
        yield Saving(own[path], how)


def _how(first: str, again: str, lines: int, *, both: bool) -> str:
    number = "1 line" if lines == 1 else f"{lines:,} lines"
    if first == again:
        return f"{number} of {first} more than once"
    if both and first.startswith("~/") != again.startswith("~/"):
        return f"{again} repeats {number} of our page in {first}: run modicum inject again, here or with --global"
    return f"{again} repeats {number} of {first}: take what is repeated out of one of the two"


def _other_servers(config: Config, adapter: Adapter) -> Iterator[str]:
    """The names of the MCP servers in an agent's settings, without ours and those that are switched off."""
    for file in adapter.mcp:
        settings = read_settings(path_of(config, file.scope, file.path))
        # Claude Code keeps the servers of one project, seen by one person, in its file at home.
        for keys in (file.key, ("projects", str(config.root), *file.key)):
            yield from _names(_inner(settings, keys), file)


def _inner(value: object, keys: Sequence[str]) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _names(servers: object, file: SettingsFile) -> Iterator[str]:
    rows: list[tuple[object, object]] = [*servers.items()] if isinstance(servers, dict) else []
    if isinstance(servers, list) and file.shape == "list":
        rows = [(row.get("name"), row) for row in servers if isinstance(row, dict)]
    for name, row in rows:
        fields = row if isinstance(row, dict) else {}
        is_off = fields.get("disabled") is True or fields.get("enabled") is False
        if isinstance(name, str) and name != SERVER and not is_off:
            yield name
