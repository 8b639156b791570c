"""Options that several commands share."""

import click

from modicum.cli.decorate import json_option, together

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
