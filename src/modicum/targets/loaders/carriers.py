"""Carriers of our page: files that hold it, lines that import it, settings that name it, and how a placement judges them. Pure."""

from collections.abc import Callable, Iterable, Mapping

from modicum.base.value import Value
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined
from modicum.targets.loaders.model import names_in
from modicum.targets.loaders.reading import Reading

PAGE, IMPORT, SETTING = "page", "import", "setting"
GAP = "\n\n"  # between a page and the user's text


class Carrier(Value):
    """A way to bring our page to AI tools: a file that holds it, a line that imports it, or a setting that names it."""

    path: str
    kind: str = PAGE
    text: str = ""  # what is added to the file; of a page, a text of the size that it needs at least
    keys: tuple[str, ...] = ()  # of a setting
    value: object = None
    needs: str = ""  # a condition that files cannot tell, such as a trusted folder
    lead: str = ""  # front matter of a file that is all ours
    at_top: bool = False  # a page above the user's text
    is_ignored: bool = False  # the file is not committed, so that nobody else gets what is in it
    mode: str = ""  # how it is written where it is already: a region of a name, or a file of ours
    section: str = ""

    @property
    def spot(self) -> tuple[object, ...]:
        """Returns one identity for a carrier of our page: two imports in one file differ by what they import."""
        return self.path, self.kind, self.keys, self.text if self.kind == IMPORT else ""


class ToolReader(Value):
    """An AI tool by which carriers are judged: its reading in each folder and version, and the paths that change it."""

    tool: str
    readings: Mapping[
        str, Callable[[ProjectFiles], Reading]
    ]  # by the case in words, such as "in a sub folder"
    concerns: Callable[[str], bool]


class Violation(Value):
    """What carriers do not keep for one AI tool: a file of the user's is lost, doubled or newly read, or our page is not read once."""

    tool: str
    kind: str  # lost | doubled | gained | missing | repeated
    case: str = ""
    path: str = ""
    times: int = 0

    @property
    def is_older(self) -> bool:
        """Returns True if older versions of the tool fare so, and the newest does not."""
        return bool(self.older_than)

    @property
    def older_than(self) -> str:
        """Returns the version of the tool that no longer fares as this violation says; "" if the newest does."""
        return self.case.partition("before version ")[2].partition(" ")[0]


class BestPlacement(Value):
    """The carriers of the best placement, which of them brings the page to which tools, and what could not be kept."""

    carriers: tuple[Carrier, ...]
    serves: Mapping[str, tuple[str, ...]]  # by the path of a page, the tools that read it there
    violations: tuple[Violation, ...] = ()


def apply_carriers(files: ProjectFiles, carriers: Iterable[Carrier]) -> ProjectFiles:
    """Returns the files as they are once the carriers of our page are written."""
    for carrier in carriers:
        if carrier.kind == SETTING:
            files = files.with_setting(carrier.path, carrier.keys, carrier.value)
        else:
            files = files.with_text(carrier.path, _extended(files.text(carrier.path), carrier))
    return files


def imported_by(carrier: Carrier) -> str:
    """Returns the path of the file that the line of a carrier imports."""
    return joined(folder_of(carrier.path), carrier.text.removeprefix("@"))


def mentioned_by(carrier: Carrier) -> str:
    """Returns the files that the setting of a carrier makes an AI tool read, written as imports; "" if it is no setting."""
    return " ".join(f"@{name}" for name in names_in(carrier.value)) if carrier.kind == SETTING else ""


def may_import(path: str, texts: Iterable[str]) -> bool:
    """Returns True if one of some texts may import the file of a carrier or of the user."""
    name = path.rpartition("/")[2]
    return any("@" in text and name in text for text in texts)


def _extended(text: str | None, carrier: Carrier) -> str:
    if not text or carrier.lead:
        return carrier.lead + carrier.text
    return f"{carrier.text}{GAP}{text}" if carrier.at_top else f"{text}{GAP}{carrier.text}"
