"""A run over all destinations: only looking, doing, or undoing. What fails at one of them does not stop the others."""

import os
from collections.abc import Callable
from dataclasses import replace

from modicum.app.gather import Shelf, open_shelf
from modicum.app.inject import (
    Destination,
    Injection,
    Kitchen,
    Outcome,
    Wish,
    destinations,
    make,
    make_kitchen,
)
from modicum.config import Config
from modicum.errors import ModicumError
from modicum.page import Detail, Page
from modicum.screen import findings
from modicum.targets.apply import Make, look, recorded, update
from modicum.targets.plan import Change, Existing, Place, Record, unplan

NOTHING = Page("", 0, {}, {}, {})

Last = Callable[[Config, Kitchen, Destination], Outcome]


def survey(config: Config, wish: Wish) -> Injection:
    """What an inject would do, without doing it."""
    return _run(config, wish, _look)


def perform(config: Config, wish: Wish, *, strict: bool = False) -> Injection:
    """Inject. With `strict`, packs that hide something or hold a likely secret are refused before anything is written."""
    return _run(config, wish, _write, strict=strict)


def survey_removal(config: Config, wish: Wish) -> Injection:
    """What an uninstall would do."""
    return _removal(config, wish, lambda place, change: change(*look(place, config.state)))


def remove(config: Config, wish: Wish) -> Injection:
    """Take everything out again: from the tools that are named, or from wherever we have written in this scope."""
    return _removal(config, wish, lambda place, change: update(place, change, config.state))


def _run(config: Config, wish: Wish, last: Last, *, strict: bool = False) -> Injection:
    shelf = open_shelf(config)
    kitchen, strangers = make_kitchen(config, shelf, wish)
    suspicions = tuple(suspicious(kitchen))
    if strict and suspicions:
        raise ModicumError(suspicions[0], remedy="mend the pack, or run without --strict")
    outcomes, troubles = [], list(shelf.troubles)
    for destination in destinations(config, shelf, kitchen):
        try:
            outcomes.append(last(config, kitchen, destination))
        except ModicumError as error:
            troubles.append(f"{destination.tool.name}: {error}")
    warnings = (
        *shelf.remarks,
        *strangers,
        *suspicions,
        *_remarks(kitchen),
        *_doubles(outcomes),
        *_shortages(outcomes),
    )
    return Injection(tuple(outcomes), tuple(dict.fromkeys(warnings)), tuple(troubles))


def _look(config: Config, kitchen: Kitchen, destination: Destination) -> Outcome:
    if destination.place is None:
        return make(kitchen, destination, Existing(None), None)
    existing, record = look(destination.place, config.state)
    return make(kitchen, destination, existing, record)


def _write(config: Config, kitchen: Kitchen, destination: Destination) -> Outcome:
    if destination.place is None:
        return _look(config, kitchen, destination)
    made: list[Outcome] = []

    def change(existing: Existing, record: Record | None) -> Change:
        made.append(make(kitchen, destination, existing, record))
        return made[-1].change or unplan(destination.place, existing, record)  # type: ignore[arg-type]

    done = update(destination.place, change, config.state)
    return replace(made[-1], change=done)


def _removal(config: Config, wish: Wish, last: Callable[[Place, Make], Change]) -> Injection:
    wish = replace(wish, all_tools=not wish.tools)
    shelf = open_shelf(config)
    kitchen, _ = make_kitchen(config, shelf, wish)
    outcomes, troubles = [], []
    for destination, place in _ours(config, shelf, kitchen):
        try:
            outcomes.append(Outcome(destination, NOTHING, "", last(place, _undoing(place, wish))))
        except ModicumError as error:
            troubles.append(f"{destination.shown_path}: {error}")
    return Injection(tuple(outcomes), troubles=tuple(troubles))


def _undoing(place: Place, wish: Wish) -> Make:
    return lambda existing, record: unplan(place, existing, record, force=wish.force)


def _ours(config: Config, shelf: Shelf, kitchen: Kitchen) -> list[tuple[Destination, Place]]:
    """Where tools have their files, and where our records say we have written."""
    root = str(config.root if kitchen.wish.scope == "project" else config.home)
    known = {(d.place.path, d.place.key): d for d in destinations(config, shelf, kitchen) if d.place}
    for part in recorded(config.state):
        tools = [shelf.adapters[name] for name in part.record.tools if name in shelf.adapters]
        asked = not kitchen.wish.tools or set(part.record.tools) & set(kitchen.wish.tools)
        if part.place.root == root and asked and tools and part.place.mode != "settings":
            shown = os.path.relpath(part.place.path, root)
            new = Destination(tuple(tools), kitchen.wish.scope, part.place, shown, Detail.FULL)
            known.setdefault((part.place.path, part.place.key), new)
    return [(destination, destination.place) for destination in known.values() if destination.place]


def suspicious(kitchen: Kitchen) -> list[str]:
    """A sentence for each hidden character and likely secret in the packs that are wanted."""
    texts = (text for pack in kitchen.packs for text in (*pack.preamble, *pack.constraints, *pack.context))
    return [
        f"{text.file}:{remark.line}: {remark.message}" for text in texts for remark in findings(text.text)
    ]


def _remarks(kitchen: Kitchen) -> list[str]:
    """What is odd about the texts: the line of a marker that nobody knows, for instance."""
    compositions = kitchen.compositions.values()
    return [f"{file}:{remark.line}: {remark.message}" for c in compositions for file, remark in c.remarks]


def _doubles(outcomes: list[Outcome]) -> list[str]:
    return [
        f"{outcome.destination.tool.name} reads {outcome.destination.instead} too, so it gets no second copy"
        for outcome in outcomes
        if outcome.destination.instead
    ]


def _shortages(outcomes: list[Outcome]) -> list[str]:
    return [
        f"nothing fits into the limit of {outcome.destination.tool.name}: raise it, or lower the verbosity"
        for outcome in outcomes
        if outcome.page.fates and not outcome.page.text
    ]
