"""modicum hook as its help describes it; `main` runs it without this module, for it must import almost nothing."""

import click

EVENTS = ("session-start", "prompt-submit", "session-end", "subagent-stop", "pre-compact")


@click.command()
@click.argument("event", type=click.Choice(EVENTS))
@click.option("--harness", default="claude-code", metavar="NAME", help="The agent that runs it, by its id.")
def command(event: str, harness: str) -> int:
    """What agents run when a session starts, goes on and ends: JSON in, the agent's own JSON out (so there is no --json).

    Whatever goes wrong, it says nothing and ends with 0; modicum doctor shows the log.

    \b
    Examples:
      modicum hook session-start --harness claude-code
      echo '{"prompt": "why slow?"}' | modicum hook prompt-submit --harness codex
    """
    from modicum.hooks.run import main

    return main((event, "--harness", harness))
