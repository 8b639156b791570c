"""modicum search, recall and timeline"""

from collections.abc import Sequence
from typing import Any

import click

from modicum.app.answer.answer import Answer, answer_as_json
from modicum.app.memory import recall as recalling
from modicum.cli import output
from modicum.cli.options import amount_from, amount_options, json_option, memory, query_from, query_options
from modicum.memory.model import Query, SearchHit


@click.command()
@click.argument("words", nargs=-1, required=True)
@query_options
@amount_options
@click.option("--why", is_flag=True, help="Say for each hit why it is where it is.")
@json_option
def search(words: tuple[str, ...], **options: Any) -> int:
    """Find notes by a plain question; the best are told whole before others are mentioned.

    \b
    Examples:
      modicum search why did we leave redis
      modicum search '"database is locked"' --all-projects --detail full
      modicum search "#42"        modicum search auth/session-model
    """
    with memory() as (config, store):
        query = query_from(config, options)
        answer = recalling.search(
            store, " ".join(words), query, amount_from(options), cursor=options["cursor"]
        )
    tell(answer, as_json=options["as_json"], empty="No note answers that.", why=options["why"])
    return 0


@click.command()
@query_options
@amount_options
@json_option
def recall(**options: Any) -> int:
    """What a new session should know: pins, recent sessions, prompts and notes, newest first.

    \b
    Examples:
      modicum recall
      modicum recall --detail summary --max-tokens 300
    """
    with memory() as (config, store):
        query = query_from(config, options)
        answer = recalling.recall(store, query, amount_from(options), cursor=options["cursor"])
    tell(answer, as_json=options["as_json"], empty=_nothing(query))
    return 0


def _nothing(query: Query) -> str:
    if query != Query(project=query.project, limit=query.limit):
        return "There are no such notes."
    of_it = f' of "{query.project}"' if query.project else ""
    return f'There are no notes{of_it} yet. Keep one: modicum save "Title" "What and why"'


@click.command()
@click.argument("number", type=int)
@click.option("--before", default=5, show_default=True, help="Notes before it.")
@click.option("--after", default=5, show_default=True, help="Notes after it.")
@amount_options
@json_option
def timeline(number: int, **options: Any) -> int:
    """A note among those that were made around it in its session.

    \b
    Example:
      modicum timeline 42
    """
    around = {"before": max(0, options["before"]), "after": max(0, options["after"])}
    with memory() as (_, store):
        answer = recalling.timeline(store, number, amount_from(options), **around, cursor=options["cursor"])
    tell(answer, as_json=options["as_json"], empty="")
    return 0


def _say_why(hits: Sequence[SearchHit]) -> None:
    wide = max(len(str(hit.note.id)) for hit in hits)
    output.say()
    for hit in hits:
        output.say(f"  {f'#{hit.note.id}':<{wide + 1}}  {hit.score:.2f}  {'; '.join(hit.reasons)}")


def tell(answer: Answer, *, as_json: bool, empty: str, why: bool = False) -> None:
    """An answer as JSON, or its text and how to go on."""
    if as_json:
        output.say_json(answer_as_json(answer))
        return
    output.say(
        answer.page.text
        or (f"Nothing of it fits; there are {answer.total} items." if answer.total else empty)
    )
    if why and answer.hits:
        _say_why([*answer.hits.values()])
    if answer.next:
        output.warn(f"{answer.omitted} more of {answer.total}: add --cursor {answer.next}")
