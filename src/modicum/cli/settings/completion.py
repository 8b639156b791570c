"""The command modicum completion, and the answers that a shell's completion asks for. The scripts are click's."""

import click
from click.shell_completion import ShellComplete, get_completion_class, shell_complete

from modicum.base.errors import ModicumError
from modicum.cli.commands import COMMANDS
from modicum.cli.failures.exit_codes import DONE
from modicum.cli.global_options import GLOBAL_OPTIONS
from modicum.cli.main import COMPLETE, find_command

SHELLS = {
    "bash": ('eval "$(modicum completion bash)"', "~/.bashrc"),
    "zsh": ('eval "$(modicum completion zsh)"', "~/.zshrc"),
    "fish": ("modicum completion fish | source", "~/.config/fish/config.fish"),
}


class AllCommands(click.Group):
    """Every command as one click group, for a completion; the module of a command is imported when it is meant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return find_command(cmd_name) if cmd_name in COMMANDS else None

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Returns the names of commands for the completion that `modicum completion` sets up, without importing them for their help."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            click.shell_completion.CompletionItem(name, help=entry.does)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]


def all_commands() -> AllCommands:
    """Returns every command as one click group with the global options, for a completion."""
    options = [click.Option([name], is_flag=True, help=does) for name, does in GLOBAL_OPTIONS.items()]
    return AllCommands("modicum", params=[*options, click.Option(["--version"], is_flag=True)])


def complete(wanted: str) -> int:
    """Answers a shell's completion, which says in a variable what is wanted; what is wrong is no error then."""
    try:
        return shell_complete(all_commands(), {}, "modicum", COMPLETE, wanted)
    except (ModicumError, click.ClickException):
        return DONE


@click.command()
@click.argument("shell", type=click.Choice(sorted(SHELLS)))
def command(shell: str) -> int:
    """Print the script that completes commands, options and names at the Tab key.

    Names are those of your packs, tools, profiles, projects, notes and changes.

    \b
    Examples:
      modicum completion bash     in ~/.bashrc: eval "$(modicum completion bash)"
      modicum completion zsh      in ~/.zshrc: eval "$(modicum completion zsh)"
      modicum completion fish     in config.fish: modicum completion fish | source
    """
    maker = get_completion_class(shell)
    if maker is None:  # pragma: no cover - click has had all three for years
        raise click.UsageError(f"there is no completion for {shell}")
    # Not by the class for bash, which would run whatever is called bash to ask for its version.
    click.echo(ShellComplete.source(maker(all_commands(), {}, "modicum", COMPLETE)), nl=False)
    return DONE
