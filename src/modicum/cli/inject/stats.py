"""The table of `modicum inject --stats`: a row for each tool, and below it what was left out and why."""

from collections.abc import Iterator, Mapping, Sequence

from modicum.app.counted import counted
from modicum.app.inject.plan import Injection, PlannedFile, packs_shown
from modicum.app.inject.totals import TotalRead, count_directives, too_many_directives
from modicum.cli import output
from modicum.cli.inject import report
from modicum.cli.table import Row
from modicum.engine.page import Fate
from modicum.engine.tokens import count
from modicum.targets.model import TOKENIZERS, Adapter

MOST_LOST = 12
SHORT = {"bytes": "bytes", "chars": "chars"}
HEAD = ("Tool", "Page", "Tokens", "Reads in all", "Directives", "Status")


def say_stats(injection: Injection, totals: Sequence[TotalRead]) -> None:
    """Prints the table of `modicum inject --stats`: a row for each tool, then what is on each page and what is not.

    Tokens are those of our page; the rest is about all that the tool reads.
    """
    # Of several limits, the fullest.
    by_tool = {total.tool: total for total in sorted(totals, key=lambda each: each.used / (each.most or 1))}
    output.table(HEAD, [*_rows(injection, by_tool)], right=("Tokens", "Directives"))
    for outcome in injection.outcomes:
        _say_page(outcome)
    for sentence in too_many_directives(totals):
        output.warn(sentence)


def _rows(injection: Injection, totals: Mapping[str, TotalRead]) -> Iterator[Row]:
    for outcome in injection.outcomes:
        for adapter in outcome.destination.adapters:
            yield _row(outcome, adapter, totals.get(adapter.id))
    for adapter, why in injection.idle:
        status = output.coloured(f"nothing ({why.split(':')[0]})", output.DIM)
        yield (adapter.name, "", "0", "", "", status)


def _row(outcome: PlannedFile, adapter: Adapter, total: TotalRead | None) -> Row:
    word = report.verdict(outcome)
    used, most, unit = (total.used, total.most, total.unit) if total else outcome.size
    return (
        adapter.name,
        _page_name(outcome, adapter),
        f"{count(outcome.payload, TOKENIZERS[0]):,}",
        _amount(used, most, unit) + (f" {_share(used, most)}" if most else ""),
        f"{total.directives if total else count_directives(outcome.payload):,}",
        output.coloured(word, output.GOOD if word.startswith("OK") else output.BAD),
    )


def _page_name(outcome: PlannedFile, adapter: Adapter) -> str:
    is_export = adapter.type == "file-export" and outcome.destination.place
    return "export" if is_export else outcome.destination.shown_path


def _amount(used: int, limit: int | None, unit: str) -> str:
    of_all = f"/{limit:,}" if limit is not None else ""
    return f"{used:,}{of_all}\N{NO-BREAK SPACE}{SHORT.get(unit, 'tokens')}"


def _share(used: int, limit: int) -> str:
    return f"{-(-100 * used // limit)}%"


def _say_page(outcome: PlannedFile) -> None:
    """Prints what is on a page, and what was removed, cut and shortened, each by itself."""
    destination, page = outcome.destination, outcome.page
    if not page.fates:
        return
    names = ", ".join(adapter.name for adapter in destination.adapters[:3])
    more = f" and {len(destination.adapters) - 3} more" if len(destination.adapters) > 3 else ""
    packs = ", ".join(packs_shown(page)) or "no packs"
    detail = report.DETAILS[destination.detail]
    output.say(f"\n{destination.shown_path} ({names}{more}), {detail}, {destination.format}: {packs}")
    if kept := report.kept(outcome):
        output.say(f"  {kept}")
    covered = sum(fate is Fate.COVERED for fate in page.fates.values())
    if covered:
        output.say(f"  overlaps removed {counted(covered, 'passage')} that others say")
    owner = destination.owners.get(outcome.size[2])
    why = f" for the limit of {owner}" if owner else ""
    for fate in (Fate.CUT, Fate.SHORTENED):
        _say_lost(outcome, fate, why)


def _say_lost(outcome: PlannedFile, fate: Fate, why: str) -> None:
    page = outcome.page
    lost = [key for key, was in page.fates.items() if was is fate]
    if not lost:
        return
    output.say(f"  {fate}{why}:")
    report.say_lines((f"  {key}", page.reasons[key]) for key in lost[:MOST_LOST])
    if len(lost) > MOST_LOST:
        output.say(
            f"    and {len(lost) - MOST_LOST:,} more: modicum explain --tool {outcome.destination.tool.id}"
        )
