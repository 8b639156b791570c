"""Runs the command `modicum see` and prints what AI tools read; imports no click, so that it starts fast."""

from collections.abc import Mapping, Sequence

from modicum.app.counted import counted
from modicum.app.inject.load import load_knowledge, no_tool_here, tool_ids
from modicum.app.reading.tool_reading import ToolReading, folder_below, see_tools, tools_to_see, why_unread
from modicum.base.cache import cached_token_counts
from modicum.base.config import Config, load_config
from modicum.base.typing_names import Any
from modicum.cli import output
from modicum.cli.table import Row
from modicum.engine.tokens import count
from modicum.targets.model import Adapter

HEAD = ("Tool", "Your own", "Ours", "Lost", "Doubled", "Limit")
NAME_ONE = "Name yours, as in: modicum see codex; all: modicum see --all-tools"
NUMBERS = ("Your own", "Ours", "Lost", "Doubled")
_FLAGS = {"--all-tools": "all_tools", "--json": "as_json"}


def plain_options(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Returns the options of `modicum see`, parsed without click; None if only click can parse them."""
    names = ("all_tools", "costs", "live", "run_servers", "as_json")
    options: dict[str, Any] = {
        "tool": "",
        "folder": "",
        "against": "",
        "markdown": False,
        **dict.fromkeys(names, False),
    }
    words = iter(arguments)
    for word in words:
        if word in _FLAGS:
            options[_FLAGS[word]] = True
        elif word == "--in" and not (given := next(words, "-")).startswith("-"):
            options["folder"] = given
        elif word.startswith("-") or options["tool"] or not word:
            return None
        else:
            options["tool"] = word
    return options


def run_see(options: Mapping[str, Any]) -> int:
    """Runs `modicum see` with options that are parsed already, prints what tools read, and returns the exit code."""
    config = load_config()
    names = tool_ids(config, filter(None, [options["tool"]]))
    options = {**options, "tool": "".join(names)}
    if options["live"]:
        from modicum.cli.agents.see_live import see_live

        return see_live(config, options, _folder(config, options["folder"]))
    knowledge = load_knowledge(config, tools_only=True)
    adapters = tools_to_see(config, knowledge, names, every=options["all_tools"])
    if options["against"]:
        from modicum.cli.agents.see_against import say_against

        return say_against(config, adapters, options, _folder(config, options["folder"]))
    if options["costs"]:
        return _see_costs(config, adapters, options)
    readings = see_tools(config, adapters, _folder(config, options["folder"]))
    silent = [adapter for adapter in adapters if adapter.reads is None]
    unknown = {adapter.id: why_unread(adapter, knowledge.adapters.values()) for adapter in silent}
    faults = [(_bytes(reading.lost()), _bytes(reading.doubled())) for reading in readings]
    is_bad = any(map(any, faults))
    if options["as_json"]:
        output.say_json(_as_json(readings, unknown))
    elif names:
        with cached_token_counts(config.data / "cache" / "tokens"):
            _say_text(readings, unknown)
    else:
        _say_table(config, [*map(_row, readings, faults)], unknown)
        if is_bad:
            output.say("\nWhich lines: modicum see TOOL")
    return int(is_bad)


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
        _say_none(config)
    return 0


def _folder(config: Config, folder: str) -> str:
    return folder_below(config, config.here or config.root, folder)


def _say_none(config: Config) -> None:
    output.say(f"{output.capital(no_tool_here(config))}. {NAME_ONE}")


def _say_table(config: Config, rows: list[Row], unknown: Mapping[str, str]) -> None:
    if rows:
        output.table(HEAD, rows, right=NUMBERS)
    else:
        _say_none(config)
    for sentence in unknown.values():
        output.say(sentence)


def _row(reading: ToolReading, faults: tuple[int, int]) -> Row:
    lost, doubled = faults
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


def _say_text(readings: list[ToolReading], unknown: Mapping[str, str]) -> None:
    for sentence in unknown.values():
        output.say(sentence)
    for reading in readings:
        for passage in reading.reading.passages:
            by = f", imported by {passage.importer}" if passage.importer else ""
            output.say_coloured(f"── {passage.path}{by} ──", output.DIM)
            output.say(output.shown(reading.text_of(passage).replace("\r\n", "\n")))
        for path, size, why in reading.losses():
            output.say_coloured(f"── {path}: {size:,} bytes do not arrive: {why} ──", output.BAD)
        for sentence in (*reading.beyond_features(), *reading.in_older_versions()):
            output.warn(sentence)
        _say_sum(reading)


def _say_sum(reading: ToolReading) -> None:
    text = reading.reading.text(reading.files)
    doubled = reading.doubled().splitlines()
    arrive = f"{counted(len(doubled), 'line')} arrive{'s' * (len(doubled) == 1)}"
    more = f" {arrive} more than once, the first: {doubled[0]}" if doubled else ""
    where = "; ".join((reading.source(), *(f"only if {each}" for each in reading.needs())))
    output.warn(f"{reading.adapter.name} reads {count(text):,} tokens here.{more} ({where})")


def _as_json(readings: list[ToolReading], unknown: Mapping[str, str]) -> dict[str, object]:
    known = [_tool_as_json(reading) for reading in readings]
    return {"tools": [*known, *({"tool": tool, "known": False} for tool in unknown)]}


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
        "needs": [*reading.needs()],
        "own": _bytes(reading.own()),
        "ours": _bytes(reading.ours()),
        "lost": _bytes(reading.lost()),
        "doubled": _bytes(reading.doubled()),
        "limits": [{"name": n, "used": u, "most": m, "unit": unit} for n, u, m, unit in reading.limits()],
        "features": [*reading.beyond_features()],
        "older": [*reading.in_older_versions()],
        "passages": passages,
        "unread": [
            {"path": u.path, "start": u.start, "end": u.end, "why": u.why} for u in reading.reading.unread
        ],
    }


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
