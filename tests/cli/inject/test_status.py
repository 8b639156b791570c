"""modicum status"""


def test_a_setting_that_a_tool_lacks_is_told_and_counts(world) -> None:
    world.pack("own", "Amounts are in cents.\n")
    world.write("AGENTS.md", "Rule of mine.\n" * 2800)  # more than Codex reads
    assert world.modicum("inject", "--tool", "codex").code == 0
    world.path(".codex/config.toml").unlink()

    for command in (("status",), ("inject", "--check")):
        said = world.modicum(*command, "--tool", "codex")
        assert said.code == 1
        assert "would be changed: a setting, so that it reads the page" in said.out
    world.modicum("inject", "--tool", "codex")
    assert world.modicum("status", "--tool", "codex").code == 0
