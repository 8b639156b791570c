"""Command-line options that several commands have, each written once; those for pages are in `pages`."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import click

from modicum.base.errors import ModicumError, WrongUsage
from modicum.cli.settings.names_to_complete import (
    complete_changes,
    complete_packs,
    complete_profiles,
    complete_projects,
    complete_tools,
)

MOST = 2**31 - 1  # what every database takes

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Returns one decorator that adds several command-line options to a command."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@overload
def given_text(value: str) -> str: ...
@overload
def given_text(value: str | None) -> str | None: ...
def given_text(value: str | None) -> str | None:
    """Returns the text that an option or argument gives: the text itself, or standard input if it is "-"."""
    if value != "-":
        return value
    try:
        text = sys.stdin.read()
        text.encode()  # bytes that are no text come through as halves of characters
    except UnicodeError:
        text = "\0"
    if "\0" in text:
        raise ModicumError("standard input is no text in UTF-8", remedy="convert it, as in: iconv -t UTF-8")
    return text


def item_count(value: str | int) -> int:
    """Returns the number of items that an option says; none, or too many, is wrong usage."""
    with suppress(ValueError):
        if 1 <= (number := int(str(value)[:20])) <= MOST:
            return number
    raise click.BadParameter(f'"{value}" is no whole number from 1 to {MOST:,}.')


EMPTY = "it is empty, as if a variable were not set."


def filled(value: str) -> str:
    """Returns the text of an option or argument; an empty one is wrong usage."""
    if not value.strip():
        raise click.BadParameter(EMPTY)
    return value


class FilledPath(click.Path):
    """A path on the command line that may not be empty: that would be the folder where the user is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail(EMPTY, param, ctx)
        return super().convert(value, param, ctx)


PATH = FilledPath(path_type=Path)

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")

project_option = click.option(
    "--project",
    default="",
    metavar="NAME",
    help="By default the project you are in.",
    shell_complete=complete_projects,
)
here_option = click.option("--here", is_flag=True, help="In .modicum/config.yaml of this project.")


class ToolCommand(click.Command):
    """A command that takes AI tools as options: names the option to whoever gives them as arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        if (extra := super().parse_args(ctx, args)) and not ctx.resilient_parsing:
            are_names = all(word.replace("-", "a").isalnum() for word in extra)
            meant = f"a tool is named as in: {ctx.command_path} --tool {','.join(extra) if are_names else 'claude-code'}"
            raise WrongUsage(f'this command takes no argument such as "{extra[0]}"', remedy=meant)
        return extra


# Of inject, status, explain and uninstall: which tools, and what they get.
tool_options = together(
    click.option(
        "--tool",
        "tools",
        multiple=True,
        metavar="ID",
        help="This tool; several with commas. modicum tool list",
        shell_complete=complete_tools,
    ),
    click.option("--all-tools", is_flag=True, help="Every tool there is, found here or not."),
    click.option("--here", "scope", flag_value="project", help="Files of this project (the default)."),
    click.option(
        "--global", "scope", flag_value="global", help="Files in your home folder, for all projects."
    ),
)
trust_option = click.option(
    "--trust",
    multiple=True,
    metavar="HASH",
    help="Agree to the adapter of a project or source that has this hash.",
)
content_options = together(
    click.option(
        "--profile",
        default="",
        metavar="ID",
        help="Use this profile, this once.",
        shell_complete=complete_profiles,
    ),
    click.option("--detail", default="", metavar="LEVEL", help="summary, standard or full, this once."),
    click.option(
        "--include",
        multiple=True,
        metavar="PACK",
        help="Only these packs, and base packs.",
        shell_complete=complete_packs,
    ),
    click.option(
        "--exclude", multiple=True, metavar="PACK", help="Not these packs.", shell_complete=complete_packs
    ),
)

# Of check and its other readings.
check_options = together(
    click.option(
        "--change",
        default="",
        metavar="ID",
        help="The change that this is for; it is left out.",
        shell_complete=complete_changes,
    ),
    click.option("--limit", type=item_count, metavar="N", help="At most so many findings."),
)
