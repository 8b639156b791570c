"""modicum profile"""

import re


def test_a_profile_is_kept_for_the_user_or_the_project(world) -> None:
    world.modicum("profile", "set", "minimal")
    mine = world.path("~/.config/modicum/config.yaml")
    world.write(".modicum/config.yaml", "# mine\nlanguage: de\n")
    world.modicum("profile", "set", "all", "--project")

    assert mine.read_text() == "profile: minimal\n"
    assert world.read(".modicum/config.yaml") == "# mine\nlanguage: de\nprofile: all\n"
    assert re.search(r"\* +all", world.modicum("profile", "list").out)


def test_a_profile_shows_its_packs_and_names_that_nobody_knows(world) -> None:
    world.write(
        ".modicum/profiles/web.yaml",
        "id: web\nname: Web\ndescription: pages\npacks: [{id: gti, weight: 9}]\n",
    )
    said = world.modicum("profile", "show", "web")

    assert said.out.startswith("Web: pages\n")
    assert 'the profile "web" names the pack "gti", which no layer has (did you mean "git"?)' in said.err
