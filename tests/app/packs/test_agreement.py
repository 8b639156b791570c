"""The sources of a project that its user is asked about."""

from modicum.app.packs.sources import agree, sources_to_agree_to
from modicum.base.config import load_config

CONFIG = "sources:\n  team: {location: https://example.com/team.git}\n  more: {location: https://example.com/more.git}\n"


def test_a_user_is_asked_about_each_source_once(world) -> None:
    world.write(".modicum/config.yaml", CONFIG)
    config = load_config()

    asked = sources_to_agree_to(config)
    config = agree(config, ["https://example.com/team.git"])

    assert [source.name for source, _ in asked] == ["team", "more"]
    assert all(why for _, why in asked)
    assert [source.name for source, _ in sources_to_agree_to(config)] == ["more"]
