"""Starts a new pack: creates its folder with an example text in each tier, and turns the pack on."""

import re
from pathlib import Path
from typing import NamedTuple

from modicum.app.inject.load import choose_profile, load_library
from modicum.app.packs.template import TEMPLATE
from modicum.app.packs.turn_on import PackSwitch, use_packs
from modicum.app.wide_project import refuse_wide_project
from modicum.base.config import Config
from modicum.base.errors import ModicumError, WrongUsage
from modicum.packs.model import Pack, PackOrigin
from modicum.targets.disk import resolve, write_own

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def start_pack(layer: Path, name: str) -> Path:
    """Creates the folder of a new pack with an example text in each tier; returns the path of the folder."""
    if not _ID.fullmatch(name):
        raise WrongUsage(
            f'"{name}" is no name for a pack', remedy="use at most 64 small letters, digits and hyphens"
        )
    folder = layer / "packs" / name
    if folder.exists():
        raise ModicumError(f"{folder} is there already", remedy="edit it, or choose another name")
    title = name.replace("-", " ").title()
    for file, text in TEMPLATE.items():
        write_own(folder / file, text.format(id=name, name=title).encode(), private=False)
    return folder


class StartedPack(NamedTuple):
    """A new pack that was started: its folder, what had to be changed so that it is turned on, and the pack that it replaces."""

    folder: Path
    switch: PackSwitch
    replaced: Pack | None


def start_pack_in_use(config: Config, name: str, *, user: bool = False) -> StartedPack:
    """Starts a new pack in the project or for all projects of the user, and turns it on if it is not."""
    library = load_library(config)
    choose_profile(library, config.profile)  # complains before anything is written
    if not user:
        refuse_wide_project(config)
        resolve(
            str(config.project / "packs"), str(config.root)
        )  # a clone may have a link there that leads out
    folder = start_pack(config.folder if user else config.project, name)
    origin = PackOrigin.USER if user else PackOrigin.PROJECT
    replaced = next((pack for pack in library.every if pack.id == name and pack.origin < origin), None)
    return StartedPack(folder, use_packs(config, [name], user=user), replaced)
