"""Carriers of our page: files that hold it, lines that import it, settings that name it, and how a placement judges them. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb

from modicum.base.typing_names import TypeVar
from modicum.base.value import Value
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined
from modicum.targets.loaders.model import names_in
from modicum.targets.loaders.reading import Reading

PAGE, IMPORT, SETTING = "page", "import", "setting"
MOST_CHOICES = 2**10  # of carriers that are compared; a large repository has carriers in each of its packages
GAP = "\n\n"  # between a page and the user's text

Violated = tuple[int, int, int]  # the user's, ours, files newly read
_Item = TypeVar("_Item")


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


def folder_in(case: str) -> str:
    """Returns the folder in which a tool is started in a case of its carriers; "" for the root."""
    return case.partition("in ")[2]


class Judgement(Value):
    """How one AI tool fares with a choice of carriers: what is violated, and the pages that reach it.

    `twins` are pages that it passes over, because they are equal to one that reaches it.
    """

    violations: tuple[Violation, ...]
    pages: tuple[str, ...]
    twins: tuple[str, ...] = ()

    def cost(self, *, ours_first: bool, many: Mapping[str, int]) -> Violated:
        """Returns the cost of a placement: the weight of what is violated, the graver kinds first."""
        theirs, ours, gained = (
            sum(_weight(each, many) for each in self.violations if each.kind in kinds)
            for kinds in (("lost", "doubled"), ("missing", "repeated"), ("gained",))
        )
        return (ours, theirs, gained) if ours_first else (theirs, ours, gained)


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


def choices_among(carriers: Sequence[Carrier], indices: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yields all choices among some carriers, by their indices; where there are too many, those with few files in packages."""
    inner = [index for index in indices if is_in_package(carriers[index])]
    outer = [index for index in indices if index not in inner]
    most = max(n for n in range(len(inner) + 1) if not n or _number(inner, n) << len(outer) <= MOST_CHOICES)
    few = chain.from_iterable(combinations(inner, size) for size in range(most + 1))
    return (tuple(sorted((*some, *others))) for others in few for some in subsets(outer))


def subsets(items: Sequence[_Item]) -> Iterator[tuple[_Item, ...]]:
    """Yields all choices among a few things, such as carriers."""
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def _number(items: Sequence[int], most: int) -> int:
    """How many sets there are of so many items at the most."""
    return sum(comb(len(items), size) for size in range(most + 1))


def is_in_package(carrier: Carrier) -> bool:
    """Returns True if the file of a carrier is in a folder of the project other than its root and the folders of tools."""
    first, _, rest = carrier.path.partition("/")
    return bool(rest) and not first.startswith((".", "~"))


def kinds_of_folders(rows: Iterable[tuple[str, str, Iterable[str]]]) -> dict[str, list[str]]:
    """Returns the folders in which tools start, by one of each kind: of those in which they read files of the same names.

    A row has a tool, a case, and what the tool reads in it before there are carriers.
    """
    read: dict[str, list[tuple[str, ...]]] = {}
    for tool, case, paths in rows:
        start, folder = case.partition("in ")[0], folder_in(case)
        names = (path.replace(folder, "*") if folder else path for path in paths)
        read.setdefault(folder, []).append((tool, start, *names))
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for folder, kind in read.items():
        alike.setdefault(tuple(kind), []).append(folder)
    return {folders[0]: folders for folders in alike.values()}


def in_all_packages(
    choice: Sequence[int], carriers: Sequence[Carrier], kinds: Mapping[str, Sequence[str]]
) -> tuple[int, ...]:
    """Returns a choice of carriers with the files that it has in one package of a kind in all others of that kind, too."""
    index_of = {(c.path, c.kind, c.text.replace(c.path, "")): i for i, c in enumerate(carriers)}
    found = {*choice}
    for carrier in (carriers[index] for index in choice):
        rest = carrier.kind, carrier.text.replace(carrier.path, "")
        for first, *others in kinds.values():
            if first and carrier.path.startswith(f"{first}/"):
                paths = (other + carrier.path.removeprefix(first) for other in others)
                found |= {index_of[path, *rest] for path in paths if (path, *rest) in index_of}
    return tuple(sorted(found))


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


def _weight(violation: Violation, many: Mapping[str, int]) -> int:
    """A violation in the usual case weighs more than all those in older versions and in folders below."""
    return many.get(folder_in(violation.case), 1) if violation.case else 1_000
