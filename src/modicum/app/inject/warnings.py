"""Sentences about a run that a person should read: what is odd about the packs, and what came of the limits."""

from collections.abc import Iterable, Iterator

from modicum.app.inject.pages import PageMaker
from modicum.app.inject.plan import PlannedFile
from modicum.engine.page import Fate
from modicum.engine.tokens import count
from modicum.packs.model import Pack
from modicum.text.secrets import findings

UNITS = {"bytes": "bytes", "chars": "characters"}


def suspicious(kitchen: PageMaker) -> list[str]:
    """A sentence for each hidden character and likely secret in the packs that are wanted, and in notices."""
    notices = ((f"notice {notice.id}", notice.text) for notice in kitchen.notices)
    pieces = (*(piece for pack in kitchen.packs for piece in _pieces(pack)), *notices)
    return [f"{file}:{remark.line}: {remark.message}" for file, text in pieces for remark in findings(text)]


def _pieces(pack: Pack) -> Iterator[tuple[str, str]]:
    """All that a pack may bring onto a page, by where it is from."""
    yield from ((text.file, text.text) for text in (*pack.preamble, *pack.constraints, *pack.context))
    rows = {
        "pack.yaml": pack.changelog,
        "samples.yaml": [field for row in pack.samples for field in (row.label, row.description, row.url)],
        "learning.yaml": [field for row in pack.learning for field in (row.title, row.url)],
        "known_errors.yaml": [f for row in pack.known_errors for f in (row.pattern, row.cause, row.fix)],
    }
    yield from ((f"{pack.id}/{file}", "\n".join(fields)) for file, fields in rows.items() if fields)


def about_packs(kitchen: PageMaker) -> list[str]:
    """What is odd about the texts: the line of a marker that nobody knows, for instance."""
    compositions = kitchen.compositions.values()
    return [f"{file}:{remark.line}: {remark.message}" for c in compositions for file, remark in c.remarks]


def about_pages(outcomes: Iterable[PlannedFile]) -> Iterator[str]:
    """Where a limit was too small, and where a file is too large for its tool with all else that is in it."""
    for outcome in outcomes:
        names = ", ".join(adapter.name for adapter in outcome.destination.adapters)
        whose = outcome.destination.owners.get(outcome.size[2], names)
        if outcome.page.fates and not outcome.page.text:
            yield f"nothing fits into the limit of {whose}: raise it, or lower the verbosity"
        yield from _lost_preambles(outcome, whose)
        yield from _overflow(outcome, names)


def _lost_preambles(outcome: PlannedFile, names: str) -> Iterator[str]:
    for key, fate in outcome.page.fates.items():
        if fate is Fate.CUT and outcome.page.text and key.startswith("pack:") and "/preamble" in key:
            yield f"{key} does not fit into the limit of {names}: shorten it, or raise the limit"


def _overflow(outcome: PlannedFile, names: str) -> Iterator[str]:
    whole = outcome.change.after if outcome.change else None
    for limit in outcome.destination.limits if whole and outcome.payload else ():
        size = count(whole or "", limit.unit)
        if size > limit.most:
            yield (
                f"{outcome.destination.shown_path} has {size:,} {UNITS.get(limit.unit, 'tokens')} in all, "
                f"more than the {limit.most:,} that {outcome.destination.owners.get(limit.unit, names)} reads: "
                "shorten your own text in it"
            )
