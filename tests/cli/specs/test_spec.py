"""modicum spec"""

import json

import pytest


def test_a_project_is_begun_scanned_and_drafted(world) -> None:
    world.write("README.md", "# Shop\n\n## Features\n\n- Sells books\n")
    world.write("src/a.py", "x = 1  # FR-001\n")
    drafted = world.modicum("spec", "bootstrap")

    assert drafted.out.splitlines()[0] == "docs/requirements.md is written, as a draft"
    assert world.modicum("spec", "bootstrap").out.splitlines()[0] == "docs/requirements.md is there already"
    assert "- src/ (1 source files)" in world.modicum("spec", "scan").out
    assert world.modicum("spec", "scan", "../..").err.startswith("modicum: ../.. is outside of the project")
    assert "## Seen in the code\n- FR-001" in world.modicum("spec", "audit", "--detail", "summary").out
    assert world.modicum("spec", "init", "Shop", "Sells books").out.startswith(
        "Shop is begun, and at principles."
    )
    assert world.modicum("spec", "advance").err.startswith("modicum: there is no principles.md yet")
    assert world.modicum("spec", "advance", "--content", "Cents are whole.").out.startswith(
        "principles is finished"
    )
    assert world.modicum("spec", "advance", "--content", "TBD").code == 1
    assert world.modicum("spec", "back", "principles").out == "Shop is at principles again.\n"
    assert world.modicum("spec", "context", "--detail", "summary").out.startswith(
        "# Shop (guided), at principles"
    )
    assert world.modicum("spec", "context", "--stage", "requirements").out.startswith("# project: Specify")


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("spec", "init", "Shop", "Books"), {"name", "mode", "current_stage"}),
        (
            ("spec", "context"),
            {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"},
        ),
        (("spec", "scan"), {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"}),
        (("change", "list"), {"changes", "warnings"}),
        (("adr", "list"), {"decisions"}),
        (
            ("change", "new", "x"),
            {"change", "folder", "finished", "file", "advanced", "complaints", "warnings"},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_is_one_object_with_known_keys(world, arguments: tuple[str, ...], keys: set[str]) -> None:
    assert set(json.loads(world.modicum(*arguments, "--json").out)) == keys
