"""Reads the skills of a pack: the file that skills.yaml names, and the files beside it in its own folder."""

from collections.abc import Iterator
from pathlib import PurePath

from modicum.base.typing_names import Any
from modicum.packs import fields
from modicum.packs.folder import PackFolder
from modicum.packs.model import Skill

_OWN_FOLDER = "SKILL.md"


def read_skills(folder: PackFolder) -> tuple[Skill, ...]:
    """Reads the skills of a pack folder, with the text of their files."""

    def complaint(name: str) -> str:
        if not folder.holds(name):
            return f'"{name}" is not inside the pack folder'
        return "" if (folder.path / name).is_file() else f'"{name}" is not there'

    rows = folder.rows("skills.yaml", fields.skills(complaint))
    return tuple(Skill(**row, **_texts(folder, PurePath(row["file"]))) for row in rows)


def _texts(folder: PackFolder, file: PurePath) -> dict[str, Any]:
    home = PackFolder.scan(folder.path / file.parent, folder.root, folder.problems)
    own_folder = file.name == _OWN_FOLDER and bool(file.parent.name)
    others = tuple(_files(home)) if own_folder else ()
    return {
        "text": home.text(file.name),
        "files": tuple(other for other in others if other[0] != file.name),
    }


def _files(folder: PackFolder, prefix: str = "") -> Iterator[tuple[str, str]]:
    for name in folder.files:
        if text := folder.text(name, fatal=False):
            yield prefix + name, text
    for name in folder.folders:
        if not (folder.path / name).is_symlink():
            inner = PackFolder.scan(folder.path / name, folder.root, folder.problems)
            yield from _files(inner, f"{prefix}{name}/")
