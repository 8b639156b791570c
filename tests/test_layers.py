"""Imports point down only, and pure modules touch nothing of the world."""

import ast
import importlib.util
import re
from collections.abc import Iterable
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
    if "compat" in (top, other):
        return compat_allowed(module, imported)
    if top in layers.GROUND:
        return other in layers.GROUND
    if top in layers.DOMAINS:
        return other in (*layers.GROUND, top)
    if top == "app":
        return other not in layers.DOORS
    if top == "web" and is_below(imported, layers.TYPES_FOR_WEB):
        return True
    starts = other in layers.DOORS and is_below(module, layers.STARTS_DOORS)
    return starts or is_value(imported) or is_below(imported, (top, *layers.OF_A_DOOR))


def compat_allowed(module: str, imported: str) -> bool:
    """Other systems' words are imported by who registers them, and use the types of the door they are registered with."""
    if not is_below(module, ("compat",)):
        return module in layers.REGISTERS_COMPAT
    return is_below(imported, ("compat", "app", *layers.GROUND, *layers.DOMAINS, *layers.TYPES_FOR_COMPAT))


def is_below(module: str, names: tuple[str, ...]) -> bool:
    return f"{module}.".startswith(tuple(f"{name}." for name in names))


def is_value(imported: str) -> bool:
    """Is this the module of a domain's values, or of those of one of its rooms?"""
    return imported.split(".")[0] in layers.DOMAINS and imported.endswith(".model")


def ours(names: Iterable[str]) -> list[str]:
    return [name.removeprefix("modicum.") for name in names if name.startswith("modicum.")]


@pytest.mark.parametrize("module", [name for name in MODULES if name != "__init__"])
def test_imports_point_down_only(module: str) -> None:
    found = (*layers.imports(MODULES[module]), *layers.type_imports(MODULES[module]))
    wrong = [name for name in ours(found) if name != "__version__" and not allowed(module, name)]

    assert wrong == []


@pytest.mark.parametrize("module", [name for name in MODULES if name.split(".")[0] in ("app", *layers.DOORS)])
def test_what_a_use_case_or_a_door_hands_on_is_its_own(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    aliases = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]

    assert [alias.name for alias in aliases if alias.name == alias.asname] == []


@pytest.mark.parametrize("module", layers.PURE)
def test_a_pure_module_touches_nothing_of_the_world(module: str) -> None:
    names = {name.split(".")[0] for name in layers.imports(MODULES[module])}

    assert not names & set(layers.IMPURE)
    assert not re.search(r"\.(now|today|utcnow)\(", MODULES[module].read_text(encoding="utf-8"))
    assert set(ours(layers.imports(MODULES[module]))) <= {*layers.PURE, "base.errors"}


def test_only_the_command_line_prints() -> None:
    printing = [name for name, path in MODULES.items() if "print(" in path.read_text(encoding="utf-8")]

    assert [name for name in printing if not name.startswith("cli")] == []
