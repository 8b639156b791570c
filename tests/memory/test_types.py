"""The types of notes have one home, and what is told of them elsewhere comes from there."""

from pathlib import Path

from modicum.cli.memory import save, update
from modicum.mcp.instructions import _WHEN_TO_SAVE
from modicum.mcp.tools.memory import SAVE
from modicum.memory.model import NOTE_TYPES, NOTE_TYPES_LISTED

PAGE = Path(__file__).parent.parent.parent / "docs" / "memory.md"


def test_the_page_of_memory_tells_each_type_and_what_it_is_for():
    rows = "".join(f"| `{name}` | {about} |\n" for name, about in NOTE_TYPES.items())

    assert rows in PAGE.read_text("utf-8")


def test_help_and_tools_list_the_types():
    helps = [
        option.help for each in (save, update) for option in each.command.params if option.name == "kind"
    ]

    assert [text.startswith(NOTE_TYPES_LISTED) for text in helps] == [True, True]
    assert SAVE.takes["type"]["description"] == NOTE_TYPES_LISTED
    assert NOTE_TYPES_LISTED in " ".join(_WHEN_TO_SAVE.split())
