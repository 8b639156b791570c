"""What a tool reads on a global page is not said again on the project's page; what the project has of its own always is."""

import pytest

pytestmark = pytest.mark.usefixtures("starters")

MINE = "We write the test before the code, always."
ADDED = "This project pins every version by hand."


def own_pack(world, text: str = MINE, name: str = "mine") -> None:
    """A pack of the user's."""
    world.write(f"~/.config/modicum/packs/{name}/pack.yaml", f"id: {name}\nweight: 90\n")
    world.write(f"~/.config/modicum/packs/{name}/context.md", f"## {name.title()}\n\n{text}\n")


def doubled(world, tool: str = "codex") -> int:
    (row,) = world.modicum("see", tool, "--json").json["tools"]
    return row["doubled"]


@pytest.fixture
def both(world):
    """A user's pack on Codex's global page, and a pack of the project."""
    own_pack(world)
    world.pack("ours", f"## Ours\n\n{ADDED}\n")
    assert world.inject("--global", "--tool", "codex").code == 0
    return world


def test_codex_reads_nothing_twice_in_two_scopes(both) -> None:
    said = both.inject("--tool", "codex")
    page = said.page("codex")
    covered = {item["key"]: item["reason"] for item in page["items"] if item["fate"] == "covered"}

    assert MINE in both.read("~/.codex/AGENTS.md")
    assert MINE not in both.read("AGENTS.md")
    assert ADDED in both.read("AGENTS.md")
    assert doubled(both) == 0
    assert "pack:testing" in covered
    assert covered["pack:mine"] == "It is on your global page, which is read beside this one."
    assert said.json["warnings"] == []
    assert both.modicum("status", "--tool", "codex").code == 0


def test_a_project_without_packs_of_its_own_has_no_page_beside_the_global_one(world) -> None:
    own_pack(world)
    world.inject("--global", "--tool", "codex")
    said = world.inject("--tool", "codex")

    assert (said.code, said.json["warnings"]) == (0, [])
    assert not world.path("AGENTS.md").exists()


def test_a_pack_is_told_to_a_tool_that_has_no_global_page(both) -> None:
    both.inject("--tool", "codex", "--tool", "opencode")

    assert MINE in both.read("AGENTS.md")


def test_what_a_project_adds_to_a_pack_is_told_with_the_pack(both) -> None:
    both.pack("mine", f"## More\n\n{ADDED}\n", header="additive: true\n")
    both.inject("--tool", "codex")

    assert MINE in both.read("AGENTS.md")
    assert ADDED in both.read("AGENTS.md")


@pytest.mark.parametrize("gone", ["uninstalled", "deleted", "edited"])
def test_a_pack_comes_back_when_the_global_page_is_gone(both, gone: str) -> None:
    both.inject("--tool", "codex")
    if gone == "uninstalled":
        both.modicum("uninstall", "--global")
    elif gone == "deleted":
        both.path("~/.codex/AGENTS.md").unlink()
    else:
        both.write("~/.codex/AGENTS.md", both.read("~/.codex/AGENTS.md").replace(MINE, ""))

    assert both.modicum("status", "--tool", "codex").code == 1
    both.inject("--tool", "codex")
    assert MINE in both.read("AGENTS.md")


def test_a_shorter_global_page_leaves_the_project_its_detail(world) -> None:
    own_pack(world, "Short.\n\n<!-- verbosity:extended -->\n### Long\n\n" + MINE)
    world.inject("--global", "--tool", "codex", "--detail", "minimal")
    world.inject("--tool", "codex")

    assert MINE not in world.read("~/.codex/AGENTS.md")
    assert MINE in world.read("AGENTS.md")


def test_a_pack_that_the_global_page_had_no_room_for_is_told_here(world) -> None:
    own_pack(world, "\n\n".join(f"### Part {n}\n\nA rule that is number {n}.\n" for n in range(40)))
    world.adapter("codex", "max_bytes: 700\n", layer="~/.config/modicum")
    world.inject("--global", "--tool", "codex", "--include", "mine")
    world.adapter("codex", "max_bytes: 9000\n", layer="~/.config/modicum")
    world.inject("--tool", "codex", "--include", "mine")

    assert "number 39" not in world.read("~/.codex/AGENTS.md")
    assert "number 39" in world.read("AGENTS.md")


def test_another_language_in_the_project_is_told_again(both) -> None:
    both.write(".modicum/config.yaml", "language: de\n")
    both.inject("--tool", "codex")

    assert MINE in both.read("AGENTS.md")


def test_a_damaged_record_leaves_nothing_out(both) -> None:
    for file in both.home.rglob("state/targets/*.json"):
        file.write_text(file.read_text().replace('"detail": 3', '"detail": "x"'))
    both.inject("--tool", "codex")

    assert MINE in both.read("AGENTS.md")


def test_a_page_names_the_packs_that_it_was_made_from_and_not_those_of_the_global_page(world) -> None:
    own_pack(world)
    world.inject("--global", "--tool", "codex")
    world.pack("shop", "## Shop\n\nPrices are in cents.\n")
    world.inject("--tool", "codex")

    assert " from the packs shop.\n" in world.read("AGENTS.md")
