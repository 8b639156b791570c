"""The command modicum spec."""

from typing import Any

import click

from modicum.app.specs import project as projects
from modicum.app.specs import sections as spec_sections
from modicum.app.specs.changes import complaint_as_json
from modicum.app.specs.check import check, review
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import check_options, given_text, json_option
from modicum.cli.pages import amount_options, print_sections
from modicum.cli.remedies import command_wording
from modicum.cli.specs.check import print_findings
from modicum.cli.store import open_memory_if_possible

path_option = click.option("--path", default="", metavar="FOLDER", help="Only this folder of the project.")


@group
def command() -> None:
    """Write and review the documents of a project: principles, charter, requirements, rules, design, tasks.

    \b
    Examples:
      modicum spec scan
      modicum spec context
    """


@command.command("init")
@click.argument("name")
@click.argument("description")
@click.option("--mode", default="guided", show_default=True, type=click.Choice(projects.MODES))
@json_option
def init(name: str, description: str, mode: str, *, as_json: bool) -> int:
    """Begin the documents of a project: docs/project.json.

    \b
    Example:
      modicum spec init Shop "Sells books to readers in three countries"
    """
    config = load_config()
    found = projects.init_project(config, name, description, mode)
    file = projects.next_file(config, found)
    if as_json:
        about = {"name": found.name, "mode": found.mode, "current_stage": found.current, "next_file": file}
        output.say_json(about)
    else:
        output.say(f"{found.name} is begun, and at {found.current}.")
        output.say(_next(file))
    return 0


@command.command("advance")
@click.option("--stage", default="", help="Only if the project is at this stage.")
@click.option("--content", help="The text; - reads it from standard input. By default, what its file says.")
@click.option(
    "--scores", default="", metavar="NAME:N,…", help="Of the stage clarify: how clear each dimension is."
)
@click.option(
    "--replace", is_flag=True, help="Put the text in the place of what somebody wrote into the file."
)
@click.option(
    "--despite", default="", metavar="REASON", help="Pass a shut gate. The reason is kept, for all to read."
)
@json_option
def advance(**options: Any) -> int:
    """Finish the current stage of the project and begin the next one.

    \b
    Example:
      modicum spec advance --stage charter --content - < charter.md
    """
    content = given_text(options["content"])
    with open_memory_if_possible() as (config, store):
        written = projects.write_stage(
            config,
            store,
            options["stage"],
            content=content,
            scores=options["scores"],
            despite=options["despite"],
            replacing=options["replace"],
        )
        file = projects.next_file(config, written.project)
    return _print_written(written, file, as_json=options["as_json"])


@command.command("back")
@click.argument("stage")
@json_option
def back(stage: str, *, as_json: bool) -> int:
    """Take up an earlier stage again. Files stay as they are.

    \b
    Example:
      modicum spec back design
    """
    config = load_config()
    found = projects.back_to(config, stage)
    file = projects.next_file(config, found)
    if as_json:
        output.say_json({"current_stage": found.current, "next_file": file})
    else:
        output.say(f"{found.name} is at {found.current} again.")
        output.say(_next(file))
    return 0


@command.command("context")
@click.option("--stage", default="", help="The document of this stage, whole.")
@amount_options
@json_option
def context(stage: str, **options: Any) -> int:
    """Show where a project stands: documents, changes, decisions.

    \b
    Examples:
      modicum spec context --detail summary
      modicum spec context --stage requirements
    """
    config = load_config()
    sections = (
        spec_sections.document(config, stage) if stage else spec_sections.standing(config, command_wording)
    )
    return print_sections(sections, options, empty="There is nothing yet.", usual="standard")


@command.command("suggest")
@click.argument("words", nargs=-1, required=True)
@check_options
@amount_options
@json_option
def suggest(words: tuple[str, ...], **options: Any) -> int:
    """Suggest what to read before a task: the findings of the check.

    \b
    Example:
      modicum spec suggest "paginate the order list" --max-tokens 800
    """
    return print_findings(check, words, options)


@command.command("review")
@click.argument("words", nargs=-1)
@check_options
@amount_options
@json_option
def review_change(words: tuple[str, ...], **options: Any) -> int:
    """List what a reviewer holds a change against, with boxes.

    \b
    Example:
      modicum spec review "paginate the order list"
    """
    return print_findings(review, words, options)


@command.command("audit")
@path_option
@amount_options
@json_option
def audit(path: str, **options: Any) -> int:
    """Audit which requirements the code mentions, and which not. It also lists ids that nobody defined.

    \b
    Example:
      modicum spec audit --path src
    """
    sections = spec_sections.requirements(load_config(), path)
    return print_sections(sections, options, empty="No requirement has an id.", usual="standard")


@command.command("scan")
@click.argument("path", default="", required=False)
@amount_options
@json_option
def scan(path: str, **options: Any) -> int:
    """Scan a project: manifests, layout, conventions, tests and more. Never outside of the project.

    \b
    Examples:
      modicum spec scan
      modicum spec scan services/billing --detail full
    """
    sections = spec_sections.contents(load_config(), path)
    return print_sections(sections, options, empty="There is nothing here.", usual="standard")


@command.command("bootstrap")
@json_option
def bootstrap(*, as_json: bool) -> int:
    """Write a project's first artifacts from a scan. They are drafts, and say so.

    \b
    Example:
      modicum spec bootstrap
    """
    started = projects.bootstrap(load_config())
    if as_json:
        output.say_json({"written": list(started.written), "skipped": list(started.skipped)})
        return 0
    for path in started.written:
        output.say(f"{path} is written, as a draft")
    for path in started.skipped:
        output.say(f"{path} is there already")
    return 0


def _next(file: str) -> str:
    return f"Next: write {file}, then: modicum spec advance" if file else "All documents are finished."


def _print_written(written: projects.StageResult, file: str, *, as_json: bool) -> int:
    code = 0 if written.advanced else 1
    if as_json:
        output.say_json(
            {
                "stage": written.stage.id,
                "file": written.file,
                "next_file": file or None,
                "to_mend": list(written.to_mend),
                "advanced": written.advanced,
                "current_stage": written.project.current or None,
                "clarity_score": written.project.clarity,
                "complaints": [complaint_as_json(each) for each in written.complaints],
                "warnings": [each.worded(command_wording) for each in written.remarks],
            }
        )
        return code
    for complaint in written.complaints:
        output.warn(f"{complaint.severity}: {complaint}")
    for remark in written.remarks:
        output.warn(remark.worded(command_wording))
    if written.advanced:
        output.say(f"{written.stage.id} is finished: {written.file}")
        output.say(_next(file))
    else:
        output.say(f"The project stays at {written.stage.id}.")
        scores = " --scores NAME:N,…" if "clarity" in written.stage.checks else ""
        output.say(f"Edit {' and '.join(written.to_mend)}, then: modicum spec advance{scores}")
    return code
