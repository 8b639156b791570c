"""modicum init"""


def test_init_shows_tools_and_packs_and_is_harmless_twice(world) -> None:
    (world.home / ".claude").mkdir()
    first = world.modicum("init")
    config = world.read(".modicum/config.yaml")
    second = world.modicum("init")

    assert "Claude Code  CLAUDE.md" in first.out
    assert "testing, git, reviews, modicum" in first.out
    assert "There is already" in second.out
    assert world.read(".modicum/config.yaml") == config
