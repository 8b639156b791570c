"""Imports point down only, and pure modules touch nothing of the world."""

import importlib.util
import re
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("layers", Path(__file__).parent / "layers.py")
assert spec is not None
assert spec.loader is not None
layers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(layers)

MODULES = layers.modules()


def allowed(module: str, imported: str) -> bool:
    """May this module of ours import that one?"""
    top, other = module.split(".")[0], imported.split(".")[0]
    if top in layers.GROUND:
        return other in layers.GROUND
    if top in layers.DOMAINS:
        return other in (*layers.GROUND, top)
    if top in ("cli", "compat"):
        return True  # the command line starts the other doors; compat is registered with one
    return top in (*layers.DOORS, "app") and (top == other or other not in layers.DOORS)


def ours(path: Path) -> list[str]:
    return [name.removeprefix("modicum.") for name in layers.imports(path) if name.startswith("modicum.")]


@pytest.mark.parametrize("module", [name for name in MODULES if name != "__init__"])
def test_imports_point_down_only(module: str) -> None:
    wrong = [name for name in ours(MODULES[module]) if name != "__version__" and not allowed(module, name)]

    assert wrong == []


# What a door may know of a domain: its values. What is done with them is asked of `app`.
MODELS = ("memory.model", "packs.model", "specs.model", "targets.model", "targets.change")


def known_to_cli(module: str, imported: str) -> bool:
    """May this module of the command line import that one?"""
    top = imported.split(".")[0]
    if top == "compat":
        return module == "cli.memory.export"  # where formats of other systems are registered
    if top in ("http", "mcp", "hooks", "web"):
        return module == "cli.main" or module.startswith("cli.agents.")  # which start them
    return top in ("app", "engine", "base", "cli") or imported in MODELS


@pytest.mark.parametrize("module", [name for name in MODULES if name.split(".")[0] == "cli"])
def test_the_command_line_imports_use_cases_and_models_only(module: str) -> None:
    found = (name for name in ours(MODULES[module]) if name != "__version__")

    assert [name for name in found if not known_to_cli(module, name)] == []


# What the MCP door still takes from a domain beside its model; the list only shrinks.
NOT_YET_THROUGH_APP = {"mcp.tools.memory": {"memory.blocks"}}


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("mcp")])
def test_the_mcp_door_knows_of_domains_only_their_models(module: str) -> None:
    models = {f"{domain}.model" for domain in layers.DOMAINS}
    reached = {name for name in ours(MODULES[module]) if name.split(".")[0] in layers.DOMAINS}

    assert reached - models == NOT_YET_THROUGH_APP.get(module, set())


def test_tools_of_other_systems_are_registered_in_one_place_of_the_mcp_door() -> None:
    imported = {name: ours(path) for name, path in MODULES.items() if name.startswith("mcp")}
    registering = [
        name for name, found in imported.items() if any(each.startswith("compat") for each in found)
    ]

    assert registering == ["mcp.sets"]


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name.startswith(("compat.hoofy", "compat.engram.mcp"))]
)
def test_tools_of_other_systems_use_the_rows_of_the_mcp_door_and_no_more(module: str) -> None:
    rows = {"mcp.tool", "mcp.family", "mcp.args", "mcp.schema", "mcp.reply", "mcp.pages"}
    doors = {name for name in ours(MODULES[module]) if name.split(".")[0] in layers.DOORS}

    assert doors <= rows


@pytest.mark.parametrize("module", layers.PURE)
def test_a_pure_module_touches_nothing_of_the_world(module: str) -> None:
    names = {name.split(".")[0] for name in layers.imports(MODULES[module])}

    assert not names & set(layers.IMPURE)
    assert not re.search(r"\.(now|today|utcnow)\(", MODULES[module].read_text(encoding="utf-8"))
    assert set(ours(MODULES[module])) <= {*layers.PURE, "base.errors"}


def test_only_the_command_line_prints() -> None:
    printing = [name for name, path in MODULES.items() if "print(" in path.read_text(encoding="utf-8")]

    assert [name for name in printing if not name.startswith("cli")] == []
