"""Families of MCP tools that may be offered together, with their instructions and remedies."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from modicum.app.remedies import plain_wording
from modicum.base.errors import Advice
from modicum.mcp.tool import Tool

TOOL_NAME = re.compile(r"\b(?:mem|sdd|pack)_\w+")

Wordings = tuple[str, ...]  # of one line; the first that may be said counts


def naming_only(offered: Collection[str], lines: Collection[Wordings]) -> str:
    """Returns the lines for a tool family, each in its first wording that names only offered MCP tools, or left out."""
    chosen = (next((text for text in line if _names(text) <= set(offered)), None) for line in lines)
    return "\n".join(text for text in chosen if text is not None)


def _names(text: str) -> set[str]:
    return set(TOOL_NAME.findall(text))


class PromptTemplate(NamedTuple):
    """An MCP prompt of a tool family, offered if its tools are; `argument` is the name of its input."""

    name: str
    about: str
    lines: tuple[Wordings, ...]
    needs: tuple[str, ...] = ()
    argument: str = ""


class ToolFamily(NamedTuple):
    """A family of MCP tools that may be offered together: ours, or those of another system.

    `groups` name several tools at once; `calls` word the actions of remedies as calls of these tools.
    """

    tools: tuple[Tool, ...]
    groups: Mapping[str, Collection[str]]
    instructions: Callable[[Mapping[str, Tool]], str]
    calls: Mapping[str, str]
    prompts: tuple[PromptTemplate, ...] = ()

    def offer(self, words: Collection[str]) -> "OfferedTools":
        """Returns the tools of the family that the words name, singly or by group."""
        known = {tool.name: tool for tool in self.tools}
        wanted = dict.fromkeys(name for word in words for name in self.groups.get(word, (word,)))
        return OfferedTools({name: known[name] for name in wanted}, self)


class OfferedTools(NamedTuple):
    """The MCP tools of a family that a client is offered, with texts that name only those tools."""

    tools: Mapping[str, Tool]
    family: ToolFamily

    @property
    def instructions(self) -> str:
        """Returns the instructions that the model reads at the start, for the offered tools."""
        return self.family.instructions(self.tools)

    @property
    def prompts(self) -> dict[str, PromptTemplate]:
        """Returns the family's prompts whose tools are all offered, by name."""
        return {each.name: each for each in self.family.prompts if set(each.needs) <= set(self.tools)}

    def prompt_text(self, prompt: PromptTemplate) -> str:
        """Returns the text of a family's prompt, its argument not yet filled in."""
        return naming_only(self.tools, prompt.lines)

    def word(self, remedy: Advice) -> str:
        """Returns a remedy as a call of an offered tool; in plain words if no offered tool does it."""
        if isinstance(remedy, str):
            return remedy
        call = remedy.in_words(self.family.calls)
        pattern = self.family.calls.get(remedy.action, "")
        return call if call and _names(pattern) <= set(self.tools) else plain_wording(remedy)
