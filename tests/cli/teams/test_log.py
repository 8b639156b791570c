"""modicum team log"""


def test_what_somebody_did_is_listed(world) -> None:
    world.patch.setenv("MODICUM_PERSON", "mia")
    name = world.modicum("save", "walrus", "of the sea", "--project", "shop", "--json").json["id"]
    world.modicum("delete", "1")
    listed = world.modicum("team", "log", "--project", "shop")

    assert [line.split()[3:7] for line in listed.out.splitlines()[2:]] == [
        ["mia", "deleted", "note", name],
        ["mia", "saved", "note", name],
    ]
    assert world.modicum("team", "log", "--json", "--limit", "1").json["next"]
