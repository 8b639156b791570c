"""The command modicum open."""

import sys
import threading
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from modicum.app.memory.callers import is_at_terminal
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.agents.serve import HOST, serve, usual_port
from modicum.web.key_files import ServerRecord, read_record, write_redirect

if TYPE_CHECKING:
    from modicum.base.config import Config


FREE, TAKEN = "free", "taken"
KEYLESS = "the page opens for a person at a terminal: run modicum open in one"


@click.command()
@click.option("--demo", is_flag=True, help="Show a made-up project in a throw-away folder.")
@click.option(
    "--print", "only_print", is_flag=True, help="Print an address that opens it once; start no browser."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Listen there; as modicum serve, or any free one."
)
def command(demo: bool, only_print: bool, port: int | None) -> int:
    """Open the workbench in your browser: what every AI tool reads here, and what other settings would change.

    A server that shows this project is used if one is running; else one is started, until you press Ctrl+C.
    The page opens with a key, which is good once and for a minute, so that no other program opens it in your name.

    \b
    Examples:
      modicum open
      modicum open --demo
    """
    if demo:
        from modicum.app.demo import make_demo

        with TemporaryDirectory(prefix="modicum-demo-") as folder:
            _serve(make_demo(Path(folder)), port or 0, only_print=only_print)
        return 0
    config = load_config()
    usual = usual_port(config.environment) if port is None else port
    address = f"http://{HOST}:{usual}"
    found = _look(usual, config) if usual else FREE
    if isinstance(found, ServerRecord):
        _show(config, address, found.secret, only_print=only_print)
    else:
        _serve(config, usual if found == FREE or port is not None else 0, only_print=only_print)
    return 0


def _look(port: int, config: "Config") -> "ServerRecord | str":
    """What is at a port: a server of ours that shows this project, something else (`taken`), or nothing (`free`)."""
    from http.client import HTTPException

    from modicum.hooks.http_client import HttpClient
    from modicum.web.keys import proof_of

    question = token_urlsafe(16)
    try:
        told = HttpClient(f"http://{HOST}:{port}").get("/web/about", question=question)
    except ConnectionRefusedError:
        return FREE
    except (OSError, HTTPException, ValueError):
        return TAKEN
    record = read_record(config.data, port)
    # Any program may listen there. Only the server that wrote the file of this port knows the answer.
    if record is None or told != {"proof": proof_of(record.secret, question)}:
        return TAKEN
    return record if record.root == str(config.root) else TAKEN


def _serve(config: "Config", port: int, *, only_print: bool) -> None:
    from modicum.web.keys import KEYS

    def ready(address: str, _: str) -> None:
        _show(config, address, KEYS.secret, only_print=only_print, is_new=True)

    serve(config, (HOST, port), ready)


def _show(config: "Config", address: str, secret: str, *, only_print: bool, is_new: bool = False) -> None:
    """Tells where the page is, and opens it: with a key for a person at a terminal, and for nobody else."""
    from modicum.web.keys import address_with_key

    ending = " (stop with Ctrl+C)" if is_new else ""
    is_person = is_at_terminal(config.environment, has_terminal=output.has_terminal())
    if is_person and only_print:
        output.say(f"The workbench is at {address_with_key(address, secret)}{ending}")
        output.say("That address opens it once, and within a minute.")
    else:
        output.say(f"The workbench is at {address}{ending}")
    if not is_person:
        output.warn(KEYLESS)
    sys.stdout.flush()
    if not only_print:
        place = (
            write_redirect(config.data, address_with_key(address, secret)).as_uri() if is_person else address
        )
        _start_browser(place, waits=not is_new)


def _start_browser(place: str, *, waits: bool) -> None:
    """Opens a page in the browser. A browser in the terminal would keep us from answering it, unless another server does."""
    import webbrowser

    thread = threading.Thread(target=webbrowser.open, args=(place,), daemon=True)
    thread.start()
    if waits:
        thread.join()
