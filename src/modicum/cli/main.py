"""The entry point of `modicum`: finds the command, runs it, and turns errors into messages and exit codes."""

import os
import sys
from collections.abc import Sequence

from modicum import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

_SERVERS = ("serve", "mcp", "open")  # nobody looks at them while they wait
COMPLETE = "_MODICUM_COMPLETE"  # set by the shell's completion, to what it wants


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line, and returns its exit code; the codes are explained in `exit_codes`."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _open_closed_streams()
    try:
        return _answer(arguments)
    except KeyboardInterrupt:
        from modicum.cli.failures.exit_codes import INTERRUPTED

        return INTERRUPTED
    except BrokenPipeError:
        from modicum.cli.failures.exit_codes import FAILED
        from modicum.cli.output import drop_output

        drop_output()
        sys.stderr.close()  # nobody reads on; the interpreter would complain about it at exit
        return FAILED
    except OSError as error:  # the complaint itself could not be written
        from modicum.cli.failures.complaints import complain

        return complain(error, ())


def _answer(arguments: Sequence[str]) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()  # here, where what goes wrong becomes words
        return code
    except BrokenPipeError:
        raise
    except Exception as error:
        from modicum.cli.failures.complaints import complain

        return complain(error, arguments)


def _open_closed_streams() -> None:
    """Put the null device where the caller closed a stream (`>&-`): a file of ours would get its number otherwise."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open until the end; hooks do without pathlib


def _run(arguments: Sequence[str]) -> int:
    # Answered without the command-line library, which takes four times as long to import as these take to print.
    if arguments and arguments[0] == "hook" and not {"--help", "-h"}.intersection(arguments):
        return _hook(arguments[1:])
    if COMPLETE in os.environ:
        return _complete()
    from modicum.cli.global_options import is_given, take_global_options  # not for hooks, which import little

    arguments = take_global_options(arguments)
    if not arguments or arguments[0] in ("--help", "-h"):
        from modicum.cli.commands import first_page

        return _say(first_page())
    if arguments[0] == "help":
        return _help(arguments[1:])
    if arguments[0] in ("--version", "-V", "version"):
        return _say(f"modicum {__version__}\n")
    return _verbosely(arguments) if is_given("--verbose") else _work(arguments)


def _work(arguments: Sequence[str]) -> int:
    import gc

    if arguments[0] not in _SERVERS:
        _tell_of_waits()
    # A command lives for a tenth of a second, of which looking for garbage would take a tenth.
    gc.set_threshold(50_000)
    if arguments[0] == "inject" and (code := _inject_plainly(arguments[1:])) is not None:
        return code
    if arguments[0] == "see" and (code := _see_plainly(arguments[1:])) is not None:
        return code
    if arguments[0] == "mcp" and (code := _mcp_plainly(arguments[1:])) is not None:
        return code
    return _run_command(arguments[0], arguments[1:])


def _tell_of_waits() -> None:
    from modicum.base.files import Wait
    from modicum.cli.output import warn

    Wait.listener = warn


def _verbosely(arguments: Sequence[str]) -> int:
    from modicum.cli.verbose import verbosely

    with verbosely():
        return _work(arguments)


def _complete() -> int:
    from modicum.cli.settings.completion import complete

    return complete(os.environ[COMPLETE])


def _help(words: Sequence[str]) -> int:
    if not words:
        from modicum.cli.commands import overview

        return _say(overview())
    name, rest = ("help", ()) if words[0].startswith("-") else (words[0], words[1:])
    return _run_command(name, [*rest, "--help"])


def _hook(arguments: Sequence[str]) -> int:
    from modicum.hooks.run import main as hook

    return hook(arguments)


def _say(text: str) -> int:
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


def _inject_plainly(arguments: Sequence[str]) -> int | None:
    # Run at every commit and session, so it must not wait for the library where its options are plain.
    from modicum.cli.inject.request import plain_options

    options = plain_options(arguments)
    if options is None:
        return None
    from modicum.cli.inject import run

    return run.run_inject(options)


def _see_plainly(arguments: Sequence[str]) -> int | None:
    # It is asked again and again while somebody moves files about.
    from modicum.cli.agents.run_see import plain_options, run_see

    options = plain_options(arguments)
    return None if options is None else run_see(options)


def _mcp_plainly(arguments: Sequence[str]) -> int | None:
    # Agents ask for the tools as soon as they have started the server, and some do not wait for the answer.
    from modicum.cli.agents.run_mcp import plain_options, run_mcp

    options = plain_options(arguments)
    return None if options is None else run_mcp(*options)


def _run_command(name: str, arguments: Sequence[str]) -> int:
    import click

    from modicum.cli.failures.exit_codes import INTERRUPTED

    command = find_command(name)
    try:
        code = command.main(list(arguments), prog_name=f"modicum {name}", standalone_mode=False)
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except click.Abort:
        return INTERRUPTED
    except SystemExit as end:
        if end.code != 1:  # a server that is stopped
            raise
        raise BrokenPipeError from end  # click ends so if nobody reads on
    except click.ClickException as error:
        from modicum.cli.failures.complaints import complain_about_usage

        return complain_about_usage(error, f"modicum {name}", arguments)
    return code if isinstance(code, int) else 0


def find_command(name: str) -> "click.Command":
    """Returns the command that `main` runs for a name, imported from its module; raises WrongUsage with a suggestion if there is none."""
    from importlib import import_module

    from modicum.base.errors import WrongUsage
    from modicum.cli.commands import COMMANDS, suggestion

    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        raise WrongUsage(f'there is no {kind} "{name}"', remedy=suggestion(name))
    entry = COMMANDS[name]
    command: click.Command = getattr(import_module(entry.module), entry.function)
    return command


if __name__ == "__main__":
    sys.exit(main())
