"""Hoofy's two MCP tools that audit the source code: sdd_audit and sdd_reverse_engineer."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.answer.answer import list_of
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.app.specs.sections import contents
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_read_texts as texts
from modicum.compat.hoofy.memory_texts import LEVELS, token_footer
from modicum.engine.page import Detail
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.memory.names import clip
from modicum.specs.project.scan import LONGEST_SHOWN, MOST_BYTES, SOURCES, scanned_folder, walk
from modicum.text.snippets import snippet

AUDITED = ("principles", "charter", "specify", "business-rules", "design", "tasks")
MOST_SHOWN = 3_000
MOST_FILES = 20_000
MOST_ROWS = 500  # of a table, but at full
_ID = re.compile(r"\b(?:FR|NFR)-\d{3,4}\b")


class _File(NamedTuple):
    """A source file."""

    path: str
    lines: int
    size: int


def audit(context: ToolContext, arguments: Arguments) -> ToolReply:
    started = time.perf_counter()
    specs, level = open_specs(context.config), arguments.text("detail_level")
    detail = LEVELS.get(level, Detail.STANDARD)
    folder = _folder(specs, arguments.text("scan_path"))
    files = [*_sources(folder, specs.workspace.docs.name)]
    documents = {
        stage.id: specs.workspace.document(stage.file) for stage in specs.flows.project if stage.file
    }
    report = texts.AUDIT.format(
        root=specs.workspace.root,
        docs=specs.workspace.docs,
        files=len(files),
        lines=sum(file.lines for file in files),
        there=sum(bool(documents.get(name)) for name in AUDITED),
        took=f"{(time.perf_counter() - started) * 1000:.0f}ms",
        level=detail.name.lower(),
        artifacts="".join(_artifact(specs, name, documents.get(name), detail) for name in AUDITED),
        ids=_ids(documents, detail),
        sources=_source_table(files, detail),
    )
    return ToolReply(token_footer(report))


def _folder(specs: OpenedSpecs, path: str) -> Path:
    try:
        return scanned_folder(specs.workspace, path)
    except ModicumError as error:
        if "outside" in error.message:
            raise
        shown = snippet(path, LONGEST_SHOWN)
        known = os.path.exists(specs.workspace.root / path)  # noqa: PTH110 - False for a name that is too long
        raise ModicumError(
            f"scan_path '{shown}' is not a directory"
            if known
            else f"scan_path '{shown}' not found: there is no such folder"
        ) from None


def _sources(folder: Path, docs: str) -> Iterable[_File]:
    for number, (path, size) in enumerate(walk(folder)):
        shown = Path(path).relative_to(folder).as_posix()
        if number >= MOST_FILES:
            return
        if path.rpartition(".")[2].lower() in SOURCES and docs not in shown.split("/")[:-1]:
            lines = Path(path).read_bytes().count(b"\n") if size <= MOST_BYTES else 0
            yield _File(shown, lines, size)


def _artifact(specs: OpenedSpecs, name: str, text: str | None, detail: Detail) -> str:
    stage = next(each for each in specs.flows.project if each.id == name)
    if not text:
        return f"### {stage.name}\n\n_Not found_ — `{stage.file}` does not exist.\n\n"
    size = len(text.encode())
    head = f"### {stage.name} (`{stage.file}`, {size} bytes)\n\n"
    if detail is Detail.SUMMARY:
        return f"{head}✅ Exists ({size} bytes)\n\n"
    shown = (
        text if detail is Detail.FULL or size <= MOST_SHOWN else f"{clip(text, MOST_SHOWN)}\n[...truncated]"
    )
    return f"{head}```markdown\n{shown}\n```\n\n"


def _ids(documents: Mapping[str, str | None], detail: Detail) -> str:
    """Returns the requirement ids with their lines, and where else each is named."""
    own = documents.get("specify") or ""
    rows = [
        (found[0], line.strip().lstrip("-* ")) for line in own.splitlines() if (found := _ID.search(line))
    ]
    if not rows:
        return texts.NO_IDS
    table = texts.ID_HEAD + _within([f"| {name} | {text} |\n" for name, text in rows], detail)
    others = {key: set(_ID.findall(text)) for key, text in documents.items() if text and key != "specify"}
    named = [(name, [key for key, ids in others.items() if name in ids]) for name in dict(rows)]
    crossed = _within([f"- **{name}**: {', '.join(keys)}\n" for name, keys in named if keys], detail)
    return table + (f"{texts.CROSS_HEAD}{crossed}" if crossed else "")


def _within(rows: Sequence[str], detail: Detail) -> str:
    """Returns all rows at full, else the first ones and how many there are beside them."""
    most = len(rows) if detail is Detail.FULL else MOST_ROWS
    rest = len(rows) - most
    return "".join(rows[:most]) + (texts.MORE_ROWS.format(count=rest) if rest > 0 else "")


def _source_table(files: Sequence[_File], detail: Detail) -> str:
    if not files:
        return texts.NO_SOURCES
    if detail is Detail.SUMMARY:
        counts = Counter(file.path.rpartition("/")[0] or "." for file in files)
        rows = [f"| {name} | {count} |\n" for name, count in sorted(counts.items())]
        return texts.FOLDER_HEAD + _within(rows, detail)
    rows = [f"| {file.path} | {file.lines} | {file.size} |\n" for file in files]
    return texts.SOURCE_HEAD + _within(rows, detail)


def reverse_engineer(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs Hoofy's sdd_reverse_engineer: returns a scan of the code; standard and full differ."""
    path, level = arguments.text("scan_path"), arguments.text("detail_level")
    _folder(open_specs(context.config), path)
    amount = amount_of(arguments)._replace(detail=LEVELS.get(level, Detail.STANDARD), most_items=0)
    empty = "There is nothing here that a scan knows."
    return ToolReply(page_reply(list_of(contents(context.config, path)), amount, arguments, empty).text)
