"""A unit of an adoption: a paragraph of an instruction file, and what becomes of it. Pure."""

from modicum.base.value import Value
from modicum.text.markdown import TIERS
from modicum.text.paragraphs import Paragraph

SAME, KEEP, DROP = "same", "keep", "drop"
FATES = (*TIERS, SAME, KEEP, DROP)
PACK = ".modicum/packs/project"  # where the pack of an adoption is


class AdoptUnit(Value):
    """A unit of an adoption: a paragraph or list item with its fate, which is a tier of the pack, said elsewhere, kept or dropped."""

    path: str
    line: int
    leads: tuple[str, ...]
    paragraph: Paragraph
    fate: str
    reason: str
    globs: tuple[str, ...] = ()
    title: str = ""
    same_as: int = -1  # the unit that says the same
    is_forced: bool = False  # the user has chosen the fate
    is_apart: bool = False  # it is said elsewhere, and the user wants it all the same

    @property
    def place(self) -> str:
        """Returns where the unit of an adoption stands: the file and the line."""
        return f"{self.path}:{self.line}"

    @property
    def text(self) -> str:
        return self.paragraph.text
