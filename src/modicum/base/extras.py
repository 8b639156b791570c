"""Optional libraries ("extras"): says whether one is installed, and with which command it is."""

import sys

from modicum.base.errors import ModicumError

MEANING = ("numpy", "onnxruntime")
# The file that an installer leaves in the environment that it makes, and its command.
_INSTALLERS = (("uv-receipt.toml", "uv tool install --force"), ("pipx_metadata.json", "pipx install --force"))


def is_installed(*modules: str) -> bool:
    """Returns True if the modules of an optional library are all installed; does not import them."""
    from importlib.util import find_spec

    return all(find_spec(module) for module in modules)


def has_meaning() -> bool:
    """Returns True if the libraries that the sentence model runs on, the extra `meaning`, are installed; imports none of them."""
    return is_installed(*MEANING)


def install_command(extra: str, prefix: str = sys.prefix) -> str:
    """Returns the command that installs modicum with an extra, by the installer that made this environment."""
    from pathlib import Path

    made_by = (words for file, words in _INSTALLERS if Path(prefix, file).exists())
    return f"{next(made_by, 'pip install')} 'modicum[{extra}]'"


def check_mcp() -> None:
    """Raises ModicumError with a remedy if the library for MCP, the extra `mcp`, is not installed."""
    if not is_installed("mcp", "mcp_types"):
        raise ModicumError("MCP needs a library that is not installed", remedy=install_command("mcp"))
