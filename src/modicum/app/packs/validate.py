"""Validates packs: what is wrong or odd in a library, or in a folder of packs that somebody is writing."""

from collections.abc import Iterator
from pathlib import Path

from modicum.app.packs.template import still_template
from modicum.base.errors import ModicumError
from modicum.packs.load import Layer, load_layers
from modicum.packs.model import Library, Pack
from modicum.packs.sections import compose
from modicum.text.secrets import findings


def complaints(library: Library) -> Iterator[tuple[str, bool]]:
    """Yields a sentence for each fault or oddity that validation finds in packs, and whether it is a fault."""
    yield from ((str(problem), True) for problem in library.problems)
    for file, remark in compose(library.packs, "markdown").remarks:
        yield f"{file}:{remark.line}: {remark.message}", False
    yield from ((sentence, False) for sentence in still_template(library.packs))
    for pack in library.packs:
        for text in (*pack.preamble, *pack.constraints, *pack.context):
            yield from (
                (f"{text.file}:{remark.line}: {remark.message}", True) for remark in findings(text.text)
            )
        yield from _nothing_shown(pack)
        yield from _wrong_overlaps(pack, library)


def _nothing_shown(pack: Pack) -> Iterator[tuple[str, bool]]:
    tables = (pack.samples, pack.learning, pack.known_errors)
    if pack.preamble and not pack.base:
        yield f'{pack.id}: has a preamble.md, which is shown only with "base: true" in pack.yaml', False
    elif not (pack.preamble or pack.context or pack.constraints or any(tables)):
        yield f"{pack.id}: has neither context.md nor constraints.md, so it shows nothing", False


def _wrong_overlaps(pack: Pack, library: Library) -> Iterator[tuple[str, bool]]:
    importance = {other.id: other.importance for other in library.packs}
    for name in pack.overlaps:
        if name in importance and importance[name] >= pack.importance:
            yield f"{pack.id}: overlaps {name}, which matters no more, so it never makes way for it", False


def validate(folder: Path) -> Library:
    """Loads the packs in a folder (a layer or a single pack), with their problems, to validate them."""
    if not folder.is_dir():
        raise ModicumError(f"{folder} is no folder", remedy="name a pack, or a folder that has packs/")
    root = (
        folder.parent.parent if (folder / "pack.yaml").exists() and folder.parent.name == "packs" else folder
    )
    library = load_layers([Layer(folder.name, root)])
    if root == folder and not (folder / "packs").is_dir():
        raise ModicumError(f"{folder} has no packs", remedy="packs live in a folder named packs")
    return library
