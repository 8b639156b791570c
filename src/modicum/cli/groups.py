"""Command groups: a command with sub-commands that prints its help, and corrects a wrong sub-command's name."""

from collections.abc import Callable

import click

from modicum.base.errors import ModicumError
from modicum.cli.commands import suggestion


class CommandGroup(click.Group):
    """A group of sub-commands, such as `modicum memory`: prints its help if none is given, corrects wrong names."""

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
    """Returns a command group made of a function whose docstring is the group's help."""
    return click.group(cls=CommandGroup)(function)
