"""Runs the command `modicum inject` and prints the outcome; imports no click, so that it starts fast."""

from collections.abc import Iterator, Mapping

from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.plan import Injection, PlannedFile
from modicum.base.config import Config, load_config
from modicum.base.typing_names import Any
from modicum.base.value import replace
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import report
from modicum.cli.inject.request import ready_config, request_from
from modicum.targets.change import FileState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.app.agents.wiring import Wiring
    from modicum.app.inject.clipboard import ClipboardPage
    from modicum.app.inject.totals import TotalRead

NO_CLIPBOARD = "There is no clipboard here, so copy the text below."


def run_inject(options: Mapping[str, Any]) -> int:
    """Runs `modicum inject` with options that are parsed already, prints the outcome, and returns the exit code."""
    config = load_config() if options["as_uninstall"] else ready_config(options)
    request = request_from(config, options)
    if options["as_status"]:
        from modicum.cli.inject import status

        return status.print_status(config, request, as_json=options["as_json"])
    if options["as_uninstall"]:
        from modicum.cli.inject import (
            uninstall,  # brings the editors of settings along, which inject does without
        )

        return uninstall.run_uninstall(config, request, dry=options["dry_run"], as_json=options["as_json"])
    return _inject(config, request, options)


def _inject(config: Config, request: InjectRequest, options: Mapping[str, Any]) -> int:
    dry, as_json = options["dry_run"] or options["check"], options["as_json"]
    job = run.prepare(config, request, strict=options["strict"], wire=options["wire"])
    for suspicion in () if as_json else job.suspicions:
        output.warn(suspicion)
    injection = run.survey(job) if dry else run.perform(job)
    wiring = _wire(job, request, dry=dry) if options["wire"] else None
    if as_json:
        more = [] if dry else [_about(page) for page in _copied(config, request, injection)]
        fields = report.injection_as_json(injection, more)
        if options["stats"]:
            fields["totals"] = [total._asdict() for total in _totals(job, injection)]
        output.say_json(_wires_as_json(fields, wiring) if wiring else fields)
    else:
        _print_injection(job, injection, options)
        report.say_warnings(injection, said=job.suspicions)
        if wiring:
            _say_wires(wiring, dry=dry, diffs=options["dry_run"])
    if not (dry or as_json):
        _print_what_is_left_to_do(config, request, injection)
        if _may_let_go(injection):
            return _inject(config, replace(request, lets_go=True), options)
    changes = [*(o.change for o in injection.outcomes), *(w.change for w in (wiring.wired if wiring else ()))]
    stale = options["check"] and (any(map(report.is_behind, changes)) or report.settings_behind(injection))
    nobody = bool(
        request.tools and injection.idle and not injection.outcomes
    )  # of the named tools got a page
    return FOUND if not injection.is_done or (wiring and wiring.troubles) or stale or nobody else DONE


def _may_let_go(injection: Injection) -> bool:
    """Asks, on a terminal, about pages that stayed because the packs they are made from are not here."""
    stayed = [outcome for outcome in injection.outcomes if outcome.lacks]
    if not stayed:
        return False
    from modicum.cli.questions import can_ask, says_yes

    paths = ", ".join(outcome.destination.shown_path for outcome in stayed)
    packs = ", ".join(dict.fromkeys(name for outcome in stayed for name in outcome.lacks))
    return can_ask() and says_yes(f"Take what the packs {packs} say out of {paths}?")


def _wire(job: run.InjectRun, request: InjectRequest, *, dry: bool) -> "Wiring":
    from modicum.app.agents.wiring import perform_wiring, survey_wiring

    return (survey_wiring if dry else perform_wiring)(job.config, job.knowledge, request)


def _wires_as_json(fields: Mapping[str, object], wiring: "Wiring") -> dict[str, object]:
    from modicum.cli.inject import wiring_output

    return wiring_output.as_json(fields, wiring)


def _say_wires(wiring: "Wiring", *, dry: bool, diffs: bool) -> None:
    from modicum.cli.inject import wiring_output

    output.say()
    wiring_output.say(wiring, dry=dry, diffs=diffs)


def _totals(job: run.InjectRun, injection: Injection) -> "list[TotalRead]":
    from modicum.app.inject.totals import totals_read

    return totals_read(job.config, job.placement.seen, injection)


def _print_injection(job: run.InjectRun, injection: Injection, options: Mapping[str, Any]) -> None:
    dry = options["dry_run"] or options["check"]
    if dry:
        report.say_diffs(injection)
    if options["stats"]:
        from modicum.cli.inject.stats import say_stats

        say_stats(injection, _totals(job, injection))
    else:
        _say_actions(injection, dry=dry)
    _say_sum(injection, job.placement.scope, dry=dry)
    _say_how_to_begin(job)


def _say_actions(injection: Injection, *, dry: bool) -> None:
    files = [outcome for outcome in injection.outcomes if _is_printed(outcome)]
    rows = [
        (outcome.destination.shown_path, report.names(outcome, most=2), _what_happened(outcome, dry=dry))
        for outcome in files
    ]
    rows += [*report.settings_rows(injection, dry=dry)]
    report.say_lines((*rows, *(("-", adapter.name, why) for adapter, why in injection.idle)))


def _is_printed(outcome: PlannedFile) -> bool:
    return bool(outcome.change or outcome.failure)


def _what_happened(outcome: PlannedFile, *, dry: bool) -> str:
    change = outcome.change
    if not outcome.payload or (change and not change.changed and change.state is not FileState.CURRENT):
        return report.action(outcome, dry=dry)
    loss, kept = report.losses(outcome.page), report.kept(outcome)
    said = f"{report.action(outcome, dry=dry)}, {report.size(outcome)}{f' ({loss})' if loss else ''}"
    return f"{said}, {kept}" if kept else said


def _say_sum(injection: Injection, scope: str, *, dry: bool) -> None:
    files = [outcome for outcome in injection.outcomes if outcome.change]
    settings = injection.settings.wired if injection.settings else ()
    changes = [*(outcome.change for outcome in files if outcome.change), *(each.change for each in settings)]
    changed = sum(change.changed for change in changes)
    of_all = f"{changed} of {len(changes)} file{'s' * (len(changes) != 1)}"
    if dry:
        output.say(f"\n{of_all} would change. Nothing was written.")
    elif changed:
        every = [o.destination for o in files]
        written = [o.destination for o in files if o.change and o.change.changed] or every
        output.say(f"\n{of_all} changed.")
        reason = next((f"modicum explain --tool {each.tool.id}" for each in written if not each.is_over), "")
        why = f"What each tool got and why: {reason}. " if reason else ""
        output.say(f"{why}Undo: {report.undoing(written, scope)}.")
    elif files:
        output.say("\nNothing changed.")


def _say_how_to_begin(job: run.InjectRun) -> None:
    """Prints how to get a first pack, where none is in force."""
    if not job.maker.packs:
        starters = ", ".join(pack.id for pack in job.knowledge.library.offered)
        some = f", or turn on a starter pack: modicum pack use NAME ({starters})" if starters else ""
        output.say(f"No pack is in force. Write one: modicum pack new NAME{some}.")


def _print_what_is_left_to_do(config: Config, request: InjectRequest, injection: Injection) -> None:
    """Prints what is left for a person to do: paste a text, or point a tool at its file."""
    for page in _copied(config, request, injection):
        output.say(f"\n{_about(page)}")
        if not page.done:
            output.say(f"\n{page.outcome.payload}")
    for outcome in injection.outcomes:
        if outcome.change and outcome.change.changed and outcome.payload:
            for adapter in outcome.destination.adapters:
                if adapter.type == "file-inject" and adapter.instructions:
                    output.say(f"\n{adapter.name}: {adapter.instructions}")


def _copied(config: Config, request: InjectRequest, injection: Injection) -> "Iterator[ClipboardPage]":
    if all(outcome.destination.place for outcome in injection.outcomes):
        return iter(())
    from modicum.app.inject.clipboard import hand_over

    return hand_over(config, request, injection)


def _about(page: "ClipboardPage") -> str:
    """A sentence about a page for the clipboard."""
    tool = page.outcome.destination.tool
    copied = f"{report.size(page.outcome)} are on the clipboard."
    return f"{tool.name}: {tool.instructions} {copied if page.done else NO_CLIPBOARD}"
