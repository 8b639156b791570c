"""What the use cases of specs say to people at a command line, as an agent can act on it."""

import re
from collections.abc import Callable, Iterable

from modicum.base.errors import ModicumError
from modicum.engine.page import Block, Section
from modicum.mcp.args import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext

# Words for a shell, and the call that does the same. The first that fits counts.
_CALLS = tuple(
    (re.compile(words), call)
    for words, call in (
        (r'modicum change new --type (\w+) --size (\w+) "…"', r"sdd_change action=new type=\1 size=\2 description=…"),
        (r"modicum change list --all", "sdd_change_status all=true"),
        (r"modicum change status", "sdd_change_status"),
        (r"modicum change (\w+) (\S+)", r"sdd_change action=\1 change_id=\2"),
        (r"modicum change (\w+)", r"sdd_change action=\1"),
        (r"modicum spec init NAME DESCRIPTION", "sdd_project action=init name=… description=…"),
        (r"modicum spec back (\S+?)(?=[,)]|$)", r"sdd_project action=back stage=\1"),
        (r"modicum spec context", "sdd_get_context"),
        (r"modicum spec (scan|bootstrap)", r"sdd_\1"),
        (r"modicum adr list", "sdd_get_context lists them"),
        (r'modicum check "([^"]*)"', r'sdd_context_check change_description="\1"'),
        (r"--replace\b", "replace=true"),
        (r"say it with --(\w+)", r"call again with \1, a text"),
    )
)  # fmt: skip


def spoken(text: str) -> str:
    """The text with calls in the place of commands."""
    for words, call in _CALLS:
        text = words.sub(call, text)
    return text


def spoken_sections(sections: Iterable[Section]) -> list[Section]:
    """The sections with calls in the place of commands."""
    return [Section(tuple(map(_spoken_block, each.blocks)), each.leads, each.gap) for each in sections]


def _spoken_block(block: Block) -> Block:
    """A block in our own words; a text that somebody else wrote, which it may hold whole, stays as it is."""
    if block.key != "project:":
        return block
    forms = {detail: spoken(text) for detail, text in block.forms.items()}
    return Block(block.key, forms, block.rank, block.pinned)


def to_agents(
    answer: Callable[[ToolContext, Arguments], ToolReply],
) -> Callable[[ToolContext, Arguments], ToolReply]:
    """The tool, with its errors in words that an agent can act on."""

    def answered(desk: ToolContext, asked: Arguments) -> ToolReply:
        try:
            return answer(desk, asked)
        except ModicumError as error:
            raise ModicumError(spoken(error.message), remedy=spoken(error.remedy)) from None

    return answered
