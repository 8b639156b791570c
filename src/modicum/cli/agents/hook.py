"""The help of the command modicum hook; `main` runs the hook without this module, to import almost nothing."""

import click

EVENTS = ("session-start", "prompt-submit", "session-end", "subagent-stop", "pre-compact")


@click.command()
@click.argument("event", type=click.Choice(EVENTS))
@click.option("--harness", default="claude-code", metavar="NAME", help="The agent that runs it, by its id.")
def command(event: str, harness: str) -> int:
    """Run as an agent's hook when a session starts, goes on or ends: reads JSON, prints the agent's own JSON
    (there is no --json).

    Whatever goes wrong, it says nothing and ends with 0; modicum doctor shows the log.

    \b
    Examples:
      modicum hook session-start --harness claude-code
      echo '{"prompt": "why slow?"}' | modicum hook prompt-submit --harness codex
    """
    from modicum.hooks.run import main

    return main((event, "--harness", harness))
