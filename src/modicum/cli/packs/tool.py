"""The command modicum tool."""

import click

from modicum.app.inject.load import choose_tools, is_here, load_knowledge, tool_ids
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.inject.report import DETAILS
from modicum.cli.options import json_option
from modicum.cli.packs.tool_backups import backups, restore_file
from modicum.cli.settings.names_to_complete import complete_tools
from modicum.engine.views import parse_detail
from modicum.targets.model import Adapter, Limit, limits_of


@group
def command() -> None:
    """List and show the AI tools that modicum knows: where they read and how much they take; restore their files.

    \b
    Examples:
      modicum tool list
      modicum tool show codex
    """


command.add_command(backups)
command.add_command(restore_file)


@command.command("list")
@json_option
def list_tools(*, as_json: bool) -> int:
    """List every AI tool, its file, its limit, and if it is here.

    \b
    Example:
      modicum tool list
    """
    config = load_config()
    knowledge = load_knowledge(config)
    found = [(adapter, is_here(config, adapter)) for adapter in knowledge.adapters.values()]
    if as_json:
        output.say_json(
            {
                "tools": [_as_json(adapter, here=here) for adapter, here in found],
                "warnings": [*knowledge.warnings, *knowledge.troubles],
            }
        )
    else:
        lines = [(a.id, a.name, _file(a), _limits(a), "found" if here else "") for a, here in found]
        output.table(("Tool", "Name", "File", "Limit", "Here"), lines)
        for trouble in (*knowledge.warnings, *knowledge.troubles):
            output.warn(trouble)
    return FOUND if knowledge.troubles else DONE


@command.command("show")
@click.argument("name", shell_complete=complete_tools)
@json_option
def show_tool(name: str, *, as_json: bool) -> int:
    """Show all that is known of an AI tool.

    \b
    Example:
      modicum tool show codex
    """
    config = load_config()
    (adapter,) = choose_tools(config, load_knowledge(config), tool_ids(config, (name,)), every=False)
    fields = _as_json(adapter, here=is_here(config, adapter))
    if as_json:
        output.say_json(fields)
        return 0
    for key, value in fields.items():
        _say(key, value)
    return 0


def _say(key: str, value: object) -> None:
    if isinstance(value, list) and value:
        output.say(f"{key}:")
        for row in value:
            output.say(f"  - {_words(row)}")
    elif value not in ("", None, []):
        output.say(f"{key}: {_words(value)}")


def _words(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(str, value))
        case dict():
            fields = {key: inner for key, inner in value.items() if inner not in ("", [], False)}
            return "; ".join(f"{key} {_words(inner)}" for key, inner in fields.items())
    return str(value)


def _file(adapter: Adapter) -> str:
    paths = [target.path for target in adapter.targets if not target.globs]
    return paths[0] if paths else adapter.export_path or "clipboard"


def _limits(adapter: Adapter) -> str:
    found = {limit: None for target in (*adapter.targets, None) for limit in limits_of(adapter, target)}
    return ", ".join(dict.fromkeys((*map(_limit, found), *_read_limits(adapter)))) or "none"


def _read_limits(adapter: Adapter) -> list[str]:
    """The limits of a tool on all that it reads, in words."""
    read = [limit for limit in (adapter.reads.limits if adapter.reads else ()) if not limit.whole]
    return [f"{limit.most:,} {limit.unit}{f' ({limit.feature})' if limit.feature else ''}" for limit in read]


def _limit(limit: Limit) -> str:
    return f"{limit.most:,} {limit.unit}"


def _as_json(adapter: Adapter, *, here: bool) -> dict[str, object]:
    return {
        "id": adapter.id,
        "name": adapter.name,
        "type": adapter.type,
        "here": here,
        "detail": DETAILS[parse_detail(adapter.verbosity)],
        "format": adapter.format,
        "fit": adapter.fit,
        "limits": [_limit(limit) for limit in adapter.limits],
        "targets": [
            {
                "scope": target.scope,
                "path": target.path,
                "mode": target.mode,
                "limits": [_limit(limit) for limit in target.limits],
                "conditional": target.globs,
            }
            for target in adapter.targets
        ],
        "export_path": adapter.export_path,
        "reads": adapter.reads.source if adapter.reads else None,
        "reads_at_most": _read_limits(adapter),
        "instructions": adapter.instructions,
        "cannot": [{"what": each.what, "source": each.source} for each in adapter.cannot],
        "source": adapter.source,
        "checked": adapter.checked,
    }
