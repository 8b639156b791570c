"""modicum adapters"""

import click

from modicum.app.inject.load import choose_tools, is_here, load_knowledge
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.decorate import json_option
from modicum.targets.model import Adapter, Limit, limits_of


@click.group()
def command() -> None:
    """The AI tools that modicum knows: where they read and how much they take."""


@command.command("list")
@json_option
def list_adapters(*, as_json: bool) -> int:
    """Every tool, its file in a project, its limit, and whether it is here.

    \b
    Example:
      modicum adapters list
    """
    config = load_config()
    shelf = load_knowledge(config)
    found = [(adapter, is_here(config, adapter)) for adapter in shelf.adapters.values()]
    if as_json:
        output.say_json(
            {
                "adapters": [_as_json(adapter, here=here) for adapter, here in found],
                "warnings": list(shelf.troubles),
            }
        )
    else:
        lines = [(a.id, a.name, _file(a), _limits(a), "found" if here else "") for a, here in found]
        output.table(("Tool", "Name", "File", "Limit", "Here"), lines)
        for trouble in shelf.troubles:
            output.warn(trouble)
    return 1 if shelf.troubles else 0


@command.command("show")
@click.argument("name")
@json_option
def show_adapter(name: str, *, as_json: bool) -> int:
    """All that is known of a tool.

    \b
    Example:
      modicum adapters show codex
    """
    config = load_config()
    (adapter,) = choose_tools(config, load_knowledge(config), (name,), every=False)
    told = _as_json(adapter, here=is_here(config, adapter))
    if as_json:
        output.say_json(told)
        return 0
    for key, value in told.items():
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
            told = {key: inner for key, inner in value.items() if inner not in ("", [], False)}
            return "; ".join(f"{key} {_words(inner)}" for key, inner in told.items())
    return str(value)


def _file(adapter: Adapter) -> str:
    paths = [target.path for target in adapter.targets if not target.globs]
    return paths[0] if paths else adapter.export_path or "clipboard"


def _limits(adapter: Adapter) -> str:
    found = {limit: None for target in (*adapter.targets, None) for limit in limits_of(adapter, target)}
    return ", ".join(map(_limit, found)) or "none"


def _limit(limit: Limit) -> str:
    return f"{limit.most:,} {limit.unit}"


def _as_json(adapter: Adapter, *, here: bool) -> dict[str, object]:
    return {
        "id": adapter.id,
        "name": adapter.name,
        "type": adapter.type,
        "here": here,
        "verbosity": adapter.verbosity,
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
        "also_reads": list(adapter.also_reads),
        "instructions": adapter.instructions,
        "source": adapter.source,
        "checked": adapter.checked,
    }
