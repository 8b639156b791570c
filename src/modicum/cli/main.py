"""The entry point of `modicum`: finds the command, runs it, and turns errors into messages and exit codes."""

import sys
from collections.abc import Sequence

from modicum import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

FAILED, USAGE, BUG, INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line. Returns its exit code: 1 for an expected error, 2 for wrong options, 130 for ^C, 3 for a bug (with a log)."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _run(arguments)
        if sys.stdout:  # flushed here, where what goes wrong becomes words
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads on; the interpreter would complain about it at exit
        return FAILED
    except Exception as error:
        return _explain(error, arguments)


def _run(arguments: Sequence[str]) -> int:
    # Answered without the command-line library, which takes four times as long to import as these take to print.
    if arguments and arguments[0] == "hook" and not {"--help", "-h"}.intersection(arguments):
        return _hook(arguments[1:])
    if not arguments or arguments[0] in ("--help", "-h"):
        from modicum.cli.commands import first_page

        return _say(first_page())
    if arguments[0] == "help":
        return _help(arguments[1:])
    if arguments[0] in ("--version", "-V"):
        return _say(f"modicum {__version__}\n")
    import gc

    # A command lives for a tenth of a second, of which looking for garbage would take a tenth.
    gc.set_threshold(50_000)
    if arguments[0] == "inject" and (code := _inject_plainly(arguments[1:])) is not None:
        return code
    if arguments[0] == "see" and (code := _see_plainly(arguments[1:])) is not None:
        return code
    if arguments[0] == "mcp" and (code := _mcp_plainly(arguments[1:])) is not None:
        return code
    return _run_command(arguments[0], arguments[1:])


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

    command = _command(name)
    try:
        code = command.main(list(arguments), prog_name=f"modicum {name}", standalone_mode=False)
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        path = context.command_path if context else f"modicum {name}"  # of the sub-command that was meant
        _complain(error.format_message(), f"see: {path} --help")
        return USAGE if isinstance(error, click.UsageError) else FAILED
    return code if isinstance(code, int) else 0


def _command(name: str) -> "click.Command":
    from importlib import import_module

    from modicum.base.errors import ModicumError
    from modicum.cli.commands import COMMANDS, suggestion

    if name not in COMMANDS:
        raise ModicumError(f'there is no command "{name}"', remedy=suggestion(name))
    entry = COMMANDS[name]
    command: click.Command = getattr(import_module(entry.module), entry.function)
    return command


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    from modicum.base.errors import ModicumError

    if isinstance(error, ModicumError):
        from modicum.cli.remedies import command_wording

        return _complain(error.message, command_wording(error.remedy))
    if isinstance(error, OSError) and _is_full(error):
        _hush()
        return _complain("there is no room left to write to", "free some space, then try again")
    from modicum.cli.crash import write_log

    log = write_log(error, arguments)
    _complain(f"this is a bug in modicum: {type(error).__name__}: {error}", f"please report it with {log}")
    return BUG


def _is_full(error: OSError) -> bool:
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def _hush() -> None:
    """Let what could not be written go: the interpreter would try once more at exit, and complain."""
    import os
    from contextlib import suppress

    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, remedy: str) -> int:
    from modicum.cli.output import shown

    sys.stderr.write(f"modicum: {shown(message)}{f' ({remedy})' if remedy else ''}\n")
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
