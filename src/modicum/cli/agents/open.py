"""The command modicum open."""

import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.agents.serve import HOST, serve, usual_port

if TYPE_CHECKING:
    from modicum.base.config import Config


@click.command()
@click.option("--demo", is_flag=True, help="Show a made-up project in a throw-away folder.")
@click.option("--print", "only_print", is_flag=True, help="Print the address; open no browser.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Listen there; as modicum serve, or any free one."
)
def command(demo: bool, only_print: bool, port: int | None) -> int:
    """Open the workbench in your browser: what every AI tool reads here, and what other settings would change.

    A server that shows this project is used if one is running; else one is started, until you press Ctrl+C.

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
    state = _look(address, config) if usual else "free"
    if state == "ours":
        _show(address, only_print=only_print)
    else:
        _serve(config, usual if state == "free" or port is not None else 0, only_print=only_print)
    return 0


def _look(address: str, config: "Config") -> str:
    """What is at an address: a server that shows this project (`ours`), something else (`taken`), or nothing (`free`)."""
    from http.client import HTTPException

    from modicum.hooks.http_client import HttpClient

    try:
        found = HttpClient(address).get("/web/about")
    except ConnectionRefusedError:
        return "free"
    except (OSError, HTTPException, ValueError):
        return "taken"
    is_ours = isinstance(found, dict) and found.get("root") == str(config.root)
    return "ours" if is_ours else "taken"


def _serve(config: "Config", port: int, *, only_print: bool) -> None:
    serve(config, (HOST, port), lambda address, _: _show(address, only_print=only_print, is_new=True))


def _show(address: str, *, only_print: bool, is_new: bool = False) -> None:
    output.say(f"The workbench is at {address}{' (stop with Ctrl+C)' if is_new else ''}")
    sys.stdout.flush()
    if not only_print:
        import webbrowser

        # A browser in the terminal would keep us from answering it.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
