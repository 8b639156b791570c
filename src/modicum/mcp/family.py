"""Families of tools: rows that may be offered beside one another, with the instructions and remedies that name them."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from modicum.app.remedies import plain_wording
from modicum.base.errors import Advice
from modicum.mcp.tool import Tool

TOOL_NAME = re.compile(r"\b(?:mem|sdd|pack)_\w+")

Wordings = tuple[str, ...]  # of one line; the first that may be said counts


def naming_only(offered: Collection[str], lines: Collection[Wordings]) -> str:
    """Returns the lines, each in its first wording that names no tool but those offered; a line without one is left out."""
    chosen = (next((text for text in line if _names(text) <= set(offered)), None) for line in lines)
    return "\n".join(text for text in chosen if text is not None)


def _names(text: str) -> set[str]:
    return set(TOOL_NAME.findall(text))


class PromptTemplate(NamedTuple):
    """A prompt that a user can call up, if the tools that it needs are offered; `argument` is asked for if it has a name."""

    name: str
    about: str
    lines: tuple[Wordings, ...]
    needs: tuple[str, ...] = ()
    argument: str = ""


class ToolFamily(NamedTuple):
    """Tools that may be offered beside one another: ours, or those of another system whose names mean other things.

    `groups` name several tools at once; `calls` word the actions of remedies as calls of these tools.
    """

    tools: tuple[Tool, ...]
    groups: Mapping[str, Collection[str]]
    instructions: Callable[[Mapping[str, Tool]], str]
    calls: Mapping[str, str]
    prompts: tuple[PromptTemplate, ...] = ()

    def offer(self, words: Collection[str]) -> "OfferedTools":
        """Returns the tools that are named, by themselves or by a group; ours in the order of the words."""
        known = {tool.name: tool for tool in self.tools}
        wanted = dict.fromkeys(name for word in words for name in self.groups.get(word, (word,)))
        return OfferedTools({name: known[name] for name in wanted}, self)


class OfferedTools(NamedTuple):
    """The tools that a client is offered, and the words that go with them: no tool is named that is not offered."""

    tools: Mapping[str, Tool]
    family: ToolFamily

    @property
    def instructions(self) -> str:
        """What the model reads at the start."""
        return self.family.instructions(self.tools)

    @property
    def prompts(self) -> dict[str, PromptTemplate]:
        """The prompts whose tools are all offered, by name."""
        return {each.name: each for each in self.family.prompts if set(each.needs) <= set(self.tools)}

    def prompt_text(self, prompt: PromptTemplate) -> str:
        """Returns the text of a prompt, its argument not yet filled in."""
        return naming_only(self.tools, prompt.lines)

    def word(self, remedy: Advice) -> str:
        """Returns the remedy as a call of an offered tool; in plain words if no offered tool does it."""
        if isinstance(remedy, str):
            return remedy
        call = remedy.in_words(self.family.calls)
        pattern = self.family.calls.get(remedy.action, "")
        return call if call and _names(pattern) <= set(self.tools) else plain_wording(remedy)
