"""Hoofy's two tools that look at the code: the audit of requirements, and the scan of what is there."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.answer.answer import list_of
from modicum.app.specs.context import SpecContext as Specs
from modicum.app.specs.context import open_specs
from modicum.app.specs.sections import contents
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_words as words
from modicum.compat.hoofy.texts import LEVELS, token_footer
from modicum.engine.page import Detail
from modicum.mcp.args import Arguments
from modicum.mcp.pages import amount_of, page_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.memory.names import clip
from modicum.specs.files import read_text
from modicum.specs.project.scan import MOST_BYTES, SOURCES, scanned_folder, walk

AUDITED = ("principles", "charter", "specify", "business-rules", "design", "tasks")
MOST_SHOWN = 3_000
MOST_FILES = 20_000
_ID = re.compile(r"\b(?:FR|NFR)-\d{3,4}\b")


class _File(NamedTuple):
    path: str
    lines: int
    size: int


def audit(desk: ToolContext, asked: Arguments) -> ToolReply:
    started = time.perf_counter()
    specs, level = open_specs(desk.config), asked.text("detail_level")
    detail = LEVELS.get(level, Detail.STANDARD)
    folder = _folder(specs, asked.text("scan_path"))
    files = [*_sources(folder, specs.workspace.docs.name)]
    texts = {
        stage.id: read_text(specs.workspace.docs / stage.file) for stage in specs.flows.project if stage.file
    }
    report = words.AUDIT.format(
        root=specs.workspace.root,
        docs=specs.workspace.docs,
        files=len(files),
        lines=sum(file.lines for file in files),
        there=sum(bool(texts.get(name)) for name in AUDITED),
        took=f"{(time.perf_counter() - started) * 1000:.0f}ms",
        level=detail.name.lower(),
        artifacts="".join(_artifact(specs, name, texts.get(name), detail) for name in AUDITED),
        ids=_ids(texts),
        sources=_source_table(files, detail),
    )
    return ToolReply(token_footer(report))


def _folder(specs: Specs, path: str) -> Path:
    try:
        return scanned_folder(specs.workspace, path)
    except ModicumError as error:
        target = specs.workspace.root / path
        if "outside" in error.message:
            raise
        known = target.exists()
        raise ModicumError(
            f"scan_path '{path}' is not a directory"
            if known
            else f"scan_path '{path}' not found: there is no such folder"
        ) from None


def _sources(folder: Path, docs: str) -> Iterable[_File]:
    for number, (path, size) in enumerate(walk(folder)):
        shown = Path(path).relative_to(folder).as_posix()
        if number >= MOST_FILES:
            return
        if path.rpartition(".")[2].lower() in SOURCES and docs not in shown.split("/")[:-1]:
            lines = Path(path).read_bytes().count(b"\n") if size <= MOST_BYTES else 0
            yield _File(shown, lines, size)


def _artifact(specs: Specs, name: str, text: str | None, detail: Detail) -> str:
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


def _ids(texts: Mapping[str, str | None]) -> str:
    """Every id with its line, and where else it is named."""
    own = texts.get("specify") or ""
    rows = [
        (found[0], line.strip().lstrip("-* ")) for line in own.splitlines() if (found := _ID.search(line))
    ]
    if not rows:
        return words.NO_IDS
    table = words.ID_HEAD + "".join(f"| {name} | {text} |\n" for name, text in rows)
    others = {key: set(_ID.findall(text)) for key, text in texts.items() if text and key != "specify"}
    named = [(name, [key for key, ids in others.items() if name in ids]) for name in dict(rows)]
    crossed = "".join(f"- **{name}**: {', '.join(keys)}\n" for name, keys in named if keys)
    return table + (f"{words.CROSS_HEAD}{crossed}" if crossed else "")


def _source_table(files: Sequence[_File], detail: Detail) -> str:
    if not files:
        return words.NO_SOURCES
    if detail is Detail.SUMMARY:
        counts = Counter(file.path.rpartition("/")[0] or "." for file in files)
        return words.FOLDER_HEAD + "".join(
            f"| {name} | {count} |\n" for name, count in sorted(counts.items())
        )
    return words.SOURCE_HEAD + "".join(f"| {file.path} | {file.lines} | {file.size} |\n" for file in files)


def reverse_engineer(desk: ToolContext, asked: Arguments) -> ToolReply:
    """What is in the project, in as much detail as is asked for; standard and full are not the same here."""
    path, level = asked.text("scan_path"), asked.text("detail_level")
    _folder(open_specs(desk.config), path)
    amount = amount_of(asked)._replace(detail=LEVELS.get(level, Detail.STANDARD), most_items=0)
    empty = "There is nothing here that a scan knows."
    return ToolReply(page_reply(list_of(contents(desk.config, path)), amount, asked, empty).text)
