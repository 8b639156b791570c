"""modicum pack tier: markers for a pack that has none."""

CONTEXT = "## Shop\n\n- Never push to the main branch.\n- Keep functions short.\n"


def test_tier_shows_a_diff_with_reasons_and_writes_it_only_if_asked(world) -> None:
    world.pack("shop", CONTEXT, "- Never guess.\n")
    shown = world.modicum("pack", "tier", "shop")

    assert shown.code == 0
    assert "+<!-- verbosity:detail -->" in shown.out
    assert "context.md:4  detail: advice or how-to, without a must" in shown.out
    assert "Nothing was written" in shown.out
    assert world.read(".modicum/packs/shop/context.md") == CONTEXT

    assert "Written." in world.modicum("pack", "tier", "shop", "--apply").out
    marked = CONTEXT.replace("- Keep", "<!-- verbosity:detail -->\n- Keep")
    assert world.read(".modicum/packs/shop/context.md") == marked
    assert "nothing to do" in world.modicum("pack", "tier", "shop", "--apply").out
    assert world.read(".modicum/packs/shop/context.md") == marked


def test_tier_as_json(world) -> None:
    world.pack("shop", CONTEXT)
    said = world.modicum("pack", "tier", "shop", "--json").json

    assert said["applied"] is False
    assert [choice["tier"] for choice in said["files"][0]["choices"]] == ["core", "detail"]


def test_a_pack_that_is_not_there_is_named_with_the_nearest(world) -> None:
    world.pack("shop", CONTEXT)

    assert 'did you mean "shop"?' in world.modicum("pack", "tier", "shp").err
    assert world.modicum("pack", "tier", "quite-another").code == 2


def test_a_pack_of_a_source_is_not_changed(world) -> None:
    world.write("~/team/packs/shop/pack.yaml", "id: shop\n")
    world.write("~/team/packs/shop/context.md", CONTEXT)
    assert world.modicum("source", "add", str(world.home / "team")).code == 0
    said = world.modicum("pack", "tier", "shop", "--apply")

    assert said.code == 4
    assert "not yours to change" in said.err
