"""The model of a live reading: a request to a model, and the lines of files that were found in it, or were not. Pure."""

from modicum.base.value import Value


class RequestPart(Value):
    """A text of a request and its place: `system`, or the number and role of a message: `0 user`."""

    place: str
    text: str


class AgentRequest(Value):
    """A request to a model: its texts in their order, and the tools that it offers, by name as JSON."""

    parts: tuple[RequestPart, ...]
    tools: tuple[tuple[str, str], ...] = ()


class ArrivedPassage(Value):
    """Consecutive lines of a file that stand in a request: from `first` to `last`, counted from 1."""

    path: str
    first: int
    last: int
    place: str
    line: int  # where it begins in the part, counted from 1
    part: int = 0
    cut: bool = False  # only the beginning of the last line is there


class UnseenLines(Value):
    """Consecutive lines of a file that stand nowhere in a request, and the file whose equal text does, if any."""

    path: str
    first: int
    last: int
    twin: str = ""


class Disagreement(Value):
    """A line of a file that a tool was said to read more or less often than it stands in its request."""

    path: str
    line: int
    text: str
    told: int
    sent: int


class Attribution(Value):
    """The result of a live run: which lines of known files arrived in a program's request, where, and which did not."""

    arrived: tuple[ArrivedPassage, ...]
    unseen: tuple[UnseenLines, ...]

    def copies(self, path: str, line: int) -> int:
        """Returns how often a line of a file arrived in a request."""
        return sum(each.path == path and each.first <= line <= each.last for each in self.arrived)
