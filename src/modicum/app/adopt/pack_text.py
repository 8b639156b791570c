"""Writes a proposal as the files of a pack, and what is left of the instruction files. Pure."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent

from modicum.app.adopt.propose import Proposal
from modicum.app.adopt.sources import AdoptSource
from modicum.app.adopt.unit import KEEP, PACK, AdoptUnit
from modicum.packs.sections import closed
from modicum.targets.loaders.front_matter import front_matter_end
from modicum.text.markdown import LINE_END, TIERS
from modicum.text.paragraphs import CODE, COMMENT, ITEM, whole_lines
from modicum.text.prose import markdown_parser

_MARK = re.compile(r"#{1,6}\s++")
# Headings of a whole file that say nothing but whose file it is.
_GENERIC = re.compile(
    r"(?i)\W*(?:the|this|our|your|my|project|repository|repo|general|coding|development|custom|main|global|shared"
    r"|agents?|claude|code|codex|gemini|qwen|cursor|copilot|github|windsurf|cline|ai|assistants?|cli|md|mdc"
    r"|instructions?|guidelines?|guide|rules?|memory|context|conventions|for|and|to|of|in|\W|_)+\W*"
)
_DEEPEST = 6


class _Node:
    """A heading of the pack with its units and the headings below it."""

    def __init__(self, title: str = "", globs: tuple[str, ...] = ()) -> None:
        self.title, self.globs = title, globs
        self.units: list[tuple[int, AdoptUnit]] = []
        self.children: dict[tuple[str, tuple[str, ...]], _Node] = {}

    def child(self, title: str, globs: tuple[str, ...] = ()) -> "_Node":
        key = (_plain(title), globs)
        if key not in self.children:
            taken = any(other == key[0] for other, _ in self.children)
            name = f"{title} ({', '.join(globs)})" if taken and globs else title
            self.children[key] = _Node(name, globs)
        return self.children[key]


def context_of(proposal: Proposal) -> str:
    """Returns the context.md of the pack: the present text, then all that is new under its headings, in tiers."""
    writer = _PackWriter()
    tree = _tree(proposal)
    start = proposal.pack.rstrip()
    if start:
        writer.lines = [closed(start)]
        writer.tier = ""  # whichever the present text ends with
    writer.node(tree, 1)
    return "\n\n".join(writer.lines) + "\n" if writer.lines else ""


def pack_yaml(proposal: Proposal, name: str) -> str:
    """Returns the pack.yaml of the pack that an adoption writes, named after the title of the files or the project."""
    words = f"What the instruction files of {name} said"
    titles = [*_own_titles(proposal).values()]
    name = titles[0] if len(titles) == 1 else name
    return (
        f"id: project\nname: {json.dumps(name, ensure_ascii=False)}\n"
        f"description: {json.dumps(words, ensure_ascii=False)}\ntags: [project]\nweight: 100\n"
    )


def _tree(proposal: Proposal) -> _Node:
    root = _Node()
    titles = titles_that_stay(proposal)
    for at, unit in enumerate(proposal.units):
        if unit.path != PACK and unit.fate in TIERS:
            _place(root, unit, titles.get(unit.path, "")).units.append((at, unit))
    return root


def titles_that_stay(proposal: Proposal) -> dict[str, str]:
    """Returns the titles that stay in their files, above the page that has their text from the pack."""
    found: dict[str, str] = {}
    hosts = () if proposal.are_equal else proposal.hosts
    texts = {source.path: source.text for source in proposal.sources if source.path in hosts}
    for unit in proposal.units:
        is_remark = unit.paragraph.kind == COMMENT and not unit.leads
        if unit.path in texts and unit.path not in found and not is_remark:
            found[unit.path] = unit.leads[0] if unit.leads and _level(unit.leads[0]) == 1 else ""
    return found


def _place(root: _Node, unit: AdoptUnit, title: str) -> _Node:
    """The heading for a unit; no heading of a file is left out, for it may say what the text below does not."""
    node = root.child(unit.title, unit.globs) if unit.globs else root
    leads = unit.leads[1:] if title and unit.leads[:1] == (title,) else unit.leads
    titles = [_bare(lead) for lead in leads]
    for title in titles[1:] if unit.globs and titles and _plain(titles[0]) == _plain(unit.title) else titles:
        node = node.child(title)
    return node


def _own_titles(proposal: Proposal) -> dict[str, str]:
    """The titles of whole files that say what the file is about, by their plain words."""
    files = {source.path for source in proposal.sources if not source.importer and not source.globs}
    leads = (unit.leads[0] for unit in proposal.units if unit.leads and unit.path in files)
    titles = (_bare(lead) for lead in leads if _level(lead) == 1)
    return {_plain(title): title for title in titles if not _is_generic(title)}


def _is_generic(title: str) -> bool:
    return bool(_GENERIC.fullmatch(title))


def _level(lead: str) -> int:
    marks = len(lead) - len(lead.lstrip("# "))
    if lead.lstrip().startswith("#"):
        return len(lead.lstrip()[:marks].rstrip().split(" ")[0])
    return 1 if lead.rstrip().endswith("=") else 2


def _bare(lead: str) -> str:
    if lead.lstrip().startswith("#"):
        return _title(lead) or "…"
    return " ".join(LINE_END.split(lead.rstrip().rstrip("=-"))).strip()


def _title(lead: str) -> str:
    """The words of a heading, without the marks before and behind them."""
    words = lead.strip()
    found = _MARK.match(words)
    words = words[found.end() :] if found else words
    bare = words.rstrip("#")
    return bare.rstrip() if bare != bare.rstrip() else words


def _plain(title: str) -> str:
    return re.sub(r"\W+", " ", title).strip().lower() or title


class _PackWriter:
    """The paragraphs of the pack so far, and the tier in force."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tier = TIERS[0]

    def node(self, node: _Node, level: int) -> None:
        first = node.units[0][1].fate if node.units else ""
        if node.title:
            self._switch(first)
            globs = f"\n<!-- globs: {', '.join(node.globs)} -->" if node.globs else ""
            self.lines.append(f"{'#' * min(level, _DEEPEST)} {node.title}{globs}")
        for run in _runs(node.units):
            self._switch(run[0][1].fate)
            self.lines.append(_joined(run))
        for child in node.children.values():
            self.node(child, level + 1)

    def _switch(self, tier: str) -> None:
        if tier and tier != self.tier:
            self.lines.append(f"<!-- verbosity:{tier} -->")
            self.tier = tier


def _runs(units: Iterable[tuple[int, AdoptUnit]]) -> Iterator[list[tuple[int, AdoptUnit]]]:
    run: list[tuple[int, AdoptUnit]] = []
    for pair in units:
        if run and run[-1][1].fate != pair[1].fate:
            yield run
            run = []
        run.append(pair)
    if run:
        yield run


def _joined(run: Sequence[tuple[int, AdoptUnit]]) -> str:
    """The units of one tier as one text; those that followed each other are as far apart as they were."""
    text, before = "", None
    for at, unit in run:
        # With a heading between them that is gone, prose would go on with the item above.
        follows = before is not None and before[0] == at - 1 and before[1].leads == unit.leads
        own = unit.text if follows else _freed(unit)
        if before is not None:
            items = unit.paragraph.kind == before[1].paragraph.kind == ITEM
            close = not before[1].paragraph.blank if follows else items
            text += "\n" if close else "\n\n"
        text, before = text + closed(own), (at, unit)
    return text


def _freed(unit: AdoptUnit) -> str:
    """The text of a unit that stands elsewhere than it did: indented code behind a list would be a part of the list."""
    if unit.paragraph.kind == CODE and unit.text.startswith(("    ", "\t")):
        return f"```\n{dedent(unit.text.expandtabs(4))}\n```"
    return unit.text


def rest_of(proposal: Proposal, source: AdoptSource, text: str, ours: Sequence[tuple[int, int]]) -> str:
    """Returns the text that an instruction file keeps beside the new pack: what stays, under its headings, and our own regions."""
    lines = whole_lines(text)
    kept = {
        at for unit in proposal.units if unit.path == source.path and unit.fate == KEEP for at in _lines(unit)
    }
    wanted = {*kept, *_headings_above(source.text, kept)}
    if kept:
        wanted |= {*range(source.text.count("\n", 0, front_matter_end(source.text)))}
    if title := titles_that_stay(proposal).get(source.path, ""):
        first = source.text.count("\n", 0, source.text.index(title, front_matter_end(source.text)))
        wanted |= {*range(first, first + title.rstrip("\n").count("\n") + 1)}
    for start, end in ours:
        first = len(LINE_END.findall(text, 0, start))
        wanted |= {*range(first, first + len(LINE_END.findall(text, start, end)) + 1)}
    return "".join(_spaced(lines, wanted))


def _lines(unit: AdoptUnit) -> range:
    return range(unit.line - 1, unit.line + unit.text.count("\n"))


def _spaced(lines: Sequence[str], wanted: set[int]) -> Iterator[str]:
    """The wanted lines, with an empty one where the lines between two of them are gone."""
    before = -1
    for at in sorted(number for number in wanted if number < len(lines)):
        gap = [*lines[before + 1 : at]] if before >= 0 else []
        if gap:
            yield "\r\n" if lines[before].endswith("\r\n") else "\n"
        yield lines[at]
        before = at


def _headings_above(text: str, kept: set[int]) -> Iterator[int]:
    tokens = [token for token in markdown_parser().parse(text) if token.type == "heading_open"]
    found = [(int(token.tag[1]), token.map[0], token.map[1]) for token in tokens if token.map]
    for line in sorted(kept):
        level = _DEEPEST + 1
        for depth, start, end in reversed([each for each in found if each[1] <= line]):
            if depth < level:
                level = depth
                yield from range(start, end)
