"""Options that commands of memory share, and what they stand for."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from modicum.app.answer.amount import Amount, parse_amount
from modicum.app.answer.answer import Answer, answer_as_json, fit_lines
from modicum.app.memory.notes import open_store
from modicum.base.config import Config, load_config
from modicum.cli import output
from modicum.cli.decorate import json_option, together
from modicum.memory.model import SCOPES, Query
from modicum.memory.names import project_name
from modicum.memory.store import Store
from modicum.memory.times import parse_time

__all__ = ["json_option"]

project_option = click.option(
    "--project", default="", metavar="NAME", help="By default the project you are in."
)
all_projects_option = click.option("--all-projects", is_flag=True, help="Notes of every project.")

size_options = together(
    click.option(
        "--detail", "--verbosity", "detail", default="", metavar="LEVEL", help="summary, standard or full."
    ),
    click.option("--max-tokens", default="", metavar="N", help="At most so many tokens, whatever there is."),
    click.option(
        "--tokenizer", default="", metavar="NAME", help="What counts them: o200k_base unless you say so."
    ),
)
amount_options = together(
    size_options,
    click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier answer ended."),
)

query_options = together(
    project_option,
    all_projects_option,
    click.option(
        "--type", "kind", default="", metavar="TYPE", help="Only notes of this type: decision, bugfix, …"
    ),
    click.option("--scope", type=click.Choice(SCOPES), help="Only notes of this scope."),
    click.option("--namespace", default="", help="Only notes of this namespace."),
    click.option("--session", default="", metavar="ID", help="Only notes of this session."),
    click.option("--since", default="", metavar="DATE", help="From this day on: 2026-11-15, or with a time."),
    click.option("--until", default="", metavar="DATE", help="Up to this day."),
    click.option("--limit", default=0, metavar="N", help="At most so many notes."),
)


def sized(function: Callable[..., int]) -> Callable[..., int]:
    """Gives a command --json, --detail and --max-tokens: what it says is fitted, if less than all was asked for."""

    @wraps(function)
    def command(*, as_json: bool, detail: str, max_tokens: str, tokenizer: str, **options: Any) -> int:
        if not (detail or max_tokens):
            return function(as_json=as_json, **options)
        amount = parse_amount(detail=detail or "full", max_tokens=max_tokens, tokenizer=tokenizer)
        with output.held() as lines:
            code = function(as_json=False, **options)
        _tell(fit_lines(lines, amount), as_json=as_json)
        return code

    return together(size_options, json_option)(command)


def _tell(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        output.say_json(answer_as_json(answer))
    elif answer.page.text:
        output.say(answer.page.text)
    else:
        output.warn(f"nothing of it fits into {answer.amount.limit} tokens: say a larger --max-tokens")


def query_from(config: Config, options: Mapping[str, Any]) -> Query:
    """Which notes the options ask for."""
    return Query(
        project="" if options.get("all_projects") else project_of(config, options.get("project", "")),
        scope=options.get("scope") or "",
        type=options.get("kind", ""),
        namespace=options.get("namespace", ""),
        session=options.get("session", ""),
        since=parse_time(options["since"]) if options.get("since") else "",
        until=parse_time(options["until"], end=True) if options.get("until") else "",
        limit=max(0, options.get("limit", 0)),
    )


def amount_from(options: Mapping[str, Any]) -> Amount:
    """How much the options ask for."""
    return parse_amount(
        detail=options["detail"], max_tokens=options["max_tokens"], tokenizer=options["tokenizer"]
    )


def project_of(config: Config, name: str) -> str:
    """The project that is named, or the one that the reader is in."""
    return project_name(name or config.name)


@contextmanager
def memory() -> Iterator[tuple[Config, Store]]:
    """The configuration and the memory of this user, closed in the end."""
    config = load_config()
    store = open_store(config)
    try:
        yield config, store
    finally:
        store.close()
