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
    assert world.modicum("spec", "init", "Shop", "Sells books").out == (
        "Shop is begun, and at principles.\nNext: write docs/principles.md, then: modicum spec advance\n"
    )
    assert world.modicum("spec", "advance").err == (
        "modicum: there is no docs/principles.md yet "
        "(write it, or hand it over with --content. What always holds here, whatever is built.)\n"
    )
    assert world.modicum("spec", "advance", "--content", "Cents are whole.").out == (
        "principles is finished: docs/principles.md\n"
        "Next: write docs/charter.md, then: modicum spec advance\n"
    )
    shut = world.modicum("spec", "advance", "--content", "TBD")
    assert (shut.code, shut.out) == (
        1,
        "The project stays at charter.\nEdit docs/charter.md, then: modicum spec advance\n",
    )
    assert world.modicum("spec", "back", "principles").out == (
        "Shop is at principles again.\nNext: write docs/principles.md, then: modicum spec advance\n"
    )
    assert world.modicum("spec", "context", "--detail", "summary").out.startswith(
        "# Shop (guided), at principles"
    )
    assert world.modicum("spec", "context", "--stage", "requirements").out.startswith("# project: Specify")


def test_the_clarity_gate_says_what_to_score(world) -> None:
    world.modicum("spec", "init", "Shop", "Sells books")
    for text in ("Cents are whole.", "Readers want books.", "- **FR-001**: A b.", "- Rules hold."):
        world.modicum("spec", "advance", "--content", text)
    shut = world.modicum("spec", "advance", "--content", "Who pays? Readers do, by card, in euros.")
    names = shut.err.rpartition(": ")[2].strip().split(", ")
    scores = ",".join(f"{name}:80" for name in names)

    assert shut.out == (
        "The project stays at clarify.\n"
        "Edit docs/clarifications.md, then: modicum spec advance --scores NAME:N,…\n"
    )
    assert world.modicum("spec", "advance", "--scores", scores).out == (
        "clarify is finished: docs/clarifications.md\n"
        "Next: write docs/design.md, then: modicum spec advance\n"
    )


def test_what_a_bootstrap_of_an_empty_project_asks_for_is_enough(world) -> None:
    refused = world.modicum("spec", "bootstrap")
    world.write("README.md", "# Shop\n\n## Features\n\n- Sells books\n")
    large = ("change", "new", "--type", "feature", "--size", "large", "Sell maps")

    assert refused.err == (
        "modicum: there is nothing to write a draft from: no code, no features, no rules "
        '(list what it does below "## Features" in README.md, or write docs/requirements.md yourself)\n'
    )
    assert "modicum spec bootstrap" in world.modicum(*large).err
    assert world.modicum("spec", "bootstrap").code == 0
    assert world.modicum(*large).code == 0


@pytest.mark.parametrize("path", ["x" * 5_000, "a/" * 3_000, "a\0b", "README.md", "README.md/x"])
@pytest.mark.parametrize("command", [("scan",), ("audit", "--path")])
def test_a_path_that_is_no_folder_is_refused_in_one_sentence(
    world, command: tuple[str, ...], path: str
) -> None:
    world.write("README.md", "# Shop\n")
    said = world.modicum("spec", *command, path)

    assert said.code == 4
    assert f"is no folder (name a folder in {world.project})\n" in said.err
    assert len(said.err) < 500


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("spec", "init", "Shop", "Books"), {"name", "mode", "current_stage", "next_file"}),
        (
            ("spec", "context"),
            {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"},
        ),
        (("spec", "scan"), {"text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"}),
        (("change", "list"), {"changes", "warnings"}),
        (("adr", "list"), {"decisions"}),
        (
            ("change", "new", "x"),
            {
                *("change", "folder", "finished", "file", "next_file", "to_mend", "advanced"),
                *("complaints", "warnings"),
            },
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_is_one_object_with_known_keys(world, arguments: tuple[str, ...], keys: set[str]) -> None:
    assert set(json.loads(world.modicum(*arguments, "--json").out)) == keys


@pytest.mark.parametrize("docs", [".git", ".GIT/hooks", "papers"])
def test_documents_are_not_written_where_a_clone_says_that_programs_are(world, docs: str) -> None:
    world.write(".modicum/config.yaml", f"docs: {docs}\n")
    world.path("papers").symlink_to(".git")

    said = world.modicum("spec", "init", "Shop", "Sells books")

    assert said.code == 4
    assert "where no documents are kept" in said.err
    assert [path for path in world.path(".git").rglob("*") if path.is_file()] == []


def test_a_document_that_is_a_link_to_another_kind_of_file_is_not_written(world) -> None:
    world.write("docs/README.md", "Mine.\n")
    world.path("docs/project.json").symlink_to("../Makefile")

    said = world.modicum("spec", "init", "Shop", "Sells books")

    assert (said.code, world.path("Makefile").exists()) == (4, False)
    assert "docs/project.json: leads to Makefile, where no documents are kept" in said.err
