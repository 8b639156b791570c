"""Tiers for a pack that has none: the same rules as an adoption, written as verbosity markers between its paragraphs."""

from pathlib import Path

from modicum.base.errors import ModicumError, Remedy, WrongUsage
from modicum.base.files import in_words
from modicum.base.near_words import nearest
from modicum.base.value import Value
from modicum.packs.model import Library, Pack
from modicum.targets.disk import write_own
from modicum.text.tier_marks import ChosenTier, tiered

TEXTS = ("context.md", "constraints.md")


class TieredText(Value):
    """A text of a pack with tiers put in: its file, how it is and how it would be, and the choices with their reasons."""

    file: Path
    before: str
    after: str
    choices: tuple[ChosenTier, ...]


def tier_pack(library: Library, name: str) -> tuple[TieredText, ...]:
    """Returns the texts of a pack with tiers; those that have markers already are left alone."""
    pack = next((pack for pack in library.packs if pack.id == name), None)
    if pack is None:
        near = nearest(name, [each.id for each in library.packs])
        remedy = f'did you mean "{near}"?' if near else Remedy("pack.list")
        raise WrongUsage(f'there is no pack "{name}"', remedy=remedy)
    return tuple(text for file in _files(pack) if (text := _tiered(file)))


def _files(pack: Pack) -> list[Path]:
    found = dict.fromkeys(Path(text.file) for text in (*pack.context, *pack.constraints))
    expanded = "context.expanded.md"  # made from context.md, and made anew at the next update
    return [file.with_name("context.md") if file.name == expanded else file for file in found]


def _tiered(file: Path) -> TieredText | None:
    with in_words(str(file)):
        before = file.read_bytes().decode("utf-8", "surrogateescape")
    after, choices = tiered(before)
    return TieredText(file, before, after, choices) if choices else None


def write_tiers(pack: Pack, texts: tuple[TieredText, ...], aside: Path) -> None:
    """Writes the texts of a pack with the tiers that were put in; only into the user's own folder or the project."""
    if pack.layer not in ("user", "project"):
        raise ModicumError(
            f'the pack "{pack.id}" comes from {pack.layer}, which is not yours to change',
            remedy="change it there, or copy it into .modicum/packs",
        )
    for text in texts:
        write_own(text.file, text.after.encode("utf-8", "surrogateescape"), private=False, aside=aside)
