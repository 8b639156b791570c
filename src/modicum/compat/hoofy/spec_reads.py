"""Hoofy's tools that read specs: the context check, suggestions and the review list.

Its headings around our findings: where it shows the head of a file, the passages that match are shown.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.specs.check import CheckMaterial, gather
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.app.specs.pages import passages_in
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_read_texts as texts
from modicum.compat.hoofy.memory_texts import LEVELS, SUMMARY_FOOTER, cut_at_line, token_footer, within_budget
from modicum.compat.hoofy.project_state import get_context
from modicum.compat.hoofy.spec_writes import needed
from modicum.engine.page import Detail
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.memory.model import Note, Query
from modicum.memory.names import clip
from modicum.specs.check.findings import PassageMatch
from modicum.specs.check.sections import shortened
from modicum.specs.files import listed, read_text
from modicum.specs.model import Change

ARTIFACTS = ("business-rules.md", "requirements.md", "charter.md", "principles.md", "design.md")
CONVENTIONS = ("CLAUDE.md", "AGENTS.md", "README.md", "CONTRIBUTING.md")
SHORT, EXCERPT, SNIPPET, BODY, CONVENTION = 500, 1_500, 200, 300, 8_000  # bytes
FIRST_LINES = 200
CHANGES, RELATED, THOUGHTS, NOTES, FILES, ITEMS = 10, 5, 5, 10, 20, 20
_REQUIREMENT = re.compile(r"^\s*-\s*\*\*((?:FR|NFR)-\d+)\*\*:\s*(.+)$")
_RULE = re.compile(r"^[-*]\s+(?P<text>(?:\*\*(?P<id>[^*]+)\*\*:?\s*)?When\s.*)", re.DOTALL)


def _finished(text: str, detail: Detail, most: int) -> ToolReply:
    """Returns the text with its footers, cut where the budget ends."""
    text += SUMMARY_FOOTER if detail is Detail.SUMMARY else ""
    return ToolReply(token_footer(within_budget(text, most)))


class _Check(NamedTuple):
    """What a change or a task is about, how much is to be shown, and what the context check found."""

    specs: OpenedSpecs
    text: str
    detail: Detail
    material: CheckMaterial

    def artifacts(self) -> Iterable[tuple[str, str]]:
        """Lists, as Hoofy does, the documents of the project that are written, with their texts."""
        for name in ARTIFACTS:
            if text := self.specs.workspace.document(name):
                yield name, text

    def changes(self, most: int) -> list[Change]:
        """Returns earlier changes for Hoofy's tools that read specs, the nearest first."""
        known = {f"change:{each.id}": each for each in self.specs.changes().changes}
        near = [each.key for each in self.material.findings if each.matches and each.key in known]
        return [known[key] for key in near[:most]]

    def within(self, rows: Sequence[str], more: str) -> str:
        """Returns the rows of one of Hoofy's lists: all of them at full, else the first ones and how many there are beside them."""
        most = len(rows) if self.detail is Detail.FULL else ITEMS
        rest = len(rows) - most
        return "".join(rows[:most]) + (more.format(count=rest) if rest > 0 else "")


def _checked(context: ToolContext, text: str, arguments: Arguments) -> _Check:
    specs, description = open_specs(context.config), text.strip()
    detail = LEVELS.get(arguments.text("detail_level"), Detail.STANDARD)
    return _Check(specs, description, detail, gather(context.config, specs, None, description))


def _notes(context: ToolContext, arguments: Arguments, text: str, limit: int, kind: str = "") -> list[Note]:
    query = Query(arguments.text("project_name"), type=kind, limit=limit)
    return [hit.note for hit in context.store.search(text, query).items if not hit.nearby]


def _changes(found: Sequence[Change], none: str) -> str:
    rows = "".join(f"- **{each.id}** ({each.type}/{each.size}): {each.description}\n" for each in found)
    return f"{rows or f'{none}{chr(10)}'}\n"


# The context check.


def context_check(context: ToolContext, arguments: Arguments) -> ToolReply:
    text = needed(arguments, "change_description", " — describe the change to check context for")
    check = _checked(context, text, arguments)
    artifacts = [*check.artifacts()]
    rows = "".join(f"- **{name}** ({len(body.encode())} bytes)\n" for name, body in artifacts)
    report = f"# Context Check Report\n\n## Existing Artifacts Found\n\n{rows or texts.NO_ARTIFACTS}\n"
    report += "## Relevant Prior Changes\n\n" + _changes(check.changes(CHANGES), texts.NO_PRIOR)
    report += "## Explore Context (Memory)\n\n"
    report += _thoughts(_notes(context, arguments, check.text, THOUGHTS, "explore"), check.detail)
    report += "## Convention Files\n\n"
    report += f"{texts.SKIPPED}\n" if artifacts else _conventions(check)
    if artifacts and check.detail is not Detail.SUMMARY:
        report += "## Artifact Excerpts\n\n"
        report += "".join(f"### {name}\n\n{_excerpt(body, check)}\n\n" for name, body in artifacts)
    return _finished(report, check.detail, arguments.number("max_tokens") or 0)


def _excerpt(body: str, check: _Check) -> str:
    """Returns a short document whole, of a long one the best passages; never its head, and everything only at full."""
    if check.detail is Detail.FULL or len(body.encode()) <= SHORT:
        return body
    found = passages_in(body, check.text)
    best = _best(found)
    more = [texts.MORE_PASSAGES.format(count=len(found) - len(best))] if len(best) < len(found) else []
    return "\n\n".join((*(shortened(match) for match in best), *more)) or texts.NO_PASSAGE


def _best(found: Sequence[PassageMatch]) -> list[PassageMatch]:
    """Returns the passages with the best scores that fit into an excerpt, in the order of the text; at least one."""
    room, best = EXCERPT, set[int]()
    for match in sorted(found, key=lambda each: -each.score):
        room -= len(shortened(match).encode())
        if room < 0 and best:
            break
        best.add(match.line)
    return [match for match in found if match.line in best]


def _thoughts(notes: Sequence[Note], detail: Detail) -> str:
    if not notes:
        return f"{texts.NO_THOUGHTS}\n"
    return "".join(f"- **{each.title}** (ID: {each.id}){_body(each, detail)}\n" for each in notes) + "\n"


def _body(note: Note, detail: Detail, more: str = "\n[...truncated]") -> str:
    if detail is Detail.SUMMARY:
        return ""
    return f": {note.content if detail is Detail.FULL else cut_at_line(note.content, SNIPPET, more)}"


def _conventions(check: _Check) -> str:
    files = [*_convention_files(check.specs.workspace.root)][:FILES]
    if not files:
        return f"{texts.NO_CONVENTIONS}\n"
    if check.detail is Detail.SUMMARY:
        rows = "".join(f"- {name}\n" for name, _ in files)
    else:
        most = None if check.detail is Detail.FULL else CONVENTION
        rows = "".join(f"### {name}\n\n```\n{_first_lines(text, most)}\n```\n\n" for name, text in files)
    return f"{texts.CONVENTIONS}\n{rows}\n"


def _first_lines(text: str, most: int | None) -> str:
    first = "\n".join(text.split("\n")[:FIRST_LINES])
    return first if most is None else cut_at_line(first, most, "\n[...truncated]")


def _convention_files(root: Path) -> Iterable[tuple[str, str]]:
    """Lists files with conventions and their texts; links that lead out of the project are left out."""
    top = {path.name: path for path in listed(root, root)}
    rules = listed(root, root / ".cursor" / "rules")
    for path in (*(top[name] for name in CONVENTIONS if name in top), *rules):
        if path.is_file() and (text := read_text(path)):
            yield path.relative_to(root).as_posix(), text


# What to read before a task.


def suggest_context(context: ToolContext, arguments: Arguments) -> ToolReply:
    check = _checked(context, needed(arguments, "task_description"), arguments)
    page = f'# Suggested Context for: "{check.text}"\n\n## Relevant Specs\n\n'
    page += "".join(_suggested(name, body, check) for name, body in check.artifacts()) or texts.NO_ARTIFACTS
    page += "\n## Related Changes\n\n" + _changes(check.changes(RELATED), texts.NO_RELATED)
    page += "## Memory (Decisions & Patterns)\n\n"
    page += _memory(_notes(context, arguments, check.text, NOTES), check.detail)
    if not [*check.artifacts()]:
        page += "## Convention Files\n\n" + _conventions(check)
    return _finished(page, check.detail, arguments.number("max_tokens") or 0)


def _sections(body: str, description: str) -> dict[str, str]:
    """Returns the passages that match, by the heading above them."""
    found: dict[str, list[str]] = {}
    for match in passages_in(body, description):
        found.setdefault(match.heading, []).append(match.text)
    return {heading: "\n".join(passages) for heading, passages in found.items()}


def _suggested(name: str, body: str, check: _Check) -> str:
    found = _sections(body, check.text)
    if not found:
        row = f"- **{name}** ({len(body.encode())} bytes) — _no keyword matches_\n"
        return "" if check.detail is Detail.SUMMARY else row
    rows = [_suggested_part(heading, text, check.detail) for heading, text in found.items()]
    return f"- **{name}** — {len(found)} relevant section(s):\n{check.within(rows, texts.MORE_SECTIONS)}"


def _suggested_part(heading: str, text: str, detail: Detail) -> str:
    if detail is Detail.SUMMARY:
        return f"  - {heading}\n"
    if detail is Detail.FULL:
        return f"  - **{heading}**:\n    {text}\n"
    return f"  - **{heading}**: {cut_at_line(text, BODY, ' [...]')}\n"


def _memory(notes: Sequence[Note], detail: Detail) -> str:
    if not notes:
        return f"{texts.NO_MEMORY}\n"
    if detail is Detail.SUMMARY:
        return "".join(f"- #{each.id} ({each.type}): {each.title}\n" for each in notes) + "\n"
    rows = (f"- #{each.id} ({each.type}) **{each.title}**{_body(each, detail, ' [...]')}\n" for each in notes)
    return "".join(rows) + "\n"


# A list to tick.


def review(context: ToolContext, arguments: Arguments) -> ToolReply:
    check = _checked(context, needed(arguments, "change_description"), arguments)
    documents = dict(check.artifacts())
    groups = {
        "requirements.md": [*_requirements(documents.get("requirements.md", ""), check.text)],
        "business-rules.md": [*_rules(documents.get("business-rules.md", ""), check.text)],
        "design.md": [*_sections(documents.get("design.md", ""), check.text).items()],
    }
    analysed = ", ".join(f"{name} ✅" for name, items in groups.items() if items) or texts.NONE_FOUND
    page = f'# Spec-Aware Review Checklist\n\n**Change**: "{check.text}"\n**Specs analyzed**: {analysed}\n\n'
    for (title, none), items in zip(texts.REVIEWED, (*groups.values(), [*_decisions(check)]), strict=True):
        rows = check.within([_tick(name, text, check.detail) for name, text in items], texts.MORE_ITEMS)
        page += f"## {title}\n\n{rows or none + chr(10)}\n"
    return _finished(page + texts.GENERAL, check.detail, arguments.number("max_tokens") or 0)


def _tick(name: str, text: str, detail: Detail) -> str:
    if detail is Detail.SUMMARY:
        return f"- [ ] **{name}**\n"
    short = text if detail is Detail.FULL or len(text.encode()) <= 120 else f"{clip(text, 120)}..."
    return f"- [ ] **{name}**: {short}\n"


def _requirements(body: str, description: str) -> Iterable[tuple[str, str]]:
    for match in passages_in(body, description):
        if found := _REQUIREMENT.match(match.text):
            yield found[1], found[2]


def _rules(body: str, description: str) -> Iterable[tuple[str, str]]:
    number = 0
    for match in passages_in(body, description):
        found = _RULE.match(match.text) if "constraint" in match.heading.lower() else None
        if found:
            number += 1
            yield found["id"] or f"BRC-{number:03}", found["text"]


def _decisions(check: _Check) -> Iterable[tuple[str, str]]:
    """Lists the decisions that match, which are files here, each with a number."""
    for each in check.material.findings:
        if each.key.startswith("adr:") and each.matches:
            yield each.name, each.matches[0].text


def context_by_mode(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs Hoofy's sdd_context, which reads specs: overview, check or suggestions, by `mode`."""
    mode = arguments.text("mode").strip().lower() or "get"
    if mode not in MODES:
        raise ModicumError(f"'mode' must be one of: {', '.join(MODES)}")
    name = {"check": "change_description", "suggest": "task_description"}.get(mode)
    if name and not arguments.text(name).strip():
        raise ModicumError(f"'{name}' is required for mode={mode}")
    return MODES[mode](context, arguments)


MODES = {"get": get_context, "check": context_check, "suggest": suggest_context}
