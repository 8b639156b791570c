"""modicum team token"""

import sys
from io import StringIO


def test_tokens_come_and_go(world) -> None:
    assert world.modicum("team", "token", "list").out == "There are no tokens.\n"
    made = world.modicum(
        "team", "token", "new", "mia", "--projects", "Shop, docs", "--scopes", "project", "--yes"
    )
    secret = made.out.strip()
    listed = world.modicum("team", "token", "list")

    assert secret.startswith("modicum_")
    assert "not shown again" in made.err
    assert secret not in listed.out
    assert "shop, docs" in listed.out
    assert "in use" in listed.out
    assert world.modicum("team", "token", "revoke", "mia").out == (
        "mia (1): revoked.\nNo token is left: modicum serve answers every program on this machine again.\n"
    )
    assert world.modicum("team", "token", "revoke", "mia").code == 4
    assert world.modicum("team", "token", "list", "--json").json["tokens"][0]["revoked_at"]
    assert "  revoked 20" in world.modicum("team", "token", "list").out
    assert "choose from" in world.modicum("team", "token", "new", "mia", "--scopes", "all", "--yes").err
    assert (
        world.modicum("team", "token", "new", "ci", "--read-only", "--json", "--yes").json["read_only"]
        is True
    )


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_first_token_says_what_it_means_and_is_not_made_unasked(world) -> None:
    refused = world.modicum("team", "token", "new", "mia")

    assert (refused.code, refused.out) == (4, "")
    assert "from now on modicum serve answers nobody without one" in refused.err
    assert "modicum team token new mia --yes" in refused.err
    assert world.modicum("team", "token", "list").out == "There are no tokens.\n"


def test_on_a_terminal_the_first_token_is_asked_about_and_the_second_is_not(world) -> None:
    said = {}
    world.patch.setattr("modicum.cli.teams.token.can_ask", lambda: True)
    for answer in ("\n", "n\n", "yes\n", ""):
        world.patch.setattr(sys, "stdin", Terminal(answer))
        said[answer] = world.modicum("team", "token", "new", "mia")

    assert [each.code for each in said.values()] == [4, 4, 0, 0]
    assert "no token was made" in said["n\n"].err
    assert said["yes\n"].out.startswith("modicum_")
    assert "[y/N]" not in said[""].err


def test_revoking_says_whether_it_is_open_again(world) -> None:
    for name in ("mia", "ben"):
        world.modicum("team", "token", "new", name, "--yes")

    assert world.modicum("team", "token", "revoke", "mia").out == "mia (1): revoked.\n"
    assert world.modicum("team", "token", "revoke", "2", "--json").json["open"] is True
