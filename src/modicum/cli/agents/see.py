"""The command modicum see."""

from typing import Any

import click

from modicum.cli.agents.run_see import run_see
from modicum.cli.options import json_option
from modicum.cli.settings.names_to_complete import complete_tools


@click.command()
@click.argument("tool", required=False, default="", shell_complete=complete_tools)
@click.option("--in", "folder", default="", metavar="FOLDER", help="As if the tool were started there.")
@click.option("--all-tools", is_flag=True, help="Every tool there is, found here or not.")
@click.option(
    "--against", default="", metavar="COMMIT", help="What has changed since a commit, tag or branch."
)
@click.option(
    "--markdown", is_flag=True, help="With --against: as Markdown, for a pull request or a CI summary."
)
@click.option("--costs", is_flag=True, help="What a session costs in tokens, and what could be saved.")
@click.option("--live", is_flag=True, help="Run the installed program, and show what it really sends.")
@click.option("--run-servers", is_flag=True, help="With --live: also start its servers and hooks.")
@json_option
def command(**options: Any) -> int:
    """See what AI tools read here: the text of one, or a table of all that are found here.

    The table tells in bytes what arrives of your own files and of ours, what is lost behind a limit, and which lines
    arrive more than once. Exit 1 if anything is lost or doubled; with --against, if lines that are still in files
    reached a tool at that commit and do not any more.

    \b
    Examples:
      modicum see                       every tool that is found here
      modicum see codex                 the exact text that Codex reads
      modicum see codex --in packages/app
      modicum see --against main        what has changed since that commit
      modicum see --costs               what a session costs before you type
      modicum see claude-code --live    what the program itself sends
    """
    if options["markdown"] and not options["against"]:
        raise click.UsageError("--markdown needs --against")
    return run_see(options)
