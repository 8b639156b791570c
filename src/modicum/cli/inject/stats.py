"""The table of `modicum inject --stats`: a row for each tool, and below it what was left out and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from modicum.app.inject.plan import Injection, PlannedFile, packs_shown
from modicum.app.inject.totals import TotalRead
from modicum.cli import output
from modicum.cli.inject import report
from modicum.cli.table import Row
from modicum.engine.page import Fate

BAR = 8
MOST_LOST = 12
SHORT = {"bytes": "bytes", "chars": "chars"}
HEAD = ("Tool", "Packs included", "Size", "Reads in all", "Verbosity", "Format", "Status")


def say_stats(injection: Injection, totals: Sequence[TotalRead]) -> None:
    """Prints the table of `modicum inject --stats`: a row for each tool, then what was left out and why.

    The size is that of our page, beside the room that there is for it; the total is all that the tool reads.
    """
    output.table(HEAD, [*_rows(injection, {total.tool: total for total in totals})])
    for outcome in injection.outcomes:
        _say_left_out(outcome)


def _rows(injection: Injection, totals: Mapping[str, TotalRead]) -> Iterator[Row]:
    pages = Counter(a.id for outcome in injection.outcomes for a in outcome.destination.adapters)
    for outcome in injection.outcomes:
        for adapter in outcome.destination.adapters:
            page = f" ({_page_name(outcome)})" if pages[adapter.id] > 1 else ""
            yield _row(outcome, adapter.name + page, totals.get(adapter.id))
    for adapter, why in injection.idle:
        status = output.coloured(f"nothing ({why.split(':')[0]})", output.DIM)
        yield (
            adapter.name,
            "(none)",
            "0 bytes",
            "",
            adapter.verbosity,
            adapter.format,
            status,
        )


def _page_name(outcome: PlannedFile) -> str:
    return outcome.destination.shown_path.rsplit("/", 1)[-1]


def _row(outcome: PlannedFile, name: str, total: TotalRead | None) -> Row:
    word = report.verdict(outcome)
    return (
        name,
        ", ".join(packs_shown(outcome.page)) or "(none)",
        _size(outcome),
        _amount(total.used, total.most, total.unit) if total else "not known",
        report.VERBOSITY[outcome.destination.detail],
        outcome.destination.format,
        output.coloured(word, output.GOOD if word.startswith("OK") else output.BAD),
    )


def _size(outcome: PlannedFile) -> str:
    used, limit, unit = outcome.size
    return _amount(used, limit, unit) + (f" {_bar(used, limit)}" if limit is not None else "")


def _amount(used: int, limit: int | None, unit: str) -> str:
    of_all = f"/{limit:,}" if limit is not None else ""
    return f"{used:,}{of_all}\N{NO-BREAK SPACE}{SHORT.get(unit, 'tokens')}"


def _bar(used: int, limit: int) -> str:
    full = min(BAR, round(BAR * used / limit)) if limit else BAR
    return "█" * full + "░" * (BAR - full)


def _say_left_out(outcome: PlannedFile) -> None:
    page = outcome.page
    lost = [key for key, fate in page.fates.items() if fate in (Fate.CUT, Fate.SHORTENED)]
    if not lost:
        return
    owner = outcome.destination.owners.get(outcome.size[2])
    why = f" for the limit of {owner}" if owner else ""
    names = report.names(outcome, most=3)
    output.say(f"\n{names} ({outcome.destination.shown_path}), left out or shortened{why}:")
    report.say_lines((key, str(page.fates[key]), page.reasons[key]) for key in lost[:MOST_LOST])
    if len(lost) > MOST_LOST:
        more = f"modicum explain --tool {outcome.destination.tool.id}"
        output.say(f"  and {len(lost) - MOST_LOST:,} more: {more}")
