"""The filters of memory as command-line options, made from their table."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.cli.options import project_option, together
from modicum.memory.filters.model import Filter, ItemKind, filters_of, parse_query
from modicum.memory.model import Query, Refused

if TYPE_CHECKING:
    from modicum.memory.store import Store

F = TypeVar("F", bound=Callable[..., Any])

METAVARS = {"session": "ID", "since": "DATE", "until": "DATE", "origin": "KIND"}


def filter_options(*kinds: ItemKind, without: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Returns a decorator that adds to a command the options for all filters that one of these kinds of items has."""
    found = [each for each in filters_of(*kinds) if each.name not in ("project", *without)]
    every = click.option("--all-projects", is_flag=True, help="Of every project.")
    return together(project_option, every, *map(_option, found))


def _option(each: Filter) -> Callable[[F], F]:
    if each.choices:
        kind = click.Choice(each.choices, case_sensitive=False)
        return click.option(f"--{each.name}", type=kind, help=each.about)
    example = f" {each.example}" if each.example else ""
    metavar = METAVARS.get(each.name, each.name.upper())
    return click.option(f"--{each.name}", metavar=metavar, help=f"{each.about}{example}")


def words_of(store: "Store", config: Config, options: Mapping[str, Any]) -> dict[str, str]:
    """Returns the words of the filters that the options of a command give, with the project that is meant."""
    words = {each.name: options.get(each.name) or "" for each in filters_of(*ItemKind)}
    project = "" if options["all_projects"] else project_of(store, config, options["project"])
    return words | {"project": project}


def query_of(store: "Store", config: Config, options: Mapping[str, Any]) -> Query:
    """Returns the query for items of memory that the options of a command ask for."""
    return asked(lambda: parse_query(words_of(store, config, options)))


def asked(parse: Callable[[], Query]) -> Query:
    """Returns what a function parses from options; what cannot be meant is wrong usage of the command."""
    try:
        return parse()
    except Refused as error:
        raise WrongUsage(error.message, remedy=error.remedy) from None
