"""Imports Markdown folders: front matter, text, and the links between notes. Pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from modicum.memory.exchange.imports.import_contents import Document, key_of
from modicum.memory.model import PERSONAL, RELATES_TO, ImportProblem
from modicum.text.regions import take_regions

LONGEST_HEAD = 1_000_000

CLAUDE, CODEX, PLAIN = "Claude Code's memory folder", "Codex's memory folder", "a folder of Markdown notes"

_RELATION = re.compile(
    r"^[ \t]{0,40}[-*][ \t]{1,9}([^\s\[\]][^\[\]\n]{0,99})\[\[([^\[\]\n]{1,300})\]\](?:[ \t]*\((.*)\))?[ \t\r]*$",
    re.MULTILINE,
)
_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,300})(?:[|#][^\[\]\n]*)?\]\]")
_FIELD = re.compile(r"([a-z_]{2,40}): (.+)")
_OURS = "<!-- modicum:start:"
_LEFT_OUT = {
    "raw_memories.md": "it repeats what the summaries say",
    "phase2_workspace_diff.md": "it is no note",
}


class MarkdownFile(NamedTuple):
    """A Markdown file of an imported folder: its path in the folder, its text, and when it was changed."""

    path: str
    text: str
    changed_at: str
    is_ours: bool = False  # nothing but regions of modicum

    @property
    def stem(self) -> str:
        return self.path.rpartition("/")[2].removesuffix(".md")


class MarkdownFolder(NamedTuple):
    """A folder of Markdown files to import: its name, and the project of its notes."""

    name: str
    project: str


class _Note(NamedTuple):
    record: dict[str, Any]
    names: tuple[str, ...]  # by which others may link to it
    links: tuple[tuple[str, str, str], ...]  # kind, name, remark


def folder_kind(paths: Sequence[str]) -> str:
    """Returns the name of the program that keeps Markdown files with such paths, for an import."""
    top = {path.partition("/")[0] for path in paths}
    if "memory_summary.md" in top or "rollout_summaries" in top or "raw_memories.md" in top:
        return CODEX
    return CLAUDE if "MEMORY.md" in top else PLAIN


def notes(files: Sequence[MarkdownFile], folder: MarkdownFolder) -> tuple[Document, list[ImportProblem]]:
    """Returns the notes in an imported Markdown folder as records, and the files that are not notes.

    What modicum has written into a file of somebody else's is no note either.
    """
    codex = folder_kind([file.path for file in files]) == CODEX
    files = [_without_ours(file) for file in files]
    problems = [ImportProblem(file.path, reason) for file in files if (reason := _why_not(file, codex=codex))]
    unreadable = {problem.where for problem in problems}
    made = [
        note for file in files if file.path not in unreadable for note in _of_file(file, folder, codex=codex)
    ]
    for number, note in enumerate(made, 1):
        note.record.setdefault("id", -number)
    return {"notes": [note.record for note in made], "relations": _relations(made)}, problems


def _without_ours(file: MarkdownFile) -> MarkdownFile:
    """The file without the regions that modicum keeps up to date; our own export is left as it is."""
    if _OURS not in file.text or "sync_id" in split_front_matter(file.text)[0]:
        return file
    text = take_regions(file.text)
    return file._replace(text=text, is_ours=not text.strip())


def _why_not(file: MarkdownFile, *, codex: bool) -> str:
    if file.is_ours:
        return "modicum has written all of it"
    if codex and file.path in _LEFT_OUT:
        return _LEFT_OUT[file.path]
    if codex and file.path.startswith("skills/"):
        return "skills are no notes: put them into a pack"
    return "" if split_front_matter(file.text)[1].strip() else "it is empty"


def _of_file(file: MarkdownFile, folder: MarkdownFolder, *, codex: bool) -> list[_Note]:
    if not codex:
        return [_note(file, folder)]
    if file.path == "MEMORY.md":
        return [_note(part, folder) for part in _parts(file)]
    return [_with_fields(file, folder)]


def _parts(file: MarkdownFile) -> list[MarkdownFile]:
    """One file for each chapter of a handbook."""
    pieces = [piece.strip() for piece in re.split(r"(?m)^(?=# )", file.text) if piece.strip()]
    titled = [(piece.partition("\n")[0].lstrip("# ").strip(), piece) for piece in pieces]
    return [MarkdownFile(f"{file.path}/{title}", piece, file.changed_at) for title, piece in titled]


def _with_fields(file: MarkdownFile, folder: MarkdownFolder) -> _Note:
    """The note in a summary that begins with lines such as `updated_at: …`."""
    fields: dict[str, str] = {}
    lines = file.text.split("\n")
    while lines and (match := _FIELD.fullmatch(lines[0].strip())):
        fields[match[1]] = match[2]
        lines.pop(0)
    note = _note(file._replace(text="\n".join(lines).strip() or file.text), folder)
    if fields.get("thread_id"):
        note.record["session_id"] = fields["thread_id"]
    if fields.get("updated_at"):
        note.record["created_at"] = _dated(fields["updated_at"], file.changed_at)
    return note


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """Splits an imported Markdown text into front matter and rest; unreadable front matter stays there."""
    match = re.match(
        r"\ufeff?---[ \t]*\r?\n(.*?)(?:^|\n)---[ \t]*(?:\r?\n|\Z)", text[:LONGEST_HEAD], re.DOTALL
    )
    if not match:
        return {}, text
    import yaml

    try:
        found = yaml.load(match[1], Loader=yaml.BaseLoader)  # noqa: S506 - knows nothing but texts, lists and maps
    except (yaml.YAMLError, RecursionError):
        return {}, text
    return (found, text[match.end() :]) if isinstance(found, dict) else ({}, text)


def _note(file: MarkdownFile, folder: MarkdownFolder) -> _Note:
    head, body = split_front_matter(file.text)
    given = {str(name).lower(): value for name, value in head.items() if isinstance(value, str)}
    title = given.get("title") or given.get("name") or heading(body) or file.stem
    kind = given.get("type") or "note"
    created = given.get("created_at") or given.get("created") or given.get("date") or file.changed_at
    updated = given.get("updated_at") or given.get("modified") or given.get("updated") or created
    known = (*_SAID, *_COUNTED) if "sync_id" in given else _SAID
    ours = {name: given[name] for name in known if given.get(name)}
    record = {
        "sync_id": key_of("obs", "markdown", folder.name, given.get("permalink") or file.path),
        "session_id": f"import-{folder.name}",
        "type": kind,
        "title": title,
        "content": _text(body, title, head),
        "project": "" if "sync_id" in given else folder.project,
        "scope": PERSONAL if kind == "user" else "",
        "created_at": _dated(created, file.changed_at),
        "updated_at": _dated(updated, file.changed_at),
        **ours,
    }
    names = (
        title,
        file.stem,
        file.path.removesuffix(".md"),
        given.get("permalink", ""),
        ours.get("sync_id", ""),
    )
    return _Note(record, tuple(name.lower() for name in names if name), _links(head, body))


# Front matter that means the same wherever it stands, and what does so only in our own export: elsewhere an `id` may be
# any word, and `pinned` a yes. The `id` of our own follows from `sync_id`.
_SAID = ("session_id", "project", "scope", "topic_key", "namespace", "author", "tool_name")
_COUNTED = ("sync_id", "pinned", "revision_count", "duplicate_count", "last_seen_at", "deleted_at")


def _dated(text: str, otherwise: str) -> str:
    """The text if it is a time, else the other one."""
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        return otherwise
    return text


def heading(body: str) -> str:
    """Returns the first heading of an imported Markdown text, if the text begins with one."""
    match = re.match(r"\s*#{1,3}[ \t]+(.+)", body)
    return match[1].strip() if match else ""


def _text(body: str, title: str, head: Mapping[str, Any]) -> str:
    """The text without the heading that only repeats the title; tags and the description are kept."""
    if "sync_id" in head:  # our own export: byte for byte
        return body.removeprefix(f"\n# {' '.join(title.split())}\n\n").removesuffix("\n")
    text = body.strip().replace("\r\n", "\n")
    if heading(text) == " ".join(title.split()):
        text = text.partition("\n")[2].strip()
    described = _said(head, "description")
    tags = head.get("tags")
    tagged = ", ".join(tags) if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) else tags
    more = f"Tags: {tagged}" if isinstance(tagged, str) and tagged else ""
    return "\n\n".join(part for part in (described, text, more) if part) or title


def _said(head: Mapping[str, Any], name: str) -> str:
    """A field if it is text, else nothing: a short list of lists may spell gigabytes."""
    value = head.get(name)
    return value if isinstance(value, str) else ""


def _links(head: Mapping[str, Any], body: str) -> tuple[tuple[str, str, str], ...]:
    listed = head.get("relations")
    ours = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    kept = [(_said(each, "type"), _said(each, "to"), _said(each, "note")) for each in ours]
    if "sync_id" in head:
        return tuple(kept)
    typed = [(kind.strip(" :"), name, remark or "") for kind, name, remark in _RELATION.findall(body)]
    seen = {name for _, name, _ in typed}
    return (*kept, *typed, *((RELATES_TO, name, "") for name in _LINK.findall(body) if name not in seen))


def _relations(made: Sequence[_Note]) -> list[dict[str, Any]]:
    """The relations between notes of the folder, from their links; links that lead elsewhere are left out."""
    numbers = {name: note.record["id"] for note in reversed(made) for name in note.names}
    edges = {
        (note.record["id"], numbers[name.strip().lower()], kind or RELATES_TO): (
            remark,
            note.record["created_at"],
        )
        for note in made
        for kind, name, remark in note.links
        if name.strip().lower() in numbers
    }
    return [
        {"id": number, "from_id": one, "to_id": other, "type": kind, "note": remark, "created_at": at}
        for number, ((one, other, kind), (remark, at)) in enumerate(edges.items(), 1)
        if one != other
    ]
