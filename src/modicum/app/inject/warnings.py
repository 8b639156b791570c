"""Words the warnings of an inject: about suspicious packs, odd texts, and limits that were too small."""

from collections.abc import Iterable, Iterator

from modicum.app.inject.pages import PageMaker
from modicum.app.inject.plan import PlannedFile
from modicum.engine.page import Fate
from modicum.engine.tokens import count
from modicum.packs.model import Pack
from modicum.text.secrets import findings

UNITS = {"bytes": "bytes", "chars": "characters"}


def suspicious(maker: PageMaker) -> list[str]:
    """Returns an inject warning for each hidden character and likely secret in packs and notices."""
    notices = ((f"notice {notice.id}", notice.text) for notice in maker.notices)
    pieces = (*(piece for pack in maker.packs for piece in _pieces(pack)), *notices)
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


def about_packs(maker: PageMaker) -> list[str]:
    """Returns the inject warnings about odd texts of packs, such as a line with an unknown marker."""
    compositions = maker.compositions.values()
    return [f"{file}:{remark.line}: {remark.message}" for c in compositions for file, remark in c.remarks]


def about_pages(files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields the inject warnings about pages: a limit too small, or a file too large for its tool."""
    for planned in files:
        names = ", ".join(adapter.name for adapter in planned.destination.adapters)
        whose = planned.destination.owners.get(planned.size[2], names)
        if planned.page.fates and not planned.page.text:
            yield f"nothing fits into the limit of {whose}: raise it, or lower the verbosity"
        yield from _lost_preambles(planned, whose)
        yield from _overflow(planned, names)


def _lost_preambles(planned: PlannedFile, names: str) -> Iterator[str]:
    for key, fate in planned.page.fates.items():
        if fate is Fate.CUT and planned.page.text and key.startswith("pack:") and "/preamble" in key:
            yield f"{key} does not fit into the limit of {names}: shorten it, or raise the limit"


def _overflow(planned: PlannedFile, names: str) -> Iterator[str]:
    whole = planned.change.after if planned.change else None
    for limit in planned.destination.limits if whole and planned.payload else ():
        size = count(whole or "", limit.unit)
        if size > limit.most:
            yield (
                f"{planned.destination.shown_path} has {size:,} {UNITS.get(limit.unit, 'tokens')} in all, "
                f"more than the {limit.most:,} that {planned.destination.owners.get(limit.unit, names)} reads: "
                "shorten your own text in it"
            )
