"""modicum team token"""


def test_tokens_come_and_go(world) -> None:
    assert world.modicum("team", "token", "list").out == "There are no tokens.\n"
    made = world.modicum("team", "token", "new", "mia", "--projects", "Shop, docs", "--scopes", "project")
    secret = made.out.strip()
    listed = world.modicum("team", "token", "list")

    assert secret.startswith("modicum_")
    assert "not shown again" in made.err
    assert secret not in listed.out
    assert "shop, docs" in listed.out
    assert "in use" in listed.out
    assert world.modicum("team", "token", "revoke", "mia").out == "mia (1): revoked.\n"
    assert world.modicum("team", "token", "revoke", "mia").code == 1
    assert world.modicum("team", "token", "list", "--json").json["tokens"][0]["revoked_at"]
    assert "choose from" in world.modicum("team", "token", "new", "mia", "--scopes", "all").err
    assert world.modicum("team", "token", "new", "ci", "--read-only", "--json").json["read_only"] is True
