"""The command modicum inject."""

from typing import Any

import click

from modicum.cli.inject import run
from modicum.cli.options import ToolCommand, content_options, json_option, tool_options, trust_option


@click.command(cls=ToolCommand)
@tool_options
@content_options
@click.option("--dry-run", is_flag=True, help="Write nothing; show the diff of every file.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything is not current.")
@click.option("--stats", is_flag=True, help="A row for each tool, and what was left out and why.")
@click.option("--strict", is_flag=True, help="Refuse packs with hidden characters or likely secrets.")
@click.option(
    "--force", is_flag=True, help="Also replace files that modicum did not write (they are backed up)."
)
@click.option(
    "--make-room",
    is_flag=True,
    help="Where a tool's limit leaves no room, put our page above your text; says what falls off.",
)
@click.option(
    "--wire", is_flag=True, help="Also the packs' MCP servers, hooks (commands that tools run) and skills."
)
@trust_option
@click.option("--status", "as_status", is_flag=True, help="The same as: modicum status.")
@click.option("--uninstall", "as_uninstall", is_flag=True, help="The same as: modicum uninstall.")
@json_option
def command(**options: Any) -> int:
    """Put packs into the instruction files of the AI tools that are found here.

    Each tool gets as much as it can take: at its detail, inside its limit, the important first. Your own text in
    these files is left alone, and modicum uninstall gives back the same bytes.

    \b
    Examples:
      modicum inject                        into every tool found in this project
      modicum inject --dry-run              show what would change
      modicum inject --tool cursor --stats  one tool, sizes and what was left out
      modicum inject --tool chatgpt         to the clipboard, at most 1,400 bytes
      modicum inject --check                for CI: exit 1 unless all is current
    """
    return run.run_inject(options)
