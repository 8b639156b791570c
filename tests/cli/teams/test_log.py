"""modicum team log"""

from modicum.app.answer.cursor import read_cursor


def test_what_somebody_did_is_listed(world) -> None:
    world.patch.setenv("MODICUM_PERSON", "mia")
    name = world.modicum("save", "walrus", "of the sea", "--project", "shop", "--json").json["id"]
    world.modicum("delete", "1")
    listed = world.modicum("team", "log", "--project", "shop")

    assert [line.split()[3:7] for line in listed.out.splitlines()[2:]] == [
        ["mia", "deleted", "note", name],
        ["mia", "saved", "note", name],
    ]
    first = world.modicum("team", "log", "--json", "--limit", "1").json
    following = world.modicum("team", "log", "--json", "--limit", "1", "--cursor", first["next"]).json
    assert read_cursor(first["next"]).shown == 1
    assert [each["action"] for each in first["entries"] + following["entries"]] == ["deleted", "saved"]
