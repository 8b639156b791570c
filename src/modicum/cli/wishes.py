"""Options that several commands share, and the wish that they make."""

from collections.abc import Mapping
from typing import Any

import click

from modicum.app.inject import Wish
from modicum.cli.decorate import json_option, together
from modicum.config import Config
from modicum.errors import ModicumError
from modicum.views import parse_detail

__all__ = ["json_option"]

tool_options = together(
    click.option(
        "--tool",
        "tools",
        multiple=True,
        metavar="ID",
        help="This tool; may be repeated. modicum adapters list",
    ),
    click.option("--all-tools", is_flag=True, help="Every tool there is, found here or not."),
    click.option("--project", "scope", flag_value="project", help="Files of this project (the default)."),
    click.option(
        "--global", "scope", flag_value="global", help="Files in your home folder, for all projects."
    ),
)

content_options = together(
    click.option("--profile", default="", metavar="ID", help="Use this profile, this once."),
    click.option(
        "--verbosity",
        "--detail",
        "verbosity",
        default="",
        metavar="LEVEL",
        help="minimal, standard or full, this once.",
    ),
    click.option("--include", multiple=True, metavar="PACK", help="Only these packs, and base packs."),
    click.option("--exclude", multiple=True, metavar="PACK", help="Not these packs."),
)


def wish_from(config: Config, options: Mapping[str, Any]) -> Wish:
    """What the options ask for."""
    word = options.get("verbosity", "")
    try:
        detail = parse_detail(word) if word else None
    except ValueError:
        raise ModicumError(f'unknown verbosity "{word}"', remedy="use minimal, standard or full") from None
    return Wish(
        tools=tuple(options.get("tools", ())),
        all_tools=options.get("all_tools", False),
        scope=options.get("scope") or config.scope,
        exports=options.get("scope") != "project",
        profile=options.get("profile", ""),
        detail=detail,
        include=tuple(options.get("include", ())),
        exclude=tuple(options.get("exclude", ())),
        force=options.get("force", False),
    )
