"""Hoofy's tools that read specs: the context check and its views, the state of the project, the audit.

Its frames around our findings: what it shows by the head of a file is here the passages that match.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.specs.check import CheckMaterial, gather
from modicum.app.specs.context import SpecContext as Specs
from modicum.app.specs.context import open_specs
from modicum.app.specs.pages import passages_in
from modicum.app.specs.project import ROUND
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_words as words
from modicum.compat.hoofy.specs import current_project, needed
from modicum.compat.hoofy.texts import LEVELS, SUMMARY_FOOTER, estimate, token_footer
from modicum.engine.page import Detail
from modicum.mcp.args import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.memory.model import Note, Query
from modicum.memory.names import clip
from modicum.specs.changes.gates import threshold
from modicum.specs.check.sections import shortened
from modicum.specs.files import listed, read_text
from modicum.specs.model import Change, SpecProject, Stage, StageProgress

ARTIFACTS = ("business-rules.md", "requirements.md", "charter.md", "principles.md", "design.md")
CONVENTIONS = ("CLAUDE.md", "AGENTS.md", "README.md", "CONTRIBUTING.md")
EXCERPT, SNIPPET, BODY, FIRST_LINES = 500, 200, 300, 200
CHANGES, RELATED, THOUGHTS, NOTES = 10, 5, 5, 10
_REQUIREMENT = re.compile(r"^\s*-\s*\*\*((?:FR|NFR)-\d+)\*\*:\s*(.+)$")
_RULE = re.compile(r"^[-*]\s+(?P<text>(?:\*\*(?P<id>[^*]+)\*\*:?\s*)?When\s.*)", re.DOTALL)


def _level(asked: Arguments) -> Detail:
    return LEVELS.get(asked.text("detail_level"), Detail.STANDARD)


def _finished(text: str, detail: Detail, most: int) -> ToolReply:
    """The text with its footers, cut where the budget ends, as it does."""
    text += SUMMARY_FOOTER if detail is Detail.SUMMARY else ""
    return ToolReply(token_footer(_within(text, most)))


def _within(text: str, most: int) -> str:
    if not most or estimate(text) <= most:
        return text
    return _backed(text, 4 * most, "\n[...truncated by token budget]")


def _backed(text: str, size: int, more: str) -> str:
    """The beginning of a text, up to the end of a line if that is not far."""
    if len(text.encode()) <= size:
        return text
    kept = clip(text, size)
    line = kept.rfind("\n")
    return (kept[:line] if len(kept[: line + 1].encode()) > size // 2 else kept) + more


class _Asked(NamedTuple):
    """What a view is about, and what bears on it."""

    specs: Specs
    text: str
    detail: Detail
    bearing: CheckMaterial

    def artifacts(self) -> Iterable[tuple[str, str]]:
        for name in ARTIFACTS:
            if text := read_text(self.specs.workspace.docs / name):
                yield name, text

    def changes(self, most: int) -> list[Change]:
        """Earlier changes, the nearest first."""
        known = {f"change:{each.id}": each for each in self.specs.changes().changes}
        near = [each.key for each in self.bearing.findings if each.matches and each.key in known]
        return [known[key] for key in near[:most]]


def _asked(desk: ToolContext, text: str, asked: Arguments) -> _Asked:
    specs = open_specs(desk.config)
    bearing = gather(desk.config, specs, None, text.strip())
    return _Asked(specs, text.strip(), _level(asked), bearing)


def _notes(desk: ToolContext, asked: Arguments, text: str, limit: int, kind: str = "") -> list[Note]:
    query = Query(asked.text("project_name"), type=kind, limit=limit)
    return [hit.note for hit in desk.store.search(text, query).items if not hit.nearby]


def _changes(found: Sequence[Change], none: str) -> str:
    rows = "".join(f"- **{each.id}** ({each.type}/{each.size}): {each.description}\n" for each in found)
    return f"{rows or f'{none}{chr(10)}'}\n"


# The context check.


def context_check(desk: ToolContext, asked: Arguments) -> ToolReply:
    text = needed(asked, "change_description", " — describe the change to check context for")
    view = _asked(desk, text, asked)
    artifacts = [*view.artifacts()]
    rows = "".join(f"- **{name}** ({len(body.encode())} bytes)\n" for name, body in artifacts)
    told = f"# Context Check Report\n\n## Existing Artifacts Found\n\n{rows or words.NO_ARTIFACTS}\n"
    told += "## Relevant Prior Changes\n\n" + _changes(view.changes(CHANGES), words.NO_PRIOR)
    told += "## Explore Context (Memory)\n\n"
    told += _thoughts(_notes(desk, asked, view.text, THOUGHTS, "explore"), view.detail)
    told += "## Convention Files\n\n"
    told += f"{words.SKIPPED}\n" if artifacts else _conventions(view)
    if artifacts and view.detail is not Detail.SUMMARY:
        told += "## Artifact Excerpts\n\n"
        told += "".join(f"### {name}\n\n{_excerpt(body, view)}\n\n" for name, body in artifacts)
    return _finished(told, view.detail, asked.number("max_tokens") or 0)


def _excerpt(body: str, view: _Asked) -> str:
    """A short document whole; of a long one the passages that match, and never its head."""
    if view.detail is Detail.FULL or len(body.encode()) <= EXCERPT:
        return body
    found = passages_in(body, view.text)
    return "\n\n".join(shortened(match) for match in found) or words.NO_PASSAGE


def _thoughts(notes: Sequence[Note], detail: Detail) -> str:
    if not notes:
        return f"{words.NO_THOUGHTS}\n"
    return "".join(f"- **{each.title}** (ID: {each.id}){_body(each, detail)}\n" for each in notes) + "\n"


def _body(note: Note, detail: Detail, more: str = "\n[...truncated]") -> str:
    if detail is Detail.SUMMARY:
        return ""
    return f": {note.content if detail is Detail.FULL else _backed(note.content, SNIPPET, more)}"


def _conventions(view: _Asked) -> str:
    files = [*_convention_files(view.specs.workspace.root)]
    if not files:
        return f"{words.NO_CONVENTIONS}\n"
    if view.detail is Detail.SUMMARY:
        rows = "".join(f"- {name}\n" for name, _ in files)
    else:
        rows = "".join(f"### {name}\n\n```\n{text}\n```\n\n" for name, text in files)
    return f"{words.CONVENTIONS}\n{rows}\n"


def _convention_files(root: Path) -> Iterable[tuple[str, str]]:
    """Files with conventions, but for links that lead out of the project."""
    top = {path.name: path for path in listed(root, root)}
    rules = listed(root, root / ".cursor" / "rules")
    for path in (*(top[name] for name in CONVENTIONS if name in top), *rules):
        if path.is_file() and (text := read_text(path)):
            yield path.relative_to(root).as_posix(), "\n".join(text.split("\n")[:FIRST_LINES])


# Its views.


def suggest_context(desk: ToolContext, asked: Arguments) -> ToolReply:
    view = _asked(desk, needed(asked, "task_description"), asked)
    told = f'# Suggested Context for: "{view.text}"\n\n## Relevant Specs\n\n'
    told += "".join(_suggested(name, body, view) for name, body in view.artifacts()) or words.NO_ARTIFACTS
    told += "\n## Related Changes\n\n" + _changes(view.changes(RELATED), words.NO_RELATED)
    told += "## Memory (Decisions & Patterns)\n\n"
    told += _memory(_notes(desk, asked, view.text, NOTES), view.detail)
    if not [*view.artifacts()]:
        told += "## Convention Files\n\n" + _conventions(view)
    return _finished(told, view.detail, asked.number("max_tokens") or 0)


def _sections(body: str, asked: str) -> dict[str, str]:
    """The passages that match, by the heading above them."""
    found: dict[str, list[str]] = {}
    for match in passages_in(body, asked):
        found.setdefault(match.heading, []).append(match.text)
    return {heading: "\n".join(passages) for heading, passages in found.items()}


def _suggested(name: str, body: str, view: _Asked) -> str:
    found = _sections(body, view.text)
    if not found:
        told = f"- **{name}** ({len(body.encode())} bytes) — _no keyword matches_\n"
        return "" if view.detail is Detail.SUMMARY else told
    rows = (_suggested_part(heading, text, view.detail) for heading, text in found.items())
    return f"- **{name}** — {len(found)} relevant section(s):\n{''.join(rows)}"


def _suggested_part(heading: str, text: str, detail: Detail) -> str:
    if detail is Detail.SUMMARY:
        return f"  - {heading}\n"
    if detail is Detail.FULL:
        return f"  - **{heading}**:\n    {text}\n"
    return f"  - **{heading}**: {_backed(text, BODY, ' [...]')}\n"


def _memory(notes: Sequence[Note], detail: Detail) -> str:
    if not notes:
        return f"{words.NO_MEMORY}\n"
    if detail is Detail.SUMMARY:
        return "".join(f"- #{each.id} ({each.type}): {each.title}\n" for each in notes) + "\n"
    rows = (f"- #{each.id} ({each.type}) **{each.title}**{_body(each, detail, ' [...]')}\n" for each in notes)
    return "".join(rows) + "\n"


def review(desk: ToolContext, asked: Arguments) -> ToolReply:
    view = _asked(desk, needed(asked, "change_description"), asked)
    texts = dict(view.artifacts())
    groups = {
        "requirements.md": [*_requirements(texts.get("requirements.md", ""), view.text)],
        "business-rules.md": [*_rules(texts.get("business-rules.md", ""), view.text)],
        "design.md": [*_sections(texts.get("design.md", ""), view.text).items()],
    }
    analysed = ", ".join(f"{name} ✅" for name, items in groups.items() if items) or words.NONE_FOUND
    told = f'# Spec-Aware Review Checklist\n\n**Change**: "{view.text}"\n**Specs analyzed**: {analysed}\n\n'
    for (title, none), items in zip(words.REVIEWED, (*groups.values(), [*_decisions(view)]), strict=True):
        rows = "".join(_tick(name, text, view.detail) for name, text in items)
        told += f"## {title}\n\n{rows or none + chr(10)}\n"
    return _finished(told + words.GENERAL, view.detail, asked.number("max_tokens") or 0)


def _tick(name: str, text: str, detail: Detail) -> str:
    if detail is Detail.SUMMARY:
        return f"- [ ] **{name}**\n"
    short = text if detail is Detail.FULL or len(text.encode()) <= 120 else f"{clip(text, 120)}..."
    return f"- [ ] **{name}**: {short}\n"


def _requirements(body: str, asked: str) -> Iterable[tuple[str, str]]:
    for match in passages_in(body, asked):
        if found := _REQUIREMENT.match(match.text):
            yield found[1], found[2]


def _rules(body: str, asked: str) -> Iterable[tuple[str, str]]:
    number = 0
    for match in passages_in(body, asked):
        found = _RULE.match(match.text) if "constraint" in match.heading.lower() else None
        if found:
            number += 1
            yield found["id"] or f"BRC-{number:03}", found["text"]


def _decisions(view: _Asked) -> Iterable[tuple[str, str]]:
    """Decisions are files here, each with a number."""
    for each in view.bearing.findings:
        if each.key.startswith("adr:") and each.matches:
            yield each.name, each.matches[0].text


# The project.


def get_context(desk: ToolContext, asked: Arguments) -> ToolReply:
    specs = open_specs(desk.config)
    project = current_project(specs)
    word, most = asked.text("stage").strip(), asked.number("max_tokens") or 0
    if word:
        return ToolReply(token_footer(_within(_stage_text(specs, word), most)))
    level = asked.text("detail_level") or "summary"
    view = _Project(specs, project)
    text = view.brief() if level == "summary" else view.standard()
    text += view.contents() if level == "full" else ""
    return ToolReply(token_footer(_within(text, most)))


def _stage_text(specs: Specs, word: str) -> str:
    named = {key: stage for stage in specs.flows.project if stage.file for key in _names(stage)}
    if word not in named:
        raise ModicumError(f"unknown stage: {word}")
    stage = named[word]
    text = read_text(specs.workspace.docs / stage.file)
    about = words.ABOUT.get(stage.id, stage.does)
    return text or f"# Stage: {stage.name}\n\n**Status:** Not yet completed\n\n_{about}_"


def _names(stage: Stage) -> tuple[str, ...]:
    """Its own key, and those that its documentation gives."""
    return stage.id, stage.file, stage.file.removesuffix(".md")


class _Project(NamedTuple):
    specs: Specs
    project: SpecProject

    @property
    def current(self) -> str:
        return self.project.current or self.specs.flows.project[-1].id

    def _status(self, name: str) -> StageProgress:
        """A stage is in progress once something was written for it; only the first one begins as pending."""
        found = next(step.status for step in self.project.steps if step.name == name)
        first = self.specs.flows.project[1].id
        return StageProgress.PENDING if name == first and found is StageProgress.CURRENT else found

    def brief(self) -> str:
        one, need = self.project, threshold(self.project.mode)
        score = f"Clarity: {one.clarity}/{need}\n\n" if self.current == "clarify" else ""
        rows = (
            f"{words.ICONS[self._status(stage.id)]} {stage.name}{' ←' if stage.id == self.current else ''}\n"
            for stage in self.specs.flows.project
        )
        return f"# {one.name} [{one.mode} mode]\n\n{score}{''.join(rows)}"

    def standard(self) -> str:
        one, flows = self.project, self.specs.flows
        need = threshold(one.mode)
        stage = next(each for each in flows.project if each.id == self.current)
        score = words.SCORE.format(score=one.clarity, need=need, mode=one.mode)
        return words.PROJECT.format(
            name=one.name,
            description=one.description,
            mode=one.mode,
            created=one.created_at,
            updated=one.updated_at,
            stage=stage.name,
            key=stage.id,
            about=words.ABOUT.get(stage.id, stage.does),
            score=score if stage.id == "clarify" else "",
            rows="\n".join(map(self._row, flows.project)),
            artifacts="\n".join(self._artifacts()),
            next=words.NEXT.get(stage.id, "").format(score=one.clarity, need=need),
        )

    def _row(self, stage: Stage) -> str:
        status = self._status(stage.id)
        here = " **← current**" if stage.id == self.current else ""
        return (
            f"| {words.ICONS[status]} {stage.name} | {status}{here} | {self._iterations(stage.id, status)} |"
        )

    def _iterations(self, name: str, status: StageProgress) -> int:
        """How often it counts a stage: when it is begun, and each time something is written for it."""
        if status is StageProgress.PENDING:
            return 0
        if name == "clarify":
            return 1 + (self._text("clarifications.md") or "").count(ROUND)
        first = {stage.id for stage in self.specs.flows.project[:2]}
        return 1 + (status is StageProgress.DONE and name not in first)

    def _text(self, file: str) -> str | None:
        return read_text(self.specs.workspace.docs / file)

    def _artifacts(self) -> Iterable[str]:
        docs = self.specs.workspace.shown(self.specs.workspace.docs)
        for stage in self._documents():
            text = self._text(stage.file)
            size = f"{text.count(chr(10)) + 1} lines" if text else "not created"
            yield f"- **{stage.name}** (`{docs}/{stage.file}`): {size}"

    def _documents(self) -> list[Stage]:
        """Those that it lists; business rules, which it forgets, once they are there."""
        return [
            stage
            for stage in self.specs.flows.project
            if stage.file and (stage.id != "business-rules" or self._text(stage.file))
        ]

    def contents(self) -> str:
        found = ((stage.name, self._text(stage.file)) for stage in self._documents())
        return "".join(f"\n---\n\n## {name} Content\n\n{text}\n" for name, text in found if text)


def context(desk: ToolContext, asked: Arguments) -> ToolReply:
    mode = asked.text("mode").strip().lower() or "get"
    if mode not in MODES:
        raise ModicumError(f"'mode' must be one of: {', '.join(MODES)}")
    name = {"check": "change_description", "suggest": "task_description"}.get(mode)
    if name and not asked.text(name).strip():
        raise ModicumError(f"'{name}' is required for mode={mode}")
    return MODES[mode](desk, asked)


MODES = {"get": get_context, "check": context_check, "suggest": suggest_context}
