"""The report of an injection as words and JSON, for `modicum inject`, `status`, `explain` and `uninstall`."""

from collections.abc import Iterable, Iterator

from modicum.app.counted import counted
from modicum.app.inject.destination import Destination
from modicum.app.inject.plan import Injection, PlannedFile, count_losses, packs_shown
from modicum.app.inject.warnings import UNITS
from modicum.cli import output
from modicum.cli.table import width
from modicum.engine.page import Detail, Fate, Page
from modicum.engine.tokens import unit_name
from modicum.targets.change import FileChange, FileState

DETAILS = {Detail.SUMMARY: "summary", Detail.STANDARD: "standard", Detail.FULL: "full"}
WORDS = {
    FileState.CURRENT: "current",
    FileState.STALE: "stale",
    FileState.EDITED: "edited by you",
    FileState.ORPHANED: "orphaned marker",
    FileState.FOREIGN: "foreign file",
    FileState.ABSENT: "absent",
}
DID = {FileState.ABSENT: "written", FileState.FOREIGN: "replaced"}


def page_as_json(outcome: PlannedFile, tool: str) -> dict[str, object]:
    """Returns an injected page as JSON for the report: its text, its size, its tool and the file it goes to."""
    fates = outcome.page.fates
    used, limit, unit = outcome.size
    destination, change = outcome.destination, outcome.change
    return {
        "tool": tool,
        "scope": destination.scope,
        "path": destination.place.path if destination.place else None,
        "state": str(change.state) if change else None,
        "changed": change.changed if change else False,
        "prefix": prefix._asdict() if (prefix := outcome.prefix) else None,
        "detail": DETAILS[destination.detail],
        "format": destination.format,
        "status": verdict(outcome),
        "text": outcome.payload.encode("utf-8", "replace").decode(),
        "used": used,
        "limit": limit,
        "unit": unit_name(unit),
        "limit_of": destination.owners.get(unit),
        "shown": sum(fate in (Fate.SHOWN, Fate.SHORTENED) for fate in fates.values()),
        "total": len(fates),
        "omitted": sum(fate is Fate.CUT for fate in fates.values()),
        "next": None,
        "items": items(outcome.page),
    }


def items(page: Page) -> list[dict[str, object]]:
    """Returns every block of an injected page with its fate, its size and the reason, for the JSON report."""
    return [
        {"key": key, "fate": str(fate), "size": page.sizes[key], "reason": page.reasons.get(key)}
        for key, fate in page.fates.items()
    ]


def injection_as_json(injection: Injection, more: Iterable[str] = ()) -> dict[str, object]:
    """Returns the report of an injection as JSON: a page for each tool, idle tools and warnings."""
    pages = [page_as_json(o, adapter.id) for o in injection.outcomes for adapter in o.destination.adapters]
    idle = [{"tool": adapter.id, "why": why} for adapter, why in injection.idle]
    settings = settings_as_json(injection)
    return {"pages": pages, "settings": settings, "idle": idle, "warnings": [*sentences(injection), *more]}


def sentences(injection: Injection) -> list[str]:
    """Returns the warnings and notes that the report of an inject prints besides the result."""
    notes = [
        f"{outcome.destination.shown_path}: {outcome.change.note}"
        for outcome in injection.outcomes
        if outcome.change and outcome.change.note
    ]
    return [*injection.warnings, *notes, *injection.troubles]


def say_warnings(injection: Injection, *, said: Iterable[str] = ()) -> None:
    """Prints the warnings of an injection, except those that were printed before."""
    known = set(said)
    for sentence in sentences(injection):
        if sentence not in known:
            output.warn(sentence)


def names(outcome: PlannedFile, most: int = 0) -> str:
    """Returns the names of the tools that read an injected file, for the report; with `most`, only so many by name."""
    found = [adapter.name for adapter in outcome.destination.adapters]
    if not most or len(found) <= most:
        return ", ".join(found)
    return f"{', '.join(found[:most])} and {len(found) - most} more"


def undoing(destinations: Iterable[Destination], scope: str) -> str:
    """Returns the commands that take out what a run of inject in a scope has put in, for the report."""
    if scope == "global":
        return "modicum uninstall --global"
    # An export is in the home folder, because it belongs to no project.
    tools = (f" --tool {each.tool.id}" if each.scope == "global" else "" for each in destinations)
    return " and ".join(dict.fromkeys(f"modicum uninstall{tool}" for tool in tools))


def say_exports(exports: Iterable[Destination]) -> None:
    """Prints, with the report of a run in a project, which exports are in the home folder; the run leaves them alone."""
    for each in exports:
        tool = each.tool
        output.say(
            f"  ~/{each.shown_path} is an export for {tool.name}: modicum inject --tool {tool.id} makes it anew, "
            f"{undoing([each], 'project')} takes it out."
        )


def export_as_json(export: Destination) -> dict[str, object]:
    """Returns an export in the home folder as JSON for the report of a run in a project."""
    return {"tool": export.tool.id, "path": export.place.path if export.place else None}


def action(outcome: PlannedFile, *, dry: bool = False) -> str:
    """Returns what the report says of an injected file, in a few words such as "updated" or "would be taken out"."""
    change = outcome.change
    if outcome.failure:
        return "left alone (its packs are not here)" if outcome.lacks else "failed"
    is_unasked = change is not None and change.state is FileState.ABSENT and not outcome.payload
    if change is None or (not change.changed and (change.after is None or is_unasked)):
        return "nothing for it"
    if not change.changed:
        return "current" if change.state is FileState.CURRENT else f"left alone ({WORDS[change.state]})"
    if is_removal(outcome):
        return "would be taken out" if dry else "taken out"
    word = DID.get(change.state, "updated")
    return f"would be {word}" if dry else word


def kept(outcome: PlannedFile) -> str:
    """Returns, for the report, how much of the old page an injection leaves as it was, from its beginning; "" if nothing changes."""
    if not (outcome.prefix and outcome.change and outcome.change.changed):
        return ""
    return f"the first {outcome.prefix.kept:,} of {outcome.prefix.of:,} bytes as before"


def settings_rows(injection: Injection, *, dry: bool) -> Iterator[tuple[str, str, str]]:
    """Yields a row of the report for each settings file that an injection changes so that a tool reads its page."""
    for wired in injection.settings.wired if injection.settings else ():
        done = "current" if not wired.change.changed else "would be changed" if dry else "changed"
        yield wired.path, wired.tool, f"{done}: a setting, so that it reads the page"


def settings_behind(injection: Injection) -> bool:
    """Returns True if an inject has to report a tool that lacks a setting without which it does not read its page."""
    return any(wired.change.changed for wired in injection.settings.wired) if injection.settings else False


def settings_as_json(injection: Injection) -> list[dict[str, object]]:
    """Returns the settings files that an injection changes, as JSON for the report."""
    wired = injection.settings.wired if injection.settings else ()
    return [
        {"path": w.change.path, "tool": w.tool, "changed": w.change.changed, "note": w.note} for w in wired
    ]


def is_removal(outcome: PlannedFile) -> bool:
    """Returns True if the report is about a file that loses our text and gets none in its place."""
    return outcome.change is not None and outcome.change.changed and not outcome.payload


def is_behind(change: FileChange | None) -> bool:
    """Returns True if the report is about a file that is not current, so that modicum or the user has something to do."""
    return change is not None and not change.settled


def size(outcome: PlannedFile) -> str:
    """Returns how much of its limit an injected page takes, in the tool's unit, as words for the report."""
    used, limit, unit = outcome.size
    word = UNITS.get(unit, "tokens")
    if limit is None:
        return f"{used:,} {word}"
    owner = outcome.destination.owners.get(unit)
    room = f"the {limit:,} {word} that {owner} has room for" if owner else f"{limit:,} {word}"
    return f"{used:,} of {room}"


def verdict(outcome: PlannedFile) -> str:
    """Returns the report's verdict on an injected page: "OK", "OK" with what was trimmed, "too small" or "failed"."""
    destination, change, fates = outcome.destination, outcome.change, outcome.page.fates
    if outcome.failure:
        return "failed"
    if destination.is_over:
        return "no longer needed"
    if (
        change
        and not change.changed
        and change.state in (FileState.FOREIGN, FileState.ORPHANED, FileState.EDITED)
    ):
        return f"left alone ({WORDS[change.state]})"
    if not packs_shown(outcome.page) and Fate.CUT in fates.values():
        return "too small"
    return f"OK ({loss})" if (loss := losses(outcome.page)) else "OK"


def losses(page: Page) -> str:
    """Returns, for the report, how many packs an injected page left out, and how many sections it cut and shortened."""
    packs, cut, shortened = count_losses(page)
    counts = ((packs, "pack", "left out"), (cut, "section", "cut"), (shortened, "section", "shortened"))
    return ", ".join(f"{counted(number, noun)} {what}" for number, noun, what in counts if number)


def say_lines(rows: Iterable[tuple[str, ...]]) -> None:
    """Prints the lines of an inject's report in columns that are as wide as their longest cell."""
    lines = list(rows)
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)][:-1]
    for *row, last in lines:
        cells = (cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True))
        output.say("  " + "  ".join((*cells, last)).rstrip())


def say_diffs(injection: Injection) -> None:
    """Prints, with the report, the diff of every file that an injection changes."""
    for outcome in injection.outcomes:
        change = outcome.change
        if change and change.changed:
            path = outcome.destination.shown_path
            output.say_diff(output.diff_lines(change.before or "", change.after or "", path))
            output.say()
