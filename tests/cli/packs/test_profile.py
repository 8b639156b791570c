"""modicum profile"""

import re


def test_a_profile_is_kept_for_the_user_or_the_project(world) -> None:
    world.modicum("profile", "set", "minimal")
    mine = world.path("~/.config/modicum/config.yaml")
    world.write(".modicum/config.yaml", "# mine\nlanguage: de\n")
    world.modicum("profile", "set", "all", "--here")

    assert mine.read_text() == "profile: minimal\n"
    assert world.read(".modicum/config.yaml") == "# mine\nlanguage: de\nprofile: all\n"
    assert re.search(r"\* +all", world.modicum("profile", "list").out)


def test_the_line_ends_of_a_config_stay(world) -> None:
    world.write(".modicum/config.yaml", b"# mine\r\nlanguage: de\r\n")
    world.modicum("profile", "set", "all", "--here")

    assert world.path(".modicum/config.yaml").read_bytes() == b"# mine\r\nlanguage: de\r\nprofile: all\r\n"


def test_a_profile_shows_its_packs_and_names_that_nobody_knows(world) -> None:
    world.write(
        ".modicum/profiles/web.yaml",
        "id: web\nname: Web\ndescription: pages\npacks: [{id: gti, weight: 9}]\n",
    )
    said = world.modicum("profile", "show", "web")

    assert said.out.startswith("Web: pages\n")
    missing = 'the profile "web" names what no layer has: the pack "gti" (did you mean "git"?)'
    assert said.err == f"modicum: {missing}\n"


def test_a_profile_that_names_a_pack_that_is_gone_warns_once_where_it_is_used(world) -> None:
    world.pack("shop", "Prices are in cents.")
    world.write(".modicum/profiles/web.yaml", "id: web\npacks: [shop, gone, lost]\nexclude: [gone]\n")
    world.write(".modicum/profiles/other.yaml", "id: other\ninclude: [away]\n")
    missing = 'modicum: the profile "web" names what no layer has: the packs "gone", "lost"\n'
    unused = world.modicum("inject", "--tool", "codex", "--tool", "claude-code")
    used = world.modicum("inject", "--tool", "codex", "--tool", "claude-code", "--profile", "web")

    assert unused.err == ""
    assert (used.code, used.err) == (0, missing)
    assert world.modicum("explain", "--tool", "codex", "--profile", "web").err == missing
    world.write(".modicum/config.yaml", "profile: web\n")
    assert world.modicum("pack", "list").err == missing
    assert world.modicum("profile", "list").err == ""
