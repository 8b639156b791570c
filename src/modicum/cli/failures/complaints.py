"""Turns what goes wrong in a command into one line (or JSON) and an exit code."""

import errno
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from modicum.base.errors import ModicumError, WrongUsage
from modicum.cli.failures.exit_codes import BUG, FAILED, USAGE
from modicum.cli.global_options import is_given
from modicum.cli.output import drop_output, shown

if TYPE_CHECKING:
    import click

# Only for suggestions: none of these can be used.
OLD_OPTIONS = {"--verbosity": "--detail", "--project": "--here", "--off": "--remove"}


def complain(error: Exception, arguments: Sequence[str]) -> int:
    """Prints an error of a command as one line with its remedy; returns the exit code."""
    if isinstance(error, ModicumError):
        from modicum.cli.remedies import command_wording

        code = USAGE if isinstance(error, WrongUsage) else FAILED
        return say_error(error.message, command_wording(error.remedy), code, arguments)
    if isinstance(error, OSError) and _is_full(error):
        drop_output()
        return _say_plainly("there is no room left to write to", "free some space, then try again", FAILED)
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return say_error(f"{error.filename}: {error.strerror}", "use a shorter path", FAILED, arguments)
    from modicum.cli.failures.crash import write_log

    log = write_log(error, arguments)
    if is_given("--verbose"):
        from traceback import format_exception

        sys.stderr.write("".join(format_exception(error)))
    message = f"this is a bug in modicum: {type(error).__name__}: {error}"
    return say_error(message, f"please report it with {log}", BUG, arguments)


def complain_about_usage(error: "click.ClickException", path: str, arguments: Sequence[str]) -> int:
    """Prints what is wrong with the options or arguments of a command, and where its help is; returns the exit code."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else path  # of the sub-command that was meant
    option = OLD_OPTIONS.get(getattr(error, "option_name", ""), "")
    remedy = f"it is {option} now; see: {path} --help" if option else f"see: {path} --help"
    code = FAILED if context is None and error.exit_code != USAGE else USAGE
    return say_error(" ".join(error.format_message().split()), remedy, code, arguments)


def say_error(message: str, remedy: str, code: int, arguments: Sequence[str]) -> int:
    """Prints the complaint about an error: on stderr for people; as JSON on stdout if asked for. Returns the exit code."""
    if "--json" not in arguments[: arguments.index("--") if "--" in arguments else len(arguments)]:
        return _say_plainly(message, remedy, code)
    error = {"message": message, "remedy": remedy, "exit_code": code}
    sys.stdout.write(json.dumps({"error": error}, indent=2) + "\n")
    sys.stdout.flush()
    return code


def _say_plainly(message: str, remedy: str, code: int) -> int:
    sys.stderr.write(f"modicum: {shown(message)}{f' ({shown(remedy)})' if remedy else ''}\n")
    return code


def _is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
