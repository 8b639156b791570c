"""The option --live of modicum see: runs the installed program and prints what it really sends."""

import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from modicum.app.counted import counted
from modicum.app.inject.load import load_knowledge
from modicum.app.reading.see_live import LiveReading, disagreeing, live_reading
from modicum.app.reading.tool_reading import see_tool
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND

if TYPE_CHECKING:
    from modicum.targets.live.model import Disagreement


def see_live(config: Config, options: Mapping[str, Any], inner: str) -> int:
    """Runs the program of a tool against a model on loopback, and prints what it sent; returns 1 if lines are lost or doubled."""
    if not options["tool"]:
        raise WrongUsage("name the tool to run", remedy="as in: modicum see codex --live")
    # An end from outside is an end like any other: the program is ended, and its copy is deleted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    here = config.here or config.root
    folder = config.root / inner if inner else config.root if options["folder"] else here
    output.say_progress(f"Running {options['tool']} against a model on this machine …")
    found = live_reading(
        options["tool"], folder, config.home, config.environment, run_servers=options["run_servers"]
    )
    output.say_progress("")
    adapter = load_knowledge(config).adapters[options["tool"]]
    expected = see_tool(config, adapter, inner)
    differences = [
        _difference(each, found) for each in disagreeing(found, expected.texts() if expected else ())
    ]
    if options["as_json"]:
        output.say_json({**_as_json(found), "differences": differences})
    else:
        _say(found)
        for sentence in differences:
            output.warn(sentence)
    return FOUND if differences or any(file.doubled for file in found.files) else DONE


def _difference(each: "Disagreement", found: LiveReading) -> str:
    return (
        f"{each.path}:{each.line} was sent {each.sent} times, and modicum expected {each.told}. "
        f"Please report it, with the version: {found.tool} {found.version}"
    )


def _say(found: LiveReading) -> None:
    output.say(f"{found.tool} {found.version}, first request after {found.seconds:.1f} s:")
    rows = [
        ("system prompt", f"{found.system_tokens:,}"),
        ("messages", f"{found.message_tokens:,}"),
        (counted(len(found.tool_tokens), "tool"), f"{sum(found.tool_tokens.values()):,}"),
        ("in all", f"{found.total_tokens:,}"),
    ]
    output.table(("Part", "Tokens"), rows, right=("Tokens",))
    files = [
        (
            file.path,
            f"{file.tokens:,}",
            f"{file.lines:,}",
            f"{file.missing:,}",
            f"{file.doubled:,}",
            ", ".join(file.places),
        )
        for file in found.files
    ]
    if files:
        output.say()
        head = ("File", "Tokens", "Lines", "Not sent", "Sent twice", "Where")
        output.table(head, files, right=head[1:5])
    for sentence in found.limits:
        output.warn(sentence)


def _as_json(found: LiveReading) -> dict[str, object]:
    return {
        "tool": found.tool,
        "version": found.version,
        "seconds": round(found.seconds, 1),
        "tokens": {
            "system": found.system_tokens,
            "messages": found.message_tokens,
            "tools": dict(found.tool_tokens),
            "all": found.total_tokens,
        },
        "files": [
            {
                "path": f.path,
                "tokens": f.tokens,
                "lines": f.lines,
                "missing": f.missing,
                "doubled": f.doubled,
                "places": [*f.places],
            }
            for f in found.files
        ],
        "limits": [*found.limits],
    }
