"""Command groups: a command with sub-commands that prints its help, and corrects a wrong sub-command's name."""

from collections.abc import Callable

import click

from modicum.base.errors import WrongUsage
from modicum.cli.commands import suggestion

_WHOLE = 1_000  # characters, which no sentence has


class SubCommand(click.Command):
    """A sub-command: names every missing argument and option at once, where click names the first one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)  # click empties the list while it parses
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as error:
            missing = self._missing(ctx, given)
            if len(missing) < 2:
                raise
            listed = f"{', '.join(missing[:-1])} and {missing[-1]}"
            raise click.UsageError(f"Missing {listed}.", ctx) from error

    def _missing(self, ctx: click.Context, args: list[str]) -> list[str]:
        values, _, _ = self.make_parser(ctx).parse_args(args)
        required = [(param, param.name or "") for param in self.get_params(ctx) if param.required]
        return [
            param.get_error_hint(ctx).strip("'")
            for param, name in required
            if name not in values or values[name] is None or param.value_is_missing(values[name])
        ]


class CommandGroup(click.Group):
    """A group of sub-commands, such as `modicum memory`: prints its help if none is given, corrects wrong names."""

    group_class = type
    command_class = SubCommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the first sentence about each sub-command, whole: click would cut a long one."""
        rows = [(name, self.commands[name].get_short_help_str(_WHOLE)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        path = ctx.command_path.removeprefix("modicum ")
        if args[0] not in self.commands:
            remedy = suggestion(args[0], self.commands, path)
            raise WrongUsage(f'there is no command "{path} {args[0]}"', remedy=remedy)
        return super().resolve_command(ctx, args)


def group(function: Callable[[], None]) -> CommandGroup:
    """Returns a command group made of a function whose docstring is the group's help."""
    return click.group(cls=CommandGroup)(function)
