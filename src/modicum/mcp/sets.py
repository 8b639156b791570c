"""Sets of MCP tools: chooses which are offered, from our family and those of other systems."""

from collections.abc import Callable, Iterable, Sequence

from modicum.base.errors import ModicumError
from modicum.mcp.family import OfferedTools, ToolFamily

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


def _engram() -> ToolFamily:
    from modicum.compat.engram.mcp import FAMILY

    return FAMILY


def _hoofy() -> ToolFamily:
    from modicum.compat.hoofy.family import FAMILY

    return FAMILY


# Tools of other systems. Each family is imported when it is asked for.
OTHERS: dict[str, Callable[[], ToolFamily]] = {"engram": _engram, "hoofy": _hoofy}
SETS = (*OURS, *OTHERS)


def choose_tools(words: Iterable[str]) -> OfferedTools:
    """Returns the MCP tools of the named sets and single tools; another system's set stands alone."""
    names = [word.strip() for given in words for word in given.split(",") if word.strip()] or ["core"]
    system = next((name for name in names if name in OTHERS), "")
    return _theirs(system, [name for name in names if name != system]) if system else _ours(names)


def _theirs(system: str, names: Sequence[str]) -> OfferedTools:
    """All tools of another system, or those of its groups and single ones of it, in its own order."""
    family = OTHERS[system]()
    known = [tool.name for tool in family.tools]
    if any(name not in family.groups and name not in known for name in names):
        remedy = f"use --tools {system} alone, or with: {', '.join((*family.groups, 'names of its tools'))}"
        raise ModicumError(f"{system} has tools of the same names as ours", remedy=remedy)
    wanted = {tool for name in names or ["all"] for tool in family.groups.get(name, (name,))}
    return family.offer([name for name in known if name in wanted])


def _ours(names: Sequence[str]) -> OfferedTools:
    family = _our_family(all_of_memory=names != ["core"])
    known = [tool.name for tool in family.tools]
    for name in names:
        if name not in family.groups and name not in known:
            raise _unknown(name, known)
    return family.offer(names)


def _our_family(*, all_of_memory: bool) -> ToolFamily:
    """Our tools; those of memory that `core` does not have are imported only if they are asked for."""
    from modicum.mcp.instructions import PROMPTS, our_instructions
    from modicum.mcp.remedies import CALLS_BY_ACTION
    from modicum.mcp.tools import memory, packs, specs

    tables = {"memory": memory.TOOLS, "packs": packs.TOOLS, "specs": specs.TOOLS}
    if all_of_memory:
        from modicum.mcp.tools import notes, sessions, stats

        tables["memory"] = (*memory.TOOLS, *notes.TOOLS, *sessions.TOOLS, *stats.TOOLS)
    tools = tuple(tool for table in tables.values() for tool in table)
    groups = {name: tuple(tool.name for tool in table) for name, table in tables.items()}
    groups |= {"core": CORE, "all": tuple(tool.name for tool in tools)}
    return ToolFamily(tools, groups, our_instructions, CALLS_BY_ACTION, PROMPTS)


def _unknown(name: str, known: Iterable[str]) -> ModicumError:
    from modicum.base.near_words import nearest

    near = nearest(name, (*SETS, *known))
    hint = f', did you mean "{near}"?' if near else ""
    return ModicumError(f'there are no tools "{name}"{hint}', remedy=f"use one of: {', '.join(SETS)}")
