"""Commands of hooks for the shell that an agent runs them in: they do nothing where their program is gone. Pure."""

import shlex
from collections.abc import Sequence

SH, CMD, POWERSHELL = "sh", "cmd", "powershell"


def hook_command(words: Sequence[str], shell: str) -> str:
    """Returns the command of a hook, as one line for a shell; it ends with 0 and no message if the program is gone.

    Some agents stop working where a hook fails, and a hook outlives the program that it starts.
    """
    return _LINES[shell](words)


def hook_script(words: Sequence[str], shell: str) -> str:
    """Returns the command of a hook as a script, for an agent that runs files."""
    comment = "# modicum setup has put this here, and modicum setup --remove takes it away.\n"
    first = "#!/bin/sh\n" if shell == SH else ""
    return f"{first}{comment}{hook_command(words, shell)}\n"


def _sh(words: Sequence[str]) -> str:
    # Not a test in front: a script may be there while its interpreter is not. What follows the words does no harm
    # to an agent that splits a command instead of handing it to a shell.
    return f"{shlex.join(words)} 2>/dev/null || true"


def _cmd(words: Sequence[str]) -> str:
    # PowerShell can run this line, too. The quotation marks are not at the start, where cmd would take them off.
    program, *rest = (f'"{word}"' if " " in word or "&" in word else word for word in words)
    return " ".join((f"cmd /d /c if exist {program} {program}", *rest))


def _powershell(words: Sequence[str]) -> str:
    program, *rest = (_powershell_word(word) for word in words)
    return f"if (Test-Path -LiteralPath {program}) {{ {' '.join(('&', program, *rest))} }}"


def _powershell_word(word: str) -> str:
    plain = word.replace("-", "").replace("_", "").replace(".", "").isalnum() and word.isascii()
    return word if plain else "'" + word.replace("'", "''") + "'"


_LINES = {SH: _sh, CMD: _cmd, POWERSHELL: _powershell}
