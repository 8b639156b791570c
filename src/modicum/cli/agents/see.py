"""The command modicum see."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from modicum.app.agents.see import ToolReading, see_tools, tools_to_see
from modicum.app.inject.load import load_knowledge
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.options import json_option
from modicum.cli.table import Row
from modicum.engine.tokens import count
from modicum.targets.model import Adapter

HEAD = ("Tool", "Your own", "Ours", "Lost", "Doubled", "Limit")
NONE_HERE = "No AI tool was found here. Name one, as in: modicum see codex; all: modicum see --all-tools"
NUMBERS = ("Your own", "Ours", "Lost", "Doubled")


@click.command()
@click.argument("tool", required=False, default="")
@click.option("--in", "folder", default="", metavar="FOLDER", help="As if the tool were started there.")
@click.option("--all-tools", is_flag=True, help="Every tool there is, found here or not.")
@click.option(
    "--against", default="", metavar="COMMIT", help="What has changed since a commit, tag or branch."
)
@click.option(
    "--markdown", is_flag=True, help="With --against: as Markdown, for a pull request or a CI summary."
)
@click.option("--costs", is_flag=True, help="What a session costs in tokens, and what could be saved.")
@click.option("--live", is_flag=True, help="Run the installed program, and show what it really sends.")
@click.option("--run-servers", is_flag=True, help="With --live: also start its servers and hooks.")
@json_option
def command(**options: Any) -> int:
    """See what AI tools read here: the text of one, or a table of all that are found here.

    The table tells in bytes what arrives of your own files and of ours, what is lost behind a limit, and which lines
    arrive more than once. Exit 1 if anything is lost or doubled; with --against, if lines that are still in files
    reached a tool at that commit and do not any more.

    \b
    Examples:
      modicum see                       every tool that is found here
      modicum see codex                 the exact text that Codex reads
      modicum see codex --in packages/app
      modicum see --against main        what has changed since that commit
      modicum see --costs               what a session costs before you type
      modicum see claude-code --live    what the program itself sends
    """
    config = load_config()
    if options["live"]:
        from modicum.cli.agents.see_live import see_live

        return see_live(config, options, _folder(config, options["folder"]))
    knowledge = load_knowledge(config)
    names = (options["tool"],) if options["tool"] else ()
    adapters = tools_to_see(config, knowledge, names, every=options["all_tools"])
    if options["against"]:
        from modicum.cli.agents.see_against import say_against

        return say_against(config, adapters, options, _folder(config, options["folder"]))
    if options["markdown"]:
        raise click.UsageError("--markdown needs --against")
    if options["costs"]:
        return _see_costs(config, adapters, options)
    readings = see_tools(config, adapters, _folder(config, options["folder"]))
    unknown = [adapter for adapter in adapters if adapter.reads is None]
    if options["as_json"]:
        output.say_json(_as_json(readings, unknown))
    elif names:
        _say_text(readings, unknown)
    else:
        _say_table(readings, unknown)
    return 1 if any(reading.lost() or reading.doubled() for reading in readings) else 0


def _see_costs(config: Config, adapters: list[Adapter], options: Mapping[str, Any]) -> int:
    from modicum.app.agents.costs import session_costs
    from modicum.cli.agents.costs import cost_as_json, say_costs

    def tell(what: str) -> None:
        if not options["as_json"]:
            output.say_progress(f"Asking {what} …" if what else "")

    costs = session_costs(config, adapters, _folder(config, options["folder"]), tell)
    tell("")
    if options["as_json"]:
        output.say_json({"agents": [cost_as_json(each) for each in costs]})
    elif costs:
        say_costs(costs)
    else:
        output.say(NONE_HERE)
    return 0


def _folder(config: Config, folder: str) -> str:
    """The folder as a path below the project; where the user is, by default."""
    place = (config.here or config.root) / folder if folder else config.here or config.root
    try:
        inner = place.resolve().relative_to(config.root.resolve())
    except ValueError:
        raise ModicumError(
            f"{folder} is not below the project {config.root}", remedy="name a folder of this project"
        ) from None
    if not place.is_dir():
        raise ModicumError(f"{place} is not a folder", remedy="name a folder of this project")
    return "" if inner == Path() else inner.as_posix()


def _say_table(readings: list[ToolReading], unknown: list[Adapter]) -> None:
    if readings:
        output.table(HEAD, [_row(reading) for reading in readings], right=NUMBERS)
    else:
        output.say(NONE_HERE)
    for adapter in unknown:
        output.say(f"{adapter.name}: nobody has written down what it reads (docs/adapters.md, reads)")
    if any(reading.lost() or reading.doubled() for reading in readings):
        output.say("\nWhich lines: modicum see TOOL")


def _row(reading: ToolReading) -> Row:
    lost, doubled = _bytes(reading.lost()), _bytes(reading.doubled())
    return (
        reading.adapter.name,
        f"{_bytes(reading.own()):,}",
        f"{_bytes(reading.ours()):,}",
        output.coloured(f"{lost:,}", output.BAD if lost else output.DIM),
        output.coloured(f"{doubled:,}", output.BAD if doubled else output.DIM),
        ", ".join(f"{used:,} of {most:,} {unit}" for _, used, most, unit in reading.limits()) or "none",
    )


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _say_text(readings: list[ToolReading], unknown: list[Adapter]) -> None:
    for adapter in unknown:
        output.say(f"{adapter.name}: nobody has written down what it reads (docs/adapters.md, reads)")
    for reading in readings:
        for passage in reading.reading.passages:
            by = f", imported by {passage.importer}" if passage.importer else ""
            output.say_coloured(f"── {passage.path}{by} ──", output.DIM)
            output.say(output.shown(reading.text_of(passage).replace("\r\n", "\n")))
        for path, size, why in reading.losses():
            output.say_coloured(f"── {path}: {size:,} bytes do not arrive: {why} ──", output.BAD)
        for sentence in reading.beyond_features():
            output.warn(sentence)
        _say_sum(reading)


def _say_sum(reading: ToolReading) -> None:
    text = reading.reading.text(reading.files)
    doubled = reading.doubled()
    more = (
        f" {len(doubled.splitlines())} lines arrive more than once, the first: {doubled.splitlines()[0]}"
        if doubled
        else ""
    )
    output.warn(f"{reading.adapter.name} reads {count(text):,} tokens here.{more} ({reading.source()})")


def _as_json(readings: list[ToolReading], unknown: list[Adapter]) -> dict[str, object]:
    known = [_tool_as_json(reading) for reading in readings]
    return {"tools": [*known, *({"tool": adapter.id, "known": False} for adapter in unknown)]}


def _tool_as_json(reading: ToolReading) -> dict[str, object]:
    passages = [
        {
            "path": p.path,
            "start": p.start,
            "end": p.end,
            "importer": p.importer,
            "text": _clean(reading.text_of(p)),
        }
        for p in reading.reading.passages
    ]
    return {
        "tool": reading.adapter.id,
        "known": True,
        "source": reading.source(),
        "own": _bytes(reading.own()),
        "ours": _bytes(reading.ours()),
        "lost": _bytes(reading.lost()),
        "doubled": _bytes(reading.doubled()),
        "limits": [{"name": n, "used": u, "most": m, "unit": unit} for n, u, m, unit in reading.limits()],
        "features": [*reading.beyond_features()],
        "passages": passages,
        "unread": [
            {"path": u.path, "start": u.start, "end": u.end, "why": u.why} for u in reading.reading.unread
        ],
    }


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
