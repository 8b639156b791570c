"""What `modicum inject` does and says once its options are known. It needs no command-line library."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from modicum.app.inject import run
from modicum.app.inject.placement import InjectRequest
from modicum.app.inject.plan import Injection, PlannedFile
from modicum.base.config import Config, load_config
from modicum.cli import output
from modicum.cli.inject import report
from modicum.cli.inject.options import request_from
from modicum.targets.change import FileState

if TYPE_CHECKING:
    from modicum.app.agents.wiring import Wiring


def answer(options: Mapping[str, Any]) -> int:
    """Do what the options ask for; the exit code says whether all is well."""
    config = load_config()
    wish = request_from(config, options)
    if options["as_status"]:
        from modicum.cli.inject import status

        return status.answer(config, wish, as_json=options["as_json"])
    if options["as_uninstall"]:
        from modicum.cli.inject import (
            uninstall,  # brings the editors of settings along, which inject does without
        )

        return uninstall.answer(config, wish, dry=options["dry_run"], as_json=options["as_json"])
    return _inject(config, wish, options)


def _inject(config: Config, wish: InjectRequest, options: Mapping[str, Any]) -> int:
    dry, as_json = options["dry_run"] or options["check"], options["as_json"]
    job = run.prepare(config, wish, strict=options["strict"], wire=options["wire"])
    for suspicion in () if as_json else job.suspicions:
        output.warn(suspicion)
    injection = run.survey(job) if dry else run.perform(job)
    wiring = _wire(job, wish, dry=dry) if options["wire"] else None
    if as_json:
        more = [] if dry else [sentence for _, sentence in _copied(config, wish, injection)]
        told = report.injection_as_json(injection, more)
        output.say_json(wires_as_json(told, wiring) if wiring else told)
    else:
        _tell(injection, options)
        report.say_warnings(injection, said=job.suspicions)
        if wiring:
            say_wires(wiring, dry=dry, diffs=options["dry_run"])
    if not (dry or as_json):
        _hand_over(config, wish, injection)
    changes = [*(o.change for o in injection.outcomes), *(w.change for w in (wiring.wired if wiring else ()))]
    stale = options["check"] and any(map(report.is_behind, changes))
    return 1 if injection.troubles or (wiring and wiring.troubles) or stale else 0


def _wire(job: run.InjectRun, wish: InjectRequest, *, dry: bool) -> "Wiring":
    from modicum.app.agents.wiring import perform_wiring, survey_wiring

    return (survey_wiring if dry else perform_wiring)(job.config, job.knowledge, wish)


def wires_as_json(told: Mapping[str, object], wiring: "Wiring") -> dict[str, object]:
    """The object with what was wired."""
    from modicum.cli.inject import wiring_output

    return wiring_output.as_json(told, wiring)


def say_wires(wiring: "Wiring", *, dry: bool, diffs: bool) -> None:
    """What was wired, below what was injected."""
    from modicum.cli.inject import wiring_output

    output.say()
    wiring_output.say(wiring, dry=dry, diffs=diffs)


def _tell(injection: Injection, options: Mapping[str, Any]) -> None:
    dry = options["dry_run"] or options["check"]
    if options["dry_run"] and not options["stats"]:
        report.say_diffs(injection)
    if options["stats"]:
        from modicum.cli.inject.table import say_stats

        say_stats(injection)
    else:
        _say_deeds(injection, dry=dry)
        _say_sum(injection, dry=dry)


def _say_deeds(injection: Injection, *, dry: bool) -> None:
    files = [outcome for outcome in injection.outcomes if _is_told(outcome)]
    rows = [
        (outcome.destination.shown_path, report.names(outcome, most=2), _what_happened(outcome, dry=dry))
        for outcome in files
    ]
    report.say_lines((*rows, *(("-", adapter.name, why) for adapter, why in injection.idle)))


def _is_told(outcome: PlannedFile) -> bool:
    return bool(outcome.change or outcome.destination.instead or outcome.failure)


def _what_happened(outcome: PlannedFile, *, dry: bool) -> str:
    if outcome.destination.instead:
        gone = f" ({report.deed(outcome, dry=dry)})" if report.is_removal(outcome) else ""
        return f"reads {outcome.destination.instead}: no second copy{gone}"
    change = outcome.change
    if not outcome.payload or (change and not change.changed and change.state is not FileState.CURRENT):
        return report.deed(outcome, dry=dry)
    loss = report.losses(outcome.page)
    return f"{report.deed(outcome, dry=dry)}, {report.size(outcome)}{f' ({loss})' if loss else ''}"


def _say_sum(injection: Injection, *, dry: bool) -> None:
    files = [outcome for outcome in injection.outcomes if outcome.change]
    changed = sum(outcome.change.changed for outcome in files if outcome.change)
    of_all = f"{changed} of {len(files)} file{'s' * (len(files) != 1)}"
    if dry:
        output.say(f"\n{of_all} would change. Nothing was written.")
    elif changed:
        tool = next(o.destination.tool.id for o in files if o.change and o.change.changed)
        output.say(f"\n{of_all} changed.")
        output.say(f"What each tool got and why: modicum explain --tool {tool}. Undo: modicum uninstall.")
    elif files:
        output.say("\nNothing changed.")


def _hand_over(config: Config, wish: InjectRequest, injection: Injection) -> None:
    """What is left for a person to do: paste a text, or tell a tool about its file."""
    for outcome, sentence in _copied(config, wish, injection):
        output.say(f"\n{sentence}")
        if sentence.endswith(NO_CLIPBOARD):
            output.say(f"\n{outcome.payload}")
    for outcome in injection.outcomes:
        if outcome.change and outcome.change.changed and outcome.payload:
            for adapter in outcome.destination.adapters:
                if adapter.type == "file-inject" and adapter.instructions:
                    output.say(f"\n{adapter.name}: {adapter.instructions}")


NO_CLIPBOARD = "There is no clipboard here, so copy the text below."


def _copied(config: Config, wish: InjectRequest, injection: Injection) -> Iterator[tuple[PlannedFile, str]]:
    """A sentence about each page for the clipboard."""
    if all(outcome.destination.place for outcome in injection.outcomes):
        return
    from modicum.app.inject.clipboard import hand_over

    for outcome, done in hand_over(config, wish, injection):
        tool = outcome.destination.tool
        word = f"{report.size(outcome)} are on the clipboard." if done else NO_CLIPBOARD
        yield outcome, f"{tool.name}: {tool.instructions} {word}"
