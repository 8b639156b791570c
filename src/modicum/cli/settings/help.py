"""The command modicum help."""

import click


@click.command()
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
def command(words: tuple[str, ...]) -> int:
    """Print the help: every command by group, or all about one command.

    \b
    Examples:
      modicum help
      modicum help inject
      modicum help memory sessions
    """
    from modicum.cli.main import main

    return main(["help", *words])
