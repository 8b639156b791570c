"""modicum source"""


def test_a_source_comes_and_goes(world) -> None:
    world.write("~/team/packs/shop/pack.yaml", "id: shop\n")
    world.write("~/team/packs/shop/context.md", "Prices are in cents.\n")
    assert world.modicum("source", "list").out.startswith("No source is installed.")
    added = world.modicum("source", "add", str(world.home / "team"))
    listed = world.modicum("source", "list")
    packs = [row["id"] for row in world.modicum("pack", "list", "--json").json["packs"]]

    assert added.out == "team: 1 pack, 0 profiles, 0 adapters\n"
    assert "team" in listed.out
    assert packs == ["shop"]
    assert world.modicum("source", "update").code == 0
    assert world.modicum("source", "remove", "team").out.startswith("team is no longer a source.")
    assert world.path("~/team/packs/shop/pack.yaml").exists()
