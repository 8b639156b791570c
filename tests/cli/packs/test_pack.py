"""modicum pack"""

import pytest


def test_packs_are_listed_in_order_with_their_tiers(world) -> None:
    world.pack(
        "heavy", "core\n<!-- verbosity:detail -->\nmore", header="weight: 500\nname: 'A [bold]name[/bold]'\n"
    )
    rows = world.modicum("pack", "list", "--json").json["packs"]

    assert rows[0]["id"] == "heavy"
    assert rows[0]["bytes"] == {"core": 5, "detail": 4, "extended": 0}
    assert "A [bold]name[/bold]" in world.modicum("pack", "list").out


def test_a_new_pack_is_valid_and_in_force(world) -> None:
    assert world.modicum("pack", "new", "billing").code == 0
    assert (
        world.modicum("pack", "validate", ".modicum/packs/billing").out
        == "1 pack: nothing wrong, nothing odd.\n"
    )
    assert "billing" in world.modicum("pack", "list").out
    assert "is there already" in world.modicum("pack", "new", "billing").err
    assert world.modicum("pack", "new", "../x").code == 1


def test_validate_finds_what_is_wrong_and_what_is_odd(world) -> None:
    world.pack("bad", "hid\u200bden\n<!-- verbosity:often -->\nx", header="overlaps: [light]\nweight: 5\n")
    world.pack("light", header="weight: 1\n")
    world.pack("worse", "x", header="weight: heavy\n")
    said = world.modicum("pack", "validate")

    assert said.code == 1
    assert "packs/worse/pack.yaml:2:" in said.out
    assert "context.md:1: hidden character" in said.out
    assert 'unknown verbosity level "often"' in said.out
    assert "bad: overlaps light, which weighs no more" in said.out
    assert "light: has neither context.md nor constraints.md" in said.out


def test_validate_calls_a_pack_empty_only_if_it_shows_nothing(world) -> None:
    world.pack("base", header="base: true\n")
    world.pack("rows")
    world.pack("lost")
    world.write(".modicum/packs/base/preamble.md", "Be kind.")
    world.write(".modicum/packs/rows/samples.yaml", "- {id: a, label: A, url: u}\n")
    world.write(".modicum/packs/lost/preamble.md", "Be kind.")
    said = world.modicum("pack", "validate")

    assert said.code == 0
    assert said.out.count("\n") == 2
    assert 'lost: has a preamble.md, which is shown only with "base: true" in pack.yaml' in said.out


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_validate_says_where_packs_would_be(world, path: str) -> None:
    said = world.modicum("pack", "validate", path)

    assert said.code == 1
    assert said.err.count("\n") == 1
