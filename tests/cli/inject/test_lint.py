"""The command modicum lint: what it prints, its JSON and its exit codes."""

import pytest


@pytest.fixture
def shop(world):
    world.write("~/.config/modicum/config.yaml", "profile: minimal\n")
    world.write("AGENTS.md", "# Shop\n- Never use tabs.\n- Always use tabs.\n")
    return world


def test_nothing_found_is_exit_0(world) -> None:
    world.write("~/.config/modicum/config.yaml", "profile: minimal\n")
    world.write("AGENTS.md", "- Never use tabs.\n")
    said = world.modicum("lint", "--tool", "codex")

    assert (said.code, said.out) == (0, "Nothing found in what 1 tool may read here.\n")
    assert not (world.home / ".local").exists() or not [*(world.home / ".local").rglob("*.db")]


def test_a_finding_is_told_with_both_places_and_exit_1(shop) -> None:
    said = shop.modicum("lint", "--tool", "codex")
    head, *lines = said.out.splitlines()

    assert said.code == 1
    assert head.startswith("contradiction  ")
    assert lines == [
        "  AGENTS.md:2  Never use tabs.",
        "  AGENTS.md:3  Always use tabs.",
        "  one says to do what the other forbids (codex); delete one, or say in each where it holds",
        "",
        "1 finding. If both may stand, silence a finding for good: modicum lint --silence ID --reason TEXT",
    ]


def test_all_is_told_as_json(shop) -> None:
    said = shop.modicum("lint", "--json", "--tool", "codex")
    (finding,) = said.json["findings"]

    assert said.code == 1
    assert finding["places"] == [
        {"source": "AGENTS.md", "line": 2, "text": "Never use tabs."},
        {"source": "AGENTS.md", "line": 3, "text": "Always use tabs."},
    ]
    assert (finding["kind"], finding["tools"], said.json["tools"]) == (
        "contradiction",
        ["codex"],
        [{"tool": "codex", "directives": 2}],
    )


def test_a_finding_is_silenced_and_listed(shop) -> None:
    number = shop.modicum("lint", "--json", "--tool", "codex").json["findings"][0]["id"]
    said = shop.modicum("lint", "--tool", "codex", "--silence", number, "--reason", "a test")
    listed = shop.modicum("lint", "--tool", "codex", "--silenced")
    after = shop.modicum("lint", "--tool", "codex")

    assert (said.code, said.out) == (0, f"{number} is silenced: a test\n")
    assert listed.code == 0
    assert "  silenced: a test\n" in listed.out
    assert (after.code, after.out) == (0, "Nothing found in what 1 tool may read here, 1 silenced.\n")
    assert shop.modicum("lint", "--json", "--tool", "codex").json["silenced"][0]["reason"] == "a test"
    assert shop.read(".modicum/silenced.yaml").count("id:") == 1


@pytest.mark.parametrize("options", [("--silence", "a"), ("--reason", "a"), ("--nope",)])
def test_wrong_options_are_exit_2(shop, options: tuple[str, ...]) -> None:
    assert shop.modicum("lint", *options).code == 2


def test_many_tools_are_counted(shop) -> None:
    shop.write("~/.config/modicum/config.yaml", "profile: minimal\n")
    assert " more); delete one" in shop.modicum("lint").out


def test_pinned_notes_count_where_there_is_a_memory(shop) -> None:
    number = shop.modicum("save", "Tabs", "Tabs must not be used.", "--json").json["id"]
    shop.modicum("memory", "pin", str(number))

    assert f"note:{number}:1" in shop.modicum("lint", "--tool", "codex").out
