"""A copy of a project's instruction files in a throw-away folder, in which an adoption is tried before it is done."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from modicum.base.config import Config
from modicum.base.paths import PROJECT_FOLDER
from modicum.base.value import replace
from modicum.targets.bounds.model import moved_agreements
from modicum.targets.loaders.files import ProjectFiles

_LAYER = ("packs", "profiles", "adapters")


class ProjectCopy:
    """The copy of a project: its files can be changed and read as those of the project, and compared with them."""

    def __init__(self, top: Path, config: Config, files: ProjectFiles) -> None:
        self.top = top
        self.root = top / config.root.relative_to(config.root.anchor)
        agreed = moved_agreements(config.agreed_adapters, str(config.root), str(self.root))
        self.config = replace(
            config, root=self.root, here=self.root, agreed_adapters=agreed, copied=config.root
        )
        self.root.mkdir(parents=True)
        for path, text in files.texts.items():
            if _is_of_project(path):
                self.write(path, text.encode("utf-8", "surrogateescape"))
        for link, real in files.links.items():
            self._link(link, real)
        for path in filter(_is_of_project, files.settings):
            self.write(path, (config.root / path).read_bytes())
        if files.is_repository:
            (self.root / files.repository / ".git").mkdir(exist_ok=True)
        self._copy_layer(config.project)
        self.before = self.contents()

    def _link(self, link: str, real: str) -> None:
        place = self._place(link)
        if _is_of_project(link) and _is_of_project(real) and not os.path.lexists(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(os.path.relpath(self._place(real), place.parent))

    def _copy_layer(self, layer: Path) -> None:
        for name in _LAYER:
            if (layer / name).is_dir() and not (layer / name).is_symlink():
                shutil.copytree(
                    layer / name, self.root / PROJECT_FOLDER / name, ignore=_leading_out, dirs_exist_ok=True
                )
        files = (*layer.glob("*.yaml"), *layer.glob("*.yml"), *layer.glob("*.json"))
        for file in (each for each in files if not each.is_symlink()):
            self.write(f"{PROJECT_FOLDER}/{file.name}", file.read_bytes())

    def _place(self, path: str) -> Path:
        return Path(os.path.normpath(self.root / path))

    def write(self, path: str, data: bytes | None) -> None:
        """Writes one file of the copy of the project, or removes it."""
        place = Path(os.path.realpath(self._place(path)))
        if data is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

    def contents(self) -> Mapping[str, bytes]:
        """Returns the bytes of every file in the copy of the project, by path; a link is no file."""
        files = (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}

    def changes(self) -> dict[str, bytes | None]:
        """Returns the files in the copy that differ from those of the project, with their new bytes; None if the file is gone."""
        after = self.contents()
        paths = sorted({*self.before, *after})
        return {path: after.get(path) for path in paths if self.before.get(path) != after.get(path)}


def _leading_out(folder: str, names: list[str]) -> list[str]:
    """The links in a folder: a copy of what a link means would look like a file of the project."""
    return [name for name in names if Path(folder, name).is_symlink()]


def _is_of_project(path: str) -> bool:
    return not path.startswith(("~/", "/"))
