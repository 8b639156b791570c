"""The amounts that each AI tool reads, by where they come from: your files, our packs, behind a limit, free."""

from collections.abc import Iterable, Iterator, Sequence

from modicum.app.agents.setup import set_up_tools
from modicum.app.inject.load import load_knowledge
from modicum.app.inject.totals import count_directives
from modicum.app.reading.pack_lines import pack_lines
from modicum.app.reading.shown_passages import OURS, YOURS, ShownPassage, passages_of, split_with
from modicum.app.reading.tool_reading import ToolReading, see_tools, tools_to_see
from modicum.base.config import SCOPES, Config
from modicum.base.value import Value, replace
from modicum.engine.tokens import count
from modicum.packs.model import Pack
from modicum.text.directives import USUAL_BOUND


class ReadPart(Value):
    """A part of the amount that a tool reads: whose words they are, the file or pack, and how much that is."""

    source: str  # yours, modicum or pack:NAME
    label: str
    bytes: int
    tokens: int


class FilledLimit(Value):
    """A limit of a tool's reading here, with how much of it is used."""

    name: str
    used: int
    most: int
    unit: str

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)


class ToolAmounts(Value):
    """The amounts that one tool reads: the parts that arrive, those that are lost behind a limit, and its limits."""

    tool: str
    name: str
    parts: tuple[ReadPart, ...] = ()
    lost: tuple[ReadPart, ...] = ()
    limits: tuple[FilledLimit, ...] = ()
    directives: int = 0
    lost_directives: int = 0
    lines_again: int = 0  # lines that arrive more than once
    first_again: str = ""
    program: int = -1  # tokens of the program itself; -1 if nobody has measured them
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def lost_bytes(self) -> int:
        return sum(part.bytes for part in self.lost)

    @property
    def has_too_many_directives(self) -> bool:
        return self.directives > USUAL_BOUND


class ToolsHere(Value):
    """The amounts that the AI tools of a project read, with the names of those that nobody knows, and how many more there are."""

    amounts: tuple[ToolAmounts, ...]
    unknown: tuple[str, ...]
    others: int
    has_setup: bool  # some have our server or hook, which cost tokens, too


def tools_here(config: Config, *, every: bool = False, folder: str = "") -> ToolsHere:
    """Returns how much each AI tool of a project reads there: the tools that are in use, or with `every` all that we know."""
    knowledge = load_knowledge(config)
    adapters = tools_to_see(config, knowledge, (), every=every)
    readings = see_tools(config, adapters, folder)
    ready = {tool for scope in SCOPES for tool in set_up_tools(config, scope)}
    known = [each for each in knowledge.adapters.values() if each.type == "file-inject"]
    return ToolsHere(
        tuple(amounts_of(readings, knowledge.library.every)),
        tuple(adapter.name for adapter in adapters if adapter.reads is None),
        len(known) - len(adapters),
        any(adapter.id in ready for adapter in adapters),
    )


def with_costs(config: Config, here: ToolsHere, folder: str = "") -> ToolsHere:
    """Returns a tool's amounts with those of our hook and MCP tools; runs our server and hooks, which takes seconds."""
    from modicum.app.agents.costs import session_costs

    knowledge = load_knowledge(config, tools_only=True)
    adapters = [knowledge.adapters[each.tool] for each in here.amounts]
    costs = session_costs(config, adapters, folder, lambda _: None)
    amounts = (
        replace(
            each,
            parts=(
                ReadPart("tools", "tool descriptions", 0, cost.tools),
                ReadPart("hook", "hook", cost.hook_bytes, cost.hook),
                *each.parts,
            ),
        )
        for each, cost in zip(here.amounts, costs, strict=True)
    )
    return replace(here, amounts=tuple(amounts))


def amounts_of(readings: Iterable[ToolReading], packs: Sequence[Pack]) -> list[ToolAmounts]:
    """Returns the amounts that each tool reads of your files and of our packs, and how much does not arrive."""
    lines = {format: pack_lines(packs, format) for format in ("markdown", "plain-prose")}
    return [
        _amounts(seen, passages_of(seen, split_with(lines.get(seen.adapter.format, {})))) for seen in readings
    ]


def _amounts(seen: ToolReading, passages: Sequence[ShownPassage]) -> ToolAmounts:
    arriving = [each for each in passages if each.arrives]
    again = [line for line, _, _ in seen.repeats()]
    first = seen.adapter.first_request
    return ToolAmounts(
        seen.adapter.id,
        seen.adapter.name,
        parts=tuple(_parts(arriving)),
        lost=tuple(_parts(each for each in passages if each.state == "cut")),
        limits=tuple(FilledLimit(*each) for each in seen.limits()),
        directives=sum(map(count_directives, seen.texts())),
        lost_directives=count_directives(seen.lost()),
        lines_again=len(again),
        first_again=again[0] if again else "",
        program=first.tokens if first else -1,
        notes=(*(f"only if {each}" for each in seen.needs()), *seen.beyond_features()),
    )


def _parts(passages: Iterable[ShownPassage]) -> Iterator[ReadPart]:
    """Your files one by one, then the frame of our pages and our packs."""
    texts: dict[tuple[str, str], list[str]] = {}
    for each in passages:
        key = (each.source, each.path if each.source == YOURS else "")
        texts.setdefault(key, []).append(each.text)
    for (source, path), found in sorted(texts.items(), key=lambda pair: _ORDER.get(pair[0][0], 2)):
        text = "".join(found)
        label = path if source == YOURS else source.removeprefix("pack:")
        yield ReadPart(source, label, len(text.encode("utf-8", "surrogateescape")), count(_countable(text)))


_ORDER = {YOURS: 0, OURS: 3}


def _countable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
