"""modicum team log"""


def test_what_somebody_did_is_listed(world) -> None:
    world.patch.setenv("MODICUM_PERSON", "mia")
    world.modicum("save", "walrus", "of the sea", "--project", "shop")
    world.modicum("delete", "1")
    listed = world.modicum("team", "log", "--project", "shop")

    assert [line.split()[1:5] for line in listed.out.splitlines()[2:]] == [
        ["mia", "deleted", "note", "1"],
        ["mia", "saved", "note", "1"],
    ]
    assert world.modicum("team", "log", "--json", "--limit", "1").json["next"]
