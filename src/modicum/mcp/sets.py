"""Which tools are offered: named sets, or single tools by name."""

from collections.abc import Iterable, Sequence

from modicum.base.errors import ModicumError
from modicum.mcp.tool import Tool

CORE = (
    "mem_save",
    "mem_search",
    "mem_context",
    "mem_timeline",
    "mem_get",
    "sdd_context_check",
    "sdd_get_context",
    "pack_read",
)
OURS = ("core", "memory", "packs", "specs", "all")
COMPATIBLE = ("engram", "hoofy")
SETS = (*OURS, *COMPATIBLE)


def choose_tools(words: Iterable[str]) -> dict[str, Tool]:
    """The tools of the sets, and those named one by one, in order. Names of another system go with no others."""
    names = [word.strip() for given in words for word in given.split(",") if word.strip()] or ["core"]
    others = [name for name in names if name in COMPATIBLE]
    chosen = _theirs(others[0], [name for name in names if name != others[0]]) if others else _ours(names)
    return {tool.name: tool for tool in chosen}


def _theirs(system: str, names: Sequence[str]) -> Iterable[Tool]:
    """All tools of another system, or those of its profiles and single ones of it."""
    known = {tool.name: tool for tool in _compatible(system)}
    sets = {"all": [*known], **_profiles(system, known)}
    if any(name not in sets and name not in known for name in names):
        remedy = f"use --tools {system} alone, or with: {', '.join((*sets, 'names of its tools'))}"
        raise ModicumError(f"{system} has tools of the same names as ours", remedy=remedy)
    wanted = {tool for name in names or ["all"] for tool in sets.get(name, [name])}
    return [tool for tool in known.values() if tool.name in wanted]


def _profiles(system: str, known: Iterable[str]) -> dict[str, list[str]]:
    if system != "engram":
        return {}
    from modicum.compat.engram.mcp import ADMIN

    return {"agent": [name for name in known if name not in ADMIN], "admin": [*ADMIN]}


def _compatible(name: str) -> Iterable[Tool]:
    if name == "engram":
        from modicum.compat.engram.mcp import TOOLS as ENGRAM

        return ENGRAM
    from modicum.compat.hoofy import memory, tools

    return (*memory.TOOLS, *tools.TOOLS)


def _ours(names: Sequence[str]) -> Iterable[Tool]:
    every = _tables(all_of_memory=names != ["core"])
    sets = {
        **{name: [*table] for name, table in every.items()},
        "core": [name for name in CORE if any(name in table for table in every.values())],
        "all": [name for table in every.values() for name in table],
    }
    known = {name: tool for table in every.values() for name, tool in table.items()}
    for name in names:
        if name not in sets and name not in known:
            raise _unknown(name, known)
    wanted = dict.fromkeys(tool for name in names for tool in sets.get(name, [name]))
    return [known[name] for name in wanted]


def _tables(*, all_of_memory: bool) -> dict[str, dict[str, Tool]]:
    from modicum.mcp.tools import memory, packs, specs

    tables = {"memory": memory.TOOLS, "packs": packs.TOOLS, "specs": specs.TOOLS}
    if all_of_memory:
        from modicum.mcp.tools.upkeep import TOOLS as UPKEEP

        tables["memory"] = (*memory.TOOLS, *UPKEEP)
    return {name: {tool.name: tool for tool in table} for name, table in tables.items()}


def _unknown(name: str, known: Iterable[str]) -> ModicumError:
    from modicum.base.yaml_check import nearest

    near = nearest(name, (*SETS, *known))
    hint = f', did you mean "{near}"?' if near else ""
    return ModicumError(f'there are no tools "{name}"{hint}', remedy=f"use one of: {', '.join(SETS)}")
