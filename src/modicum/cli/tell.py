"""How an injection is told: as JSON, as lines, as a table, as a diff."""

from collections.abc import Iterable, Mapping

from modicum.app.inject import Injection, Outcome, packs_shown, size_of
from modicum.cli import output
from modicum.page import Fate, Page
from modicum.targets.plan import Change, State

DID = {State.ABSENT: "written", State.STALE: "updated", State.EDITED: "updated", State.FOREIGN: "replaced"}
UNITS = {"bytes": "bytes", "chars": "characters"}
BAR = 10


def page_as_json(outcome: Outcome, tool: str) -> dict[str, object]:
    """A page in the one shape that pages have as JSON."""
    fates = outcome.page.fates
    used, limit, unit = size_of(outcome)
    place, change = outcome.destination.place, outcome.change
    return {
        "tool": tool,
        "scope": outcome.destination.scope,
        "path": place.path if place else None,
        "state": str(change.state) if change else None,
        "verbosity": outcome.destination.detail.name.lower(),
        "format": outcome.destination.format,
        "text": outcome.payload.encode("utf-8", "replace").decode(),
        "used": used,
        "limit": limit,
        "unit": unit,
        "shown": sum(fate in (Fate.SHOWN, Fate.SHORTENED) for fate in fates.values()),
        "total": len(fates),
        "omitted": sum(fate is Fate.CUT for fate in fates.values()),
        "next": None,
        "items": items(outcome.page),
    }


def items(page: Page) -> list[dict[str, object]]:
    """Every block of a page with its fate."""
    return [
        {"key": key, "fate": str(fate), "size": page.sizes[key], "reason": page.reasons.get(key)}
        for key, fate in page.fates.items()
    ]


def injection_as_json(injection: Injection) -> dict[str, object]:
    """All pages, one for each tool, and what a person should know."""
    pages = [page_as_json(o, adapter.id) for o in injection.outcomes for adapter in o.destination.adapters]
    return {"pages": pages, "warnings": [*injection.warnings, *injection.troubles]}


def names(outcome: Outcome) -> str:
    """The tools that read a destination."""
    return ", ".join(adapter.name for adapter in outcome.destination.adapters)


def deed(change: Change | None, *, dry: bool = False) -> str:
    """What was (or would be) done to a file, in a word or two."""
    if change is None:
        return "nothing to do"
    if change.after is None:
        return ("would remove" if dry else "removed") if change.changed else "nothing to do"
    if not change.changed:
        return {State.CURRENT: "current"}.get(change.state, f"left alone ({change.state})")
    return f"would be {DID.get(change.state, 'updated')}" if dry else DID.get(change.state, "updated")


def size(outcome: Outcome) -> str:
    """How much of its limit a page takes, in the tool's unit."""
    used, limit, unit = size_of(outcome)
    word = UNITS.get(unit, "tokens")
    return f"{used:,} {word}" if limit is None else f"{used:,} of {limit:,} {word}"


def say_lines(rows: Iterable[tuple[str, str, str]]) -> None:
    """Columns that are as wide as they need to be."""
    lines = list(rows)
    widths = [max((len(row[column]) for row in lines), default=0) for column in (0, 1)]
    for row in lines:
        output.say(f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip())


def say_warnings(injection: Injection) -> None:
    """What a person should know, beside the answer."""
    for sentence in (*injection.warnings, *injection.troubles):
        output.warn(sentence)
    for outcome in injection.outcomes:
        if outcome.change and outcome.change.note:
            output.warn(f"{outcome.destination.shown_path}: {outcome.change.note}")


def say_stats(injection: Injection) -> None:
    """A row for each tool, then what was left out and why."""
    rows = []
    for outcome in injection.outcomes:
        used, limit, _ = size_of(outcome)
        rows.append(
            (
                output.coloured(names(outcome), ""),
                ", ".join(packs_shown(outcome.page)) or "(none)",
                f"{size(outcome)} {_bar(used, limit)}".strip(),
                outcome.destination.detail.name.lower().replace("summary", "minimal"),
                outcome.destination.format,
                _coloured_verdict(outcome),
            )
        )
    output.table(("Tool", "Packs included", "Size", "Verbosity", "Format", "Status"), rows)
    for outcome in injection.outcomes:
        _say_left_out(outcome)


def _bar(used: int, limit: int | None) -> str:
    if not limit:
        return ""
    full = min(BAR, round(BAR * used / limit))
    return "▕" + "█" * full + " " * (BAR - full) + "▏"


def _coloured_verdict(outcome: Outcome) -> str:
    word = verdict(outcome)
    return output.coloured(word, output.GOOD if word.startswith("OK") else output.BAD)


def verdict(outcome: Outcome) -> str:
    """OK, and what that cost; or that there was too little room for anything."""
    if outcome.destination.instead:
        return f"OK (reads {outcome.destination.instead})"
    fates = outcome.page.fates
    if fates and not packs_shown(outcome.page) and any(fate is Fate.CUT for fate in fates.values()):
        return "too small"
    trimmed, shortened = _losses(fates)
    words = [
        f"{n} {noun}{'s' * (n != 1)} {what}"
        for n, noun, what in ((len(trimmed), "pack", "trimmed"), (shortened, "section", "shortened"))
        if n
    ]
    return f"OK ({', '.join(words)})" if words else "OK"


def _losses(fates: Mapping[str, Fate]) -> tuple[list[str], int]:
    """The packs of which nothing is left, and how many sections others have lost or have in a shorter form."""
    by_pack: dict[str, list[Fate]] = {}
    for key, fate in fates.items():
        if ":" in key and not key.startswith("news:") and fate not in (Fate.HIDDEN, Fate.COVERED):
            by_pack.setdefault(key.split(":")[1].split("/")[0], []).append(fate)
    trimmed = [pack for pack, found in by_pack.items() if set(found) == {Fate.CUT}]
    rest = (fate for pack, found in by_pack.items() if pack not in trimmed for fate in found)
    return trimmed, sum(fate in (Fate.CUT, Fate.SHORTENED) for fate in rest)


def _say_left_out(outcome: Outcome) -> None:
    lost = {
        key: outcome.page.reasons[key]
        for key, fate in outcome.page.fates.items()
        if fate in (Fate.CUT, Fate.SHORTENED)
    }
    if lost:
        output.say(
            f"\n{names(outcome)} ({outcome.destination.shown_path}): {len(lost)} left out or shortened"
        )
        say_lines((f"{key}", str(outcome.page.fates[key]), reason) for key, reason in list(lost.items())[:12])
        if len(lost) > 12:
            output.say(f"  and {len(lost) - 12} more: modicum explain --tool {outcome.destination.tool.id}")


def say_diffs(injection: Injection) -> None:
    """What would change in every file."""
    for outcome in injection.outcomes:
        change = outcome.change
        if change and change.changed:
            path = outcome.destination.shown_path
            output.say_diff(output.diff_lines(change.before or "", change.after or "", path))
            output.say()
