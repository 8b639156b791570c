"""The command modicum serve."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.base.extras import check_mcp, has_meaning
from modicum.cli import output

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from modicum.base.config import Config
    from modicum.http.guard import Guard
    from modicum.http.routes import RouteTable
    from modicum.mcp.family import OfferedTools
    from modicum.memory.store import Store

HOST, PORT = "127.0.0.1", 7437
PORT_VARIABLES = ("MODICUM_PORT", "ENGRAM_PORT")
RATE, BURST = 100.0, 5


@click.command()
@click.argument("port_argument", metavar="[PORT]", type=click.IntRange(0, 65535), required=False)
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"{PORT} unless MODICUM_PORT says otherwise; 0: any."
)
@click.option("--host", default=HOST, show_default=True, help="Another address than loopback needs a token.")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Ask clients for the token in this file; MODICUM_TOKEN works, too.",
)
@click.option(
    "--tools",
    multiple=True,
    metavar="NAMES",
    help="Tools at /mcp, as in modicum mcp: core unless you say so.",
)
@click.option("--rate", type=float, default=RATE, show_default=True, metavar="N",
              help="Requests a second of each person, once there are tokens; 0: any.")  # fmt: skip
def command(
    port_argument: int | None,
    port: int | None,
    host: str,
    token_file: Path | None,
    tools: tuple[str, ...],
    rate: float,
) -> int:
    """Serve memory, packs and specs over HTTP, to programs on this machine. Our routes are under /v1, tools for agents
    at /mcp, the workbench for people at /; engram's plugins find engram's routes.

    Several servers may share one PostgreSQL. While there is a token of modicum team token new,
    everybody needs one. It says at the start who may come in.

    \b
    Examples:
      modicum serve
      modicum serve 8123
      curl 'http://127.0.0.1:7437/v1/recall?project=shop&max_tokens=500'
    """
    from modicum.app.memory.callers import is_at_terminal
    from modicum.app.memory.engram_data import about_engram_data
    from modicum.web.keys import KEYS, address_with_key

    config = load_config()
    if sentence := about_engram_data(config):
        output.warn(sentence)
    if tools:
        _choose(tools)  # says at once what is wrong with them

    def say(address: str, who: str) -> None:
        output.say(f"Serving memory on {address} (stop with Ctrl+C)")
        output.say_wrapped(who)
        if sys.stdout.isatty() and is_at_terminal(config.environment, has_terminal=True):
            output.say(
                f"The page: modicum open; or, once and within a minute: {address_with_key(address, KEYS.secret)}"
            )
        sys.stdout.flush()

    port = port_argument if port is None else port
    place = (host, usual_port(config.environment) if port is None else port)
    serve(config, place, say, token=_token(token_file, config.environment), tools=tools, rate=rate)
    return 0


def serve(
    config: "Config",
    place: tuple[str, int],
    ready: Callable[[str, str], None],
    *,
    token: str = "",
    tools: Sequence[str] = (),
    rate: float = RATE,
) -> None:
    """Serves everything as `modicum serve` does, at a host and port, until it is stopped; tells its address when it is ready."""
    from modicum.app.memory.callers import token_needed
    from modicum.app.memory.notes import open_store
    from modicum.compat.engram.http.health import HEALTH_TABLE
    from modicum.http.guard import guard_for
    from modicum.http.limits.requests import Rate
    from modicum.http.listen import bind, run
    from modicum.http.routes import LazyTable
    from modicum.http.server import OWN_TABLE, HttpApp
    from modicum.web.live_events import PATH, LiveEvents

    host = place[0]
    store = open_store(config, "http")
    guard = guard_for(host, token, people=token_needed(store))
    listening = bind(*place)
    # A service manager stops us in this way, and it is no failure.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        with _known_to_owner(config, listening.getsockname()[1]):
            ready(address, _who_may_come_in(store, guard))
            live = LiveEvents(config.data)
            beside: Mapping[str, ASGIApp] = {"/mcp": _mcp_app(config, store, tools), PATH: live}
            limit, workbench = (
                Rate(rate, BURST * rate),
                LazyTable("/web", _workbench_routes, others=("/", "/web")),
            )
            with _found_by_meaning(config, store):
                tables = (OWN_TABLE, workbench, HEALTH_TABLE, LazyTable("", _engram_routes))
                app = HttpApp(store, guard, beside, limit, tables=tables, config=config)
                run(app, listening, live.close)
    finally:
        store.close()


@contextmanager
def _known_to_owner(config: "Config", port: int) -> Iterator[None]:
    """Keeps, while the server runs, the file from which a terminal of its owner makes keys of its page."""
    from modicum.web.key_files import ServerRecord, remove_old_redirects, remove_record, write_record
    from modicum.web.keys import KEYS

    try:
        write_record(config.data, port, ServerRecord(str(config.root), KEYS.secret))
    except ModicumError as error:
        output.warn(f"modicum open will not find this server: {error}")
    try:
        yield
    finally:
        remove_record(config.data, port, KEYS.secret)
        remove_old_redirects(config.data)


def _found_by_meaning(config: "Config", store: "Store") -> AbstractContextManager[None]:
    # A server without a model answers before anything of this is loaded.
    if not has_meaning():
        return nullcontext()
    from modicum.app.memory.upkeep.meaning import found_by_meaning

    return found_by_meaning(config, store)


def _workbench_routes() -> "RouteTable":
    from modicum.web.routes import WEB

    return WEB


def _engram_routes() -> "RouteTable":
    from modicum.compat.engram.http.routes import ENGRAM

    return ENGRAM


def _who_may_come_in(store: "Store", guard: "Guard") -> str:
    from modicum.app.memory.tokens import is_open, people_with_tokens

    people = people_with_tokens(store)
    known = f"{people} {'person' if people == 1 else 'people'} with a token (modicum team token list)"
    whence = "from other machines, too" if guard.is_reachable else "from this machine"
    if guard.token:
        return f"Who may come in, {whence}: whoever has the token of this server, and {known}."
    if guard.is_reachable or not is_open(store):
        return f"Who may come in, {whence}: {known}."
    return "Who may come in: every program on this machine, without a token; nobody from other machines."


def _choose(tools: Sequence[str]) -> "OfferedTools":
    from modicum.mcp.sets import choose_tools

    return choose_tools(tools)


def _mcp_app(config: "Config", store: "Store", tools: Sequence[str]) -> "ASGIApp":
    """An application that is made with its tools at the first request to it: others need not wait for that."""

    @cache
    def made() -> "ASGIApp":
        check_mcp()
        from modicum.mcp.tool import ToolContext
        from modicum.mcp.web import McpWebApp

        return McpWebApp(ToolContext(config, store), _choose(tools))

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        try:
            found = made()
        except ModicumError as error:
            found = _refusal(error)
        await found(scope, receive, send)

    return app


def _refusal(error: ModicumError) -> "ASGIApp":
    from http import HTTPStatus

    from starlette.responses import Response

    from modicum.http.replies import Problem, problem_reply

    reply = problem_reply(Problem(HTTPStatus.NOT_IMPLEMENTED, error.message, str(error.remedy)))
    return Response(reply.body, reply.status, media_type=reply.content_type)


def usual_port(environment: Mapping[str, str]) -> int:
    """Returns the port that `modicum serve` takes if the command names none."""
    named = ((name, environment.get(name, "").strip()) for name in PORT_VARIABLES)
    name, word = next(((name, word) for name, word in named if word), ("", str(PORT)))
    if not (word.isascii() and word.isdigit() and int(word) <= 65535):
        raise ModicumError(f'{name} is "{word}"', remedy="give a number from 0 to 65535")
    return int(word)


def _token(file: Path | None, environment: Mapping[str, str]) -> str:
    if file is None:
        return environment.get("MODICUM_TOKEN", "").strip()
    token = file.read_text(encoding="utf-8").strip()
    if not token:
        raise ModicumError(f"{file} is empty", remedy="write a token into it")
    return token
