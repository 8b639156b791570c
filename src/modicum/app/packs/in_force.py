"""Which packs are in force here, and which are off."""

from typing import NamedTuple

from modicum.app.inject.load import choose_packs, choose_profile
from modicum.base.config import Config
from modicum.packs.model import Library, Pack, Profile


class PacksInForce(NamedTuple):
    """The packs that are turned on here and wanted by the profile, in reading order; those that are off; and warnings."""

    profile: Profile | None
    packs: tuple[Pack, ...]
    off: tuple[Pack, ...]
    starters: tuple[Pack, ...]  # of those that are off, what nobody has chosen yet
    warnings: tuple[str, ...]


def packs_in_force(config: Config, library: Library, profile: str = "", usual: str = "") -> PacksInForce:
    """Returns the packs in force here; those of a profile that is named, or of the configuration's, else of the usual one."""
    chosen = choose_profile(library, profile or config.profile or usual)
    packs, warnings = choose_packs(library, chosen, is_named=bool(profile))
    names = {pack.id for pack in packs}
    off, starters = (
        tuple(pack for pack in some if pack.id not in names) for some in (library.off, library.offered)
    )
    return PacksInForce(chosen, packs, off, starters, warnings)
