"""A command with sub-commands: without one it prints its help, and a wrong name gets the right one as a suggestion."""

from collections.abc import Callable

import click

from modicum.base.errors import ModicumError
from modicum.cli.commands import suggestion


class CommandGroup(click.Group):
    """Behaves in the same way at every level: `modicum memory` and `modicum memory sessions`."""

    group_class = type

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        path = ctx.command_path.removeprefix("modicum ")
        if args[0] not in self.commands:
            remedy = suggestion(args[0], self.commands, path)
            raise ModicumError(f'there is no command "{path} {args[0]}"', remedy=remedy)
        return super().resolve_command(ctx, args)


def group(function: Callable[[], None]) -> CommandGroup:
    """Makes a group of a function whose docstring is its help."""
    return click.group(cls=CommandGroup)(function)
