"""Optional libraries ("extras"): says whether one is installed, and with which command it is."""

import sys

from modicum.base.errors import ModicumError

MEANING = ("numpy", "onnxruntime")
# By extra, modules that it brings.
EXTRAS = {"mcp": ("mcp", "mcp_types"), "postgres": ("psycopg", "psycopg_pool"), "meaning": MEANING}
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
    """Returns the command that installs modicum with an extra, by the installer that made this environment.

    uv and pipx make the environment anew: from where modicum came, and with the extras that are there.
    """
    from pathlib import Path

    made_by = next((words for file, words in _INSTALLERS if Path(prefix, file).exists()), "")
    if not made_by:
        return f"pip install 'modicum[{extra}]'"
    wanted = ",".join(sorted({extra, *(name for name, modules in EXTRAS.items() if is_installed(*modules))}))
    return f"{made_by} '{_where_from(wanted)}'"


def _where_from(extras: str) -> str:
    """What installs modicum with extras once more: the file or folder that it came from, an address, or its name."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("modicum").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    url, vcs = str(origin.get("url", "")), origin.get("vcs_info", {}).get("vcs", "")
    if url.startswith("file:") and not vcs:
        return f"{url2pathname(urlsplit(url).path)}[{extras}]"
    return f"modicum[{extras}]" + (f" @ {vcs}{'+' * bool(vcs)}{url}" if url else "")


def check_mcp() -> None:
    """Raises ModicumError with a remedy if the library for MCP, the extra `mcp`, is not installed."""
    if not is_installed(*EXTRAS["mcp"]):
        raise ModicumError("MCP needs a library that is not installed", remedy=install_command("mcp"))
