"""What a tool answers: text, and the same as JSON."""

from typing import NamedTuple

Data = dict[str, object]


class ToolReply(NamedTuple):
    """What a tool answers: as text, and as JSON for clients that show a model that."""

    text: str
    data: Data | None = None
