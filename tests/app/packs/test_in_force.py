"""Which packs are in force, and which are off."""

import pytest

from modicum.app.inject.load import load_knowledge
from modicum.app.packs.in_force import packs_in_force
from modicum.base.config import load_config
from modicum.base.errors import WrongUsage


def test_what_is_off_is_not_in_force_and_starters_are_offered(world) -> None:
    world.pack("shop", "# Shop")
    world.write(".modicum/config.yaml", "use: [git]\n")
    config = load_config()

    found = packs_in_force(config, load_knowledge(config).library)

    assert (found.profile, {pack.id for pack in found.packs}) == (None, {"shop", "git"})
    assert {pack.id for pack in found.off} == {pack.id for pack in found.starters}
    assert "git" not in {pack.id for pack in found.starters}
    assert "testing" in {pack.id for pack in found.starters}


def test_the_profile_that_is_named_goes_before_that_of_the_configuration_and_the_usual_one_comes_last(
    world,
) -> None:
    world.write(".modicum/config.yaml", "use: [git]\n")
    config = load_config()
    library = load_knowledge(config).library
    known = [profile.id for profile in library.profiles]

    assert packs_in_force(config, library, usual=known[0]).profile == library.profiles[0]
    for profile in library.profiles:
        assert packs_in_force(config, library, profile.id, usual=known[0]).profile == profile
    with pytest.raises(WrongUsage, match="there is no profile"):
        packs_in_force(config, library, "unheard-of")
